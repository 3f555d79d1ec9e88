//! Signing links.

use crate::link::{ReportLink, Signature};

/// Signs links and judges their signatures.
pub trait UrlSigner: Send + Sync {
    /// The signature of a link, by the newest key.
    fn sign(&self, link: &ReportLink) -> Signature;

    /// Whether a signature is that of the link, compared in constant time. False for a key that is
    /// not known. Whether the link has expired is another matter.
    fn is_signed(&self, link: &ReportLink, signature: &Signature) -> bool;
}
