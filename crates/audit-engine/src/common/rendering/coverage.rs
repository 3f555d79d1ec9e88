//! How much of the text of one form of a page the other form has.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

use super::fallback::fallbacks;
use super::overlay::Overlays;
use super::wording::quoted;
use crate::bounds::page::MAX_COMPARED_WORDS_OF_A_PAGE;
use crate::check::Evidence;
use crate::dom::{Dom, ElementRef, NodeId};
use crate::page::Traits;
use crate::page::text::is_dense_script;
use crate::view::Page;

/// What a word counts. A character of a script without spaces is half a word, as in all counts of words.
const WORD: u64 = 2;
const CHARACTER: u64 = 1;

/// A text with so many missing words is shown as an example, in hundredths of it and in words.
const MOSTLY_MISSING: u64 = 60;
const FEWEST_MISSING: u64 = 5;

/// Bytes of the example that are read.
const MAX_EXAMPLE_BYTES: usize = 500;

/// How much of the text that readers see in one form of a page is in the other form.
#[derive(Debug)]
pub(crate) struct Coverage<'a> {
    words: u64,
    covered: u64,
    other_words: u64,
    /// An element with a text of which the other form has little.
    missing: Option<ElementRef<'a>>,
    /// Whether a form has more than [`MAX_COMPARED_WORDS_OF_A_PAGE`] words, so that the rest is unknown.
    pub(crate) is_cut: bool,
}

impl<'a> Coverage<'a> {
    /// Looks for the words that readers see in `read` in the whole text of `other`, wherever they stand there, and
    /// whether or not that shows them.
    pub(crate) fn new(read: &'a Page, other: &Page) -> Self {
        let mut left = WordCounts::of(other);
        let mut coverage = Self {
            words: 0,
            covered: 0,
            other_words: left.words,
            missing: None,
            is_cut: false,
        };
        let mut room = MAX_COMPARED_WORDS_OF_A_PAGE;
        for id in seen_texts(read) {
            let text = read.dom().run(id).unwrap_or_default();
            let (mut words, mut covered) = (0, 0);
            for_each_word(text, |word, weight| {
                let Some(less) = room.checked_sub(1) else {
                    coverage.is_cut = true;
                    return;
                };
                room = less;
                words += weight;
                if left.take(word) {
                    covered += weight;
                }
            });
            coverage.words += words;
            coverage.covered += covered;
            let missing = words - covered;
            if coverage.missing.is_none()
                && missing >= FEWEST_MISSING * WORD
                && missing * 100 >= words * MOSTLY_MISSING
            {
                coverage.missing = read.dom().parent(id).and_then(|id| read.element(id));
            }
        }
        coverage.is_cut |= left.is_cut;
        coverage
    }

    /// The words that readers see.
    pub(crate) const fn words(&self) -> u64 {
        self.words / WORD
    }

    /// Those of them that the other form has as well.
    pub(crate) const fn covered(&self) -> u64 {
        self.covered / WORD
    }

    /// The words of the whole text of the other form.
    pub(crate) const fn other_words(&self) -> u64 {
        self.other_words / WORD
    }

    /// Evidence at the first text of which the other form has little, and a sentence of these words that quotes it.
    pub(crate) fn example(&self, introduction: &str) -> (Evidence, String) {
        self.missing.map_or_else(
            || (Evidence::here(), String::new()),
            |element| {
                let text = quoted(&element.text_start(MAX_EXAMPLE_BYTES));
                (Evidence::node(element), format!(" {introduction} {text}."))
            },
        )
    }

    /// The share of the words that the other form has, in hundredths, rounded down.
    pub(crate) fn percent(&self) -> u64 {
        (self.covered * 100).checked_div(self.words).unwrap_or(100)
    }
}

/// The texts that readers see, without those of dialogs and cookie banners.
fn seen_texts(page: &Page) -> Vec<NodeId> {
    let (dom, tree, overlays) = (page.dom(), page.access_tree(), Overlays::new(page));
    let mut found = Vec::new();
    let Some(body) = page.body() else {
        return found;
    };
    let mut walk = dom.descendants(body.id());
    while let Some(id) = walk.next() {
        if dom.run(id).is_some() {
            found.push(id);
            continue;
        }
        let Some(element) = dom.element(id) else {
            continue;
        };
        let is_out =
            page.traits(element).has(Traits::UNSEEN.or(Traits::HIDDEN)) || overlays.have(element);
        if is_out {
            walk.skip_children(id);
        }
    }
    // What is inside an invisible element may be visible, so the parent of each text decides.
    found.retain(|id| {
        let parent = dom.parent(*id).and_then(|parent| dom.element(parent));
        parent.is_some_and(|parent| !tree.exposure(parent).hidden)
    });
    found
}

/// The words of a form of a page and how often it has them.
struct WordCounts {
    counts: HashMap<u64, u32>,
    /// As [`Coverage::words`] counts them.
    words: u64,
    hasher: RandomState,
    room: usize,
    is_cut: bool,
}

impl WordCounts {
    /// All words below the body, and those of `noscript` elements.
    fn of(page: &Page) -> Self {
        let mut counts = Self {
            counts: HashMap::new(),
            words: 0,
            hasher: RandomState::new(),
            room: MAX_COMPARED_WORDS_OF_A_PAGE,
            is_cut: false,
        };
        if let Some(body) = page.body() {
            counts.add_texts(page.dom(), body.id());
        }
        for dom in fallbacks(page) {
            counts.add_texts(&dom, dom.document());
        }
        counts
    }

    fn add_texts(&mut self, dom: &Dom, root: NodeId) {
        let mut walk = dom.descendants(root);
        while let Some(id) = walk.next() {
            if let Some(text) = dom.run(id) {
                for_each_word(text, |word, weight| self.add(word, weight));
            } else if dom.element(id).is_some_and(|element| {
                matches!(element.name(), "script" | "style" | "noscript" | "template")
            }) {
                walk.skip_children(id);
            }
        }
    }

    fn add(&mut self, word: &str, weight: u64) {
        let Some(room) = self.room.checked_sub(1) else {
            self.is_cut = true;
            return;
        };
        self.room = room;
        self.words += weight;
        *self.counts.entry(self.hasher.hash_one(word)).or_default() += 1;
    }

    /// Takes a word away, if there is one left.
    fn take(&mut self, word: &str) -> bool {
        let count = self.counts.get_mut(&self.hasher.hash_one(word));
        count.is_some_and(|count| {
            let had = *count > 0;
            *count = count.saturating_sub(1);
            had
        })
    }
}

/// Calls the function for each word of a text, in lower case, with what it counts.
fn for_each_word(text: &str, mut each: impl FnMut(&str, u64)) {
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() && !is_dense_script(c) {
            word.extend(c.to_lowercase());
            continue;
        }
        if !word.is_empty() {
            each(&word, WORD);
            word.clear();
        }
        if is_dense_script(c) {
            each(c.encode_utf8(&mut [0; 4]), CHARACTER);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::shown;

    fn coverage(served: &str, after: &str) -> (u64, u64, u64) {
        let page = shown(Page::builder(), served, after);
        let coverage = Coverage::new(&page, page.as_served());
        (coverage.words(), coverage.covered(), coverage.percent())
    }

    #[test]
    fn words_are_looked_for_anywhere_in_the_other_form() {
        assert_eq!(
            coverage("<p>one two", "<p>Two, ONE!<p>three four"),
            (4, 2, 50)
        );
        assert_eq!(
            coverage("<noscript><p>one</noscript><p hidden>two", "<p>one two"),
            (2, 2, 100)
        );
        assert_eq!(coverage("<p>one", "<p>one one"), (2, 1, 50));
        assert_eq!(coverage("<script>one</script>", "<p>one"), (1, 0, 0));
        assert_eq!(coverage("<p>渡轮", "<p>渡轮时刻"), (2, 1, 50));
        assert_eq!(coverage("", ""), (0, 0, 100));
    }

    #[test]
    fn texts_above_the_page_and_hidden_ones_do_not_count() {
        let after = "<p>one<div class=cookie-bar>a b c</div><dialog open>d</dialog><p hidden>e";
        assert_eq!(coverage("<p>one", after), (1, 1, 100));
    }

    #[test]
    fn a_text_that_is_mostly_missing_is_named() {
        let text = "a b c d e f";
        let page = shown(Page::builder(), "<p>x", &format!("<p>x<p id=t>{text}"));
        let missing = Coverage::new(&page, page.as_served()).missing;
        assert_eq!(missing.and_then(|element| element.attr("id")), Some("t"));
        let page = shown(
            Page::builder(),
            &format!("<p>{text}"),
            &format!("<p>x y<p>{text}"),
        );
        assert!(Coverage::new(&page, page.as_served()).missing.is_none());
    }

    #[test]
    fn words_are_compared_up_to_a_limit() {
        let page = |count: usize| {
            let text = format!("<p>{}", "a ".repeat(count));
            shown(Page::builder(), &text, &text)
        };
        let is_cut = |page: &Page| Coverage::new(page, page.as_served()).is_cut;
        assert!(!is_cut(&page(MAX_COMPARED_WORDS_OF_A_PAGE)));
        assert!(is_cut(&page(MAX_COMPARED_WORDS_OF_A_PAGE + 1)));
    }
}
