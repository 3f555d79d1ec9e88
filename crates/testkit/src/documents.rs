//! Signatures and documents that are cheap and the same every time.

use data_encoding::HEXLOWER;
use domain::link::{ReportLink, Signature};
use domain::ports::{RenderError, ReportRenderer, StoredReport, UrlSigner};
use sha2::{Digest, Sha256};

/// Signs with a hash that anyone can make.
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

/// Makes documents that hold the id of their report, and are no PDF but for their first bytes.
#[derive(Debug, Clone, Copy, Default)]
pub struct SampleRenderer;

impl ReportRenderer for SampleRenderer {
    fn pdf(&self, report: &StoredReport) -> Result<Vec<u8>, RenderError> {
        Ok(format!("%PDF-1.7 {} {}", report.id, report.report.score.overall).into_bytes())
    }
}
