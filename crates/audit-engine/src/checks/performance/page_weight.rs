//! Pages with a large transfer size.

use domain::Severity;

use super::{image_too_heavy, js_too_heavy};
use crate::algorithms::log_normal::Curve;
use crate::check::{Evidence, Grade, Outcome, Verdicts};
use crate::common::documents::page_load::{Loads, NOT_REQUESTED};
use crate::common::measures::bytes::{measure, size};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::{PageFacts, ResourceFacts, Site};

declare_check! {
    /// ## What it checks
    /// A page and the files that it loads immediately transfer at most 2,667 KiB in total. Above that, the check costs
    /// more points with every KiB: half of them at 4,000 KiB.
    ///
    /// ## Why it matters
    /// Heavy pages load slowly and cost visitors money on metered connections.
    ///
    /// ## How to fix it
    /// Reduce the largest file of the page first. Scale images down, add `loading="lazy"` to images further down the
    /// page, remove scripts that are not needed, and enable compression.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><img src="/harbour.jpg" alt="Our harbour" width="6000" height="4000"></html>
    /// === /harbour.jpg
    /// HTTP/1.1 200 OK
    /// Content-Type: image/jpeg
    ///
    /// %repeat 500000 harbour;
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><img src="/harbour.jpg" alt="Our harbour" width="600" height="400"></html>
    /// === /harbour.jpg
    /// HTTP/1.1 200 OK
    /// Content-Type: image/jpeg
    ///
    /// %repeat 5000 harbour;
    /// ```
    ///
    /// ## Limits
    /// What a single image or script has beyond its own limit costs points in `image-too-heavy` and `js-too-heavy`
    /// only.
    ///
    /// In static mode, the check does not see files that scripts and frames load. Of the images in
    /// style sheets and `style` attributes it counts those that are certainly the background of an
    /// element.
    /// Lazy-loaded images are not counted. If a file of another site was not requested, the result
    /// is "cannot tell".
    ///
    /// ## Also known as
    /// - Lighthouse: `total-byte-weight`
    /// - Common name: Enormous network payload
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Avoid enormous network payloads
    PAGE_WEIGHT {
        id: "page-weight",
        title: "Excessive page weight",
        dimension: Performance,
        scope: Page,
        severity: Moderate,
        confidence: High,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

const CURVE: Curve = Curve {
    p10: 2_667.0 * 1_024.0,
    median: 4_000.0 * 1_024.0,
};

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let loads = Loads::new(site);
    for page in &site.pages {
        let outcome = match loads.resources(page) {
            None => Outcome::CannotTell(NOT_REQUESTED),
            Some(resources) => grade_weight(page, &resources),
        };
        verdicts.record(page.url.as_str(), outcome);
    }
}

/// The bytes of a file that image-too-heavy or js-too-heavy reports.
fn priced_elsewhere(resource: &ResourceFacts) -> u64 {
    let limit = match resource.kind {
        ResourceKind::Image | ResourceKind::Background => image_too_heavy::MOST_BYTES,
        ResourceKind::Script => js_too_heavy::MOST_BYTES,
        _ => return 0,
    };
    resource.wire_bytes.saturating_sub(limit)
}

fn grade_weight(page: &PageFacts, resources: &[&ResourceFacts]) -> Outcome {
    let files: u64 = resources.iter().map(|resource| resource.wire_bytes).sum();
    let total = page.wire_bytes.saturating_add(files);
    let priced = resources
        .iter()
        .map(|resource| priced_elsewhere(resource))
        .sum();
    let grade = Grade::from_hundredths(CURVE.grade(measure(total)));
    if grade >= Grade::GOOD {
        return Outcome::graded(grade, []);
    }
    let unpriced = Grade::from_hundredths(CURVE.grade(measure(total.saturating_sub(priced))));
    let heaviest = resources
        .iter()
        .max_by_key(|resource| (resource.wire_bytes, std::cmp::Reverse(resource.id)));
    let heaviest = heaviest.map_or_else(String::new, |resource| {
        format!(
            " The largest file is {} with {}.",
            resource.url,
            size(resource.wire_bytes)
        )
    });
    let message = format!(
        "The page and its {} files transfer {}; expected at most 2,667 KiB.{heaviest}",
        grouped(resources.len()),
        size(total)
    );
    let evidence = vec![Evidence::here().message(message)];
    if unpriced >= Grade::GOOD {
        // Single files explain the weight, and their checks have reported them.
        Outcome::graded(grade, evidence).with_severity(Severity::Info)
    } else {
        Outcome::graded(unpriced, evidence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::audit;

    #[test]
    fn page_weight_is_graded_like_in_lighthouse() {
        let golden = [
            (0, 100),
            (1_000, 100),
            (1_700, 100),
            (1_800, 99),
            (2_200, 97),
            (2_400, 94),
            (2_600, 91),
            (2_667, 90),
            (2_668, 89),
            (2_800, 87),
            (3_000, 81),
            (3_500, 66),
            (4_000, 50),
            (4_001, 49),
            (4_500, 35),
            (5_000, 24),
            (6_000, 9),
            (8_000, 1),
            (10_000, 0),
        ];
        for (kibibytes, hundredths) in golden {
            let grade = CURVE.grade(measure(kibibytes * 1_024));
            assert_eq!(grade, hundredths, "{kibibytes} KiB");
        }
        // At the band limits one byte changes the grade.
        for (bytes, hundredths) in [
            (2_731_008, 90),
            (2_731_009, 89),
            (4_096_000, 50),
            (4_096_001, 49),
        ] {
            assert_eq!(CURVE.grade(measure(bytes)), hundredths);
        }
    }

    fn audited(img: &str) -> (u64, u64) {
        let site = format!(
            "=== /\n{img}\n=== /a\nHTTP/1.1 200 OK\nContent-Type: image/png\n\n%repeat 1000000 aaaa"
        );
        let tallied = audit(&PAGE_WEIGHT, &site);
        (tallied.applicable, tallied.affected)
    }

    #[test]
    fn a_file_used_twice_counts_once() {
        assert_eq!(audited("<img src=/a><img src=/a>"), (1, 1));
    }

    #[test]
    fn background_images_of_elements_count() {
        assert_eq!(audited("<p style='background-image:url(\"/a\")'>x"), (1, 1));
        assert_eq!(
            audited("<style>.hero{background:url(/a)}</style><p class=hero>x"),
            (1, 1)
        );
        // No element has the image.
        assert_eq!(
            audited("<style>.hero{background:url(/a)}</style><p>x"),
            (1, 0)
        );
        assert_eq!(audited("<p hidden style='background:url(/a)'>x"), (1, 0));
    }

    #[test]
    fn background_images_of_linked_sheets_count() {
        let sheets = "<link rel=stylesheet href=/css/a.css><p class=hero>x\n=== /css/a.css\nHTTP/1.1 200 OK\nContent-Type: text/css\n\n.hero{background-image:url('../a')}";
        assert_eq!(audited(sheets), (1, 1));
        let imported = sheets.replace(
            ".hero{",
            "@import 'b.css';\n=== /css/b.css\nHTTP/1.1 200 OK\nContent-Type: text/css\n\n.hero{",
        );
        assert_eq!(audited(&imported), (1, 1));
        let missing = sheets.replace("class=hero", "class=other");
        assert_eq!(audited(&missing), (1, 0));
    }

    #[test]
    fn lazy_images_do_not_count() {
        assert_eq!(audited("<img src=/a loading=lazy>"), (1, 0));
    }

    #[test]
    fn light_pages_and_missing_files_pass() {
        assert_eq!(audited("<p>x<img src=/gone>"), (1, 0));
    }
}
