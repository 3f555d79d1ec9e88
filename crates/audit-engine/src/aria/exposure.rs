//! Which elements are rendered and which assistive technology meets.

use super::AccessTree;
use super::hiding::Hiding;
use crate::dom::ElementRef;
use crate::page::{ParsedPage, Traits};
use crate::style::Uncertain;

/// What is known of an element's place on screen and in the accessibility tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exposure {
    /// It is not rendered: nobody meets it.
    pub hidden: bool,
    /// Assistive technology is told to leave it out, by `aria-hidden` or `inert`.
    pub withheld: bool,
    /// It cannot take focus and nobody can act on it.
    pub inert: bool,
    /// A class may hide it; only a browser knows.
    pub uncertain: bool,
}

impl Exposure {
    /// Whether assistive technology meets the element.
    #[must_use]
    pub const fn is_exposed(self) -> bool {
        !self.hidden && !self.withheld
    }
}

/// SVG elements that are not rendered where they stand.
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
    /// What the element's own markup says, ancestors left out.
    pub(super) fn own_exposure(&self, element: ElementRef<'_>) -> Exposure {
        self.facts.own_exposure(element.id())
    }

    /// What is known of the element from its own markup and its ancestors'.
    #[must_use]
    pub fn exposure(&self, element: ElementRef<'a>) -> Exposure {
        self.facts.exposure(element.id())
    }

    /// Whether assistive technology meets the element, as far as markup tells.
    #[must_use]
    pub fn is_exposed(&self, element: ElementRef<'a>) -> bool {
        self.exposure(element).is_exposed()
    }
}

/// What is inherited of an element's place on screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Place {
    /// It or an ancestor has no box.
    boxless: bool,
    /// Its `visibility` is not `visible`, which elements inside may undo.
    invisible: bool,
}

/// An exposure and a place, in a byte.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PackedExposure(u8);

/// Which bit of a packed exposure says that it is uncertain.
const UNCERTAIN: u8 = 3;

impl PackedExposure {
    fn new(exposure: Exposure, place: Place) -> Self {
        let flags = [
            exposure.hidden,
            exposure.withheld,
            exposure.inert,
            exposure.uncertain,
            place.boxless,
            place.invisible,
        ];
        Self(
            flags
                .into_iter()
                .rev()
                .fold(0, |bits, flag| bits << 1 | u8::from(flag)),
        )
    }

    /// The same, but uncertain if `uncertain`.
    fn with_uncertain(self, uncertain: bool) -> Self {
        Self(self.0 | u8::from(uncertain) << UNCERTAIN)
    }

    const fn has(self, flag: u8) -> bool {
        self.0 & 1 << flag != 0
    }

    pub(super) const fn exposure(self) -> Exposure {
        Exposure {
            hidden: self.has(0),
            withheld: self.has(1),
            inert: self.has(2),
            uncertain: self.has(UNCERTAIN),
        }
    }

    const fn place(self) -> Place {
        Place {
            boxless: self.has(4),
            invisible: self.has(5),
        }
    }
}

/// What may keep an element from being rendered or met, beside style sheets and what is around it.
const SUSPECT: Traits = Traits::HIDDEN
    .or(Traits::STYLED)
    .or(Traits::INERT)
    .or(Traits::ARIA)
    .or(Traits::UNRENDERED)
    .or(Traits::FIELD)
    .or(Traits::WIDGET)
    .or(Traits::POPOVER);

/// What the element's own markup and the page's style sheets say of it, ancestors left out, and what is known of it
/// and its place with its ancestors. `above` is that second answer for its parent.
pub(super) fn exposures<'a>(
    page: &'a ParsedPage,
    hiding: &mut Hiding<'a>,
    element: ElementRef<'a>,
    above: PackedExposure,
) -> (PackedExposure, PackedExposure) {
    let traits = page.traits(element);
    let (by_rule, mut uncertain) = hiding.judge(element);
    let is_plain = !traits.has(SUSPECT) && !by_rule && element.is_html();
    if is_plain && !above.place().invisible && !(hiding.fallbacks && is_fallback(page, element)) {
        // Where a parent is not invisible, it is hidden if it has no box, and then so is the element.
        return (
            PackedExposure::default().with_uncertain(uncertain),
            above.with_uncertain(uncertain),
        );
    }
    let (place, above) = (above.place(), above.exposure());
    let styles = hiding.styles;
    let inert = traits.has(Traits::INERT);
    let hides_from_technology = traits.has(Traits::ARIA) && element.attr_is("aria-hidden", "true");
    let suspect = traits.has(Traits::HIDDEN)
        || by_rule
        || (traits.has(Traits::STYLED) && sets_sight(element.attr("style").unwrap_or_default()));
    let mut boxless = is_unrendered(page, element);
    if suspect && !boxless {
        match styles.removes_box(element) {
            Ok(removed) => boxless = removed.unwrap_or_else(|| element.has_attr("hidden")),
            Err(Uncertain) => uncertain = true,
        }
    }
    let mut invisible = place.invisible;
    if suspect || invisible {
        match styles.is_invisible(element) {
            Ok(own) => invisible = own.unwrap_or(invisible),
            Err(Uncertain) => uncertain = true,
        }
    }
    let own = Exposure {
        hidden: boxless || invisible,
        withheld: inert || hides_from_technology,
        inert,
        uncertain,
    };
    let place = Place {
        boxless: boxless || place.boxless,
        invisible,
    };
    let whole = Exposure {
        hidden: place.boxless || invisible,
        withheld: own.withheld || above.withheld,
        inert: own.inert || above.inert,
        uncertain: own.uncertain || above.uncertain,
    };
    (
        PackedExposure::new(own, Place::default()),
        PackedExposure::new(whole, place),
    )
}

/// Whether an inline style may say whether the element is in sight: what it says is read with all the care that
/// the cascade takes.
fn sets_sight(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    style.contains("display") || style.contains("visibility")
}

/// Whether the element is shown only where the one around it cannot be.
fn is_fallback(page: &ParsedPage, element: ElementRef<'_>) -> bool {
    let parent = element.parent().map(|parent| page.traits(parent));
    parent.is_some_and(|parent| parent.has(Traits::WITH_FALLBACK))
}

/// Whether the element is never rendered by its kind and state.
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
    fn what_is_packed_is_what_comes_out() {
        for bits in 0..64 {
            let packed = PackedExposure(bits);
            let (exposure, place) = (packed.exposure(), packed.place());
            assert_eq!(PackedExposure::new(exposure, place).0, bits);
        }
        let hidden = Exposure {
            hidden: true,
            ..Exposure::default()
        };
        let packed = PackedExposure::new(hidden, Place::default());
        assert_eq!(
            (packed.exposure(), packed.place()),
            (hidden, Place::default())
        );
    }

    #[test]
    fn an_element_that_says_nothing_of_itself_is_as_its_parent() {
        for bits in 0..64 {
            let above = PackedExposure(bits);
            let place = above.place();
            if place.invisible || place.boxless != above.exposure().hidden {
                continue;
            }
            for uncertain in [false, true] {
                let expected = Exposure {
                    uncertain: uncertain || above.exposure().uncertain,
                    ..above.exposure()
                };
                let expected = PackedExposure::new(expected, above.place());
                assert_eq!(above.with_uncertain(uncertain), expected);
            }
        }
    }

    fn exposed(html: &str) -> bool {
        let page = Page::builder().html(html);
        let tree = page.access_tree();
        let target = page.by_id("t").unwrap();
        tree.is_exposed(target)
    }

    #[test]
    fn what_stands_in_a_hidden_ancestor_is_not_exposed() {
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
    fn content_off_screen_or_folded_is_exposed() {
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
    fn a_class_that_usually_hides_makes_everything_below_uncertain() {
        let html = "<link rel=stylesheet href=x><div class=d-none><p id=t>x</p></div>";
        let page = Page::builder().html(html);
        let tree = page.access_tree();
        let exposure = tree.exposure(page.by_id("t").unwrap());
        assert!(exposure.is_exposed() && exposure.uncertain);
    }

    #[test]
    fn rules_of_the_page_hide_what_they_select() {
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
    fn rules_that_depend_on_the_device_make_an_element_uncertain() {
        for html in [
            "<style>@media (hover){p{display:none}}</style><p id=t>x",
            "<style>p:nth-child(2){display:none}</style><p id=t>x",
        ] {
            let page = Page::builder().html(html);
            let exposure = page.access_tree().exposure(page.by_id("t").unwrap());
            assert!(exposure.uncertain, "{html}");
        }
    }
}
