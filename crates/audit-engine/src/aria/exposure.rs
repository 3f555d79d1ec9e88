//! Which elements are rendered and which are exposed to assistive technology.

use super::AccessTree;
use super::hiding::Hiding;
use crate::dom::ElementRef;
use crate::page::{ParsedPage, Traits};
use crate::style::Uncertain;

/// Whether an element is rendered and whether it is in the accessibility tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exposure {
    /// The element is not rendered for any user.
    pub hidden: bool,
    /// `aria-hidden` or `inert` removes the element from the accessibility tree.
    pub withheld: bool,
    /// The element is inert: it is not focusable and does not react to user input.
    pub inert: bool,
    /// A class may hide the element; this cannot be determined in static mode.
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
        self.facts.own_exposure(element.id())
    }

    /// The exposure by the element's own markup and that of its ancestors.
    #[must_use]
    pub fn exposure(&self, element: ElementRef<'a>) -> Exposure {
        self.facts.exposure(element.id())
    }

    /// Whether the element is exposed to assistive technology, as far as markup shows.
    #[must_use]
    pub fn is_exposed(&self, element: ElementRef<'a>) -> bool {
        self.exposure(element).is_exposed()
    }
}

/// The visibility that an element inherits or passes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct InheritedVisibility {
    /// The element or an ancestor has no box.
    boxless: bool,
    /// The computed `visibility` is not `visible`. Descendants can override this.
    invisible: bool,
}

/// An exposure and an inherited visibility, packed into a byte.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PackedExposure(u8);

/// The index of the bit that marks a packed exposure as uncertain.
const UNCERTAIN: u8 = 3;

impl PackedExposure {
    fn new(exposure: Exposure, inherited: InheritedVisibility) -> Self {
        let flags = [
            exposure.hidden,
            exposure.withheld,
            exposure.inert,
            exposure.uncertain,
            inherited.boxless,
            inherited.invisible,
        ];
        Self(
            flags
                .into_iter()
                .rev()
                .fold(0, |bits, flag| bits << 1 | u8::from(flag)),
        )
    }

    /// Returns a copy that is also uncertain if `uncertain` is true.
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

    const fn inherited(self) -> InheritedVisibility {
        InheritedVisibility {
            boxless: self.has(4),
            invisible: self.has(5),
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
    let (by_rule, mut uncertain) = hiding.evaluate(element);
    let is_plain = !traits.has(MAY_HIDE) && !by_rule && element.is_html();
    if is_plain && !above.inherited().invisible && !(hiding.fallbacks && is_fallback(page, element))
    {
        // If the parent is not invisible, it is hidden exactly if it has no box, and so is the element.
        return (
            PackedExposure::default().with_uncertain(uncertain),
            above.with_uncertain(uncertain),
        );
    }
    let (inherited, above) = (above.inherited(), above.exposure());
    let styles = hiding.styles;
    let inert = traits.has(Traits::INERT);
    let hides_from_technology = traits.has(Traits::ARIA) && element.attr_is("aria-hidden", "true");
    let suspect = traits.has(Traits::HIDDEN)
        || by_rule
        || (traits.has(Traits::STYLED)
            && may_set_visibility(element.attr("style").unwrap_or_default()));
    let mut boxless = is_unrendered(page, element);
    if suspect && !boxless {
        match styles.removes_box(element) {
            Ok(removed) => boxless = removed.unwrap_or_else(|| element.has_attr("hidden")),
            Err(Uncertain) => uncertain = true,
        }
    }
    let mut invisible = inherited.invisible;
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
    let inherited = InheritedVisibility {
        boxless: boxless || inherited.boxless,
        invisible,
    };
    let whole = Exposure {
        hidden: inherited.boxless || invisible,
        withheld: own.withheld || above.withheld,
        inert: own.inert || above.inert,
        uncertain: own.uncertain || above.uncertain,
    };
    (
        PackedExposure::new(own, InheritedVisibility::default()),
        PackedExposure::new(whole, inherited),
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
        for bits in 0..64 {
            let packed = PackedExposure(bits);
            let (exposure, inherited) = (packed.exposure(), packed.inherited());
            assert_eq!(PackedExposure::new(exposure, inherited).0, bits);
        }
        let hidden = Exposure {
            hidden: true,
            ..Exposure::default()
        };
        let packed = PackedExposure::new(hidden, InheritedVisibility::default());
        assert_eq!(
            (packed.exposure(), packed.inherited()),
            (hidden, InheritedVisibility::default())
        );
    }

    #[test]
    fn an_element_without_own_declarations_inherits_from_its_parent() {
        for bits in 0..64 {
            let above = PackedExposure(bits);
            let inherited = above.inherited();
            if inherited.invisible || inherited.boxless != above.exposure().hidden {
                continue;
            }
            for uncertain in [false, true] {
                let expected = Exposure {
                    uncertain: uncertain || above.exposure().uncertain,
                    ..above.exposure()
                };
                let expected = PackedExposure::new(expected, above.inherited());
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
            "<style>p:nth-child(2){display:none}</style><p id=t>x",
        ] {
            let page = Page::builder().html(html);
            let exposure = page.access_tree().exposure(page.by_id("t").unwrap());
            assert!(exposure.uncertain, "{html}");
        }
    }
}
