//! Whether visitors and the site are safe from others.

mod clickjacking_unprotected;
mod csp_insecure_scheme;
mod csp_invalid;
mod csp_missing;
mod csp_unsafe_eval;
mod csp_unsafe_inline;
mod csp_weak_fallbacks;
mod form_credentials_get;
mod form_insecure_action;
mod mixed_content_active;
mod mixed_content_passive;
mod password_on_http;
mod referrer_policy_unsafe;
mod sri_missing;

use crate::check::Check;

/// Every check of the dimension.
pub(super) const CHECKS: &[&Check] = &[
    &clickjacking_unprotected::CLICKJACKING_UNPROTECTED,
    &csp_insecure_scheme::CSP_INSECURE_SCHEME,
    &csp_invalid::CSP_INVALID,
    &csp_missing::CSP_MISSING,
    &csp_unsafe_eval::CSP_UNSAFE_EVAL,
    &csp_unsafe_inline::CSP_UNSAFE_INLINE,
    &csp_weak_fallbacks::CSP_WEAK_FALLBACKS,
    &form_credentials_get::FORM_CREDENTIALS_GET,
    &form_insecure_action::FORM_INSECURE_ACTION,
    &mixed_content_active::MIXED_CONTENT_ACTIVE,
    &mixed_content_passive::MIXED_CONTENT_PASSIVE,
    &password_on_http::PASSWORD_ON_HTTP,
    &referrer_policy_unsafe::REFERRER_POLICY_UNSAFE,
    &sri_missing::SRI_MISSING,
];
