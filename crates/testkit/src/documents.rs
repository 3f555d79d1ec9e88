//! A signer and a document renderer that are fast and deterministic.

use data_encoding::HEXLOWER;
use domain::link::{ReportLink, Signature};
use domain::ports::{DocumentRequest, RenderError, ReportRenderer, UrlSigner};
use sha2::{Digest, Sha256};

/// Signs with an unkeyed hash.
#[derive(Debug, Clone, Copy, Default)]
pub struct SampleSigner;

/// The id of its key.
const KEY_ID: &str = "sample";

impl UrlSigner for SampleSigner {
    fn sign(&self, link: &ReportLink) -> Signature {
        let hash = Sha256::digest(link.signed_text(KEY_ID));
        Signature {
            key_id: KEY_ID.to_owned(),
            text: HEXLOWER.encode(&hash),
        }
    }

    fn is_signed(&self, link: &ReportLink, signature: &Signature) -> bool {
        self.sign(link) == *signature
    }
}

/// Renders documents that contain the id of their report. Only their first bytes are those of a PDF.
#[derive(Debug, Clone, Copy, Default)]
pub struct SampleRenderer;

impl ReportRenderer for SampleRenderer {
    fn pdf(&self, request: DocumentRequest<'_>) -> Result<Vec<u8>, RenderError> {
        let report = request.report;
        Ok(format!("%PDF-1.7 {} {}", report.id, report.report.score.overall).into_bytes())
    }
}
