//! The background images of elements (CSS Backgrounds and Borders Level 3).
//!
//! Browsers load the image of a rule only if the rule wins for an element that has a box. A result is certain, or
//! left out.

use domain::target::MAX_URL_BYTES;
use url::Url;

use super::cascade::{LONGEST_ATTRIBUTE, Styles};
use super::matching::Match;
use super::media::Condition;
use super::scan::{declarations, without_comments};
use super::selector::Selector;
use super::sheet::Index;
use super::widths::Width;
use crate::bounds::style::{MAX_BACKGROUND_IMAGES, MAX_BACKGROUND_RULES, MAX_CANDIDATES};
use crate::dom::ElementRef;
use crate::page::ParsedPage;

/// What a declaration paints behind an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Image {
    /// No file: a color, a gradient, a `data:` URL.
    None,
    /// A file, the first of several layers.
    File(Url),
    /// It depends on more than the source.
    Unknown,
}

impl Image {
    /// Reads the value of `background` or `background-image`.
    fn read(value: &str, base: Option<&Url>) -> Self {
        let lower = value.to_ascii_lowercase();
        if ["var(", "env(", "image-set(", "cross-fade("]
            .iter()
            .any(|function| lower.contains(function))
        {
            return Self::Unknown;
        }
        let Some(address) = address(value, &lower) else {
            return Self::None;
        };
        let url = match base {
            Some(base) => base.join(address).ok(),
            None => Url::parse(address).ok(),
        };
        match url {
            Some(url) if url.scheme() == "data" => Self::None,
            Some(url)
                if matches!(url.scheme(), "http" | "https")
                    && url.as_str().len() <= MAX_URL_BYTES =>
            {
                Self::File(url)
            }
            _ => Self::Unknown,
        }
    }
}

/// The first address in `url(…)`, which is not empty. `lower` is the value in lower case.
fn address<'a>(value: &'a str, lower: &str) -> Option<&'a str> {
    let inner = value.get(lower.find("url(")? + 4..)?.trim_start();
    let text = match inner.chars().next()? {
        quote @ ('"' | '\'') => inner.get(1..)?.split_once(quote)?.0,
        _ => inner.split_once(')').map_or(inner, |(text, _)| text),
    };
    let text = text.trim();
    // Escapes are rare in addresses, and not resolved.
    (!text.is_empty() && !text.contains('\\')).then_some(text)
}

/// Whether a declaration of this name sets the image.
pub(super) fn sets_image(name: &str) -> bool {
    name.eq_ignore_ascii_case("background") || name.eq_ignore_ascii_case("background-image")
}

/// A rule that sets the background image.
#[derive(Debug)]
struct BackgroundRule {
    selector: Selector,
    condition: Condition,
    important: bool,
    image: Image,
}

/// The rules of a sheet that set the background image.
#[derive(Debug, Default)]
pub(super) struct Backgrounds {
    rules: Vec<BackgroundRule>,
    index: Index,
    /// The rules with a file.
    files: Index,
    /// Whether there are more rules than are kept.
    is_cut: bool,
}

impl Backgrounds {
    /// Adds the declaration `value` of a rule with this selector.
    pub(super) fn add(
        &mut self,
        selector: &str,
        condition: Condition,
        (value, important): (&str, bool),
        base: Option<&Url>,
    ) {
        if self.rules.len() >= MAX_BACKGROUND_RULES {
            self.is_cut = true;
            return;
        }
        // A selector for a pseudo-element or one that is not supported selects nothing here.
        let Some(selector) = Selector::parse(selector) else {
            return;
        };
        let image = Image::read(value, base);
        if matches!(image, Image::File(_)) {
            self.files.add(selector.key(), self.rules.len());
        }
        self.index.add(selector.key(), self.rules.len());
        self.rules.push(BackgroundRule {
            selector,
            condition,
            important,
            image,
        });
    }
}

impl Styles {
    /// The background images of the page's elements that are certainly loaded, each with the first element that
    /// has it, in document order. At most [`MAX_BACKGROUND_IMAGES`].
    pub(crate) fn background_images<'a>(&self, page: &'a ParsedPage) -> Vec<(ElementRef<'a>, Url)> {
        if self.is_cut() || self.all_rules().any(|rules| rules.backgrounds.is_cut) {
            return Vec::new();
        }
        let files = self.all_rules().map(|rules| &rules.backgrounds.files);
        let files: Vec<&Index> = files.filter(|index| !index.is_empty()).collect();
        let mut found: Vec<(ElementRef<'a>, Url)> = Vec::new();
        for element in page.elements() {
            if found.len() >= MAX_BACKGROUND_IMAGES {
                break;
            }
            // For most elements of most pages, no rule has a file.
            let in_sheets = (files.iter()).any(|index| index.candidates(element).next().is_some());
            if !in_sheets && !element.has_attr("style") {
                continue;
            }
            if let Some(url) = self.background_file(element, page.base())
                && !found.iter().any(|(_, known)| *known == url)
                && self.certainly_has_box(element)
            {
                found.push((element, url));
            }
        }
        found
    }

    /// The file behind the element, if it is certain.
    fn background_file(&self, element: ElementRef<'_>, base: &Url) -> Option<Url> {
        let mut best = in_attribute(element, base);
        let mut uncertain = Vec::new();
        let (mut seen, mut has_file) = (0, matches!(best, Some((_, Image::File(_)))));
        for (number, (condition, rules)) in self.rules_with_conditions().enumerate() {
            let backgrounds = &rules.backgrounds;
            for place in backgrounds.index.candidates(element) {
                let rule = backgrounds.rules.get(place)?;
                seen += 1;
                if seen > MAX_CANDIDATES || self.work_is_spent() {
                    return None;
                }
                let applies = condition.and(rule.condition).applies(Width::WIDEST, None);
                if applies == Some(false) {
                    continue;
                }
                let selects = self.selects(&rule.selector, element);
                if selects == Match::No {
                    continue;
                }
                has_file |= matches!(rule.image, Image::File(_));
                let rank = (
                    rule.important,
                    false,
                    rule.selector.specificity,
                    (number, place),
                );
                if selects != Match::Yes || applies.is_none() {
                    uncertain.push((rank, rule.image.clone()));
                } else if best.as_ref().is_none_or(|(known, _)| *known <= rank) {
                    best = Some((rank, rule.image.clone()));
                }
            }
        }
        let (rank, Image::File(url)) = best.filter(|_| has_file)? else {
            return None;
        };
        let may_win = |(other, image): &(Rank, Image)| {
            *other > rank && !matches!(image, Image::File(file) if *file == url)
        };
        (!uncertain.iter().any(may_win)).then_some(url)
    }

    /// Whether the element is rendered: neither it nor an element around it is certainly or possibly removed.
    fn certainly_has_box(&self, element: ElementRef<'_>) -> bool {
        std::iter::once(element)
            .chain(element.ancestors())
            .all(|around| {
                !matches!(around.name(), "noscript" | "template" | "head") && {
                    let found = self.removes_box(around);
                    found.shown.has(Width::WIDEST)
                        || !found.hidden.has(Width::WIDEST)
                            && !found.unknown.has(Width::WIDEST)
                            && !around.has_attr("hidden")
                }
            })
    }
}

type Rank = (bool, bool, u32, (usize, usize));

/// The winning declaration of the element's `style` attribute.
fn in_attribute(element: ElementRef<'_>, base: &Url) -> Option<(Rank, Image)> {
    let style = element
        .attr("style")
        .filter(|style| style.len() <= LONGEST_ATTRIBUTE)?;
    let style = without_comments(style);
    let mut best: Option<(Rank, Image)> = None;
    for found in declarations(&style).filter(|found| sets_image(found.name)) {
        let rank = (found.important, true, 0, (0, 0));
        if best.as_ref().is_none_or(|(known, _)| *known <= rank) {
            best = Some((rank, Image::read(found.value, Some(base))));
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::view::Page;

    fn images(html: &str) -> Vec<String> {
        let page = Page::builder().html(html);
        let found = page.styles().background_images(&page);
        found
            .into_iter()
            .map(|(_, url)| url.path().to_owned())
            .collect()
    }

    #[test]
    fn images_of_style_attributes_are_found() {
        assert_eq!(
            images("<p style='background-image:url(/a.png)'>x"),
            ["/a.png"]
        );
        assert_eq!(
            images("<p style=\"background:#fff url( '/a)b.png' ) no-repeat\">x"),
            ["/a)b.png"]
        );
        for html in [
            "<p style='background:red'>x",
            "<p style='background:url(data:image/gif;base64,R0l)'>x",
            "<p style='background:var(--x) url(/a.png)'>x",
            "<p style='color:red;--x:url(/a.png)'>x",
        ] {
            assert_eq!(images(html), [""; 0], "{html}");
        }
    }

    #[test]
    fn images_of_rules_need_an_element_that_they_apply_to() {
        let css = "<style>.hero{background:url(/a.png)}.other{background:url(/b.png)}@media print{p{background:url(/c.png)}}p::before{background:url(/d.png)}p:hover{background:url(/e.png)}</style>";
        assert_eq!(images(&format!("{css}<p class=hero>x")), ["/a.png"]);
        assert_eq!(images(&format!("{css}<p>x")), [""; 0]);
    }

    #[test]
    fn only_the_winning_image_is_loaded() {
        let css = "<style>.a{background:url(/a.png)}.a.b{background-image:none}.c{background:url(/c.png)!important}</style>";
        assert_eq!(images(&format!("{css}<p class='a b'>x")), [""; 0]);
        assert_eq!(
            images(&format!("{css}<p class=c style='background:url(/d.png)'>x")),
            ["/c.png"]
        );
        assert_eq!(
            images(&format!("{css}<p class=a style='background:url(/d.png)'>x")),
            ["/d.png"]
        );
    }

    #[test]
    fn images_of_elements_without_a_box_are_left_out() {
        const IMAGE: &str = "<p style='background:url(/a.png)'>x</p>";
        for around in [
            "div hidden",
            "div style=display:none",
            "noscript",
            "template",
        ] {
            assert_eq!(images(&format!("<{around}>{IMAGE}")), [""; 0], "{around}");
        }
    }

    #[test]
    fn images_beyond_the_bound_are_left_out() {
        let mut html = String::new();
        for number in 0..MAX_BACKGROUND_IMAGES + 5 {
            let _ = write!(html, "<p style='background:url(/{number})'>x</p>");
        }
        assert_eq!(images(&html).len(), MAX_BACKGROUND_IMAGES);
    }

    #[test]
    fn pages_with_more_rules_than_are_kept_have_no_certain_image() {
        let page = |rules: usize| {
            let rules = ".b{background:red}".repeat(rules);
            format!("<style>.a{{background:url(/a.png)}}{rules}</style><p class=a>x")
        };
        assert_eq!(images(&page(MAX_BACKGROUND_RULES - 1)), ["/a.png"]);
        assert_eq!(images(&page(MAX_BACKGROUND_RULES)), [""; 0]);
    }
}
