//! The list of active formatting elements (HTML Standard, section 13.2.4.3), and misnested end tags
//! (13.2.6.4.7, "adoption agency algorithm").

use super::super::limit::{Limit, MAX_FORMATTING_ELEMENTS};
use super::super::node::Stored;
use super::super::tag::Tag;
use super::super::token::{StartTag, TagAttribute, TagName};
use super::stack::Open;
use super::{NodeId, Step, TreeBuilder};

/// An entry of the list.
#[derive(Debug, Clone, Copy)]
pub(super) enum Entry {
    Marker,
    Element(Formatting),
}

/// A formatting element. Its attributes are in the arena.
#[derive(Debug, Clone, Copy)]
pub(super) struct Formatting {
    open: Open,
    /// Whether its start tag repeated an attribute.
    repeats: bool,
}

impl Entry {
    fn is(self, id: NodeId) -> bool {
        matches!(self, Self::Element(entry) if entry.open.id == id)
    }
}

/// The cost in steps of comparing an attribute.
const STEPS_OF_ATTRIBUTE: usize = 8;

/// Where the entry of a new element is inserted.
enum Bookmark {
    /// In place of the formatting element.
    Replace,
    /// After this element.
    Behind(NodeId),
}

impl TreeBuilder {
    pub(super) fn push_marker(&mut self) {
        self.push_entry(Entry::Marker);
    }

    fn push_entry(&mut self, entry: Entry) {
        self.formatting.push(entry);
        if self.formatting.len() > MAX_FORMATTING_ELEMENTS {
            self.spent().reach(Limit::FormattingElements);
        }
    }

    /// Counts the steps of scanning the whole list.
    fn look_through_formatting(&mut self) {
        self.arena.spent.take(self.formatting.len());
    }

    /// "Clear the list of active formatting elements up to the last marker".
    pub(super) fn clear_formatting_to_marker(&mut self) {
        while let Some(Entry::Element(_)) = self.formatting.pop() {}
    }

    /// The entries after the last marker, last first, with their indices.
    fn after_marker(&self) -> impl Iterator<Item = (usize, Formatting)> {
        let places = self.formatting.iter().enumerate().rev();
        places.map_while(|(place, entry)| match entry {
            Entry::Marker => None,
            Entry::Element(entry) => Some((place, *entry)),
        })
    }

    fn formatting_index(&mut self, id: NodeId) -> Option<usize> {
        self.look_through_formatting();
        self.formatting.iter().position(|entry| entry.is(id))
    }

    /// Inserts a formatting element. If there are already three equal ones, the first is removed from the
    /// list.
    pub(super) fn insert_formatting(&mut self, tag: &StartTag<'_, '_>) -> Step {
        let (mut first, mut alike, mut steps) = (None, 0, 0);
        for (place, entry) in self.after_marker() {
            steps += 1;
            if entry.open.is_named(&tag.name, &self.arena)
                && self.has_attributes(entry.open.id, tag.attributes, &mut steps)
            {
                first = Some(place);
                alike += 1;
            }
        }
        self.arena.spent.take(steps);
        if let Some(first) = first.filter(|_| alike >= 3) {
            self.formatting.remove(first);
        }
        let open = self.insert(tag);
        self.push_entry(Entry::Element(Formatting {
            open,
            repeats: tag.repeats,
        }));
        Step::Done
    }

    /// Whether an element has exactly these attributes, in any order. Adds the cost to `steps`.
    fn has_attributes(
        &self,
        id: NodeId,
        attributes: &[TagAttribute<'_>],
        steps: &mut usize,
    ) -> bool {
        let Some(Stored::Element(element)) = self.arena.node(id).map(|node| node.stored) else {
            return false;
        };
        let own = self.arena.attributes(&element);
        if own.len() != attributes.len() {
            return false;
        }
        let bytes = own.iter().map(|own| own.value.len());
        *steps += own.len() * STEPS_OF_ATTRIBUTE + bytes.sum::<usize>() / 16;
        let own = own
            .iter()
            .map(|own| (&own.name, self.arena.text(own.value)));
        let others = attributes.iter().map(|other| (&other.name, &*other.value));
        if own.clone().eq(others.clone()) {
            return true;
        }
        let (mut own, mut others): (Vec<_>, Vec<_>) = (own.collect(), others.collect());
        own.sort_unstable();
        others.sort_unstable();
        own == others
    }

    /// Creates a detached copy of this element.
    fn repeat(&mut self, entry: Formatting) -> Formatting {
        let id = self.arena.repeat_element(entry.open.id, self.line);
        if entry.repeats {
            self.duplicate_attributes.push(id);
        }
        let open = Open { id, ..entry.open };
        Formatting { open, ..entry }
    }

    /// The number of entries at the end of the list whose elements are no longer open.
    fn closed_entries(&mut self) -> usize {
        let (mut closed, mut steps) = (0, 0);
        for entry in self.formatting.iter().rev() {
            let Entry::Element(entry) = entry else {
                break;
            };
            let mut open = self.open.iter().rev().inspect(|_| steps += 1);
            if open.any(|open| open.id == entry.open.id) {
                break;
            }
            closed += 1;
        }
        self.arena.spent.take(steps);
        closed
    }

    /// "Reconstruct the active formatting elements".
    pub(super) fn reconstruct_formatting(&mut self) {
        let closed = self.closed_entries();
        let length = self.formatting.len();
        for place in length - closed..length {
            let Some(Entry::Element(entry)) = self.formatting.get(place).copied() else {
                continue;
            };
            if self.is_full() {
                break;
            }
            let entry = self.repeat(entry);
            self.open_element(entry.open);
            if let Some(old) = self.formatting.get_mut(place) {
                *old = Entry::Element(entry);
            }
        }
    }

    /// A start tag `a` closes the link that is open.
    pub(super) fn close_link(&mut self, name: &TagName) {
        self.look_through_formatting();
        let link = self
            .after_marker()
            .find(|(_, entry)| entry.open.tag == Tag::A);
        let Some((_, link)) = link else {
            return;
        };
        self.unexpected();
        self.run_adoption_agency(name);
        if let Some(place) = self.formatting_index(link.open.id) {
            self.formatting.remove(place);
        }
        self.remove_from_stack(link.open.id);
    }

    /// The "adoption agency algorithm" for the end tag of a formatting element.
    pub(super) fn run_adoption_agency(&mut self, name: &TagName) {
        if let Some(current) = self.open.last().copied()
            && current.is_named(name, &self.arena)
            && self.formatting_index(current.id).is_none()
        {
            self.pop();
            return;
        }
        for _ in 0..8 {
            if self.is_full() {
                return;
            }
            self.look_through_formatting();
            let found = self
                .after_marker()
                .find(|(_, entry)| entry.open.is_named(name, &self.arena));
            let Some((place, entry)) = found else {
                self.end_any_in_body(name);
                return;
            };
            if !self.run_outer_loop(place, entry) {
                return;
            }
        }
    }

    /// One iteration of the outer loop. Returns whether to continue.
    fn run_outer_loop(&mut self, place: usize, entry: Formatting) -> bool {
        let element = entry.open;
        let is_it = |open: &Open| open.id == element.id;
        self.look_through_open();
        let Some(element_at) = self.open.iter().rposition(is_it) else {
            self.error("Formatting element not open");
            self.formatting.remove(place);
            return false;
        };
        if !self.in_scope_by(Tag::bounds_scope, is_it) {
            self.error("Formatting element not in scope");
            return false;
        }
        if element_at + 1 != self.open.len() {
            self.error_about("Formatting element not current node", self.current_id());
        }
        let mut above = self.open.iter().enumerate().skip(element_at);
        let furthest = above.find(|(_, open)| open.tag.is_special());
        let Some((furthest_at, furthest)) = furthest.map(|(at, open)| (at, *open)) else {
            self.open.truncate(element_at);
            self.formatting.remove(place);
            return false;
        };
        let below = element_at.checked_sub(1);
        let Some(ancestor) = below.and_then(|below| self.open.get(below)).copied() else {
            return false;
        };
        let (last, bookmark) = self.reparent(element.id, furthest.id, furthest_at);
        self.arena.detach(last);
        self.put_appropriately(last, Some(ancestor));

        let new = self.repeat(entry);
        self.arena.move_children(furthest.id, new.open.id);
        self.append(furthest.id, new.open.id);
        self.replace_entry(element.id, new, &bookmark);
        self.remove_from_stack(element.id);
        let at = self.open.iter().position(|open| open.id == furthest.id);
        let at = at.map_or(self.open.len(), |at| at + 1);
        self.look_through_open();
        self.open.insert(at, new.open);
        true
    }

    /// Runs the inner loop: reparents the furthest block under copies of the elements between it and the
    /// formatting element. Returns the topmost copy and the bookmark.
    fn reparent(
        &mut self,
        element: NodeId,
        furthest: NodeId,
        furthest_at: usize,
    ) -> (NodeId, Bookmark) {
        let mut bookmark = Bookmark::Replace;
        let mut last = furthest;
        let mut at = furthest_at;
        for round in 1_u32.. {
            let Some(lower) = at.checked_sub(1) else {
                break;
            };
            at = lower;
            self.look_through_open();
            let Some(node) = self.open.get(at).copied().filter(|node| node.id != element) else {
                break;
            };
            let place = self.formatting_index(node.id);
            let entry = match place.and_then(|place| self.formatting.get(place)) {
                Some(Entry::Element(entry)) if round <= 3 => *entry,
                _ => {
                    if let Some(place) = place {
                        self.formatting.remove(place);
                    }
                    self.open.remove(at);
                    continue;
                }
            };
            let new = self.repeat(entry);
            if let Some(open) = self.open.get_mut(at) {
                *open = new.open;
            }
            if let Some(old) = place.and_then(|place| self.formatting.get_mut(place)) {
                *old = Entry::Element(new);
            }
            if last == furthest {
                bookmark = Bookmark::Behind(new.open.id);
            }
            self.arena.detach(last);
            self.append(new.open.id, last);
            last = new.open.id;
        }
        (last, bookmark)
    }

    /// Inserts the entry of the new element into the list and removes the old one.
    fn replace_entry(&mut self, old: NodeId, new: Formatting, bookmark: &Bookmark) {
        let new = Entry::Element(new);
        match bookmark {
            Bookmark::Replace => {
                let place = self.formatting_index(old);
                if let Some(entry) = place.and_then(|place| self.formatting.get_mut(place)) {
                    *entry = new;
                }
            }
            Bookmark::Behind(previous) => {
                if let Some(place) = self.formatting_index(*previous) {
                    self.formatting.insert(place + 1, new);
                }
                if let Some(place) = self.formatting_index(old) {
                    self.formatting.remove(place);
                }
            }
        }
    }
}
