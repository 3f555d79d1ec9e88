//! Finds controls whose accessible name does not have the words that users see.

use crate::algorithms::shortened::shortened;
use crate::aria::{AccessTree, input_type};
use crate::check::{Outcome, Verdict};
use crate::common::text::text_block::is_control;
use crate::common::text::visible_text::visible_text;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::layout::{Clips, Layout};
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The accessible name of a control has the words of its visible label, one after the other. Controls are links,
    /// buttons and others whose content is their label, and form fields with a `label` element, if `aria-label` or
    /// `aria-labelledby` sets another name.
    ///
    /// ## Why it matters
    /// Users who speak to their computer say the words that they see: "click Send". If the name of the button is
    /// another one, nothing happens. Screen readers say a name that nobody else sees, so people cannot help each
    /// other.
    ///
    /// ## How to fix it
    /// Remove `aria-label` if the visible text is enough. Otherwise begin it with the visible text: "Download price list"
    /// becomes "Download price list, PDF".
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Contact</title><button aria-label="Submit form">Send message</button></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Contact</title><button aria-label="Send message to the museum">Send message</button></html>
    /// ```
    ///
    /// ## Limits
    /// The check needs a browser. Capitals, punctuation, text in parentheses and invisible text do not count. Signs, single
    /// letters such as the "x" of a close button, and words that a font shows as icons are no labels. The check cannot
    /// tell if a control has more than twelve visible words, of which only some may be its label, or if a `label` has the
    /// name and more. Text in images and placeholders is not read.
    ///
    /// ## Also known as
    /// - axe: `label-content-name-mismatch`
    /// - Lighthouse: `label-content-name-mismatch`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.5.3 Label in Name (A)
    /// - W3C ACT rule 2ee8b8, Visible label is part of accessible name
    LABEL_IN_NAME {
        id: "label-in-name",
        title: "Visible label is not part of the accessible name",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom, Browser],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// Words of a control up to which all of them are its label.
const MAX_WORDS: usize = 12;

/// Characters of a label or name that evidence quotes.
const MAX_QUOTED: usize = 80;

const NO_LAYOUT: &str = "The browser did not say where the parts of the page are.";
const LONG: &str = "A control has much text, of which only a part may be its label.";
const PART: &str = "A label has the name of its control and more, which may be a hint.";
const NAME: &str = "The accessible name of a control is not certain.";

fn evaluate(page: &Page) -> Outcome {
    let Some(layout) = page.layout() else {
        return Outcome::CannotTell(NO_LAYOUT);
    };
    let tree = page.access_tree();
    let reading = Reading {
        tree: &tree,
        layout,
        clips: Clips::new(page.dom(), layout),
    };
    // Other controls have the name that users see.
    let named = page.elements_with(Traits::ARIA).filter(|element| {
        let has = |name: &str| {
            element
                .attr(name)
                .is_some_and(|value| !value.trim().is_empty())
        };
        has("aria-label") || has("aria-labelledby")
    });
    let labelled = named.filter_map(|element| Some((element, reading.label(element)?)));
    Outcome::for_each(labelled, |(element, label)| {
        let name = tree.name(element);
        if name.is_empty() || name.uncertain {
            return Verdict::CannotTell(NAME);
        }
        match label.fits(&name.text) {
            Fit::Contained => Verdict::Pass,
            Fit::Unknown(reason) => Verdict::CannotTell(reason),
            Fit::Missing => tree.failure(element, label.message(&name.text)),
        }
    })
}

/// The visible label of a control.
#[derive(Debug)]
struct Label {
    text: String,
    /// Whether it is a `label` element and not the content of the control.
    is_beside: bool,
}

/// How a label relates to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    Contained,
    Missing,
    Unknown(&'static str),
}

struct Reading<'t, 'a> {
    tree: &'t AccessTree<'a>,
    layout: &'t Layout,
    clips: Clips,
}

impl<'a> Reading<'_, 'a> {
    /// The visible label of an element; `None` if it is no control, or if nothing of it is a word.
    fn label(&self, element: ElementRef<'a>) -> Option<Label> {
        if !self.tree.is_exposed(element) {
            return None;
        }
        let label = if element.is("input") {
            let value = match (input_type(element), element.attr("value")) {
                ("button" | "submit" | "reset", value) => value.map(str::to_owned),
                _ => None,
            };
            match value {
                Some(text) => Label {
                    text,
                    is_beside: false,
                },
                None => self.beside(element)?,
            }
        } else if matches!(element.name(), "select" | "textarea" | "meter" | "progress") {
            self.beside(element)?
        } else if is_labelled_by_content(self.tree, element) {
            Label {
                text: self.text(element)?,
                is_beside: false,
            }
        } else {
            return None;
        };
        let letters = words(&label.text)
            .into_iter()
            .map(|word| word.chars().count());
        (letters.sum::<usize>() > 1).then_some(label)
    }

    /// The text of the `label` elements of a form control.
    fn beside(&self, control: ElementRef<'a>) -> Option<Label> {
        let labels = self.tree.labels_of(control);
        let texts: Option<Vec<String>> = labels.map(|label| self.text(label)).collect();
        let text = texts?.join(" ");
        let is_beside = true;
        Some(Label { text, is_beside })
    }

    fn text(&self, element: ElementRef<'a>) -> Option<String> {
        visible_text(self.layout, &self.clips, element, |inner| {
            // The values of fields are no labels.
            matches!(inner.name(), "select" | "textarea" | "input")
        })
    }
}

/// Whether the content of an element is the label of a control.
fn is_labelled_by_content(tree: &AccessTree<'_>, element: ElementRef<'_>) -> bool {
    let role = tree.role(element);
    role.is_some_and(|role| role.named_by_content()) && is_control(tree, element)
}

impl Label {
    fn fits(&self, name: &str) -> Fit {
        let label = without_parentheses(&self.text);
        if is_contained(&label, name) || is_contained(&self.text, name) {
            return Fit::Contained;
        }
        let is_more = || is_contained(name, &self.text);
        if self.is_beside && is_more() {
            Fit::Unknown(PART)
        } else if words(&label).len() > MAX_WORDS {
            Fit::Unknown(LONG)
        } else {
            Fit::Missing
        }
    }

    fn message(&self, name: &str) -> String {
        format!(
            "The visible label of this control is “{}”, and its accessible name “{}” does not have these words one after the other.",
            quoted(&self.text),
            quoted(name)
        )
    }
}

fn quoted(text: &str) -> String {
    shortened(&crate::dom::normalize_space(text), MAX_QUOTED)
}

/// Whether the name has the words of the label one after the other. What a label has cut off with an ellipsis may be
/// longer in the name.
fn is_contained(label: &str, name: &str) -> bool {
    if is_without_spaces(label) {
        let squeezed = |text: &str| words(text).concat();
        return squeezed(name).contains(&squeezed(label));
    }
    let is_cut = label.trim_end().ends_with(['…']) || label.trim_end().ends_with("...");
    let has = |label: &[String], name: &[String]| {
        name.windows(label.len().max(1)).any(|part| {
            let mut pairs = label.iter().zip(part).rev();
            let last = pairs.next();
            let is_last = last.is_none_or(|(own, other)| {
                is_same(own, other) || is_cut && other.starts_with(own.as_str())
            });
            is_last && pairs.all(|(own, other)| is_same(own, other))
        })
    };
    let joined = |text: &str| words(&text.replace(['-', '\u{2010}', '\u{2011}', '\u{ad}'], ""));
    has(&words(label), &words(name)) || has(&joined(label), &joined(name))
}

/// Whether a word of a label is one of a name. A day may be an ordinal number in the name: 12 and 12th.
fn is_same(own: &str, other: &str) -> bool {
    own == other
        || own.chars().all(|sign| sign.is_ascii_digit())
            && matches!(other.strip_prefix(own), Some("st" | "nd" | "rd" | "th"))
}

/// Whether words of the text are in a script that does not separate them by spaces.
fn is_without_spaces(text: &str) -> bool {
    text.chars().any(|sign| {
        matches!(sign,
            '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
            | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
    })
}

/// The words of a text in lower case. Apostrophes do not separate words.
fn words(text: &str) -> Vec<String> {
    let lower = text
        .to_lowercase()
        .replace(['\'', '’', '\u{ad}', '\u{200b}'], "");
    let separated = lower.split(|sign: char| !sign.is_alphanumeric() && !is_mark(sign));
    separated
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether a sign is put on the letter before it.
const fn is_mark(sign: char) -> bool {
    matches!(sign, '\u{300}'..='\u{36f}')
}

/// The text without what stands in parentheses or brackets.
fn without_parentheses(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_u32;
    for sign in text.chars() {
        match sign {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(sign),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::check::testing::assert_marked_fail;

    /// A page that Chromium showed.
    fn labels() -> Page {
        Page::recorded(
            include_str!("../../snapshot/recorded/labels.html"),
            include_str!("../../snapshot/recorded/labels.json"),
        )
    }

    #[test]
    fn controls_whose_name_lacks_visible_words_fail() {
        let found = assert_marked_fail(&LABEL_IN_NAME, &labels());
        assert_eq!(
            found.first().unwrap().message,
            "The visible label of this control is “Send message”, and its accessible name “Submit form” does not have these words one after the other."
        );
    }

    #[test]
    fn what_may_be_no_label_cannot_tell() {
        let page = labels();
        let tree = page.access_tree();
        let layout = page.layout().unwrap();
        let reading = Reading {
            tree: &tree,
            layout,
            clips: Clips::new(page.dom(), layout),
        };
        for (id, expected) in [("card", LONG), ("hint", PART)] {
            let control = page.by_id(id).unwrap();
            let label = reading.label(control).unwrap();
            assert_eq!(
                label.fits(&tree.name(control).text),
                Fit::Unknown(expected),
                "{id}"
            );
        }
    }

    #[rstest]
    #[case::same("Send", "send", true)]
    #[case::more("Send", "Send message", true)]
    #[case::not_first("Send", "Please send, now", true)]
    #[case::part_of_a_word("Discover It", "Discover Italy", false)]
    #[case::words_apart("Download file", "Download the file", false)]
    #[case::other_order("file download", "download file", false)]
    #[case::less("The full label", "the full", false)]
    #[case::split_word("justice", "just ice", false)]
    #[case::digits("1 2 3", "123", false)]
    #[case::ordinal("12", "Friday 12th March", true)]
    #[case::other_number("12", "Friday 123", false)]
    #[case::punctuation("Next »", "Next", true)]
    #[case::hyphen("E-mail", "Email address", true)]
    #[case::hyphen_or_space("Sign-in", "Sign in", true)]
    #[case::apostrophe("What’s new", "What's new today", true)]
    #[case::cut("Very long na…", "Very long name", true)]
    #[case::without_spaces("検索", "検索する", true)]
    #[case::accents("Über uns", "über uns", true)]
    #[case::other("Suche", "Search", false)]
    fn labels_are_contained_word_by_word(
        #[case] label: &str,
        #[case] name: &str,
        #[case] expected: bool,
    ) {
        assert_eq!(is_contained(label, name), expected);
    }

    #[test]
    fn text_in_parentheses_is_no_part_of_a_label() {
        let label = Label {
            text: "Name (required)".to_owned(),
            is_beside: false,
        };
        assert_eq!(label.fits("Name"), Fit::Contained);
        assert_eq!(label.fits("Surname"), Fit::Missing);
    }

    #[test]
    fn quotations_are_short() {
        assert_eq!(quoted(" a \n b"), "a b");
        assert_eq!(
            quoted(&"ä".repeat(MAX_QUOTED + 1)).chars().count(),
            MAX_QUOTED + 1
        );
    }
}
