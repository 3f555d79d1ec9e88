use api_types::report::PdfUrl;
use domain::link::{ReportLink, Signature};

use super::time;
use crate::dl;

/// A link to a report as PDF, below `base_url`.
pub(crate) fn pdf_url(link: &ReportLink, signature: &Signature, base_url: &str) -> PdfUrl {
    PdfUrl {
        url: dl::address(base_url, link, signature),
        expires_at: time(link.expires_at),
    }
}
