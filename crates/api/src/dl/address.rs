use domain::link::{ReportLink, Signature};

/// The absolute address of a link.
pub(crate) fn address(base_url: &str, link: &ReportLink, signature: &Signature) -> String {
    format!(
        "{}/dl/reports/{}.pdf?exp={}&kid={}&sig={}",
        base_url.trim_end_matches('/'),
        link.report_id,
        link.expires_at.timestamp(),
        signature.key_id,
        signature.text,
    )
}
