//! The quality gates of an audit.

use domain::Severity;
use domain::report::{Issue, IssueCause, KnownCauses, Report};
use domain::text::count;
use report::export::Scored;

use crate::args::{AuditArgs, Counted, FailUnder, MaxIssues};

/// The gates that a report must pass.
#[derive(Debug, Clone, Default)]
pub(super) struct Gates {
    fail_under: Vec<FailUnder>,
    fail_on: Option<Severity>,
    max_issues: Vec<MaxIssues>,
    /// The causes in the baseline; `None` without a baseline, when every cause counts.
    known: Option<KnownCauses>,
}

/// An issue that the gates count.
#[derive(Debug, Clone)]
pub(super) struct CountingIssue<'a> {
    pub(super) issue: &'a Issue,
    /// Its loaded causes that count, largest first; never empty.
    pub(super) causes: Vec<&'a IssueCause>,
    /// The number of causes that count, including those that are not loaded.
    causes_total: u64,
}

impl Gates {
    /// The gates that the arguments request.
    ///
    /// With only a baseline, every new issue except `info` fails.
    pub(super) fn new(args: &AuditArgs, known: Option<KnownCauses>) -> Self {
        let is_alone = known.is_some() && args.fail_on.is_none() && args.max_issues.is_empty();
        Self {
            fail_under: args.fail_under.clone(),
            fail_on: args.fail_on.or(is_alone.then_some(Severity::Minor)),
            max_issues: args.max_issues.clone(),
            known,
        }
    }

    /// Rejects gates on scores that the audit does not compute.
    pub(super) fn judge_usage(&self, scored: &Scored) -> Result<(), String> {
        for gate in &self.fail_under {
            match gate.dimension {
                None if *scored != Scored::Whole => {
                    return Err(
                        "--fail-under needs an overall score, which --dimension omits; \
                                use --fail-under D=N"
                            .to_owned(),
                    );
                }
                Some(dimension) if !scored.has(dimension) => {
                    return Err(format!(
                        "--fail-under {dimension}=… needs the score of that dimension, which is not audited"
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The issues that count: all of them, or with a baseline those with new causes. Causes of which waivers accept
    /// all occurrences do not count.
    pub(super) fn counting<'a>(&self, report: &'a Report) -> Vec<CountingIssue<'a>> {
        let issues = report.issues.iter().filter(|issue| !issue.is_waived());
        let Some(known) = &self.known else {
            let open = |issue: &'a Issue| {
                let causes: Vec<_> = issue
                    .causes
                    .iter()
                    .filter(|cause| !cause.is_waived())
                    .collect();
                let waived = issue.causes.len().saturating_sub(causes.len());
                let waived = u64::try_from(waived).unwrap_or(u64::MAX);
                CountingIssue {
                    issue,
                    causes,
                    causes_total: issue.causes_total.saturating_sub(waived),
                }
            };
            return issues.map(open).collect();
        };
        let with_new = |issue: &'a Issue| {
            let is_new = |cause: &&IssueCause| {
                !cause.is_waived() && known.lacks(&issue.check_id, &cause.fingerprint)
            };
            let causes: Vec<_> = issue.causes.iter().filter(is_new).collect();
            (!causes.is_empty()).then(|| CountingIssue {
                issue,
                causes_total: u64::try_from(causes.len()).unwrap_or(u64::MAX),
                causes,
            })
        };
        issues.filter_map(with_new).collect()
    }

    /// The failed gates; empty if all gates pass.
    pub(super) fn failures(&self, report: &Report) -> Vec<String> {
        let issues = self.counting(report);
        let new = if self.known.is_some() { "new " } else { "" };
        let scores = self
            .fail_under
            .iter()
            .filter_map(|gate| too_low(gate, report));
        let severity = self
            .fail_on
            .and_then(|severity| too_bad(severity, &issues, new));
        let numbers = self
            .max_issues
            .iter()
            .filter_map(|gate| too_many(gate, &issues, new));
        scores.chain(severity).chain(numbers).collect()
    }
}

fn too_low(gate: &FailUnder, report: &Report) -> Option<String> {
    let least = gate.least;
    match gate.dimension {
        None => {
            let overall = report.score.overall;
            (overall < least).then(|| format!("the overall score is {overall}, below {least}"))
        }
        Some(dimension) => {
            // A dimension without a score cannot fail.
            let score = report.score.dimensions.get(&dimension)?.subscore;
            let label = dimension.label();
            (score < least).then(|| format!("the score of {label} is {score}, below {least}"))
        }
    }
}

fn too_bad(severity: Severity, issues: &[CountingIssue<'_>], new: &str) -> Option<String> {
    let found = issues.iter();
    let found = found.filter(|counting| counting.issue.severity <= severity);
    match (found.count(), severity) {
        (0, _) => None,
        (1, Severity::Info) => Some(format!("one {new}issue was found")),
        (number, Severity::Info) => Some(format!("{number} {new}issues were found")),
        (1, severity) => Some(format!("one {new}issue is {severity} or worse")),
        (number, severity) => Some(format!("{number} {new}issues are {severity} or worse")),
    }
}

fn too_many(gate: &MaxIssues, issues: &[CountingIssue<'_>], new: &str) -> Option<String> {
    let (of, noun) = match &gate.counted {
        Counted::All => (String::new(), "issue"),
        Counted::Severity(severity) => (format!("{severity} "), "issue"),
        Counted::Dimension(dimension) => (format!("{} ", dimension.label()), "issue"),
        Counted::Check(id) => (format!("{id} "), "cause"),
    };
    let found = issues.iter();
    let found = found.filter(|counting| counts(&gate.counted, counting.issue));
    let number: u64 = match &gate.counted {
        // A check has at most one issue.
        Counted::Check(_) => found.map(|counting| counting.causes_total).sum(),
        _ => u64::try_from(found.count()).unwrap_or(u64::MAX),
    };
    let most = u64::try_from(gate.most).unwrap_or(u64::MAX);
    (number > most).then(|| {
        let (one, many) = (format!("{new}{of}{noun}"), format!("{new}{of}{noun}s"));
        format!("there are {}, more than {most}", count(number, &one, &many))
    })
}

fn counts(counted: &Counted, issue: &Issue) -> bool {
    let has_weight = issue.severity != Severity::Info;
    match counted {
        Counted::All => has_weight,
        Counted::Severity(severity) => issue.severity == *severity,
        Counted::Dimension(dimension) => has_weight && issue.dimension == *dimension,
        Counted::Check(id) => issue.check_id == *id,
    }
}
