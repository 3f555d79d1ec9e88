//! The visible text, as far as markup alone determines it.

use super::main_text::MainText;
use super::names::BOILERPLATE;
use super::traits::{TraitTable, Traits};
use super::whitespace::{break_block, is_blank, is_spaced, push_blank, push_written};
use crate::algorithms::swar::{alphanumeric, within};
use crate::bounds::page::MAX_NODES_OF_A_BLOCK;
use crate::dom::{Descendants, Dom, ElementRef, NodeId};

/// The texts below a node, read in one pass.
#[derive(Debug, Default)]
pub(super) struct Texts {
    /// All visible text.
    pub(super) all: String,
    /// The visible text without navigation, headers, footers and asides.
    main: MainText,
    /// The range of the marked element's text in [`Texts::main`]; none if the element was not read as a
    /// separate block.
    pub(super) marked: Option<(usize, usize)>,
    /// The text nodes with prose: visible, outside code, and not blank.
    pub(super) prose: Vec<NodeId>,
}

impl Texts {
    /// Reads the text below `root`, and records the range of the text of the element `mark`.
    pub(super) fn below(
        dom: &Dom,
        traits: &TraitTable,
        root: NodeId,
        mark: Option<NodeId>,
    ) -> Self {
        let mut texts = Self {
            // Most pages have about this many letters per node.
            all: String::with_capacity(dom.len().saturating_mul(4)),
            main: MainText::default(),
            marked: None,
            prose: Vec::with_capacity(dom.len() / 4),
        };
        texts.read(dom, traits, root, mark);
        texts
    }

    fn read(&mut self, dom: &Dom, traits: &TraitTable, root: NodeId, mark: Option<NodeId>) {
        let mut walk = dom.descendants(root);
        // The first node after the boilerplate, the non-prose element, or the marked element that is being
        // read.
        let mut main_goes_on: Option<Option<NodeId>> = None;
        let mut prose_goes_on: Option<Option<NodeId>> = None;
        let mut marked: Option<(usize, Option<NodeId>)> = None;
        while let Some(id) = walk.next() {
            if main_goes_on == Some(Some(id)) {
                main_goes_on = None;
            }
            if prose_goes_on == Some(Some(id)) {
                prose_goes_on = None;
            }
            if let Some((start, Some(_))) = marked.filter(|(_, end)| *end == Some(id)) {
                self.marked = Some((start, self.main().len()));
                marked = None;
            }
            let in_main = main_goes_on.is_none();
            let before = dom.previous_sibling(id);
            if before.is_some_and(|id| !traits.get(id).has(Traits::INLINE)) {
                self.break_block(in_main);
            }
            if let Some(run) = dom.run(id) {
                let is_blank = is_blank(run);
                self.push_run(run, is_blank, in_main);
                if prose_goes_on.is_none() && !is_blank {
                    self.prose.push(id);
                }
                continue;
            }
            // The trait table treats a comment as inline and gives it no other trait.
            let own = traits.get(id);
            if !own.has(Traits::INLINE) {
                self.break_block(in_main);
            }
            if own.has(Traits::UNSEEN.or(Traits::HIDDEN)) {
                walk.skip_children(id);
                continue;
            }
            if own.has(Traits::NOT_PROSE) && prose_goes_on.is_none() {
                prose_goes_on = Some(behind(&walk, id));
            }
            if in_main && is_outside_main(dom, own, id) {
                main_goes_on = Some(behind(&walk, id));
            } else if in_main && mark == Some(id) && !own.has(Traits::INLINE) {
                let start = self.main.len_with_gap(&self.all);
                marked = Some((start, behind(&walk, id)));
            }
        }
        if let Some((start, _)) = marked {
            self.marked = Some((start, self.main().len()));
        }
        self.main.trim_end(&self.all);
        let end = self.all.trim_end().len();
        self.all.truncate(end);
        let most = self.main().len();
        self.marked = self
            .marked
            .map(|(start, end)| (start.min(most), end.min(most)));
    }

    /// The main text.
    pub(super) fn main(&self) -> &str {
        self.main.read(&self.all)
    }

    /// The main text as an owned string.
    pub(super) fn into_main(self) -> String {
        self.main.into_string(self.all)
    }

    /// The text before and after the main text in the whole text, if the main text is a piece of it with white
    /// space around.
    pub(super) fn around_main(&self) -> Option<[&str; 2]> {
        let (start, end) = self.main.place(&self.all)?;
        let apart = is_apart(&self.all, start) && is_apart(&self.all, end);
        Some([self.all.get(..start)?, self.all.get(end..)?]).filter(|_| apart)
    }

    fn push_run(&mut self, run: &str, is_blank: bool, in_main: bool) {
        let (start, spaced) = (self.all.len(), is_spaced(&self.all));
        if !in_main {
            self.main.close(&self.all);
        }
        if is_blank {
            push_blank(&mut self.all, run, spaced);
        } else {
            push_written(&mut self.all, run, spaced);
        }
        if in_main {
            self.main.push_run(&self.all, run, start, spaced);
        }
    }

    fn break_block(&mut self, in_main: bool) {
        if in_main {
            self.main.break_block();
        } else if !matches!(self.all.as_bytes().last(), None | Some(b'\n')) {
            self.main.close(&self.all);
        }
        break_block(&mut self.all);
    }
}

fn is_outside_main(dom: &Dom, traits: Traits, id: NodeId) -> bool {
    const SUSPECT: Traits = Traits::AROUND_MAIN
        .or(Traits::ROLE)
        .or(Traits::CALLED_NAVIGATION)
        .or(Traits::CALLED_EDGE);
    traits.has(SUSPECT)
        && dom.element(id).is_some_and(|element| {
            is_boilerplate(element) || is_boilerplate_by_name(element, traits)
        })
}

/// The node after the subtree of `id` in document order.
fn behind(walk: &Descendants<'_>, id: NodeId) -> Option<NodeId> {
    let mut ahead = walk.clone();
    ahead.skip_children(id);
    ahead.next()
}

/// A `header` or `footer` inside an article belongs to the article.
fn is_boilerplate(element: ElementRef<'_>) -> bool {
    let name = element.name();
    if !BOILERPLATE.contains(&name) {
        return matches!(
            element.attr("role"),
            Some("navigation" | "banner" | "contentinfo" | "search" | "complementary")
        );
    }
    !(matches!(name, "header" | "footer")
        && element
            .ancestors()
            .any(|up| matches!(up.name(), "article" | "main")))
}

/// Whether the class or id of a block marks it as navigation, a header or a footer, and its content does not
/// contradict that: a block that contains the main part or the page's first heading is not boilerplate, and a
/// "menu" without links may be that of a restaurant.
pub(crate) fn is_boilerplate_by_name(element: ElementRef<'_>, traits: Traits) -> bool {
    const CALLED: Traits = Traits::CALLED_NAVIGATION.or(Traits::CALLED_EDGE);
    if !traits.has(CALLED) || !traits.has(Traits::NAMED_BLOCK) {
        return false;
    }
    let navigates = traits.has(Traits::CALLED_NAVIGATION);
    let mut holds_link = false;
    for inner in element.descendants().take(MAX_NODES_OF_A_BLOCK) {
        if matches!(inner.name(), "main" | "article" | "h1") || inner.attr_is("role", "main") {
            return false;
        }
        holds_link |= inner.is("a") && inner.has_attr("href");
    }
    holds_link || !navigates
}

/// Whether one of the names is a complete word of the element's class or its id.
pub(crate) fn has_name_among(element: ElementRef<'_>, names: &[&str]) -> bool {
    let words = ["class", "id"]
        .into_iter()
        .filter_map(|name| element.attr(name));
    words
        .flat_map(str::split_ascii_whitespace)
        .any(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name)))
}

/// Whether there is a word boundary at this index of the text.
pub(super) fn is_apart(text: &str, at: usize) -> bool {
    let (before, behind) = text.split_at_checked(at).unwrap_or((text, ""));
    is_spaced(before) || behind.is_empty() || behind.starts_with(char::is_whitespace)
}

/// The number of words of a text. Scripts without spaces count two characters as a word, the usual length of
/// one in Chinese and Japanese.
#[must_use]
pub fn word_count(text: &str) -> usize {
    // No word spans two lines, and most lines of most pages are ASCII.
    let (mut rest, mut count) = (text, 0);
    while let Some(at) = first_beyond_ascii(rest) {
        let bytes = rest.as_bytes();
        let (before, behind) = bytes.split_at_checked(at).unwrap_or((bytes, &[]));
        let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let end = memchr::memchr(b'\n', behind).map_or(bytes.len(), |length| at + length);
        count += ascii_word_count(rest.get(..start).unwrap_or_default());
        count += mixed_word_count(rest.get(start..end).unwrap_or_default());
        rest = rest.get(end..).unwrap_or_default();
    }
    count + ascii_word_count(rest)
}

/// The index of the first non-ASCII byte.
fn first_beyond_ascii(text: &str) -> Option<usize> {
    const PART: usize = 64;
    let part = text
        .as_bytes()
        .chunks(PART)
        .position(|part| !part.is_ascii())?;
    let start = part * PART;
    let bytes = text.as_bytes().get(start..)?.iter();
    bytes
        .clone()
        .position(|byte| !byte.is_ascii())
        .map(|at| start + at)
}

fn mixed_word_count(text: &str) -> usize {
    text.split_whitespace()
        .map(|token| {
            if token.is_ascii() {
                return usize::from(token.bytes().any(|byte| byte.is_ascii_alphanumeric()));
            }
            let dense = token.chars().filter(|c| is_dense_script(*c)).count();
            if dense > 0 {
                dense.div_ceil(2)
            } else {
                usize::from(token.chars().any(char::is_alphanumeric))
            }
        })
        .sum()
}

/// The number of tokens with a letter or a digit in an ASCII text. Each is counted at the white space after it.
///
/// Eight bytes are processed at a time. A carry that is added at a letter is propagated through the rest of the
/// token, which is all ones, and arrives at the white space, which is zero.
fn ascii_word_count(text: &str) -> usize {
    let (whole, rest) = text.as_bytes().as_chunks::<8>();
    let mut end = [b' '; 8];
    for (byte, own) in end.iter_mut().zip(rest) {
        *byte = *own;
    }
    let (mut count, mut carried) = (0, false);
    for eight in whole.iter().chain([&end]) {
        let bytes = u64::from_le_bytes(*eight);
        let parts = alphanumeric(bytes);
        let spaces = within(bytes, 0x20, 0x20) | within(bytes, 0x09, 0x0D);
        let (sum, is_over) = parts.overflowing_add(!(spaces * 0xFF));
        let (sum, is_over_now) = sum.overflowing_add(u64::from(carried));
        carried = is_over | is_over_now;
        count += (sum & spaces).count_ones();
    }
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// Whether the character is of a script that separates no words with spaces.
pub(crate) const fn is_dense_script(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{0E00}'..='\u{0EFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dom::push_words;

    #[derive(Clone, Copy)]
    enum Part {
        All,
        Main,
    }

    fn text(html: &str, part: Part) -> String {
        let dom = Dom::parse(html);
        let texts = Texts::below(&dom, &TraitTable::new(&dom), dom.document(), None);
        match part {
            Part::All => texts.all,
            Part::Main => texts.into_main(),
        }
    }

    #[test]
    fn blocks_are_lines_and_inline_elements_join() {
        assert_eq!(
            text("<p>one <b>two</b>, three</p><p>four</p>", Part::All),
            "one two, three\nfour"
        );
    }

    #[test]
    fn text_after_a_block_is_a_separate_line() {
        assert_eq!(
            text("<div><p>a</p>b <i>c</i></div><i>d</i>", Part::All),
            "a\nb c\nd"
        );
    }

    #[test]
    fn scripts_styles_and_hidden_parts_are_excluded() {
        let html = "<style>a{}</style><p hidden>x</p><p style='display: none'>y</p><noscript>n</noscript><p>z";
        assert_eq!(text(html, Part::All), "z");
    }

    #[test]
    fn main_text_excludes_navigation_and_keeps_the_header_of_an_article() {
        let html = "<nav>menu</nav><article><header>Title</header>body</article><footer>f</footer>";
        assert_eq!(text(html, Part::Main), "Title\nbody");
    }

    #[test]
    fn main_text_excludes_blocks_named_as_navigation() {
        for block in [
            "<div class=navheader><table><tr><th>Chapter<td><a href=a>Prev</a></table></div>",
            "<table class='wide NavFooter'><tr><td><a href=a>Next</a></table>",
            "<div id=footer>Last updated</div>",
            "<ul class=breadcrumbs><li><a href=a>Home</a></ul>",
            "<dl class=toc><dt><a href=a>1</a></dl>",
        ] {
            assert_eq!(
                text(&format!("{block}<p>body"), Part::Main),
                "body",
                "{block}"
            );
            assert_ne!(text(block, Part::All), "", "{block}");
        }
    }

    #[test]
    fn main_text_keeps_blocks_whose_name_only_resembles_navigation() {
        for block in [
            "<div class=navigator><a href=a>x</a></div>",
            "<div class=menu>Soup, bread and x</div>",
            "<div class=sidebar><main>x</main></div>",
            "<div id=header><h1>x</h1></div>",
            "<div class='page nav'><article>x <a href=a>y</a></article></div>",
            "<table><tr><th class=header>x</table>",
            "<h2 class=header>x</h2>",
        ] {
            assert!(text(block, Part::Main).contains('x'), "{block}");
        }
    }

    #[test]
    fn the_marked_element_has_the_same_text_as_when_read_alone() {
        for html in [
            "<p>a</p> <main id=m> b<p>c </p>d </main> e",
            "<p>a</p><div id=m role=main><nav>x</nav>b</div>",
            "<div id=m role=main></div>a",
        ] {
            let dom = Dom::parse(html);
            let traits = TraitTable::new(&dom);
            let mark = dom
                .descendants(dom.document())
                .find(|id| {
                    dom.element(*id)
                        .is_some_and(|element| element.has_attr("id"))
                })
                .unwrap();
            let texts = Texts::below(&dom, &traits, dom.document(), Some(mark));
            let (start, end) = texts.marked.unwrap();
            let alone = Texts::below(&dom, &traits, mark, None).into_main();
            assert_eq!(
                texts.main().get(start..end).unwrap().trim_end(),
                alone,
                "{html}"
            );
        }
    }

    #[test]
    fn an_element_that_is_not_a_separate_block_is_not_marked() {
        for html in [
            "a<span id=m role=main>b</span>",
            "<nav><div id=m role=main>b</div></nav>",
            "<main id=m hidden>b</main>",
        ] {
            let dom = Dom::parse(html);
            let mark = dom.descendants(dom.document()).find(|id| {
                dom.element(*id)
                    .is_some_and(|element| element.has_attr("id"))
            });
            let texts = Texts::below(&dom, &TraitTable::new(&dom), dom.document(), mark);
            assert_eq!(texts.marked, None, "{html}");
        }
    }

    #[test]
    fn white_space_is_collapsed_in_every_script() {
        for (html, expected) in [
            ("<p>a  b\n\tc <b> d</b> e", "a b c d e"),
            ("<p> é  b <b>\u{a0}c</b>", "é b c"),
            ("<p>a<b> </b>b<i>  </i>c", "a b c"),
        ] {
            assert_eq!(text(html, Part::All), expected);
        }
    }

    #[test]
    fn punctuation_alone_is_not_a_word() {
        assert_eq!(word_count(" - a-b\n* (c) … 7\t"), 3);
        assert_eq!(word_count("- a-b * (c) 7"), 3);
    }

    #[test]
    fn words_of_scripts_without_spaces_are_counted() {
        assert_eq!(word_count("hello, world - again"), 3);
        assert_eq!(word_count("日本語の文章です"), 4);
    }

    /// A reference implementation of the word count of an ASCII text.
    fn words_one_by_one(text: &str) -> usize {
        text.split_whitespace()
            .filter(|token| token.bytes().any(|byte| byte.is_ascii_alphanumeric()))
            .count()
    }

    /// The texts if the main text is a separate text from the start.
    fn apart(dom: &Dom, mark: Option<NodeId>) -> Texts {
        let mut texts = Texts {
            main: MainText::Own(String::new()),
            ..Texts::default()
        };
        texts.read(dom, &TraitTable::new(dom), dom.document(), mark);
        texts
    }

    proptest! {
        #[test]
        fn the_main_part_is_one_whether_it_is_a_piece_of_the_text_or_not(
            parts in prop::collection::vec(prop::sample::select(vec![
                "a", " ", "b ", " c", "\n", "\u{a0}", "é", "<nav>", "</nav>", "<p>", "</p>", "<i>", "</i>",
                "<span role=navigation>", "</span>", "<div id=m>", "</div>", "<p hidden>x</p>",
            ]), 0..24),
        ) {
            let dom = Dom::parse(&parts.concat());
            let mark = dom.descendants(dom.document()).find(|id| {
                dom.element(*id).is_some_and(|element| element.has_attr("id"))
            });
            let texts = Texts::below(&dom, &TraitTable::new(&dom), dom.document(), mark);
            let expected = apart(&dom, mark);
            prop_assert_eq!(&texts.all, &expected.all);
            prop_assert_eq!(texts.main(), expected.main());
            let marked = |texts: &Texts| {
                let (start, end) = texts.marked?;
                Some(texts.main().get(start..end)?.trim_end().to_owned())
            };
            prop_assert_eq!(marked(&texts), marked(&expected));
            if let Some(around) = texts.around_main() {
                let sum: usize = around.into_iter().chain([texts.main()]).map(word_count).sum();
                prop_assert_eq!(sum, word_count(&texts.all));
            }
            prop_assert_eq!(texts.main().to_owned(), texts.into_main());
        }

        #[test]
        fn words_are_counted_wherever_they_stand(text in "[\x00-\x7f a-c]{0,70}") {
            prop_assert_eq!(word_count(&text), words_one_by_one(&text));
        }

        #[test]
        fn words_of_a_text_are_those_of_its_lines(
            lines in prop::collection::vec("[a-c é日. ]{0,90}", 0..9),
        ) {
            let sum: usize = lines.iter().map(|line| mixed_word_count(line)).sum();
            prop_assert_eq!(word_count(&lines.join("\n")), sum);
        }

        #[test]
        fn words_are_joined_by_one_space(text in "([a-c]{0,3}[ \n\t\r\x0b\x0c\u{a0}é]{0,3}){0,9}") {
            let mut joined = String::new();
            push_words(&mut joined, &text);
            let words: Vec<_> = text.split_whitespace().collect();
            prop_assert_eq!(joined, words.join(" "));
        }
    }
}
