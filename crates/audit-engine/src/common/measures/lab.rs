//! What the checks of measured loads share.

use domain::Confidence;

use super::numbers::grouped;
use crate::check::{Evidence, Grade, Outcome, Verdicts};
use crate::lab::{LabElement, LabMetric, curve_of};
use crate::site::{MeasuredPage, Site};

/// Records the grade of a metric of each measured page, by its curve. `evidence` explains a value that is not good, of which the second
/// argument is a sentence without its full stop: "… was 3,420 ms on the profile mobile-slow4g; expected at most 2,500 ms".
pub(crate) fn record_metric(
    site: &Site,
    verdicts: &mut Verdicts<'_>,
    metric: LabMetric,
    evidence: impl Fn(&MeasuredPage, &str) -> Vec<Evidence>,
) {
    for page in &site.lab {
        verdicts.record(&page.measurement.url, outcome(page, metric, &evidence));
    }
}

fn outcome(
    page: &MeasuredPage,
    metric: LabMetric,
    evidence: impl Fn(&MeasuredPage, &str) -> Vec<Evidence>,
) -> Outcome {
    let measured = &page.measurement;
    if measured.confidence == Confidence::Low {
        return Outcome::CannotTell(
            "The speed of the machine changed too much while the page was loaded.",
        );
    }
    let Some(value) = metric.value(&measured.metrics) else {
        return Outcome::CannotTell(match measured.metrics.fcp_ms {
            None => "The page painted nothing before its time was over.",
            Some(_) => "The browser did not report the value.",
        });
    };
    let curve = curve_of(metric, measured.profile);
    let grade = Grade::from_hundredths(curve.grade(value.into()));
    if grade >= Grade::GOOD {
        return Outcome::graded(grade, []);
    }
    let (shown, expected) = match metric {
        LabMetric::Scored(domain::score::Metric::Cls) => {
            (thousandths(value.into()), thousandths(curve.p10))
        }
        LabMetric::Scored(_) | LabMetric::MainThread => {
            (milliseconds(value), format!("{} ms", whole(curve.p10)))
        }
    };
    let profile = measured.profile;
    let sentence = format!("{shown} on the profile {profile}; expected at most {expected}");
    Outcome::graded(grade, evidence(page, &sentence))
}

/// "1,230 ms".
pub(crate) fn milliseconds(ms: u32) -> String {
    format!("{} ms", grouped(ms))
}

/// Thousandths as a decimal: "0.123".
pub(crate) fn thousandths(thousandths: f64) -> String {
    let text = format!("{:.3}", thousandths / 1_000.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A number that has no decimals.
fn whole(number: f64) -> String {
    let digits = format!("{number:.0}");
    digits.parse::<u64>().map_or(digits, grouped)
}

/// Evidence for an element of a measured page; for the page if the element is not known.
pub(crate) fn of_element(element: Option<&LabElement>) -> Evidence {
    let Some(element) = element else {
        return Evidence::here();
    };
    Evidence {
        selector: element.selector.clone(),
        ..Evidence::here().snippet(&element.snippet)
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! Sites with measured pages, for the tests in the files of checks.

    use domain::report::LabProfile;
    use url::Url;

    use crate::check::{Check, Outcome, Rule, Verdicts};
    use crate::lab::{
        Initiator, LargestPaint, MachineIndexes, MeasuredLoad, Observed, RequestKind, TimedRequest,
    };
    use crate::site::{MeasuredPage, Site};

    /// The outcomes of a check on a site with these loads of pages, which have all metrics that are not set.
    pub(crate) fn outcomes(check: &Check, pages: Vec<Observed>) -> Vec<Outcome> {
        let loads = pages.into_iter().map(|observed| (observed, true)).collect();
        outcomes_of(check, loads)
    }

    /// The same, with pages during whose load the machine was steady or not.
    pub(crate) fn outcomes_of(check: &Check, pages: Vec<(Observed, bool)>) -> Vec<Outcome> {
        let measured = pages.into_iter().enumerate();
        let site = Site {
            lab: measured
                .map(|(number, (observed, is_steady))| {
                    let url = Url::parse(&format!("https://example.com/{number}")).unwrap();
                    page(&url, observed, is_steady)
                })
                .collect(),
            ..Site::empty(Url::parse("https://example.com/").unwrap())
        };
        let Rule::Each(evaluate) = check.rule else {
            panic!("{} does not judge measured pages", check.id);
        };
        let mut outcomes = Vec::new();
        let mut record = |_: &str, outcome| {
            outcomes.push(outcome);
            true
        };
        evaluate(&site, &mut Verdicts::new(&mut record));
        outcomes
    }

    /// A measured page during whose load the machine was steady.
    pub(crate) fn measured_page(url: &Url, observed: Observed) -> MeasuredPage {
        page(url, observed, true)
    }

    fn page(url: &Url, observed: Observed, is_steady: bool) -> MeasuredPage {
        let load = MeasuredLoad {
            url: url.clone(),
            profile: LabProfile::MobileSlow4g,
            benchmark: MachineIndexes {
                mean: 1_000,
                before: 1_000,
                after: 1_000,
            },
            is_settled: true,
            observed,
        };
        MeasuredPage {
            measurement: load.measurement(url.as_str(), (1, None), is_steady),
            load,
        }
    }

    /// A load that painted after this time.
    pub(crate) fn painted(fcp_ms: u32, lcp_ms: u32) -> Observed {
        Observed {
            fcp_ms: Some(fcp_ms),
            largest: Some(LargestPaint {
                at_ms: lcp_ms,
                ..LargestPaint::default()
            }),
            ended_ms: 10_000,
            ..Observed::default()
        }
    }

    /// A request that began and ended at these times.
    pub(crate) fn request(
        url: &str,
        kind: RequestKind,
        (began_ms, ended_ms): (u32, u32),
    ) -> TimedRequest {
        TimedRequest {
            url: url.to_owned(),
            kind,
            initiator: Initiator::Other,
            named_by: None,
            began_ms,
            ended_ms: Some(ended_ms),
            wire_bytes: 1_000,
            landed_at: None,
            redirects: 0,
            redirects_ms: 0,
            blocks_rendering: false,
        }
    }

    /// The grade in hundredths and the messages of an outcome.
    #[track_caller]
    pub(crate) fn graded(outcome: &Outcome) -> (u8, Vec<&str>) {
        match outcome {
            Outcome::Graded(grade, failures) => {
                let messages = failures.iter().map(|one| one.message.as_str());
                (grade.hundredths(), messages.collect())
            }
            other => panic!("{other:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{outcomes, outcomes_of, painted};
    use super::*;
    use crate::checks::find;
    use crate::lab::Observed;

    #[test]
    fn a_value_of_an_unsteady_machine_or_of_a_blank_page_is_not_judged() {
        let lcp = find("lcp").unwrap();
        let unsteady = outcomes_of(lcp, vec![(painted(900, 9_000), false)]);
        assert!(matches!(unsteady[..], [Outcome::CannotTell(reason)] if reason.contains("speed")));
        let blank = outcomes(lcp, vec![Observed::default()]);
        assert!(
            matches!(blank[..], [Outcome::CannotTell(reason)] if reason.contains("painted nothing"))
        );
    }

    #[test]
    fn values_are_shown_as_people_write_them() {
        assert_eq!(thousandths(100.0), "0.1");
        assert_eq!(thousandths(123.0), "0.123");
        assert_eq!(milliseconds(1_230), "1,230 ms");
        assert_eq!(whole(2_500.0), "2,500");
    }
}
