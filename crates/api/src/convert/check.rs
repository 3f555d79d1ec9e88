use api_types::check as wire;
use domain::ports::CheckInfo;
use domain::report::Variant;
use domain::score::penalty;
use report::json::{dimension, help_url, severity};

/// The checks of a variant; each links to its documentation below `base_url`.
pub(crate) fn checks(checks: &[CheckInfo], variant: Variant, base_url: &str) -> wire::CheckList {
    let shown = checks.iter().filter(|check| is_shown(check, variant));
    wire::CheckList {
        checks: shown.map(|info| check(info, base_url)).collect(),
    }
}

/// Whether a variant has a check: the legacy variant has none of the sixth dimension.
pub(crate) fn is_shown(check: &CheckInfo, variant: Variant) -> bool {
    variant.dimensions().contains(&check.dimension)
}

fn check(check: &CheckInfo, base_url: &str) -> wire::Check {
    wire::Check {
        check_id: check.id.clone(),
        title: check.title.clone(),
        dimension: dimension(check.dimension),
        scope: check.scope.clone(),
        severity: severity(check.severity),
        weight: penalty(check.severity).to_score().into(),
        needs_browser: check.needs_browser,
        help_url: help_url(base_url, &check.id),
    }
}
