//! Pages with nearly the same main text.

use std::collections::{HashMap, HashSet};

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::site::{PageFacts, Site, Sketch};

declare_check! {
    /// ## What it checks
    /// The main texts of two pages differ in more than a few words. Two texts are near duplicates
    /// if they share at least 90 % of all their three-word sequences.
    ///
    /// ## Why it matters
    /// Search engines show one of the near duplicates and omit the others. Visitors who compare the
    /// pages look for a difference that barely exists.
    ///
    /// ## How to fix it
    /// Merge the pages and redirect the others to the remaining page, or write what is specific to
    /// each. If both pages have to exist, declare the main page with `rel=canonical`.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><main><a href="/north">North</a> <a href="/south">South</a></main>
    /// === /north
    /// <!doctype html><html lang="en"><title>North pier – Island Line</title><main>Ferries leave the north pier every hour between six in the morning and ten at night. Tickets are sold on board and at the kiosk beside the gate, in cash or by card. Bicycles travel free outside of rush hours; prams and wheelchairs have room on the lower deck at all times. Dogs are welcome on a leash. In strong wind the crossing takes longer, and from force eight on no boat leaves the harbour. Whoever has booked gets the fare back without asking. Lost property is kept at the office for three months and can be fetched on weekdays after nine. Groups of more than twenty people please tell us a day before, so that a larger boat can come. In winter the first ferry leaves an hour later, and on the two days around midwinter none does. The last one home waits for the train from the capital, however late that is. Timetables hang in the waiting room and at every stop of the bus along the coast.</main>
    /// === /south
    /// <!doctype html><html lang="en"><title>South pier – Island Line</title><main>Ferries leave the south pier every hour between six in the morning and ten at night. Tickets are sold on board and at the kiosk beside the gate, in cash or by card. Bicycles travel free outside of rush hours; prams and wheelchairs have room on the lower deck at all times. Dogs are welcome on a leash. In strong wind the crossing takes longer, and from force eight on no boat leaves the harbour. Whoever has booked gets the fare back without asking. Lost property is kept at the office for three months and can be fetched on weekdays after nine. Groups of more than twenty people please tell us a day before, so that a larger boat can come. In winter the first ferry leaves an hour later, and on the two days around midwinter none does. The last one home waits for the train from the capital, however late that is. Timetables hang in the waiting room and at every stop of the bus along the coast.</main>
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Home – Island Line</title><main><a href="/north">North</a> <a href="/south">South</a></main>
    /// === /north
    /// <!doctype html><html lang="en"><title>North pier – Island Line</title><main>Ferries leave the north pier every hour between six in the morning and ten at night. Tickets are sold on board and at the kiosk beside the gate, in cash or by card. Bicycles travel free outside of rush hours; prams and wheelchairs have room on the lower deck at all times. Dogs are welcome on a leash. In strong wind the crossing takes longer, and from force eight on no boat leaves the harbour. Whoever has booked gets the fare back without asking. Lost property is kept at the office for three months and can be fetched on weekdays after nine. Groups of more than twenty people please tell us a day before, so that a larger boat can come. In winter the first ferry leaves an hour later, and on the two days around midwinter none does. The last one home waits for the train from the capital, however late that is. Timetables hang in the waiting room and at every stop of the bus along the coast.</main>
    /// === /south
    /// <!doctype html><html lang="en"><title>South pier – Island Line</title><main>The south pier lies behind the old customs house, ten minutes on foot from the station. A bus runs every quarter of an hour and stops in front of the gate. There are forty places to park, which cost two crowns an hour in summer and nothing in winter. The waiting room has a stove, a shelf of books and a machine that makes better coffee than one would think. Swimmers go in from the steps on the far side, where the water is deep and clear. In the evening fishermen sell what they have caught, straight from the boat, and somebody always plays the accordion. The lighthouse at the end of the mole is open on Sundays; from its gallery one sees both islands and, on clear days, the mountains of the mainland.</main>
    /// ```
    ///
    /// ## Limits
    /// The check compares the main texts of indexable pages with 100 words or more. It compares
    /// MinHash sketches, which estimate the similarity with a margin of error. A page therefore
    /// fails only from an estimate of 94 %. Language versions that reference each other with
    /// `hreflang` may be similar. Pages with exactly the same text are found by
    /// `content-duplicate-exact`. Text that scripts write is not compared.
    ///
    /// ## Also known as
    /// - Screaming Frog: Content: Near Duplicates
    ///
    /// ## References
    /// - Google Search Central, Consolidate duplicate URLs
    /// - Broder, On the resemblance and containment of documents, 1997
    CONTENT_DUPLICATE_NEAR {
        id: "content-duplicate-near",
        title: "Near-duplicate content",
        dimension: Content,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// Percentage of word sequences that both pages share, estimated from their sketches. The real limit
/// is nine in ten; the margin covers the error of the estimate.
const NEARLY_ALL: u32 = 94;
/// Pages kept for each band of a sketch. A page is compared with at most eight times as many pages,
/// independent of the size of the site.
const MOST_IN_A_BAND: usize = 16;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let mut texts = HashSet::new();
    // Pages that resemble no earlier page, by the bands of their sketches.
    let mut known: HashMap<(usize, &[u8]), Vec<&PageFacts>> = HashMap::new();
    for page in site.pages.iter().filter(|page| is_compared(page)) {
        if !texts.insert(page.text_hash) {
            continue;
        }
        let near = page
            .sketch
            .bands()
            .filter_map(|band| known.get(&band))
            .flatten()
            .filter_map(|other| Some((*other, resemblance(page, other)?)))
            .max_by_key(|(other, share)| (*share, std::cmp::Reverse(other.number)));
        if let Some((other, share)) = near {
            verdicts.record(
                page.url.as_str(),
                Outcome::failed(vec![duplicate_evidence(page, other, share)]),
            );
            continue;
        }
        verdicts.record(page.url.as_str(), Outcome::Passed);
        for band in page.sketch.bands() {
            let alike = known.entry(band).or_default();
            if alike.len() < MOST_IN_A_BAND {
                alike.push(page);
            }
        }
    }
}

fn is_compared(page: &PageFacts) -> bool {
    page.is_indexable() && page.words >= Sketch::FEWEST_WORDS
}

/// The similarity of the pages as a percentage, if they are near duplicates.
fn resemblance(page: &PageFacts, other: &PageFacts) -> Option<u32> {
    let (few, many) = if page.words < other.words {
        (page.words, other.words)
    } else {
        (other.words, page.words)
    };
    // A text cannot share more with a longer text than its own length.
    let may_be = u64::from(few) * 100 >= u64::from(many) * 85;
    let share = page
        .sketch
        .resemblance(&other.sketch)
        .filter(|share| may_be && *share >= NEARLY_ALL)?;
    // If the list of language versions was cut, the other page may be one of them.
    let names = |one: &PageFacts, two: &PageFacts| {
        one.alternates_cut || one.alternates.iter().any(|(_, url)| *url == two.url)
    };
    (!names(page, other) && !names(other, page)).then_some(share)
}

fn duplicate_evidence(page: &PageFacts, other: &PageFacts, share: u32) -> Evidence {
    Evidence::here()
        .cause(
            other.url.as_str(),
            format!("Pages with nearly the same text as {}", other.url),
        )
        .message(format!(
            "The {} words of this page and the text of {} share about {share} % of their three-word sequences; expected unique text.",
            grouped(page.words),
            other.url
        ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    /// A text of `count` words; the words in the range `changed` occur on this page only.
    fn words(count: usize, own: &str, changed: std::ops::Range<usize>) -> String {
        (0..count)
            .map(|n| {
                let salt = if changed.contains(&n) { own } else { "" };
                format!("w{}{salt} ", (n * 7_919) % 5_003)
            })
            .collect()
    }

    fn audited(pages: &[(&str, String)]) -> Tallied {
        let links: String = pages
            .iter()
            .map(|(path, _)| format!("<a href=/{path}>{path}</a>"))
            .collect();
        let sections: String = pages
            .iter()
            .map(|(path, html)| format!("=== /{path}\n{html}\n"))
            .collect();
        audit(
            &CONTENT_DUPLICATE_NEAR,
            &format!("=== /\n{links}\n{sections}"),
        )
    }

    fn main(text: &str) -> String {
        format!("<main>{text}</main>")
    }

    #[test]
    fn a_few_changed_words_are_found_with_the_page_that_came_first() {
        let tallied = audited(&[
            ("a", main(&words(400, "", 0..0))),
            ("b", main(&words(400, "b", 30..34))),
            ("c", main(&words(400, "c", 70..72))),
        ]);
        assert_eq!((tallied.applicable, tallied.affected), (3, 2));
        assert_eq!(tallied.findings.len(), 1);
        assert_eq!(tallied.findings[0].cause, "https://example.com/a");
    }

    #[test]
    fn pages_that_share_half_of_their_text_pass() {
        let tallied = audited(&[
            ("a", main(&words(400, "", 0..0))),
            ("b", main(&words(400, "b", 0..130))),
        ]);
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn exact_duplicates_and_short_texts_are_not_checked() {
        let same = main(&words(400, "", 0..0));
        let tallied = audited(&[("a", same.clone()), ("b", same)]);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
        let tallied = audited(&[
            ("a", main(&words(60, "", 0..0))),
            ("b", main(&words(60, "b", 3..4))),
        ]);
        assert_eq!(tallied.applicable, 0);
    }

    #[test]
    fn text_outside_the_main_part_is_not_compared() {
        let around = format!("<nav>{}</nav>", words(800, "", 0..0));
        let page = |own: &str| format!("{around}<main>{}</main>", words(150, own, 0..150));
        let tallied = audited(&[("a", page("a")), ("b", page("b"))]);
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn hreflang_versions_may_be_similar() {
        let page = |own: &str, other: &str| {
            format!(
                "<link rel=alternate hreflang=en-{other} href=/{other}><main>{}</main>",
                words(400, own, 30..34)
            )
        };
        let tallied = audited(&[("gb", page("gb", "us")), ("us", page("us", "gb"))]);
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn pages_with_noindex_are_not_checked() {
        let hidden = |own: &str| {
            format!(
                "<meta name=robots content=noindex><main>{}</main>",
                words(400, own, 30..34)
            )
        };
        let short = || main("Ferries cross the bay.");
        let tallied = audited(&[
            ("a", hidden("a")),
            ("b", hidden("b")),
            ("c", short()),
            ("d", short()),
        ]);
        assert_eq!(tallied.applicable, 0);
    }

    #[test]
    fn pages_that_share_a_little_less_than_nine_in_ten_pass() {
        // 20 of 300 words differ. If n word sequences differ, the texts share (300 - n) of (300 + n).
        for number in 0..60 {
            let own = format!("x{number}");
            let first = format!("y{number}");
            let text = |own: &str, salt: &str| -> String {
                (0..300)
                    .map(|n| format!("{}{n} ", if (30..50).contains(&n) { own } else { salt }))
                    .collect()
            };
            let tallied = audited(&[
                ("a", main(&text("common", &first))),
                ("b", main(&text(&own, &first))),
            ]);
            assert_eq!((tallied.applicable, tallied.affected), (2, 0), "{number}");
        }
    }
}
