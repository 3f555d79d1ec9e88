//! The quality gates of an audit.

use audit_engine::address::path_and_query;
use audit_engine::gather::robots::{Pattern, RobotsPath};
use domain::Severity;
use domain::report::{Issue, IssueCause, KnownCauses, PageVisit, Report, Variant};
use domain::text::{count, grouped};
use report::export::Scored;
use report::plain::plain;
use url::Url;

use crate::args::{AuditArgs, Budget, Budgeted, Counted, FailUnder, MaxIssues};

/// The gates that a report must pass.
#[derive(Debug, Clone, Default)]
pub(super) struct Gates {
    fail_under: Vec<FailUnder>,
    fail_on: Option<Severity>,
    /// The worst severity of new issues that passes is below this one.
    fail_on_new: Option<Severity>,
    max_issues: Vec<MaxIssues>,
    budgets: Vec<Budget>,
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
        let is_alone = known.is_some()
            && args.fail_on.is_none()
            && args.fail_on_new.is_none()
            && args.max_issues.is_empty();
        Self {
            fail_under: args.fail_under.clone(),
            fail_on: args.fail_on.or(is_alone.then_some(Severity::Minor)),
            fail_on_new: args.fail_on_new,
            max_issues: args.max_issues.clone(),
            budgets: args.budgets.clone(),
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
    pub(super) fn failures(&self, report: &Report, visits: &[PageVisit]) -> Vec<String> {
        let new_issues = self.counting(report);
        let has_new_alone = self.known.is_some() && self.fail_on_new.is_none();
        let (issues, new) = match has_new_alone {
            true => (new_issues.clone(), "new "),
            // With a gate of its own for what is new, the others judge everything.
            false => (Self::default().counting(report), ""),
        };
        let severity_of_new = self
            .fail_on_new
            .and_then(|severity| too_bad(severity, &new_issues, "new "));
        let budgets = self
            .budgets
            .iter()
            .filter_map(|budget| over_budget(budget, report.variant, visits));
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
        scores
            .chain(severity_of_new)
            .chain(severity)
            .chain(numbers)
            .chain(budgets)
            .collect()
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

/// Which pages are beyond a budget; the worst of them is named.
fn over_budget(budget: &Budget, variant: Variant, visits: &[PageVisit]) -> Option<String> {
    let pattern = Pattern::new(&budget.pattern);
    let pages = visits.iter().filter(|visit| {
        let url = Url::parse(&visit.url);
        let path = url.map(|url| RobotsPath::new(&path_and_query(&url)));
        visit.audited && path.is_ok_and(|path| pattern.matches(&path))
    });
    // How far beyond the limit, and what it has.
    let beyond = pages.filter_map(|visit| {
        let (over, has) = match budget.limit {
            Budgeted::Issues(most) => {
                let issues = visit.issues_in(variant);
                let over = issues.checked_sub(most)?;
                let has = count(issues.into(), "issue", "issues");
                (u64::from(over), format!("{has}, more than {most}"))
            }
            Budgeted::Bytes(most) => {
                let bytes = visit.bytes?;
                let has = count(bytes, "byte", "bytes");
                (
                    bytes.checked_sub(most)?,
                    format!("{has}, more than {}", grouped(most)),
                )
            }
            Budgeted::Score(dimension, least) => {
                let score = visit.scores.get(dimension)?.to_score();
                let has = format!("the score {score} for {}, below {least}", dimension.label());
                (u64::from(least.checked_sub(score)?), has)
            }
        };
        (over > 0).then_some((over, has, visit))
    });
    let beyond: Vec<_> = beyond.collect();
    let worst = beyond.iter().max_by(|one, other| {
        // Of two that are equally bad, the first one by its address.
        (one.0.cmp(&other.0)).then_with(|| other.2.url.cmp(&one.2.url))
    });
    let (_, has, visit) = worst?;
    let others = match beyond.len() {
        1 => String::new(),
        more => format!(" ({more} pages are over this budget)"),
    };
    Some(format!(
        "budget {}: {} has {has}{others}",
        budget.pattern,
        plain(&visit.url)
    ))
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

#[cfg(test)]
mod tests {
    use domain::Dimension;
    use domain::report::PageScores;
    use domain::score::Share;

    use super::*;

    fn visit(path: &str, issues: u32, bytes: u64, seo: u8) -> PageVisit {
        let seo = Some(Share::from_hundredths(seo));
        PageVisit {
            url: format!("https://example.com{path}"),
            status: Some(200),
            depth: Some(1),
            title: None,
            bytes: Some(bytes),
            audited: true,
            leads_to: None,
            details: domain::report::PageDetails::default(),
            scores: PageScores([None, None, seo, None, None, None]),
            issues,
            issues_legacy: issues.saturating_sub(1),
        }
    }

    fn judged(budget: &str, variant: Variant) -> Option<String> {
        let not_audited = PageVisit {
            audited: false,
            ..visit("/shop/gone", 99, 99_999, 0)
        };
        let visits = [
            visit("/", 3, 5_000, 100),
            visit("/shop/a", 7, 12_000, 80),
            visit("/shop/b?c=d", 7, 3_000, 91),
            not_audited,
        ];
        over_budget(&budget.parse().unwrap(), variant, &visits)
    }

    #[test]
    fn budgets_are_for_the_pages_of_their_path() {
        let current = |budget| judged(budget, Variant::Current);
        for kept in [
            "/:issues=7",
            "/shop/*:issues=7",
            "/x:issues=0",
            "/$:seo=100",
            "/shop/b*:bytes=3000",
        ] {
            assert_eq!(current(kept), None, "{kept}");
        }
        assert_eq!(
            current("/shop/*:issues=6").unwrap(),
            "budget /shop/*: https://example.com/shop/a has 7 issues, more than 6 (2 pages are over this budget)"
        );
        assert_eq!(
            current("/:bytes=10000").unwrap(),
            "budget /: https://example.com/shop/a has 12,000 bytes, more than 10,000"
        );
        assert_eq!(
            current("*c=d$:seo=95").unwrap(),
            "budget *c=d$: https://example.com/shop/b?c=d has the score 91 for SEO, below 95"
        );
        assert_eq!(current("/:content=100"), None, "no page has that score");
        assert_eq!(judged("/:issues=6", Variant::Legacy), None);
        assert_eq!(Dimension::Seo.label(), "SEO");
    }
}
