//! Images that are not in the response.

use std::collections::HashSet;

use crate::check::{Evidence, Failures, Outcome};
use crate::common::measures::numbers::grouped;
use crate::common::rendering::forms::compare;
use crate::common::rendering::overlay::Overlays;
use crate::common::urls::percent::percent_decoded;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::{ResourceKind, ResourceRef, Traits};
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The response names most images that a page shows: at least half of them, or all but four.
    ///
    /// ## Why it matters
    /// Crawlers without scripts do not find the images. Google finds them when it renders the page, which is later. The
    /// browser asks for them only after the scripts have run, so that visitors see them late.
    ///
    /// ## How to fix it
    /// Write the images into the HTML on the server, as `img` with `src`, and leave it to `loading="lazy"` to load those
    /// further down later.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Our ships</title><main><h1>Our ships</h1></main>
    /// <script>
    /// for (const ship of ['aurora', 'bessie', 'clara', 'dora', 'emma', 'flora'])
    ///   document.querySelector('main').innerHTML += '<img src="/ships/' + ship + '.jpg" alt="' + ship + '" width="300" height="200">';
    /// </script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Our ships</title><main><h1>Our ships</h1>
    /// <img src="/ships/aurora.jpg" alt="Aurora" width="300" height="200"><img src="/ships/bessie.jpg" alt="Bessie" width="300" height="200">
    /// <img src="/ships/clara.jpg" alt="Clara" width="300" height="200"><img src="/ships/dora.jpg" alt="Dora" width="300" height="200">
    /// <img src="/ships/emma.jpg" alt="Emma" width="300" height="200"><img src="/ships/flora.jpg" alt="Flora" width="300" height="200"></main>
    /// <script>document.title = 'Our ships'</script></html>
    /// ```
    ///
    /// ## Limits
    /// An image counts as named if the response has the name of its file anywhere, also without a size at its end, and also in
    /// an attribute or a script from which a script later takes it. Embedded images, images of at most 64 pixels, those that the page hides, and those in
    /// dialogs and cookie banners do not count. Frames are not read.
    ///
    /// ## Also known as
    /// - Common name: Client-side rendered images
    ///
    /// ## References
    /// - Google Search Central: Fix lazy-loaded content
    /// - Google Search Central: Image SEO best practices
    IMAGES_ONLY_AFTER_JS {
        id: "images-only-after-js",
        title: "Images only after JavaScript",
        dimension: Seo,
        scope: Page,
        severity: Minor,
        confidence: Medium,
        effort: Medium,
        needs: [Dom, Browser, Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// So many images may be missing.
const MOST_MISSING: usize = 4;

/// Images of at most this size are icons.
const MOST_OF_AN_ICON: f64 = 64.0;

fn evaluate(page: &Page) -> Outcome {
    compare(page, |forms| {
        let images = images(forms.shown);
        if images.is_empty() {
            return Outcome::NotApplicable;
        }
        let source = forms.served.source();
        let missing: Vec<_> = (images.iter())
            .filter(|(_, image)| !is_named(source, image))
            .collect();
        if missing.len() <= MOST_MISSING || missing.len() * 2 <= images.len() {
            return Outcome::Passed;
        }
        let mut failures = Failures::default();
        if let Some((element, first)) = missing.first() {
            failures.push(Evidence::node(*element).message(format!(
                "The response names {} of the {} images that the page shows; expected at least half of them. It does not name {}.",
                grouped(images.len() - missing.len()),
                grouped(images.len()),
                first.url
            )));
        }
        Outcome::from_failures(failures)
    })
}

/// The images of the content of a page, each file once.
fn images(page: &Page) -> Vec<(ElementRef<'_>, &ResourceRef)> {
    let (overlays, tree) = (Overlays::new(page), page.access_tree());
    let mut seen = HashSet::new();
    let uses = (page.resources().iter()).filter(|used| used.kind == ResourceKind::Image);
    uses.filter_map(|used| Some((page.element(used.node)?, used)))
        .filter(|(element, used)| {
            let is_shown = element.is("img")
                && !is_icon(*element)
                && !page.traits(*element).has(Traits::UNSEEN.or(Traits::HIDDEN))
                && !tree.exposure(*element).hidden;
            is_shown && !overlays.have(*element) && seen.insert(used.url.as_str())
        })
        .collect()
}

/// Whether the size that an image declares is that of an icon or of a tracking pixel.
fn is_icon(image: ElementRef<'_>) -> bool {
    ["width", "height"].iter().any(|side| {
        let pixels = image
            .attr(side)
            .and_then(|side| side.trim().parse::<f64>().ok());
        pixels.is_some_and(|pixels| pixels <= MOST_OF_AN_ICON)
    })
}

/// Whether the source has the name of the file, also without the size that a script chooses.
fn is_named(source: &str, image: &ResourceRef) -> bool {
    let path = image.url.path().trim_end_matches('/');
    let name = path.rsplit('/').next().unwrap_or(path);
    // A name with spaces or other signs may be written as it is.
    source.contains(name)
        || source.contains(&percent_decoded(name))
        || without_size(name).is_some_and(|stem| source.contains(stem))
}

/// The beginning of a file name that ends with a size, as image services write them: `pier_400x.jpg`, `pier-800x600.jpg`,
/// `pier@2x.png`, `pier_large.jpg`.
fn without_size(name: &str) -> Option<&str> {
    const WORDS: [&str; 7] = [
        "compact",
        "grande",
        "large",
        "medium",
        "small",
        "thumb",
        "thumbnail",
    ];
    let (stem, _) = name.rsplit_once('.')?;
    let at = stem.rfind(['_', '-', '@'])?;
    let (begin, size) = stem.split_at(at);
    let size = size.get(1..)?;
    let is_size = size.contains(['x', 'w'])
        && size.starts_with(|c: char| c.is_ascii_digit() || c == 'x')
        && size
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, 'x' | 'w'));
    (!begin.is_empty() && (is_size || WORDS.contains(&size))).then_some(begin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{message_shown, outcome_shown};

    const SCRIPT: &str = "<script>x()</script>";

    fn images(names: std::ops::Range<usize>) -> String {
        names
            .map(|name| format!("<img src=/ships/ship-{name}.jpg alt=x>"))
            .collect()
    }

    fn outcome(served: &str, after: &str) -> Outcome {
        outcome_shown(&IMAGES_ONLY_AFTER_JS, &format!("{SCRIPT}{served}"), after)
    }

    #[test]
    fn five_images_of_which_the_response_names_less_than_half_fail() {
        let (served, after) = (images(0..4), images(0..9));
        let message = message_shown(&IMAGES_ONLY_AFTER_JS, &format!("{SCRIPT}{served}"), &after);
        let expected = "The response names 4 of the 9 images that the page shows; expected at least half of them. It does not \
                        name https://example.com/ships/ship-4.jpg.";
        assert_eq!(message, expected);
        assert_eq!(outcome(&images(0..5), &images(0..10)), Outcome::Passed);
        assert_eq!(outcome("", &images(0..4)), Outcome::Passed);
        assert!(matches!(outcome("", &images(0..5)), Outcome::Failed(_)));
    }

    #[test]
    fn a_name_anywhere_in_the_response_is_enough() {
        let after = images(0..6);
        for served in [
            after.replace("src=", "data-src="),
            format!("<noscript>{after}</noscript>"),
            format!("<script>show('{after}')</script>"),
            format!(
                "<script type=application/json>[{}]</script>",
                after.replace("/ships/", "")
            ),
        ] {
            assert_eq!(outcome(&served, &after), Outcome::Passed, "{served}");
        }
        let spaced = |space: &str| {
            after
                .replace("=/ships/ship-", &format!("='/ships/big{space}ship-"))
                .replace(".jpg", ".jpg'")
        };
        assert_eq!(outcome(&spaced(" "), &spaced("%20")), Outcome::Passed);
    }

    #[test]
    fn icons_hidden_and_embedded_images_and_those_of_dialogs_do_not_count() {
        let all = images(0..6);
        for after in [
            all.replace("<img", "<img width=32 height=32"),
            all.replace("<img", "<img width=1 height=1"),
            all.replace("<img", "<img hidden"),
            all.replace("/ships/", "data:image/png;base64,"),
            format!("<div role=dialog>{all}</div>"),
            format!("<div class=cookie-banner>{all}</div>"),
            images(0..1).repeat(6),
        ] {
            let found = outcome("", &after);
            assert!(
                matches!(found, Outcome::Passed | Outcome::NotApplicable),
                "{after}: {found:?}"
            );
        }
    }

    #[test]
    fn a_size_at_the_end_of_a_name_is_that_of_a_script() {
        for (name, expected) in [
            ("pier_400x.jpg", Some("pier")),
            ("old-pier-800x600.webp", Some("old-pier")),
            ("pier@2x.png", Some("pier")),
            ("pier_800w.jpg", Some("pier")),
            ("pier_large.jpg", Some("pier")),
            ("pier-2.jpg", None),
            ("pier_box.jpg", None),
            ("_400x.jpg", None),
            ("pier.jpg", None),
            ("pier", None),
        ] {
            assert_eq!(without_size(name), expected, "{name}");
        }
        let after: String = ["a", "b", "c", "d", "e", "f"]
            .map(|name| format!("<img src=/pier{name}_400x.jpg alt=x>"))
            .concat();
        let served = after
            .replace("src=", "data-src=")
            .replace("400x", "{width}x");
        assert_eq!(outcome(&served, &after), Outcome::Passed);
    }
}
