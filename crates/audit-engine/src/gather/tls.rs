//! What a TLS endpoint presents in handshakes.

use std::pin::Pin;

/// The facts about an endpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TlsFacts {
    /// The certificates that it presents, its own first; empty if no handshake got that far.
    pub chain: Vec<Certificate>,
    /// Versions before TLS 1.2 that it accepts, the oldest first.
    pub legacy: Vec<LegacyVersion>,
}

/// A deprecated version (RFC 7568, RFC 8996).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LegacyVersion {
    /// SSL 3.0.
    Ssl30,
    /// TLS 1.0.
    Tls10,
    /// TLS 1.1.
    Tls11,
}

impl LegacyVersion {
    /// All versions, the oldest first.
    pub const ALL: [Self; 3] = [Self::Ssl30, Self::Tls10, Self::Tls11];

    /// The common name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ssl30 => "SSL 3.0",
            Self::Tls10 => "TLS 1.0",
            Self::Tls11 => "TLS 1.1",
        }
    }
}

/// The evaluated parts of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The start of its validity, in seconds since 1970.
    pub not_before: i64,
    /// The end of its validity, in seconds since 1970.
    pub not_after: i64,
    /// Its key.
    pub key: CertificateKey,
    /// The issuer's signature.
    pub signature: Signature,
    /// Whether it is self-signed, so that its signature proves nothing.
    pub self_signed: bool,
}

/// The key of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CertificateKey {
    /// RSA, by the bits of its modulus.
    Rsa(usize),
    /// An elliptic curve, by the bits of its field.
    Ec(usize),
    /// Another one.
    Other,
}

/// The hash algorithm of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signature {
    /// MD5 or an older one, broken since 2004.
    Md5,
    /// SHA-1, broken since 2017.
    Sha1,
    /// One that is not known to be broken.
    Other,
}

/// The future of an inspection; none where the endpoint cannot be inspected from here.
pub type TlsFuture<'a> = Pin<Box<dyn Future<Output = Option<TlsFacts>> + Send + 'a>>;
