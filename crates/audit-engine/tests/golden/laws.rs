//! What scores must do, whatever the penalties are.

use std::collections::{BTreeMap, BTreeSet};

use audit_engine::check::Need;
use audit_engine::checks::catalogue;
use domain::report::{AuditResult, Report, Variant};
use domain::score::{DimensionWeights, Share, penalty};
use domain::{Dimension, Severity};
use rstest::rstest;
use testkit::golden::GoldenSite;

use crate::{Change, audit, table};

/// Scores by name, before they are rounded to whole points: the six dimensions and `overall`.
type Scores = BTreeMap<&'static str, f64>;

/// Pairs of changes are drawn in groups with the same first change.
const GROUP: usize = 8;

/// The pairs of one test case, of which there are four. `ASSAY_SCORE_PAIRS=5000` draws 20,000 in all.
const PAIRS: usize = 40;

/// Everything that the draw depends on. `ASSAY_SCORE_SEED` sets another one.
const SEED: u64 = 27;

fn scores(result: &AuditResult) -> Scores {
    let report = Report::assemble(result, Variant::Current, &DimensionWeights::default());
    let dimensions = report.score.dimensions.iter();
    let mut scores: Scores = dimensions
        .map(|(dimension, score)| (dimension.as_str(), score.score.to_points()))
        .collect();
    let parts: f64 = scores.values().map(|score| 1.0 / score.max(1.0)).sum();
    // 6 / (6 / 100) is not exactly 100.
    scores.insert("overall", (6.0e9 / parts).round() / 1e9);
    scores
}

fn scores_of(site: &GoldenSite) -> Scores {
    scores(&audit(&site.to_string(), None).unwrap())
}

/// What an audit of a site gives.
struct Audited {
    scores: Scores,
    pages: u64,
    failed: BTreeSet<String>,
}

/// Audits a site. The scores of a site that cannot be audited are the worst.
fn audited(site: &GoldenSite) -> Audited {
    match audit(&site.to_string(), None) {
        Ok(result) => Audited {
            scores: scores(&result),
            pages: result.coverage.pages_audited,
            failed: (result.findings.iter())
                .map(|finding| finding.check_id.clone())
                .collect(),
        },
        Err(_) => Audited {
            scores: all_scores(0.0),
            pages: 0,
            failed: BTreeSet::new(),
        },
    }
}

fn all_scores(score: f64) -> Scores {
    Dimension::ALL
        .iter()
        .map(|dimension| dimension.as_str())
        .chain(["overall"])
        .map(|name| (name, score))
        .collect()
}

/// The scores that are higher than before by more than `room` points.
fn raised(before: &Scores, after: &Scores, room: f64) -> Vec<String> {
    after
        .iter()
        .filter(|(name, score)| {
            before
                .get(*name)
                .is_some_and(|before| **score > before + room + 1e-6)
        })
        .map(|(name, score)| format!("{name} {} → {score}", before[name]))
        .collect()
}

/// What is wrong with the prices of a single change: it lowers a dimension of which no check fails, or one fact costs
/// points in several checks.
pub(crate) fn wrong_prices(change: &Change, result: &AuditResult) -> String {
    let report = Report::assemble(result, Variant::Current, &DimensionWeights::default());
    let mut wrong = String::new();
    let mut costly = Vec::new();
    for (dimension, score) in &report.score.dimensions {
        let here: Vec<&str> = score
            .checks
            .iter()
            .filter(|check| check.cost > Share::ZERO)
            .map(|check| check.check_id.as_str())
            .collect();
        if here.is_empty() && score.score < Share::ONE {
            wrong.push_str(&format!(
                "\n  {dimension} is lower, and none of its checks costs points"
            ));
        }
        costly.extend(here);
    }
    let is_several = SEVERAL_FACTS
        .iter()
        .any(|(place, text, _)| (*place, *text) == (change.edit.0, change.edit.2));
    if costly.len() > 1 && change.edits().count() == 1 && !is_several && !replaces_a_page(change) {
        wrong.push_str(&format!("\n  one fact costs points in {costly:?}"));
    }
    wrong
}

#[test]
fn the_clean_site_has_all_points() {
    assert_eq!(scores_of(&GoldenSite::clean()), all_scores(100.0));
    assert_eq!(scores_of(&GoldenSite::of_pages(50)), all_scores(100.0));
}

/// A sequence of numbers that only its seed determines.
struct Draw(u64);

impl Draw {
    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        usize::try_from(z % u64::try_from(end).unwrap()).unwrap()
    }

    fn change(&mut self, changes: &[&'static Change]) -> &'static Change {
        changes[self.below(changes.len())]
    }
}

/// Whether what a change did is still in the site after another one: the second neither undoes nor replaces it.
fn is_kept(change: &Change, site: &GoldenSite) -> bool {
    change.edits().all(|(place, from, to)| {
        let pages = site.pages();
        let mut places: Box<dyn Iterator<Item = &str>> = match *place {
            "*" => Box::new(pages.iter().map(String::as_str)),
            place => Box::new([place].into_iter()),
        };
        places.all(|place| {
            let text = site.section(place).unwrap_or_default();
            if to.is_empty() {
                !text.contains(from)
            } else {
                to.starts_with("copy of ") || text.contains(to)
            }
        })
    })
}

/// Whether a change replaces a whole section that an earlier change is in.
fn replaces(second: &Change, first: &Change) -> bool {
    second.edits().any(|(place, from, _)| {
        from.is_empty() && first.edits().any(|(own, _, _)| own == place || *own == "*")
    })
}

/// The number in this variable of the environment, or else `usual`.
#[expect(
    clippy::disallowed_methods,
    reason = "whoever runs the tests says how many pairs and which"
)]
fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(variable: &str, usual: T) -> T {
    std::env::var(variable).map_or(usual, |number| number.parse().unwrap())
}

/// Whether the change is a defect: a check that can lower a score fails. A choice that a note reports, such as a page
/// with `noindex`, is none.
fn is_defect(change: &Change) -> bool {
    let mut raised = catalogue().into_iter();
    raised.any(|check| change.raises.contains(&check.id) && check.severity != Severity::Info)
}

/// Pairs of checks: what the second reports may undo a part of what the first reports.
const UNDOES_A_PART: [(&str, &str); 2] = [
    // The link to the version with noindex is gone.
    ("hreflang-to-noindex", "hreflang-no-return"),
    // Crawlers do not read the contradiction, which is beyond the limit of the file.
    ("ai-policy-contradiction", "robots-too-large"),
];

/// By how many points a score may rise if the second change adds pages: the first defect is then on a smaller share of
/// the golden site's pages.
const BY_MORE_PAGES: f64 = 0.25;

/// The same for elements: a part of some penalties is the share of the elements of a page that fail.
const BY_MORE_ELEMENTS: f64 = 0.06;

fn adds_elements(change: &Change) -> bool {
    let tags = |text: &str| text.matches('<').count();
    let edits = std::iter::once(&change.edit).chain(change.more);
    edits.into_iter().any(|(_, old, new)| tags(new) > tags(old))
}

/// By how many points the second change may raise a score.
fn room(before: &Audited, after: &Audited, second: &Change) -> f64 {
    if after.pages > before.pages {
        BY_MORE_PAGES
    } else if adds_elements(second) {
        BY_MORE_ELEMENTS
    } else {
        0.0
    }
}

/// Whether the second change undoes a part of the first.
fn undoes_a_part(first: &Change, second: &Change) -> bool {
    let is_raised = |change: &Change, id: &str| change.raises.contains(&id);
    let mut pairs = UNDOES_A_PART.into_iter();
    pairs.any(|(one, two)| is_raised(first, one) && is_raised(second, two))
}

/// Whether only notes report the change on a site with another change: `noindex` on a page that the other removed from
/// the sitemap.
fn is_choice(change: &Change, site: &Audited) -> bool {
    let mut found = (change.raises.iter())
        .filter(|id| site.failed.contains(**id))
        .filter_map(|id| catalogue().into_iter().find(|check| check.id == *id))
        .peekable();
    found.peek().is_some() && found.all(|check| check.severity == Severity::Info)
}

#[rstest]
fn a_second_defect_never_raises_a_score(#[values(0, 1, 2, 3)] part: u64) {
    let pairs = number("ASSAY_SCORE_PAIRS", PAIRS);
    let changes: Vec<&Change> = Dimension::ALL
        .iter()
        .flat_map(|dimension| table(*dimension))
        .filter(|change| is_defect(change))
        .collect();
    let mut draw = Draw(number("ASSAY_SCORE_SEED", SEED) + part);
    let (mut compared, mut wrong) = (0, Vec::new());
    while compared < pairs {
        let first = draw.change(&changes);
        let mut one = GoldenSite::clean();
        first.apply(&mut one).unwrap();
        let before = audited(&one);
        let seconds: Vec<_> = (0..GROUP).map(|_| draw.change(&changes)).collect();
        for second in seconds {
            let mut both = one.clone();
            if replaces(second, first)
                || undoes_a_part(first, second)
                || second.apply(&mut both).is_err()
                || !is_kept(first, &both)
            {
                continue;
            }
            let after = audited(&both);
            if is_choice(second, &after) {
                continue;
            }
            compared += 1;
            let room = room(&before, &after, second);
            let raised = raised(&before.scores, &after.scores, room);
            if !raised.is_empty() {
                wrong.push(format!(
                    "\n{:?} {:?}\n  and then {:?} {:?}\n  raises {}",
                    first.edit,
                    first.raises,
                    second.edit,
                    second.raises,
                    raised.join(", ")
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {compared} pairs:{}",
        wrong.len(),
        wrong.concat()
    );
}

/// Checks that report what keeps a page out of search results.
const EXCLUDING: [&str; 11] = [
    "canonical-chain",
    "canonical-cross-host",
    "canonical-header-mismatch",
    "canonical-multiple",
    "canonical-to-error",
    "canonical-to-homepage",
    "canonical-to-noindex",
    "canonical-to-redirect",
    "noindex-sitewide",
    "sitemap-url-noindex",
    "sitemap-url-noncanonical",
];

/// The clean site with all defects of one page that only checks of indexable pages see, as far as they go together.
fn lacking_page() -> GoldenSite {
    let sees_indexable = |id: &str| {
        let check = catalogue().into_iter().find(|check| check.id == id);
        check.is_some_and(|check| check.needs(Need::Indexable))
            || ["title-duplicate", "description-duplicate"].contains(&id)
    };
    let mut site = GoldenSite::clean();
    let mut made: Vec<&Change> = Vec::new();
    for change in table(Dimension::Seo)
        .iter()
        .chain(table(Dimension::Content))
    {
        let mut changed = site.clone();
        if change.edit.0 == "/privacy"
            && change.more.is_empty()
            && !change.raises.is_empty()
            && change.raises.iter().all(|id| sees_indexable(id))
            && change.apply(&mut changed).is_ok()
            && made.iter().all(|first| is_kept(first, &changed))
        {
            site = changed;
            made.push(change);
        }
    }
    assert!(made.len() >= 5, "{made:?}");
    site
}

#[test]
fn a_mistake_that_keeps_a_page_out_of_search_results_hides_nothing() {
    let site = lacking_page();
    let before = scores_of(&site);
    let mut wrong = Vec::new();
    for id in EXCLUDING {
        let makes = |change: &&Change| {
            change.raises.contains(&id) && change.apply(&mut site.clone()).is_ok()
        };
        let change = table(Dimension::Seo).iter().find(makes).expect(id);
        let mut excluded = site.clone();
        change.apply(&mut excluded).unwrap();
        let raised = raised(&before, &audited(&excluded).scores, 0.0);
        if !raised.is_empty() {
            wrong.push(format!("\n{id} raises {}", raised.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[test]
fn a_page_that_is_meant_to_stay_out_of_search_results_costs_nothing() {
    let mut site = GoldenSite::clean();
    let is_note = |change: &&Change| change.raises == ["noindex-page"];
    let noindex = table(Dimension::Seo).iter().find(is_note).unwrap();
    noindex.apply(&mut site).unwrap();
    // Nobody searches for a description of a page that is not shown.
    site.edit(
        "/privacy",
        "<meta name='description' content='What",
        "<meta name='x' content='What",
    )
    .unwrap();
    assert_eq!(scores_of(&site), all_scores(100.0));
}

/// A site of one template with defects in the template, or on its last page.
fn templates(pages: u32, defects: &[(&str, &str)], on_all: bool) -> GoldenSite {
    let mut site = GoldenSite::of_pages(pages);
    let paths = site.pages();
    let last = paths.last().unwrap().as_str();
    for (from, to) in defects {
        site.edit(if on_all { "*" } else { last }, from, to)
            .unwrap();
    }
    site
}

/// Defects that a template of the generated pages can have, with the check that fails first.
const IN_TEMPLATE: [(&str, &str, &str); 5] = [
    ("html-has-lang", "<html lang='en'>", "<html>"),
    ("label", "</main>", "<input name='wish'></main>"),
    (
        "viewport-missing",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        "",
    ),
    (
        "content-placeholder",
        "</main>",
        "<p>Lorem ipsum dolor sit amet.</p></main>",
    ),
    ("doctype-missing", "<!doctype html>\n", ""),
];

#[test]
fn a_defect_on_one_of_800_pages_costs_next_to_nothing() {
    // One defect in each of three dimensions.
    let defects = ["html-has-lang", "viewport-missing", "content-placeholder"];
    let defects: Vec<_> = IN_TEMPLATE
        .iter()
        .filter(|(id, _, _)| defects.contains(id))
        .map(|(_, from, to)| (*from, *to))
        .collect();
    assert_eq!(defects.len(), 3);
    let result = audit(&templates(800, &defects, false).to_string(), None).unwrap();
    assert!(result.findings.len() >= 3);
    let scores = scores(&result);
    assert!(scores.values().all(|score| *score > 99.7), "{scores:?}");
}

#[rstest]
fn a_defect_on_all_pages_costs_what_its_severity_says(#[values(0, 1, 2, 3, 4)] defect: usize) {
    let (id, from, to) = IN_TEMPLATE[defect];
    let check = catalogue()
        .into_iter()
        .find(|check| check.id == id)
        .unwrap();
    let most = penalty(check.severity).to_points();
    let site = templates(20, &[(from, to)], true);
    let result = audit(&site.to_string(), None).unwrap();
    assert!(result.findings.iter().any(|finding| finding.check_id == id));
    let score = scores(&result)[check.dimension.as_str()] + 1e-6;
    // A check of several things of a page costs at least half of it, where one of them fails.
    assert!(
        (100.0 - most..=100.1 - most / 2.0).contains(&score),
        "{id} is {:?} and leaves {score}",
        check.severity
    );
}

#[test]
fn the_same_template_has_the_same_scores_on_any_number_of_pages() {
    let defects = IN_TEMPLATE.map(|(_, from, to)| (from, to));
    let sizes = [10, 100, 1_000];
    let all: Vec<Scores> = sizes
        .iter()
        .map(|pages| scores_of(&templates(*pages, &defects, true)))
        .collect();
    assert!(all[0]["overall"] < 100.0);
    for name in all[0].keys() {
        let values: Vec<f64> = all.iter().map(|scores| scores[name]).collect();
        let least = values.iter().copied().fold(100.0, f64::min);
        let most = values.iter().copied().fold(0.0, f64::max);
        assert!(most - least <= 1.0, "{name} on {sizes:?} pages: {values:?}");
    }
}

#[rstest]
fn a_check_that_does_not_fail_changes_no_score(
    #[values(
        Dimension::Accessibility,
        Dimension::AiReadiness,
        Dimension::Content,
        Dimension::Performance,
        Dimension::Security,
        Dimension::Seo
    )]
    dimension: Dimension,
) {
    // The defects that apply together, of every fifth change, so that scores are well below 100.
    let mut site = GoldenSite::clean();
    for change in table(dimension).iter().step_by(5) {
        let mut changed = site.clone();
        if change.apply(&mut changed).is_ok() {
            site = changed;
        }
    }
    let site = site.to_string();
    let whole = audit(&site, None).unwrap();
    let failed: Vec<_> = catalogue()
        .into_iter()
        .filter(|check| {
            let mut findings = whole.findings.iter();
            findings.any(|finding| finding.check_id == check.id)
        })
        .collect();
    assert!(!failed.is_empty());
    let few = audit(&site, Some(failed)).unwrap();
    assert_eq!(scores(&few), scores(&whole));
}

/// Changes in one place that are several facts, which are fixed in several places: the place, the new text, and the
/// reason.
const SEVERAL_FACTS: &[(&str, &str, &str)] = &[
    (
        "/ja/",
        "<meta charset='utf-8'><meta name='robots' content='noindex'>",
        "the sitemap and the language versions both name the page",
    ),
    (
        "/style.5e1d.css",
        "\n%repeat 100 /* A tide. */      .tide {  color : navy ; }\nbody{",
        "the file is both verbose and sent without compression",
    ),
    (
        "/app.5e1d.js",
        "\n%repeat 40000 call(1);\ndocument.",
        "the file is both large and sent without compression",
    ),
];

/// A page that is replaced as a whole is as many facts as its new text has.
fn replaces_a_page(change: &Change) -> bool {
    let (_, from, to) = change.edit;
    from.is_empty() && to.contains("<!doctype html>")
}
