//! Whether a report is good enough.

use std::collections::BTreeSet;

use domain::Severity;
use domain::report::{Issue, Report};
use domain::text::count;
use report::export::Scored;

use crate::args::{AuditArgs, Counted, FailUnder, MaxIssues};

/// What a report is held to.
#[derive(Debug, Clone, Default)]
pub(super) struct Gates {
    fail_under: Vec<FailUnder>,
    fail_on: Option<Severity>,
    max_issues: Vec<MaxIssues>,
    /// The fingerprints of what was known before; none where everything counts.
    known: Option<BTreeSet<String>>,
}

impl Gates {
    /// The gates that the arguments ask for.
    ///
    /// With a baseline alone, every new issue counts that is more than worth knowing.
    pub(super) fn of(args: &AuditArgs, known: Option<BTreeSet<String>>) -> Self {
        let is_alone = known.is_some() && args.fail_on.is_none() && args.max_issues.is_empty();
        Self {
            fail_under: args.fail_under.clone(),
            fail_on: args.fail_on.or(is_alone.then_some(Severity::Minor)),
            max_issues: args.max_issues.clone(),
            known,
        }
    }

    /// Whether an audit that has only these scores can be held to them.
    pub(super) fn judge_usage(&self, scored: &Scored) -> Result<(), String> {
        for gate in &self.fail_under {
            match gate.dimension {
                None if *scored != Scored::Whole => {
                    return Err(
                        "--fail-under needs an overall score, which --dimension leaves out; \
                                say --fail-under D=N"
                            .to_owned(),
                    );
                }
                Some(dimension) if !scored.has(dimension) => {
                    return Err(format!(
                        "--fail-under {dimension}=… needs a score of that dimension, which is left out"
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The issues that count: all, or those that are new.
    pub(super) fn counting<'a>(&self, report: &'a Report) -> Vec<&'a Issue> {
        let is_new = |issue: &&Issue| {
            let known = self.known.as_ref();
            known.is_none_or(|known| !known.contains(&issue.fingerprint))
        };
        report.issues.iter().filter(is_new).collect()
    }

    /// What does not hold; nothing where all is well.
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
            // A dimension that was not judged has nothing against it.
            let score = report.score.dimensions.get(&dimension)?.subscore;
            let label = dimension.label();
            (score < least).then(|| format!("the score of {label} is {score}, below {least}"))
        }
    }
}

fn too_bad(severity: Severity, issues: &[&Issue], new: &str) -> Option<String> {
    let found = issues.iter().filter(|issue| issue.severity <= severity);
    match (found.count(), severity) {
        (0, _) => None,
        (1, Severity::Info) => Some(format!("one {new}issue was found")),
        (number, Severity::Info) => Some(format!("{number} {new}issues were found")),
        (1, severity) => Some(format!("one {new}issue is {severity} or worse")),
        (number, severity) => Some(format!("{number} {new}issues are {severity} or worse")),
    }
}

fn too_many(gate: &MaxIssues, issues: &[&Issue], new: &str) -> Option<String> {
    let of = match &gate.counted {
        Counted::All => String::new(),
        Counted::Severity(severity) => format!("{severity} "),
        Counted::Dimension(dimension) => format!("{} ", dimension.label()),
        Counted::Check(id) => format!("{id} "),
    };
    let number = issues
        .iter()
        .filter(|issue| counts(&gate.counted, issue))
        .count();
    (number > gate.most).then(|| {
        let number = u64::try_from(number).unwrap_or(u64::MAX);
        let (one, many) = (format!("{new}{of}issue"), format!("{new}{of}issues"));
        format!(
            "there are {}, more than {}",
            count(number, &one, &many),
            gate.most
        )
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
