//! What the browser computed for each element.

use std::collections::{HashMap, HashSet};

use super::Snapshot;
use super::read::{DocumentSnapshot, TEXT};
use crate::algorithms::readable::is_readable;
use crate::dom::{Dom, ElementRef, NodeId};
use crate::layout::Layout;

/// How an element is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Whether it or something in it has a box: if not, it or an ancestor is `display: none`.
    pub(crate) has_box: bool,
    /// Whether its `visibility` is `visible`.
    pub(crate) is_visible: bool,
    /// Whether text is generated before or after its content.
    pub(crate) generates_text: bool,
    /// Whether a modal dialog that is open makes it inert (HTML Standard, section 6.3.1).
    pub(crate) is_inert: bool,
    /// Whether it reacts to clicks: it is a link or a control, or a script listens.
    pub(crate) is_clickable: bool,
}

/// The computed styles of a page.
#[derive(Debug, Default)]
pub(crate) struct ComputedStyles {
    shown: Vec<Option<Shown>>,
    layout: Layout,
    /// Elements that events of the page are about, by their numbers.
    marked: Vec<(i64, NodeId)>,
    /// The number of each element in the snapshot.
    #[cfg(feature = "browser")]
    numbers: HashMap<NodeId, i64>,
}

impl ComputedStyles {
    /// The number of an element in the snapshot.
    #[cfg(feature = "browser")]
    pub(crate) fn number(&self, id: NodeId) -> Option<i64> {
        self.numbers.get(&id).copied()
    }

    /// Where elements and texts are painted.
    pub(crate) const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The element with this number, if events of the page are about it and it is in the tree.
    pub(crate) fn marked(&self, number: i64) -> Option<NodeId> {
        let mut marked = self.marked.iter();
        marked.find(|(own, _)| *own == number).map(|(_, id)| *id)
    }

    /// How an element is shown; none for elements that have no box in any style, of which the browser says nothing.
    pub(crate) fn shown(&self, id: NodeId) -> Option<Shown> {
        self.shown.get(id.index()).copied().flatten()
    }
}

/// Whether an element has no box of its own even where it is shown: parts of images and lists of options, and what a
/// canvas or another object shows in its place.
fn is_without_box(element: ElementRef<'_>) -> bool {
    !element.is_html()
        || matches!(
            element.name(),
            "area" | "option" | "optgroup" | "br" | "wbr" | "param"
        )
        || element
            .closest("canvas")
            .is_some_and(|canvas| canvas.id() != element.id())
}

/// Collects styles while the tree is built.
pub(super) struct StylesBuilder<'a> {
    snapshot: &'a Snapshot,
    document: &'a DocumentSnapshot,
    /// The first box of each node.
    boxes: HashMap<usize, usize>,
    /// The hosts of generated boxes that have text.
    generating: HashSet<usize>,
    /// The nodes that have a text with a box.
    with_text: HashSet<usize>,
    /// The nodes that react to clicks.
    clickable: HashSet<usize>,
    found: Vec<(NodeId, Shown)>,
    /// The elements of the tree by their nodes.
    ids: HashMap<usize, NodeId>,
    modal: Vec<NodeId>,
    marked: Vec<(i64, NodeId)>,
}

impl<'a> StylesBuilder<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, document: &'a DocumentSnapshot) -> Self {
        let (mut boxes, mut with_text) = (HashMap::new(), HashSet::new());
        let nodes = &document.nodes;
        for (place, node) in document.layout.node_index.iter().enumerate() {
            boxes.entry(*node).or_insert(place);
            if nodes.node_type.get(*node) == Some(&TEXT) {
                let parent = nodes.parent_index.get(*node);
                with_text.extend(parent.and_then(|parent| usize::try_from(*parent).ok()));
            }
        }
        let mut building = Self {
            snapshot,
            document,
            boxes,
            generating: HashSet::new(),
            with_text,
            clickable: nodes.is_clickable.index.iter().copied().collect(),
            found: Vec::new(),
            ids: HashMap::new(),
            modal: Vec::new(),
            marked: Vec::new(),
        };
        building.find_generated();
        building
    }

    /// Generated boxes are nodes of their own, below their host. Their text is on the boxes in them.
    fn find_generated(&mut self) {
        let nodes = &self.document.nodes;
        let pseudo = &nodes.pseudo_type;
        for (place, kind) in pseudo.index.iter().zip(&pseudo.value) {
            // Markers are read by assistive technology as lists and not as names.
            if !matches!(self.snapshot.string(*kind), "before" | "after") {
                continue;
            }
            let host = nodes.parent_index.get(*place);
            let host = host.and_then(|host| usize::try_from(*host).ok());
            if let Some(host) = host
                && self.has_text(*place)
            {
                self.generating.insert(host);
            }
        }
    }

    /// Whether the box of a generated node has text that is more than space and icons.
    fn has_text(&self, node: usize) -> bool {
        let layout = &self.document.layout;
        let Some(first) = self.boxes.get(&node) else {
            return false;
        };
        // The boxes of its text have the same node, and follow it.
        let own = layout.node_index.iter().zip(&layout.text).skip(*first);
        own.take_while(|(of, _)| **of == node)
            .any(|(_, text)| self.snapshot.string(*text).chars().any(is_readable))
    }

    pub(super) fn add(&mut self, node: usize, id: NodeId) {
        let style = self.boxes.get(&node);
        let styles = style.and_then(|place| self.document.layout.styles.get(*place));
        let visibility = styles.map(|styles| self.snapshot.style(styles, "visibility"));
        let shown = Shown {
            has_box: style.is_some() || self.with_text.contains(&node),
            is_visible: visibility.is_none_or(|value| matches!(value, "visible" | "")),
            generates_text: self.generating.contains(&node),
            is_inert: false,
            is_clickable: self.clickable.contains(&node),
        };
        let number = self.document.nodes.backend_node_id.get(node);
        if number.is_some_and(|number| self.snapshot.modal.contains(number)) {
            self.modal.push(id);
        }
        if let Some(number) = number.filter(|number| self.snapshot.marked.contains(number)) {
            self.marked.push((*number, id));
        }
        self.found.push((id, shown));
        self.ids.insert(node, id);
    }

    /// The styles of the elements of the tree that was built.
    pub(super) fn finish(self, dom: &Dom) -> ComputedStyles {
        let inert = Inert::new(dom, &self.modal);
        let layout = super::boxes::layout(self.snapshot, self.document, &self.ids, dom);
        let mut shown: Vec<Option<Shown>> = vec![None; dom.len()];
        // What is in an element follows it, so the last come first.
        for (id, own) in self.found.into_iter().rev() {
            let Some(place) = shown.get_mut(id.index()) else {
                continue;
            };
            // An element without a box of its own may be `display: contents`.
            let has_box = own.has_box || place.is_some_and(|inner| inner.has_box);
            *place = Some(Shown { has_box, ..own });
            let parent = dom.parent(id).filter(|_| has_box);
            if let Some(outer) = parent.and_then(|parent| shown.get_mut(parent.index())) {
                *outer = Some(Shown { has_box, ..own });
            }
        }
        for (id, place) in (0..dom.len())
            .filter_map(NodeId::from_index)
            .zip(&mut shown)
        {
            if dom.element(id).is_none_or(is_without_box) {
                *place = None;
            }
            if let Some(shown) = place {
                shown.is_inert = inert.has(dom, id);
            }
        }
        #[cfg(feature = "browser")]
        let numbers = {
            let numbers = &self.document.nodes.backend_node_id;
            let number = |(node, id): (&usize, &NodeId)| Some((*id, *numbers.get(*node)?));
            self.ids.iter().filter_map(number).collect()
        };
        ComputedStyles {
            shown,
            layout,
            marked: self.marked,
            #[cfg(feature = "browser")]
            numbers,
        }
    }
}

/// What modal dialogs make inert: everything that is neither in one of them nor around one.
struct Inert {
    dialogs: Vec<NodeId>,
    around: HashSet<NodeId>,
}

impl Inert {
    fn new(dom: &Dom, dialogs: &[NodeId]) -> Self {
        let around = dialogs.iter().flat_map(|dialog| dom.ancestors(*dialog));
        Self {
            dialogs: dialogs.to_vec(),
            around: around.collect(),
        }
    }

    fn has(&self, dom: &Dom, id: NodeId) -> bool {
        !self.dialogs.is_empty()
            && !self.around.contains(&id)
            && !self.dialogs.contains(&id)
            && !dom.ancestors(id).any(|up| self.dialogs.contains(&up))
    }
}
