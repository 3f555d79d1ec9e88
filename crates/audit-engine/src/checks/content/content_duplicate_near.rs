//! No two pages have nearly the same text.

use std::collections::{HashMap, HashSet};

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::site::{PageFacts, Site, Sketch};

declare_check! {
    /// ## What it checks
    /// The main texts of two pages differ in more than a few words. Texts are nearly the same when, of
    /// all runs of three words that either has, nine in ten are in both.
    ///
    /// ## Why it matters
    /// Search engines show one of such pages and leave the others out. People who compare them look
    /// for a difference that is hardly there.
    ///
    /// ## How to fix it
    /// Merge the pages and redirect the others to the one that stays, or write what is particular to
    /// each. Where both have to be, name the main one with `rel=canonical`.
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
    /// Compared are the main texts of indexable pages with a hundred words or more, by a sketch of
    /// each, so that the share is an estimate: it has to be 94 in 100, and where in doubt the pages pass. Versions of a page that
    /// name one another with `hreflang` may resemble one another. Pages whose text is the same to the
    /// letter are found by content-duplicate-exact. Text that scripts write is not compared.
    ///
    /// ## References
    /// - Google Search Central, Consolidate duplicate URLs
    /// - Broder, On the resemblance and containment of documents, 1997
    CONTENT_DUPLICATE_NEAR {
        id: "content-duplicate-near",
        title: "Pages with nearly the same text",
        dimension: Content,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// Hundredths of the runs of words that both have, by their sketches. Nine in ten are meant; the
/// estimate may be off by as much as it is above that.
const NEARLY_ALL: u32 = 94;
/// Pages kept for each part of a sketch; a page is compared with no more than eight times as many,
/// whatever the number of pages.
const MOST_IN_A_BAND: usize = 16;

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let mut texts = HashSet::new();
    // Pages that resemble none before them, by the parts of their sketches.
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
            verdicts.judge(
                page.url.as_str(),
                Outcome::failed(vec![repeats(page, other, share)]),
            );
            continue;
        }
        verdicts.judge(page.url.as_str(), Outcome::Passed);
        for band in page.sketch.bands() {
            let alike = known.entry(band).or_default();
            if alike.len() < MOST_IN_A_BAND {
                alike.push(page);
            }
        }
    }
}

fn is_compared(page: &PageFacts) -> bool {
    page.indexable && page.words >= Sketch::FEWEST_WORDS
}

/// How much the pages have in common, where that is nearly all.
fn resemblance(page: &PageFacts, other: &PageFacts) -> Option<u32> {
    let (few, many) = if page.words < other.words {
        (page.words, other.words)
    } else {
        (other.words, page.words)
    };
    // What one has in common with a longer one cannot be more than all of it.
    let may_be = u64::from(few) * 100 >= u64::from(many) * 85;
    let share = page
        .sketch
        .resemblance(&other.sketch)
        .filter(|share| may_be && *share >= NEARLY_ALL)?;
    // Where not all language versions of a page are known, the other may be one.
    let names = |one: &PageFacts, two: &PageFacts| {
        one.alternates_cut || one.alternates.iter().any(|(_, url)| *url == two.url)
    };
    (!names(page, other) && !names(other, page)).then_some(share)
}

fn repeats(page: &PageFacts, other: &PageFacts, share: u32) -> Evidence {
    Evidence::here()
        .cause(
            other.url.as_str(),
            format!("Pages with nearly the same text as {}", other.url),
        )
        .message(format!(
            "Of the runs of three words in this page's {} words and those of {}, about {share} in 100 are on both; a text of its own is expected.",
            grouped(page.words),
            other.url
        ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Tallied, audit};

    /// So many words, of which those in `changed` are this page's own.
    fn words(count: usize, own: &str, changed: std::ops::Range<usize>) -> String {
        (0..count)
            .map(|n| {
                let salt = if changed.contains(&n) { own } else { "" };
                format!("w{}{salt} ", (n * 7_919) % 5_003)
            })
            .collect()
    }

    fn judged(pages: &[(&str, String)]) -> Tallied {
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
        let tallied = judged(&[
            ("a", main(&words(400, "", 0..0))),
            ("b", main(&words(400, "b", 30..34))),
            ("c", main(&words(400, "c", 70..72))),
        ]);
        assert_eq!((tallied.applicable, tallied.affected), (3, 2));
        assert_eq!(tallied.findings.len(), 1);
        assert_eq!(tallied.findings[0].cause, "https://example.com/a");
    }

    #[test]
    fn pages_that_share_half_pass() {
        let tallied = judged(&[
            ("a", main(&words(400, "", 0..0))),
            ("b", main(&words(400, "b", 0..130))),
        ]);
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn the_same_text_and_short_texts_are_not_judged() {
        let same = main(&words(400, "", 0..0));
        let tallied = judged(&[("a", same.clone()), ("b", same)]);
        assert_eq!((tallied.applicable, tallied.affected), (1, 0));
        let tallied = judged(&[
            ("a", main(&words(60, "", 0..0))),
            ("b", main(&words(60, "b", 3..4))),
        ]);
        assert_eq!(tallied.applicable, 0);
    }

    #[test]
    fn what_stands_around_the_main_part_does_not_count() {
        let around = format!("<nav>{}</nav>", words(800, "", 0..0));
        let page = |own: &str| format!("{around}<main>{}</main>", words(150, own, 0..150));
        let tallied = judged(&[("a", page("a")), ("b", page("b"))]);
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn versions_for_other_countries_may_resemble_one_another() {
        let page = |own: &str, other: &str| {
            format!(
                "<link rel=alternate hreflang=en-{other} href=/{other}><main>{}</main>",
                words(400, own, 30..34)
            )
        };
        let tallied = judged(&[("gb", page("gb", "us")), ("us", page("us", "gb"))]);
        assert_eq!((tallied.applicable, tallied.affected), (2, 0));
    }

    #[test]
    fn pages_that_are_not_indexed_are_not_judged() {
        let hidden = |own: &str| {
            format!(
                "<meta name=robots content=noindex><main>{}</main>",
                words(400, own, 30..34)
            )
        };
        let tallied = judged(&[("a", hidden("a")), ("b", hidden("b"))]);
        assert_eq!(tallied.applicable, 0);
    }

    #[test]
    fn pages_that_share_a_little_less_than_nine_in_ten_pass() {
        // Of 300 words that many are others: the texts share (300 - n) of (300 + n) runs.
        for number in 0..60 {
            let own = format!("x{number}");
            let first = format!("y{number}");
            let text = |own: &str, salt: &str| -> String {
                (0..300)
                    .map(|n| format!("{}{n} ", if (30..50).contains(&n) { own } else { salt }))
                    .collect()
            };
            let tallied = judged(&[
                ("a", main(&text("common", &first))),
                ("b", main(&text(&own, &first))),
            ]);
            assert_eq!((tallied.applicable, tallied.affected), (2, 0), "{number}");
        }
    }
}
