//! Style sheets with rules that match no element of the pages.

use crate::check::Verdicts;
use crate::common::documents::css::{StyleRule, for_each_style_rule};
use crate::common::documents::unused_code::UnusedCode;
use crate::declare_check;
use crate::gather::FileCoverage;
use crate::page::ResourceKind;
use crate::site::{ResourceFacts, Site};

declare_check! {
    /// ## What it checks
    /// Of each style sheet less than 20 KiB of the transfer size is rules that match no element of the pages.
    ///
    /// ## Why it matters
    /// The browser paints nothing until it has downloaded and read the whole file. Rules that only other pages need delay
    /// every visit.
    ///
    /// ## How to fix it
    /// Load the styles of a component only on pages that have it. Build a framework with the parts that the site uses, or
    /// let the build remove rules that no template needs.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><link rel="stylesheet" href="/site.css"><p>Open from nine to five.</p></html>
    /// === /site.css
    /// HTTP/1.1 200 OK
    /// Content-Type: text/css
    ///
    /// p { color: navy }
    /// %repeat 1200 .timetable td { padding: 2px; }
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><link rel="stylesheet" href="/site.css"><p>Open from nine to five.</p></html>
    /// === /site.css
    /// HTTP/1.1 200 OK
    /// Content-Type: text/css
    ///
    /// p { color: navy }
    /// %repeat 12 .timetable td { padding: 2px; }
    /// ```
    ///
    /// ## Limits
    /// The browser notes which rules match on the first ten pages of a crawl, until they have settled. A rule that matches
    /// on one of them is used. Rules that may match later, or on other devices, count as used: those with a state such as
    /// `:hover` or `:checked`, and all that is in an at-rule other than `@layer`. Style elements, style sheets that scripts
    /// make, and files of more than 1 MiB are not evaluated. The unused part is computed as a share of the transfer size.
    /// The more bytes of unused rules one visit transfers, the more points the check costs; from 128 KiB on, it costs all
    /// its points. The visit is one of the start page or of the average page, whichever wastes more.
    ///
    /// ## Also known as
    /// - Lighthouse: `unused-css-rules`
    /// - Common name: Dead styles, CSS purging
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Remove unused CSS
    CSS_UNUSED {
        id: "css-unused",
        title: "Unused CSS",
        dimension: Performance,
        scope: Resource,
        severity: Minor,
        confidence: Medium,
        effort: Medium,
        needs: [Browser, Coverage],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// The unused bytes of a file from which it fails. Lighthouse has 10 KiB, and counts rules for states and media as well.
const LEAST_BYTES: u64 = 20 * 1_024;

const UNUSED: UnusedCode = UnusedCode {
    kind: ResourceKind::Stylesheet,
    least_bytes: LEAST_BYTES,
    visit_limit: 128 * 1_024,
    unused: unused_chars,
    words: "of the style sheet is rules that match nothing on",
};

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    UNUSED.evaluate(site, verdicts);
}

/// How many UTF-16 code units of a file are rules without a state that matched nothing. None if the file is not the one
/// that the browser had, or was not kept whole.
fn unused_chars(file: &ResourceFacts, coverage: &FileCoverage) -> Option<u32> {
    let css = std::str::from_utf8(&file.body).ok()?;
    let css = css.strip_prefix('\u{feff}').unwrap_or(css);
    let chars = u32::try_from(css.encode_utf16().count()).ok()?;
    if chars != coverage.chars {
        return None;
    }
    let mut unused = coverage.unused.iter().peekable();
    let mut sum = 0_u32;
    for_each_style_rule(css, |rule| {
        while unused.peek().is_some_and(|(_, end)| *end < rule.end) {
            unused.next();
        }
        let is_unused = unused.peek().is_some_and(|(start, _)| *start <= rule.start);
        if is_unused && !has_state(&rule) {
            sum = sum.saturating_add(rule.end - rule.start);
        }
    });
    Some(sum)
}

/// Whether the selector has a state in which a visitor or a script puts an element later, or a part of an element that
/// elements may not have yet.
fn has_state(rule: &StyleRule<'_>) -> bool {
    const LASTING: [&str; 14] = [
        "root",
        "not",
        "is",
        "where",
        "has",
        "first-child",
        "last-child",
        "only-child",
        "nth-child",
        "nth-last-child",
        "first-of-type",
        "last-of-type",
        "nth-of-type",
        "only-of-type",
    ];
    const GENERATED: [&str; 2] = ["before", "after"];
    rule.selector.split(':').skip(1).any(|part| {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let name = end.map_or(part, |end| part.split_at(end).0);
        // The first half of "::".
        !name.is_empty() && !LASTING.contains(&name) && !GENERATED.contains(&name)
    })
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;

    fn unused(css: &'static str, unused: &[&str]) -> Option<u32> {
        let place = |part: &&str| {
            let start = css.find(part).unwrap();
            let units = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap();
            let start = units(css.split_at(start).0);
            (start, start + units(part))
        };
        let chars = u32::try_from(css.encode_utf16().count()).unwrap();
        let ranges = unused.iter().map(place).collect();
        let coverage = FileCoverage::new("https://example.com/a.css".to_owned(), chars, ranges);
        let url = Url::parse("https://example.com/a.css").unwrap();
        unused_chars(&ResourceFacts::of_body(&url, css), &coverage)
    }

    #[test]
    fn rules_that_match_nothing_are_counted() {
        let css =
            "/* é🌊 */ p { color: red } .a, .b > li { margin: 0 } .c::before { content: '}' }";
        assert_eq!(unused(css, &[" .a, .b > li { margin: 0 } "]), Some(25));
        assert_eq!(
            unused(
                css,
                &[" .a, .b > li { margin: 0 } .c::before { content: '}' }"]
            ),
            Some(52)
        );
        assert_eq!(unused(css, &[]), Some(0));
        // A part of a rule.
        assert_eq!(unused(css, &["b > li { margin: 0 } "]), Some(0));
    }

    #[test]
    fn rules_for_states_and_for_other_devices_count_as_used() {
        for css in [
            "a:hover { color: red }",
            "input:checked + label { color: red }",
            ".a::placeholder { color: red }",
            "@media (min-width: 900px) { .a { color: red } }",
            "@supports (display: grid) { .a { color: red } }",
            "@keyframes turn { to { color: red } }",
            "@font-face { src: url(a) }",
            "@import 'b.css';",
        ] {
            assert_eq!(unused(css, &[css]), Some(0), "{css}");
        }
        for css in [
            "@layer base { .a { color: red } }",
            "@charset 'utf-8'; .a { color: red }",
            "@import url('b;{.css'); .a { color: red }",
        ] {
            assert_eq!(unused(css, &[css]), Some(17), "{css}");
        }
        let css = "li:not(.a):nth-child(2)::after{top:0}";
        assert_eq!(unused(css, &[css]), Some(37));
    }

    #[test]
    fn nested_rules_belong_to_the_rule_around_them() {
        let css = ".a { color: red; .b { top: 0 } } .c { top: 0 }";
        assert_eq!(unused(css, &[css]), Some(45));
        assert_eq!(unused(css, &[".a { color: red; "]), Some(0));
    }

    #[test]
    fn a_file_of_another_length_is_not_judged() {
        let url = Url::parse("https://example.com/a.css").unwrap();
        let file = ResourceFacts::of_body(&url, "p { color: red }");
        let coverage = FileCoverage::new(url.to_string(), 900, vec![(0, 900)]);
        assert_eq!(unused_chars(&file, &coverage), None);
    }
}
