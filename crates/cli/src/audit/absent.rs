//! Rejects arguments on dimensions that the variant does not have.

use audit_engine::check::Check;
use audit_engine::checks::find;
use domain::Dimension;
use domain::report::Variant;
use domain::text::enumeration;

use crate::args::{AuditArgs, Budgeted, Counted};

/// Rejects arguments on a dimension that reports of the variant omit: a gate on it would always pass, and its
/// checks would find nothing.
pub(super) fn validate(args: &AuditArgs, variant: Variant) -> Result<(), String> {
    let known = variant.dimensions();
    let wrong = named(args)
        .into_iter()
        .find(|(_, dimension)| !known.contains(dimension));
    let Some((argument, dimension)) = wrong else {
        return Ok(());
    };
    let names: Vec<String> = known.iter().map(ToString::to_string).collect();
    Err(format!(
        "{argument}: reports of the {variant} variant do not include {dimension}; the dimensions are {}",
        enumeration(&names)
    ))
}

/// Each argument that names a dimension or a check, with its dimension.
fn named(args: &AuditArgs) -> Vec<(String, Dimension)> {
    let dimensions = args.dimensions.iter();
    let dimensions = dimensions.map(|it| (format!("--dimension {it}"), *it));
    let checks = named_checks(args).map(|(argument, check)| (argument, check.dimension));
    let scores = args.fail_under.iter().filter_map(|gate| gate.dimension);
    let scores = scores.map(|it| (format!("--fail-under {it}=…"), it));
    let numbers = args
        .max_issues
        .iter()
        .filter_map(|gate| match &gate.counted {
            Counted::Dimension(it) => Some((format!("--max-issues {it}=…"), *it)),
            Counted::All | Counted::Severity(_) | Counted::Check(_) => None,
        });
    let budgets = args.budgets.iter().filter_map(|budget| match budget.limit {
        Budgeted::Score(it, _) => Some((format!("--budget {}:{it}=…", budget.pattern), it)),
        Budgeted::Issues(_) | Budgeted::Bytes(_) => None,
    });
    dimensions
        .chain(checks)
        .chain(scores)
        .chain(numbers)
        .chain(budgets)
        .collect()
}

/// Each argument that names a known check, with that check.
pub(super) fn named_checks(
    args: &AuditArgs,
) -> impl Iterator<Item = (String, &'static Check)> + '_ {
    let checks = args.checks.iter().map(|id| ("--check", id));
    let gates = args
        .max_issues
        .iter()
        .filter_map(|gate| match &gate.counted {
            Counted::Check(id) => Some(("--max-issues", id)),
            Counted::All | Counted::Severity(_) | Counted::Dimension(_) => None,
        });
    checks
        .chain(gates)
        .filter_map(|(flag, id)| find(id).map(|check| (format!("{flag} {id}"), check)))
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use rstest::rstest;

    use super::*;
    use crate::args::{Cli, Command};

    fn judged(arguments: &[&str], variant: Variant) -> Result<(), String> {
        let all = ["assay", "audit", "https://e.com"].iter().chain(arguments);
        match Cli::try_parse_from(all).unwrap().command {
            Command::Audit(args) => validate(&args, variant),
            _ => panic!("an audit was asked for"),
        }
    }

    #[rstest]
    #[case(&["--fail-under", "aiReadiness=90"])]
    #[case(&["--fail-under", "80", "--fail-under", "ai-readiness=1"])]
    #[case(&["--dimension", "aiReadiness"])]
    #[case(&["--dimension", "seo", "--dimension", "ai-readiness"])]
    #[case(&["--max-issues", "seo=1,aiReadiness=0"])]
    #[case(&["--max-issues", "llms-txt-invalid=0"])]
    #[case(&["--check", "llms-txt-invalid"])]
    fn what_legacy_reports_leave_out_cannot_be_asked_for(#[case] arguments: &[&str]) {
        let error = judged(arguments, Variant::Legacy).unwrap_err();
        assert!(
            error.ends_with("performance, accessibility, seo, security and content"),
            "{error}"
        );
        assert!(error.contains(arguments[arguments.len() - 2]), "{error}");
        assert_eq!(judged(arguments, Variant::Current), Ok(()));
    }

    #[test]
    fn what_legacy_reports_have_can_be_asked_for() {
        let arguments = [
            "--fail-under",
            "seo=90",
            "--dimension",
            "content",
            "--max-issues",
            "seo=1,serious=0,3",
            "--max-issues",
            "image-alt=0",
            "--check",
            "no-such-check",
        ];
        let (gates, check) = arguments.split_at(8);
        assert_eq!(judged(gates, Variant::Legacy), Ok(()));
        assert_eq!(judged(check, Variant::Legacy), Ok(()));
    }
}
