//! What changed since the report before, in words.

use domain::report::Changes;
use domain::text::{count, enumeration};

/// "Since the last audit the score rose by 3 points, 2 issues are new and 5 are fixed."
pub(crate) fn sentence(changes: &Changes) -> String {
    let mut parts = Vec::new();
    let points = count(
        u64::from(changes.score_change.unsigned_abs()),
        "point",
        "points",
    );
    parts.extend(
        match (changes.scoring_version_changed, changes.score_change) {
            (true, _) => Some("the scoring model changed, so scores cannot be compared".to_owned()),
            (false, 0) => None,
            (false, 1..) => Some(format!("the score rose by {points}")),
            (false, _) => Some(format!("the score fell by {points}")),
        },
    );
    for (number, (one, many), what) in [
        (changes.new_issues, ("issue is", "issues are"), "new"),
        (changes.fixed_issues, ("issue is", "issues are"), "fixed"),
        (changes.new_pages, ("page was", "pages were"), "added"),
        (changes.gone_pages, ("page was", "pages were"), "removed"),
    ] {
        if number > 0 {
            parts.push(format!("{} {what}", count(number, one, many)));
        }
    }
    if parts.is_empty() {
        return "Nothing changed since the last audit.".to_owned();
    }
    format!("Since the last audit {}.", enumeration(&parts))
}

/// "2 issues new, 5 fixed, 1 page added"; the change of the score stands elsewhere.
pub(crate) fn in_short(changes: &Changes) -> String {
    let mut parts = Vec::new();
    if changes.scoring_version_changed {
        parts.push("scores of another model".to_owned());
    }
    for (number, (one, many), what) in [
        (changes.new_issues, ("issue", "issues"), "new"),
        (changes.fixed_issues, ("issue", "issues"), "fixed"),
        (changes.new_pages, ("page", "pages"), "added"),
        (changes.gone_pages, ("page", "pages"), "removed"),
    ] {
        if number > 0 {
            parts.push(format!("{} {what}", count(number, one, many)));
        }
    }
    if parts.is_empty() {
        return "same issues and pages".to_owned();
    }
    parts.join(", ")
}

/// "+3 points, 2 issues new, 5 fixed since the last audit", to stand beside the overall score.
pub(crate) fn since_last(changes: &Changes) -> String {
    let change = match changes.scoring_version_changed {
        true => None,
        false => points(changes.score_change),
    };
    let parts = change.into_iter().chain([in_short(changes)]);
    format!(
        "{} since the last audit",
        parts.collect::<Vec<_>>().join(", ")
    )
}

/// "+3 points" or "−1 point"; none for no change.
pub(crate) fn points(score_change: i16) -> Option<String> {
    let sign = match score_change {
        0 => return None,
        1.. => '+',
        _ => '−',
    };
    let points = count(score_change.unsigned_abs().into(), "point", "points");
    Some(format!("{sign}{points}"))
}

#[cfg(test)]
mod tests {
    use domain::id::ReportId;

    use super::*;

    fn changes() -> Changes {
        Changes {
            against: ReportId::parse("rep_01KXZZ9Q80000000000000000C").unwrap(),
            score_change: 0,
            subscore_changes: [].into(),
            scoring_version_changed: false,
            new_issues: 0,
            fixed_issues: 0,
            new_pages: 0,
            gone_pages: 0,
        }
    }

    #[test]
    fn what_changed_is_said_in_one_sentence() {
        assert_eq!(
            sentence(&changes()),
            "Nothing changed since the last audit."
        );
        let risen = Changes {
            score_change: 1,
            new_issues: 2,
            fixed_issues: 1,
            ..changes()
        };
        assert_eq!(
            sentence(&risen),
            "Since the last audit the score rose by 1 point, 2 issues are new and 1 issue is fixed."
        );
        let fallen = Changes {
            score_change: -12,
            gone_pages: 1,
            ..changes()
        };
        assert_eq!(
            sentence(&fallen),
            "Since the last audit the score fell by 12 points and 1 page was removed."
        );
    }

    #[test]
    fn what_changed_is_said_in_few_words() {
        assert_eq!(in_short(&changes()), "same issues and pages");
        let changed = Changes {
            scoring_version_changed: true,
            new_issues: 1,
            gone_pages: 2,
            ..changes()
        };
        assert_eq!(
            in_short(&changed),
            "scores of another model, 1 issue new, 2 pages removed"
        );
    }

    #[test]
    fn the_change_of_the_score_comes_first() {
        let risen = Changes {
            score_change: 1,
            fixed_issues: 2,
            ..changes()
        };
        assert_eq!(
            since_last(&risen),
            "+1 point, 2 issues fixed since the last audit"
        );
        let fallen = Changes {
            score_change: -12,
            ..changes()
        };
        assert_eq!(
            since_last(&fallen),
            "−12 points, same issues and pages since the last audit"
        );
        let of_another_model = Changes {
            scoring_version_changed: true,
            ..fallen
        };
        assert_eq!(
            since_last(&of_another_model),
            "scores of another model since the last audit"
        );
        assert_eq!(
            since_last(&changes()),
            "same issues and pages since the last audit"
        );
    }

    #[test]
    fn scores_of_two_models_are_not_compared() {
        let changed = Changes {
            score_change: -12,
            scoring_version_changed: true,
            ..changes()
        };
        assert_eq!(
            sentence(&changed),
            "Since the last audit the scoring model changed, so scores cannot be compared."
        );
    }
}
