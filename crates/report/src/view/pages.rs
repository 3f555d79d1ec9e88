//! The addresses that a run requested: a table, how they are spread, and what they weigh.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use domain::Dimension;
use domain::report::{PageVisit, Report};
use domain::text::grouped;

use super::treemap;
use super::treemap_cell::{TreemapCell, WeightCell};
use crate::limits::{DEPTH_BARS, STATUS_BARS, WEIGHT_CELLS};
use crate::scored::Scored;
use crate::wording::number_of;

/// Thousandths of a whole.
const WHOLE: u64 = 1_000;

/// The addresses that a run requested.
pub struct PagesView<'a> {
    /// How many there are.
    pub total: u64,
    /// The dimensions of the scores in a row.
    pub dimensions: Vec<Dimension>,
    /// Those with the most issues first, then in the order of the crawl.
    pub rows: Vec<PageRow<'a>>,
    /// How many have no row.
    pub left_out: u64,
    /// How many answered which status.
    pub statuses: Vec<Bar>,
    /// How many are how many clicks away from the start page.
    pub depths: Vec<Bar>,
    /// What the documents weigh, by folder, the heaviest first.
    pub weights: Vec<WeightCell>,
    /// What they weigh in all, in bytes.
    pub bytes: u64,
}

/// An address that a run requested.
pub struct PageRow<'a> {
    /// What became of it.
    pub visit: &'a PageVisit,
    /// Its address from the path on if it is on the origin of the report, else all of it.
    pub path: &'a str,
    /// In how many issues it occurs.
    pub issues: u32,
    /// Its scores in the dimensions of the view; none where it does not count as a page.
    pub scores: Vec<Option<u8>>,
}

/// A number with its bar.
#[derive(Debug, PartialEq, Eq)]
pub struct Bar {
    /// What is counted.
    pub label: String,
    /// The number.
    pub number: u64,
    /// Its length in thousandths of the longest bar.
    pub length: u64,
}

impl<'a> PagesView<'a> {
    /// The view of the addresses that the run of a report requested, with at most `most` rows and the scores that mean
    /// something.
    #[must_use]
    pub fn new(report: &Report, scored: &Scored, visits: &'a [PageVisit], most: usize) -> Self {
        let dimensions = report.variant.dimensions().iter().copied();
        let dimensions: Vec<_> = dimensions
            .filter(|&dimension| scored.has(dimension))
            .collect();
        let origin = origin(&report.url);
        let mut order: Vec<_> = visits.iter().collect();
        order.sort_by_key(|visit| Reverse(visit.issues_in(report.variant)));
        let rows: Vec<_> = order
            .into_iter()
            .take(most)
            .map(|visit| PageRow {
                visit,
                path: path(&visit.url, origin),
                issues: visit.issues_in(report.variant),
                scores: dimensions
                    .iter()
                    .map(|&dimension| visit.scores.get(dimension).map(|share| share.to_score()))
                    .collect(),
            })
            .collect();
        let total = number_of(visits.len());
        Self {
            total,
            dimensions,
            left_out: total.saturating_sub(number_of(rows.len())),
            rows,
            statuses: statuses(visits),
            depths: depths(visits),
            bytes: visits.iter().filter_map(|visit| visit.bytes).sum(),
            weights: weights(visits, origin),
        }
    }
}

/// "https://example.com" of an address; empty where it has none.
fn origin(url: &str) -> &str {
    let host = url.find("://").map(|scheme| scheme + "://".len());
    let end = host.and_then(|host| {
        let rest = url.get(host..)?;
        Some(host + rest.find(['/', '?', '#']).unwrap_or(rest.len()))
    });
    end.and_then(|end| url.get(..end)).unwrap_or_default()
}

fn path<'a>(url: &'a str, origin: &str) -> &'a str {
    let path = url.strip_prefix(origin).filter(|_| !origin.is_empty());
    path.filter(|path| path.starts_with('/')).unwrap_or(url)
}

/// Bars for numbers, in their order.
fn bars(numbers: Vec<(String, u64)>) -> Vec<Bar> {
    let longest = numbers.iter().map(|(_, number)| *number).max().unwrap_or(0);
    let bars = numbers.into_iter().map(|(label, number)| Bar {
        label,
        length: thousandths(number, longest),
        number,
    });
    bars.collect()
}

/// A part in thousandths, at least one for what is there.
const fn thousandths(part: u64, whole: u64) -> u64 {
    match (part, part.saturating_mul(WHOLE).checked_div(whole)) {
        (0, _) | (_, None) => 0,
        (_, Some(0)) => 1,
        (_, Some(share)) => share,
    }
}

/// How many answered which status: the most frequent [`STATUS_BARS`] in the order of their numbers, then the rest.
fn statuses(visits: &[PageVisit]) -> Vec<Bar> {
    let mut numbers: BTreeMap<Option<u16>, u64> = BTreeMap::new();
    for visit in visits {
        *numbers.entry(visit.status).or_default() += 1;
    }
    let unanswered = numbers.remove(&None);
    let mut known: Vec<_> = numbers.into_iter().collect();
    known.sort_by_key(|&(_, number)| Reverse(number));
    let others = known.split_off(known.len().min(STATUS_BARS));
    known.sort_unstable();
    let known = known
        .into_iter()
        .filter_map(|(status, number)| Some((status?.to_string(), number)));
    let others = others.into_iter().map(|(_, number)| number).sum::<u64>();
    let named = [
        ("other statuses", Some(others).filter(|number| *number > 0)),
        ("no response", unanswered),
    ];
    let named = named.into_iter();
    let named = named.filter_map(|(label, number)| Some((label.to_owned(), number?)));
    bars(known.chain(named).collect())
}

/// How many are how many clicks away: [`DEPTH_BARS`] depths, then the deeper ones, then those of which it is not known.
fn depths(visits: &[PageVisit]) -> Vec<Bar> {
    let mut numbers = vec![0_u64; DEPTH_BARS];
    let (mut deeper, mut unknown) = (0, 0);
    for visit in visits {
        let depth = visit
            .depth
            .map(|depth| usize::try_from(depth).unwrap_or(usize::MAX));
        match depth.map(|depth| numbers.get_mut(depth)) {
            Some(Some(number)) => *number += 1,
            Some(None) => deeper += 1,
            None => unknown += 1,
        }
    }
    let deepest = numbers.iter().rposition(|number| *number > 0);
    numbers.truncate(match deeper {
        0 => deepest.map_or(0, |deepest| deepest + 1),
        _ => DEPTH_BARS,
    });
    let known = (0_u64..).zip(numbers).map(|(depth, number)| {
        let label = match depth {
            0 => "start page".to_owned(),
            1 => "1 click".to_owned(),
            more => format!("{more} clicks"),
        };
        (label, number)
    });
    let named = [
        (format!("{DEPTH_BARS} clicks and more"), deeper),
        ("not linked, or unknown".to_owned(), unknown),
    ];
    let named = named.into_iter().filter(|(_, number)| *number > 0);
    bars(known.chain(named).collect())
}

/// What documents of one folder weigh.
#[derive(Default)]
struct Weight {
    pages: u64,
    bytes: u64,
}

/// The heaviest [`WEIGHT_CELLS`] folders, then all others in one. Where a site has one folder, its next ones are taken,
/// and at last its pages.
fn weights(visits: &[PageVisit], origin: &str) -> Vec<WeightCell> {
    let with_bytes = visits.iter();
    let documents: Vec<_> = with_bytes
        .filter_map(|visit| Some((path(&visit.url, origin), visit.bytes?)))
        .filter(|(_, bytes)| *bytes > 0)
        .collect();
    cells(grouped_by_folder(&documents).into_iter().collect())
}

/// A treemap of folders: the label, the number of documents and the bytes of each. The heaviest [`WEIGHT_CELLS`] have
/// rectangles of their own, the others share one.
#[must_use]
pub fn treemap_cells(folders: Vec<(String, u64, u64)>) -> Vec<TreemapCell> {
    let weights = folders
        .into_iter()
        .map(|(label, pages, bytes)| (label, Weight { pages, bytes }));
    let cells = cells(weights.collect());
    cells.iter().map(TreemapCell::new).collect()
}

fn cells(mut all: Vec<(String, Weight)>) -> Vec<WeightCell> {
    all.sort_by(|(one_label, one), (other_label, other)| {
        let bytes = other.bytes.cmp(&one.bytes);
        bytes.then_with(|| one_label.cmp(other_label))
    });
    if all.len() > WEIGHT_CELLS {
        let others = all.split_off(WEIGHT_CELLS - 1);
        let label = format!("{} others", grouped(number_of(others.len())));
        let rest = others
            .into_iter()
            .fold(Weight::default(), |sum, (_, weight)| Weight {
                pages: sum.pages + weight.pages,
                bytes: sum.bytes + weight.bytes,
            });
        all.push((label, rest));
        all.sort_by_key(|(_, weight)| Reverse(weight.bytes));
    }
    let numbers: Vec<_> = all.iter().map(|(_, weight)| weight.bytes).collect();
    let sum = numbers.iter().sum();
    let cells = all.into_iter().zip(treemap::layout(&numbers));
    let cells = cells.map(|((label, weight), place)| WeightCell {
        label,
        pages: weight.pages,
        bytes: weight.bytes,
        share: thousandths(weight.bytes, sum),
        x: place.x,
        y: place.y,
        width: place.width,
        height: place.height,
    });
    cells.collect()
}

/// Folders looked into when all pages are in one.
const FOLDERS: usize = 4;

fn grouped_by_folder(documents: &[(&str, u64)]) -> BTreeMap<String, Weight> {
    let mut groups = BTreeMap::new();
    for folders in 1..=FOLDERS {
        groups = by_folder(documents, folders);
        // A folder that holds nine tenths of all tells little.
        let sum: u64 = groups.values().map(|weight| weight.bytes).sum();
        let most = groups
            .values()
            .map(|weight| weight.bytes)
            .max()
            .unwrap_or(0);
        if most <= sum - sum / 10 {
            return groups;
        }
    }
    groups
}

/// Documents by the first folders of their path; a document in fewer folders stands alone.
fn by_folder(documents: &[(&str, u64)], folders: usize) -> BTreeMap<String, Weight> {
    let mut groups: BTreeMap<String, Weight> = BTreeMap::new();
    for (path, bytes) in documents {
        let without_query = path.split(['?', '#']).next().unwrap_or(path);
        let end = without_query.match_indices('/').nth(folders);
        let folder = end.and_then(|(end, _)| without_query.get(..=end));
        let group = groups.entry(folder.unwrap_or(path).to_owned()).or_default();
        group.pages += 1;
        group.bytes += bytes;
    }
    groups
}

#[cfg(test)]
mod tests {
    use domain::report::PageScores;
    use domain::score::Share;

    use super::*;
    use crate::sample::{bad, report};

    fn visit(path: &str, bytes: u64) -> PageVisit {
        PageVisit {
            url: format!("https://ferry.example{path}"),
            status: Some(200),
            depth: Some(1),
            title: None,
            bytes: Some(bytes),
            audited: true,
            leads_to: None,
            details: domain::report::PageDetails::default(),
            scores: PageScores::default(),
            issues: 0,
            issues_legacy: 0,
        }
    }

    fn labels(bars: &[Bar]) -> Vec<(&str, u64, u64)> {
        bars.iter()
            .map(|bar| (&*bar.label, bar.number, bar.length))
            .collect()
    }

    #[test]
    fn rows_are_bounded_and_begin_with_the_most_issues() {
        let mut visits = vec![visit("/", 1), visit("/a", 1), visit("/b", 1)];
        visits[2].issues = 4;
        visits[2].scores.0[2] = Some(Share::from_hundredths(80));
        let report = report(&bad());
        let view = PagesView::new(&report, &Scored::Whole, &visits, 2);
        let paths: Vec<_> = view.rows.iter().map(|row| row.path).collect();
        assert_eq!(paths, ["/b", "/"]);
        assert_eq!((view.total, view.left_out), (3, 1));
        assert_eq!(view.rows[0].scores[2], Some(80));
    }

    #[test]
    fn statuses_have_bars_and_the_rare_ones_share_one() {
        let mut visits = vec![visit("/", 1); 4];
        visits[3].status = Some(404);
        assert_eq!(
            labels(&statuses(&visits)),
            [("200", 3, 1_000), ("404", 1, 333)]
        );
        visits[0].status = None;
        for status in 0..30 {
            let mut other = visit("/", 1);
            other.status = Some(500 + status);
            visits.push(other);
        }
        let bars = statuses(&visits);
        assert_eq!(bars.len(), STATUS_BARS + 2);
        assert_eq!(bars.iter().map(|bar| bar.number).sum::<u64>(), 34);
        assert_eq!(bars.last().unwrap().label, "no response");
    }

    #[test]
    fn depths_have_bars_and_the_deep_ones_share_one() {
        let mut visits: Vec<_> = (0..40)
            .map(|depth| PageVisit {
                depth: Some(depth),
                ..visit("/", 1)
            })
            .collect();
        visits[0].depth = None;
        let bars = depths(&visits);
        assert_eq!(bars.len(), DEPTH_BARS + 2);
        assert_eq!(bars.iter().map(|bar| bar.number).sum::<u64>(), 40);
        assert_eq!(
            labels(&depths(&visits[1..3])),
            [
                ("start page", 0, 0),
                ("1 click", 1, 1_000),
                ("2 clicks", 1, 1_000)
            ]
        );
    }

    #[test]
    fn weights_are_by_folder_and_bounded() {
        let visits = [visit("/a/1", 10), visit("/a/2?x=/y/", 20), visit("/b", 70)];
        let cells = weights(&visits, "https://ferry.example");
        let cells: Vec<_> = cells
            .iter()
            .map(|cell| (&*cell.label, cell.pages, cell.bytes, cell.share))
            .collect();
        assert_eq!(cells, [("/b", 1, 70, 700), ("/a/", 2, 30, 300)]);
        let visits: Vec<_> = (0..500)
            .map(|number| visit(&format!("/docs/en/{number}"), 1))
            .collect();
        let cells = weights(&visits, "https://ferry.example");
        assert_eq!(cells.len(), WEIGHT_CELLS);
        assert_eq!(cells.iter().map(|cell| cell.pages).sum::<u64>(), 500);
        assert_eq!(cells[0].label, format!("{} others", 501 - WEIGHT_CELLS));
    }

    #[test]
    fn addresses_are_shortened_on_the_own_origin_alone() {
        assert_eq!(origin("https://a.example:8/x"), "https://a.example:8");
        assert_eq!(origin("nothing"), "");
        assert_eq!(path("https://a.example/x?y", "https://a.example"), "/x?y");
        let other = "https://a.example.org/x";
        assert_eq!(path(other, "https://a.example"), other);
    }
}
