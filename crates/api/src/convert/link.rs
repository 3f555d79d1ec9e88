use api_types::report::PdfUrl;
use domain::link::{ReportLink, Signature};

use super::time;
/// A link to a report as PDF, below `base_url`.
pub(crate) fn pdf_url(link: &ReportLink, signature: &Signature, base_url: &str) -> PdfUrl {
    PdfUrl {
        url: address(base_url, link, signature),
        expires_at: time(link.expires_at),
    }
}

/// The absolute address of a link.
fn address(base_url: &str, link: &ReportLink, signature: &Signature) -> String {
    format!(
        "{}/dl/reports/{}.pdf?exp={}&kid={}&sig={}",
        base_url.trim_end_matches('/'),
        link.report_id,
        link.expires_at.timestamp(),
        signature.key_id,
        signature.text,
    )
}
