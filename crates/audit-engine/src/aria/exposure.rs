//! Which elements are rendered and which are exposed to assistive technology.

use super::AccessTree;
use super::hiding::{ClassEffect, Hiding};
use crate::dom::ElementRef;
use crate::page::{ParsedPage, Traits};
use crate::style::{Width, Widths};

/// Whether an element is rendered and whether it is in the accessibility tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exposure {
    /// The element is not rendered for any user, in no window width.
    pub hidden: bool,
    /// `aria-hidden` or `inert` removes the element from the accessibility tree.
    pub withheld: bool,
    /// The element is inert: it is not focusable and does not react to user input.
    pub inert: bool,
    /// A class may hide the element; this cannot be determined in static mode. There is no window width in which
    /// it is certainly visible.
    pub uncertain: bool,
}

impl Exposure {
    /// Whether the element is exposed to assistive technology.
    #[must_use]
    pub const fn is_exposed(self) -> bool {
        !self.hidden && !self.withheld
    }
}

/// SVG elements that are not rendered directly.
const UNRENDERED_SVG: [&str; 11] = [
    "defs",
    "symbol",
    "clipPath",
    "mask",
    "metadata",
    "title",
    "desc",
    "style",
    "script",
    "filter",
    "linearGradient",
];

impl<'a> AccessTree<'a> {
    /// The exposure by the element's own markup, without its ancestors.
    pub(super) fn own_exposure(&self, element: ElementRef<'_>) -> Exposure {
        self.facts.own_exposure(element.id()).exposure(self.width)
    }

    /// The exposure by the element's own markup and that of its ancestors.
    #[must_use]
    pub fn exposure(&self, element: ElementRef<'a>) -> Exposure {
        self.facts.exposure(element.id()).exposure(self.width)
    }

    /// Whether the element is exposed to assistive technology, as far as markup shows.
    #[must_use]
    pub fn is_exposed(&self, element: ElementRef<'a>) -> bool {
        self.exposure(element).is_exposed()
    }

    /// The window widths in which the element is certainly not rendered.
    pub(crate) fn hidden_widths(&self, element: ElementRef<'a>) -> Widths {
        self.facts.exposure(element.id()).hidden()
    }

    /// The window widths in which the element is certainly visible.
    pub(crate) fn visible_widths(&self, element: ElementRef<'a>) -> Widths {
        self.facts.exposure(element.id()).visible()
    }
}

/// The visibility of an element, in windows of each width.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct WidthVisibility {
    /// The element or an ancestor has no box.
    boxless: Widths,
    /// The computed `visibility` is not `visible`. Descendants can override this.
    invisible: Widths,
    /// A class may hide the element.
    uncertain: Widths,
}

/// The exposure of an element in windows of each width, packed into two bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PackedExposure(u16);

/// The bits of [`PackedExposure`]: three for each set of widths, then one for each flag.
const BOXLESS: u32 = 0;
const INVISIBLE: u32 = 3;
const UNCERTAIN: u32 = 6;
const WITHHELD: u32 = 9;
const INERT: u32 = 10;
const VARIES_BELOW: u32 = 11;

impl PackedExposure {
    fn new(visibility: WidthVisibility, withheld: bool, inert: bool) -> Self {
        let widths = |set: Widths, place: u32| u16::from(set.bits()) << place;
        Self(
            widths(visibility.boxless, BOXLESS)
                | widths(visibility.invisible, INVISIBLE)
                | widths(visibility.uncertain, UNCERTAIN)
                | u16::from(withheld) << WITHHELD
                | u16::from(inert) << INERT,
        )
    }

    /// Returns a copy that is also uncertain in these widths.
    fn with_uncertain(self, widths: Widths) -> Self {
        Self(self.0 | u16::from(widths.bits()) << UNCERTAIN)
    }

    /// Returns a copy for a child: what is below the parent is not below it.
    const fn without_varying(self) -> Self {
        Self(self.0 & !(1 << VARIES_BELOW))
    }

    const fn has(self, flag: u32) -> bool {
        self.0 & 1 << flag != 0
    }

    fn widths(self, place: u32) -> Widths {
        let bits = u8::try_from(self.0 >> place & 0b111).unwrap_or_default();
        Widths::from_bits(bits)
    }

    fn visibility(self) -> WidthVisibility {
        WidthVisibility {
            boxless: self.widths(BOXLESS),
            invisible: self.widths(INVISIBLE),
            uncertain: self.widths(UNCERTAIN),
        }
    }

    /// The widths in which the element is not rendered.
    pub(super) fn hidden(self) -> Widths {
        self.widths(BOXLESS).or(self.widths(INVISIBLE))
    }

    /// The widths in which the element is certainly visible.
    pub(super) fn visible(self) -> Widths {
        self.hidden().or(self.widths(UNCERTAIN)).not()
    }

    /// Whether the element is visible in some widths and hidden in others.
    pub(super) fn varies(self) -> bool {
        let hidden = self.hidden();
        !hidden.is_empty() && hidden != Widths::ALL
    }

    /// Whether the visibility of an element below differs between widths.
    pub(super) const fn varies_below(self) -> bool {
        self.has(VARIES_BELOW)
    }

    /// Records that the visibility of an element below differs between widths.
    pub(super) fn set_varies_below(&mut self) {
        self.0 |= 1 << VARIES_BELOW;
    }

    /// The exposure in this width, or in the widths in which the element is visible.
    pub(super) fn exposure(self, width: Option<Width>) -> Exposure {
        let (hidden, uncertain) = (self.hidden(), self.widths(UNCERTAIN));
        let (hidden, uncertain) = match width {
            Some(width) => (hidden.has(width), uncertain.has(width)),
            None => (
                hidden == Widths::ALL,
                !uncertain.is_empty() && self.visible().is_empty(),
            ),
        };
        Exposure {
            hidden,
            withheld: self.has(WITHHELD),
            inert: self.has(INERT),
            uncertain,
        }
    }
}

/// Traits that may hide an element, apart from style sheets and ancestors.
const MAY_HIDE: Traits = Traits::HIDDEN
    .or(Traits::STYLED)
    .or(Traits::INERT)
    .or(Traits::ARIA)
    .or(Traits::UNRENDERED)
    .or(Traits::FIELD)
    .or(Traits::WIDGET)
    .or(Traits::POPOVER);

/// Returns the exposure by the element's own markup and style sheets without its ancestors, and the exposure with
/// its ancestors. `above` is the second value of its parent.
pub(super) fn exposures<'a>(
    page: &'a ParsedPage,
    hiding: &mut Hiding<'a>,
    element: ElementRef<'a>,
    above: PackedExposure,
) -> (PackedExposure, PackedExposure) {
    let traits = page.traits(element);
    let (by_rule, by_class) = hiding.evaluate(element);
    let mut uncertain = match by_class {
        ClassEffect::MayHide => Widths::ALL,
        ClassEffect::None | ClassEffect::MayShow => Widths::NONE,
    };
    let inherited = above.visibility();
    let is_plain = !traits.has(MAY_HIDE) && !by_rule && element.is_html();
    if is_plain
        && inherited.invisible.is_empty()
        && !(hiding.fallbacks && is_fallback(page, element))
    {
        // If the parent is not invisible, it is hidden exactly if it has no box, and so is the element.
        return (
            PackedExposure::default().with_uncertain(uncertain),
            above.without_varying().with_uncertain(uncertain),
        );
    }
    let styles = hiding.styles;
    let inert =
        traits.has(Traits::INERT) || styles.shown(element).is_some_and(|shown| shown.is_inert);
    let hides_from_technology = traits.has(Traits::ARIA) && element.attr_is("aria-hidden", "true");
    let suspect = traits.has(Traits::HIDDEN)
        || by_rule
        || (traits.has(Traits::STYLED)
            && may_set_visibility(element.attr("style").unwrap_or_default()));
    let mut boxless = if is_unrendered(page, element) {
        Widths::ALL
    } else {
        Widths::NONE
    };
    if suspect && boxless.is_empty() {
        let display = styles.removes_box(element);
        boxless = display.hidden;
        if element.has_attr("hidden") {
            boxless = display.shown.or(display.unknown).not();
        }
        uncertain = uncertain.or(display.unknown);
    }
    let mut invisible = inherited.invisible;
    if suspect || !invisible.is_empty() {
        let own = styles.is_invisible(element);
        invisible = invisible.and(own.shown.not()).or(own.hidden);
        uncertain = uncertain.or(own.unknown);
    }
    let own = WidthVisibility {
        boxless,
        invisible,
        uncertain: match by_class {
            ClassEffect::MayShow => uncertain.or(boxless).or(invisible),
            ClassEffect::None | ClassEffect::MayHide => uncertain,
        },
    };
    let whole = WidthVisibility {
        boxless: boxless.or(inherited.boxless),
        invisible,
        uncertain: own.uncertain.or(inherited.uncertain),
    };
    let withheld = inert || hides_from_technology;
    let parent = above.exposure(None);
    (
        PackedExposure::new(own, withheld, inert),
        PackedExposure::new(whole, withheld || parent.withheld, inert || parent.inert),
    )
}

/// Whether an inline style may set the visibility of the element. The cascade then evaluates it in full.
fn may_set_visibility(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    style.contains("display") || style.contains("visibility")
}

/// Whether the element is fallback content, rendered only if its parent cannot be.
fn is_fallback(page: &ParsedPage, element: ElementRef<'_>) -> bool {
    let parent = element.parent().map(|parent| page.traits(parent));
    parent.is_some_and(|parent| parent.has(Traits::WITH_FALLBACK))
}

/// Whether the element is never rendered because of its name and state.
fn is_unrendered(page: &ParsedPage, element: ElementRef<'_>) -> bool {
    let traits = page.traits(element);
    if is_fallback(page, element) {
        return true;
    }
    if !element.is_html() {
        return UNRENDERED_SVG.contains(&element.name());
    }
    traits.has(Traits::UNRENDERED)
        || (traits.has(Traits::FIELD) && element.is("input") && element.attr_is("type", "hidden"))
        || if traits.has(Traits::WIDGET) && element.is("dialog") {
            !element.has_attr("open")
        } else {
            traits.has(Traits::POPOVER) && !element.is("input")
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    #[test]
    fn packing_and_unpacking_round_trips() {
        for bits in 0..1 << 9 {
            for (withheld, inert) in [(false, false), (true, false), (true, true)] {
                let visibility = PackedExposure(bits).visibility();
                let packed = PackedExposure::new(visibility, withheld, inert);
                assert_eq!(packed.visibility(), visibility);
                let exposure = packed.exposure(None);
                assert_eq!((exposure.withheld, exposure.inert), (withheld, inert));
                assert_eq!(packed.0 & 0x1FF, bits);
            }
        }
    }

    #[test]
    fn an_element_is_hidden_only_if_it_is_in_every_width() {
        for bits in 0..8 {
            let boxless = Widths::from_bits(bits);
            let visibility = WidthVisibility {
                boxless,
                ..WidthVisibility::default()
            };
            let packed = PackedExposure::new(visibility, false, false);
            assert_eq!(packed.exposure(None).hidden, boxless == Widths::ALL);
            assert_eq!(packed.visible(), boxless.not());
            for width in Width::ALL {
                assert_eq!(packed.exposure(Some(width)).hidden, boxless.has(width));
            }
        }
    }

    /// The widths in which the element with the id `t` is certainly visible, as a list.
    fn visible(css: &str, body: &str) -> String {
        let page = Page::builder().html(&format!("<style>{css}</style>{body}"));
        let tree = page.access_tree();
        tree.visible_widths(page.by_id("t").unwrap()).to_string()
    }

    #[test]
    fn responsive_classes_are_evaluated_in_every_width() {
        let css = ".d-none{display:none!important}.invisible{visibility:hidden}\
            @media(min-width:576px){.d-sm-block{display:block!important}.sm-visible{visibility:visible}}\
            @media(min-width:992px){.d-lg-none{display:none!important}}";
        for (body, expected) in [
            ("<p id=t>x", "360, 768 and 1,350"),
            ("<p id=t class=d-none>x", ""),
            ("<p id=t class='d-none d-sm-block'>x", "768 and 1,350"),
            ("<p id=t class='d-lg-none'>x", "360 and 768"),
            (
                "<div class='d-none d-sm-block'><div class=d-lg-none><p id=t>x",
                "768",
            ),
            (
                "<div class=invisible><p id=t class=sm-visible>x",
                "768 and 1,350",
            ),
            (
                "<div class='invisible sm-visible'><p id=t>x",
                "768 and 1,350",
            ),
        ] {
            assert_eq!(visible(css, body), expected, "{body}");
        }
    }

    fn exposed(html: &str) -> bool {
        let page = Page::builder().html(html);
        let tree = page.access_tree();
        let target = page.by_id("t").unwrap();
        tree.is_exposed(target)
    }

    #[test]
    fn content_of_a_hidden_ancestor_is_not_exposed() {
        for html in [
            "<div hidden><p id=t>x</p></div>",
            "<div style='display:none'><p id=t>x</p></div>",
            "<div aria-hidden=TRUE><p id=t>x</p></div>",
            "<div inert><p id=t>x</p></div>",
            "<dialog><p id=t>x</p></dialog>",
            "<div popover><p id=t>x</p></div>",
            "<video><p id=t>x</p></video>",
            "<svg><defs><g id=t></g></defs></svg>",
            "<input type=hidden id=t>",
            "<div style='visibility:hidden'><p id=t>x</p></div>",
            "<div style='visibility:hidden'><p style='color:red'><b id=t>x</b></div>",
            "<video><b><p id=t>x</p></b></video>",
        ] {
            assert!(!exposed(html), "{html}");
        }
    }

    #[test]
    fn off_screen_and_collapsed_content_is_exposed() {
        for html in [
            "<p id=t style='position:absolute;left:-999px'>x</p>",
            "<details><p id=t>x</p></details>",
            "<dialog open><p id=t>x</p></dialog>",
            "<p id=t class=sr-only>x</p>",
            "<p id=t aria-hidden=false>x</p>",
        ] {
            assert!(exposed(html), "{html}");
        }
    }

    #[test]
    fn a_common_hiding_class_makes_all_descendants_uncertain() {
        let html = "<link rel=stylesheet href=x><div class=d-none><p id=t>x</p></div>";
        let page = Page::builder().html(html);
        let tree = page.access_tree();
        let exposure = tree.exposure(page.by_id("t").unwrap());
        assert!(exposure.is_exposed() && exposure.uncertain);
    }

    #[test]
    fn style_rules_hide_the_elements_they_match() {
        for html in [
            "<style>.a .x, .y { color: red; display : none }</style><i class=a><p class=x id=t>x",
            "<style>p{visibility:hidden}</style><p id=t>x",
            "<style>p{display:none !important}</style><p id=t style=display:block>x",
            "<p id=t style='color:red;DISPLAY:none!important'>x",
            "<p id=t style='visibility:collapse'>x",
            "<p id=t style='display:none/**/'>x",
            "<p id=t style='display:none! IMPORTANT'>x",
        ] {
            assert!(!exposed(html), "{html}");
        }
        for html in [
            "<style>.a .x{display:none}</style><p class=x id=t>x",
            "<style>p{display:none}#t{display:block}</style><p id=t>x",
            "<style>@media print{p{display:none}}</style><p id=t>x",
            "<style>@media (max-width:9em){p{display:none}}</style><p id=t>x",
            "<style>[hidden]{display:block}</style><p id=t hidden>x",
            "<p hidden id=t style=display:block>x",
            "<div style=visibility:hidden><p id=t style=visibility:visible>x</p></div>",
            "<style>ul ul{display:none}</style><ul><li id=t>x</ul>",
            "<style>p:hover{display:none}p::before{display:none}</style><p id=t>x",
        ] {
            assert!(exposed(html), "{html}");
        }
    }

    #[test]
    fn device_dependent_rules_make_an_element_uncertain() {
        for html in [
            "<style>@media (hover){p{display:none}}</style><p id=t>x",
            "<style>p:has(a){display:none}</style><p id=t>x",
        ] {
            let page = Page::builder().html(html);
            let exposure = page.access_tree().exposure(page.by_id("t").unwrap());
            assert!(exposure.uncertain, "{html}");
        }
    }
}
