//! Security: HTTPS, TLS, headers, cookies, mixed content and leaked secrets.

mod clickjacking_unprotected;
mod coep_invalid;
mod cookie_not_httponly;
mod cookie_not_secure;
mod cookie_prefix_invalid;
mod cookie_samesite;
mod coop_missing;
mod corp_invalid;
mod cors_credentials_reflected;
mod csp_insecure_scheme;
mod csp_invalid;
mod csp_missing;
mod csp_unsafe_eval;
mod csp_unsafe_inline;
mod csp_weak_fallbacks;
mod error_page_leak;
mod form_credentials_get;
mod form_insecure_action;
mod hsts_invalid;
mod hsts_missing;
mod hsts_weak;
mod http_no_redirect;
mod https_downgrade_redirect;
mod https_missing;
mod mixed_content_active;
mod mixed_content_passive;
mod nosniff_missing;
mod password_on_http;
mod permissions_policy_missing;
mod referrer_policy_unsafe;
mod secret_in_script;
mod secret_in_source;
mod security_txt_invalid;
mod security_txt_missing;
mod server_version_exposed;
mod sri_missing;
mod tls_cert_expiring;
mod tls_cert_invalid;
mod tls_cert_weak;
mod tls_legacy_protocol;

use crate::check::Check;

/// All checks of the dimension.
pub(super) const CHECKS: &[&Check] = &[
    &clickjacking_unprotected::CLICKJACKING_UNPROTECTED,
    &coep_invalid::COEP_INVALID,
    &cookie_not_httponly::COOKIE_NOT_HTTPONLY,
    &cookie_not_secure::COOKIE_NOT_SECURE,
    &cookie_prefix_invalid::COOKIE_PREFIX_INVALID,
    &cookie_samesite::COOKIE_SAMESITE,
    &coop_missing::COOP_MISSING,
    &corp_invalid::CORP_INVALID,
    &cors_credentials_reflected::CORS_CREDENTIALS_REFLECTED,
    &csp_insecure_scheme::CSP_INSECURE_SCHEME,
    &csp_invalid::CSP_INVALID,
    &csp_missing::CSP_MISSING,
    &csp_unsafe_eval::CSP_UNSAFE_EVAL,
    &csp_unsafe_inline::CSP_UNSAFE_INLINE,
    &csp_weak_fallbacks::CSP_WEAK_FALLBACKS,
    &error_page_leak::ERROR_PAGE_LEAK,
    &form_credentials_get::FORM_CREDENTIALS_GET,
    &form_insecure_action::FORM_INSECURE_ACTION,
    &hsts_invalid::HSTS_INVALID,
    &hsts_missing::HSTS_MISSING,
    &hsts_weak::HSTS_WEAK,
    &http_no_redirect::HTTP_NO_REDIRECT,
    &https_downgrade_redirect::HTTPS_DOWNGRADE_REDIRECT,
    &https_missing::HTTPS_MISSING,
    &mixed_content_active::MIXED_CONTENT_ACTIVE,
    &mixed_content_passive::MIXED_CONTENT_PASSIVE,
    &nosniff_missing::NOSNIFF_MISSING,
    &password_on_http::PASSWORD_ON_HTTP,
    &permissions_policy_missing::PERMISSIONS_POLICY_MISSING,
    &referrer_policy_unsafe::REFERRER_POLICY_UNSAFE,
    &secret_in_script::SECRET_IN_SCRIPT,
    &secret_in_source::SECRET_IN_SOURCE,
    &security_txt_invalid::SECURITY_TXT_INVALID,
    &security_txt_missing::SECURITY_TXT_MISSING,
    &server_version_exposed::SERVER_VERSION_EXPOSED,
    &sri_missing::SRI_MISSING,
    &tls_cert_expiring::TLS_CERT_EXPIRING,
    &tls_cert_invalid::TLS_CERT_INVALID,
    &tls_cert_weak::TLS_CERT_WEAK,
    &tls_legacy_protocol::TLS_LEGACY_PROTOCOL,
];
