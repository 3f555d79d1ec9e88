//! Certificates made for a test, and connections that show them.

use std::io;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DistinguishedName, DnType, IsCa, KeyPair,
    date_time_ymd,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A connection of a server on which the handshake is done as soon as it is read or written.
pub type TlsStream = StreamOwned<ServerConnection, TcpStream>;

/// An authority that a client may be told to trust.
#[derive(Debug)]
pub struct TestAuthority(CertifiedIssuer<'static, KeyPair>);

/// A certificate with its key, as a server shows it.
#[derive(Debug)]
pub struct TestCertificate {
    chain: Vec<CertificateDer<'static>>,
    key: PrivatePkcs8KeyDer<'static>,
}

/// The years in which a certificate is valid, from the first of January of the first to that of the
/// last.
type Years = std::ops::Range<i32>;

impl TestAuthority {
    /// A new authority.
    ///
    /// # Errors
    /// When no key can be made.
    pub fn new() -> Result<Self, rcgen::Error> {
        let mut params = CertificateParams::default();
        // Two authorities of one name would be taken for one with a wrong signature.
        static NUMBER: AtomicUsize = AtomicUsize::new(1);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        params.distinguished_name = named(&format!("Test authority {number}"));
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        CertifiedIssuer::self_signed(params, KeyPair::generate()?).map(Self)
    }

    /// The certificate of the authority itself, which `extra_ca_file` takes.
    #[must_use]
    pub fn pem(&self) -> Vec<u8> {
        self.0.pem().into_bytes()
    }

    /// A certificate for the name.
    ///
    /// # Errors
    /// When no key can be made, or the name is none.
    pub fn issue(&self, name: &str, valid: Years) -> Result<TestCertificate, rcgen::Error> {
        let key = KeyPair::generate()?;
        let certificate = params(name, valid)?.signed_by(&key, &self.0)?;
        Ok(TestCertificate::of(certificate.der().clone(), &key))
    }
}

impl TestCertificate {
    /// A certificate that only vouches for itself.
    ///
    /// # Errors
    /// When no key can be made, or the name is none.
    pub fn self_signed(name: &str, valid: Years) -> Result<Self, rcgen::Error> {
        let key = KeyPair::generate()?;
        let certificate = params(name, valid)?.self_signed(&key)?;
        Ok(Self::of(certificate.der().clone(), &key))
    }

    fn of(certificate: CertificateDer<'static>, key: &KeyPair) -> Self {
        Self {
            chain: vec![certificate],
            key: PrivatePkcs8KeyDer::from(key.serialize_der()),
        }
    }

    /// How a server shows it that speaks the protocols, `h2` or `http/1.1`.
    ///
    /// # Errors
    /// When the key does not belong to the certificate.
    pub fn config(self, protocols: &[&str]) -> Result<Arc<ServerConfig>, rustls::Error> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(self.chain, PrivateKeyDer::Pkcs8(self.key))?;
        config.alpn_protocols = protocols
            .iter()
            .map(|protocol| protocol.as_bytes().to_vec())
            .collect();
        Ok(Arc::new(config))
    }
}

/// The server's side of a connection.
///
/// # Errors
/// When the configuration cannot be used.
pub fn accept_tls(config: &Arc<ServerConfig>, stream: TcpStream) -> io::Result<TlsStream> {
    let connection = ServerConnection::new(Arc::clone(config)).map_err(io::Error::other)?;
    Ok(StreamOwned::new(connection, stream))
}

fn params(name: &str, valid: Years) -> Result<CertificateParams, rcgen::Error> {
    let mut params = CertificateParams::new(vec![name.to_owned()])?;
    params.distinguished_name = named(name);
    params.not_before = date_time_ymd(valid.start, 1, 1);
    params.not_after = date_time_ymd(valid.end, 1, 1);
    Ok(params)
}

fn named(name: &str) -> DistinguishedName {
    let mut names = DistinguishedName::new();
    names.push(DnType::CommonName, name);
    names
}
