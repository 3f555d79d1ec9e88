//! Finds image map areas without an accessible name.

use std::collections::HashSet;

use crate::aria::AccessTree;
use crate::check::Outcome;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `area` with an `href`, in a `map` that an image uses, has an accessible name.
    ///
    /// ## Why it matters
    /// Each area is a link. Without a name, a screen reader announces "link" and the address. Users who
    /// cannot see the image do not learn the target of the link.
    ///
    /// ## How to fix it
    /// Say in `alt` where the area leads: `<area href="/north" alt="Northern region" …>`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Regions</title><img src="map.png" alt="Map" usemap="#m"><map name="m"><area href="/north" shape="rect" coords="0,0,9,9"></map></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Regions</title><img src="map.png" alt="Map" usemap="#m"><map name="m"><area href="/north" shape="rect" coords="0,0,9,9" alt="Northern region"></map></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate whether the text describes the link's target.
    ///
    /// ## Also known as
    /// - axe: `area-alt`
    /// - WCAG: Failure F65
    ///
    /// ## References
    /// - WCAG 2.2, success criteria 1.1.1 Non-text Content (A), 2.4.4 Link Purpose (In Context) (A) and 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule c487ae, Link has non-empty accessible name
    AREA_ALT {
        id: "area-alt",
        title: "Image map areas without a text alternative",
        dimension: Accessibility,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let used = maps_in_use(page, &tree);
    let areas = page.html("area").filter(|area| {
        area.has_attr("href")
            && tree.is_exposed(*area)
            && map_name(*area).is_some_and(|name| used.contains(name))
    });
    Outcome::for_each(areas, |area| {
        tree.named(area, || {
            format!(
                "The image map area that leads to \"{}\" has no alt text and no other accessible name.",
                area.attr("href").unwrap_or_default().trim()
            )
        })
    })
}

/// Names of the maps that an exposed image uses.
fn maps_in_use<'a>(page: &'a Page, tree: &AccessTree<'a>) -> HashSet<&'a str> {
    page.html("img")
        .filter(|image| tree.is_exposed(*image))
        .filter_map(|image| image.attr("usemap")?.trim().strip_prefix('#'))
        .collect()
}

fn map_name(area: ElementRef<'_>) -> Option<&str> {
    let map = area.closest("map")?;
    map.attr("name").or_else(|| map.attr("id"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    fn map(area: &str) -> String {
        format!("<img src=x alt=x usemap='#m'><map name=m>{area}</map>")
    }

    #[test]
    fn an_area_with_a_name_passes() {
        assert_passes(&AREA_ALT, &map("<area href=/a alt=North>"));
        assert_passes(&AREA_ALT, &map("<area href=/a title=North>"));
    }

    #[test]
    fn an_area_without_a_name_fails() {
        assert_fails(&AREA_ALT, &map("<area href=/a><area href=/b alt=''>"), 2);
    }

    #[test]
    fn an_area_without_href_is_not_applicable() {
        assert_not_applicable(&AREA_ALT, &map("<area shape=rect>"));
    }

    #[test]
    fn an_unused_map_is_not_applicable() {
        assert_not_applicable(&AREA_ALT, "<map name=m><area href=/a></map>");
    }
}
