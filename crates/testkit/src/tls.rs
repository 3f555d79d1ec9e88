//! Certificates for tests, and TLS connections that present them.

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

/// A server connection that performs the handshake on the first read or write.
pub type TlsStream = StreamOwned<ServerConnection, TcpStream>;

/// A certificate authority for tests.
#[derive(Debug)]
pub struct TestAuthority(CertifiedIssuer<'static, KeyPair>);

/// A certificate with its key for a server.
#[derive(Debug)]
pub struct TestCertificate {
    chain: Vec<CertificateDer<'static>>,
    key: PrivatePkcs8KeyDer<'static>,
}

/// The years of validity, from January 1 of the first to January 1 of the last.
type Years = std::ops::Range<i32>;

impl TestAuthority {
    /// Creates an authority.
    ///
    /// # Errors
    /// If the key cannot be created.
    pub fn new() -> Result<Self, rcgen::Error> {
        let mut params = CertificateParams::default();
        // Two authorities with the same name would be confused, and signatures would not match.
        static NUMBER: AtomicUsize = AtomicUsize::new(1);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        params.distinguished_name = named(&format!("Test authority {number}"));
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        CertifiedIssuer::self_signed(params, KeyPair::generate()?).map(Self)
    }

    /// The certificate of the authority itself, for `extra_ca_file`.
    #[must_use]
    pub fn pem(&self) -> Vec<u8> {
        self.0.pem().into_bytes()
    }

    /// Issues a certificate for the name.
    ///
    /// # Errors
    /// If the key cannot be created, or the name is invalid.
    pub fn issue(&self, name: &str, valid: Years) -> Result<TestCertificate, rcgen::Error> {
        let key = KeyPair::generate()?;
        let certificate = params(name, valid)?.signed_by(&key, &self.0)?;
        Ok(TestCertificate::new(certificate.der().clone(), &key))
    }
}

impl TestCertificate {
    /// A self-signed certificate.
    ///
    /// # Errors
    /// If the key cannot be created, or the name is invalid.
    pub fn self_signed(name: &str, valid: Years) -> Result<Self, rcgen::Error> {
        let key = KeyPair::generate()?;
        let certificate = params(name, valid)?.self_signed(&key)?;
        Ok(Self::new(certificate.der().clone(), &key))
    }

    fn new(certificate: CertificateDer<'static>, key: &KeyPair) -> Self {
        Self {
            chain: vec![certificate],
            key: PrivatePkcs8KeyDer::from(key.serialize_der()),
        }
    }

    /// The configuration of a server with the protocols, `h2` or `http/1.1`.
    ///
    /// # Errors
    /// If the key does not belong to the certificate.
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
