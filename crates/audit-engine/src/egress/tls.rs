//! TLS handshakes without a request, to inspect what an endpoint presents.
//!
//! Each handshake goes to an address that was vetted like that of a request. The certificates come from a TLS
//! 1.2 or 1.3 handshake and are not verified: nothing is sent over that connection. The TLS library does not
//! support older versions. For those the ClientHello is written by hand, and the response is read only up to
//! the version that the server selects.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme,
};
use sha2::{Digest, Sha256};
use tokio::net::TcpStream;
use tokio::time::timeout;
use x509_parser::prelude::{FromDer as _, X509Certificate};
use x509_parser::public_key::PublicKey;

use crate::bounds::crawl::MAX_CERTIFICATE_CHAIN;
use crate::gather::{Certificate, CertificateKey, LegacyVersion, Signature, TlsFacts};

/// The content type of a handshake record.
const HANDSHAKE: u8 = 22;
/// The handshake message types.
const CLIENT_HELLO: u8 = 1;
const SERVER_HELLO: u8 = 2;

/// An endpoint at an address that passed the gates.
pub(super) struct Endpoint<'a> {
    pub(super) host: &'a str,
    pub(super) addresses: &'a [IpAddr],
    pub(super) port: u16,
    pub(super) patience: Duration,
}

impl Endpoint<'_> {
    /// At most four handshakes, one after the other.
    pub(super) async fn inspect(&self) -> Option<TlsFacts> {
        // Without a listener there is nothing to inspect.
        let stream = self.connect().await?;
        let chain = timeout(self.patience, self.chain(stream)).await;
        let chain = chain.ok().flatten().unwrap_or_default();
        let mut legacy = Vec::new();
        for version in LegacyVersion::ALL {
            // The results so far remain valid.
            let Some(stream) = self.connect().await else {
                break;
            };
            if let Ok(true) = timeout(self.patience, self.agrees(&stream, version)).await {
                legacy.push(version);
            }
        }
        Some(TlsFacts { chain, legacy })
    }

    async fn connect(&self) -> Option<TcpStream> {
        for address in self.addresses {
            let address = SocketAddr::new(*address, self.port);
            #[expect(
                clippy::disallowed_methods,
                reason = "the egress guard opens the sockets; the address passed its gates"
            )]
            let connecting = TcpStream::connect(address);
            if let Ok(Ok(stream)) = timeout(self.patience, connecting).await {
                return Some(stream);
            }
        }
        None
    }

    /// The certificates that the endpoint presents. The handshake ends after them.
    async fn chain(&self, stream: TcpStream) -> Option<Vec<Certificate>> {
        let name = ServerName::try_from(self.host.to_owned()).ok()?;
        let shown = Arc::new(Shown::new());
        let provider = Arc::clone(&shown.provider);
        let verifier: Arc<dyn ServerCertVerifier> = Arc::<Shown>::clone(&shown);
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .ok()?
            .dangerous()
            .with_custom_certificate_verifier(verifier)
            .with_no_client_auth();
        config.enable_sni = true;
        let mut connection = ClientConnection::new(Arc::new(config), name).ok()?;
        loop {
            while connection.wants_write() {
                stream.writable().await.ok()?;
                match connection.write_tls(&mut Socket(&stream)) {
                    Ok(_) => {}
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                    Err(_) => return shown.taken(),
                }
            }
            stream.readable().await.ok()?;
            match connection.read_tls(&mut Socket(&stream)) {
                Ok(0) => return shown.taken(),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
                Err(_) => return shown.taken(),
            }
            // The verifier rejects every chain once it has recorded it, so this ends in an error.
            if connection.process_new_packets().is_err() || !connection.is_handshaking() {
                return shown.taken();
            }
        }
    }

    /// Whether the endpoint responds to a ClientHello of this version with the same version.
    async fn agrees(&self, stream: &TcpStream, version: LegacyVersion) -> bool {
        let hello = client_hello(self.host, version);
        if write_all(stream, &hello).await.is_err() {
            return false;
        }
        // A handshake record, a ServerHello in it, and the selected version. A rejection is shorter, and may
        // leave the connection open.
        let (mut record, mut hello) = ([0; 5], [0; 6]);
        if read_exact(stream, &mut record).await.is_err() || record.first() != Some(&HANDSHAKE) {
            return false;
        }
        if read_exact(stream, &mut hello).await.is_err() {
            return false;
        }
        let [message, _, _, _, major, minor] = hello;
        message == SERVER_HELLO && [major, minor] == wire(version)
    }
}

/// A nonblocking socket.
struct Socket<'a>(&'a TcpStream);

impl io::Read for Socket<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.try_read(buffer)
    }
}

impl io::Write for Socket<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

async fn write_all(stream: &TcpStream, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        stream.writable().await?;
        match stream.try_write(bytes) {
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

async fn read_exact(stream: &TcpStream, buffer: &mut [u8]) -> io::Result<()> {
    let mut filled = 0;
    while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
        stream.readable().await?;
        match stream.try_read(room) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Records the presented chain and trusts nothing.
#[derive(Debug)]
struct Shown {
    provider: Arc<CryptoProvider>,
    chain: Mutex<Option<Vec<Certificate>>>,
}

impl Shown {
    fn new() -> Self {
        Self {
            provider: Arc::new(rustls::crypto::ring::default_provider()),
            chain: Mutex::default(),
        }
    }

    fn taken(&self) -> Option<Vec<Certificate>> {
        let mut chain = self.chain.lock().unwrap_or_else(PoisonError::into_inner);
        chain.take()
    }
}

impl ServerCertVerifier for Shown {
    fn verify_server_cert(
        &self,
        own: &CertificateDer<'_>,
        others: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let chain = std::iter::once(own)
            .chain(others)
            .take(MAX_CERTIFICATE_CHAIN)
            .map_while(|certificate| read(certificate))
            .collect();
        *self.chain.lock().unwrap_or_else(PoisonError::into_inner) = Some(chain);
        Err(CertificateError::ApplicationVerificationFailure.into())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(CertificateError::ApplicationVerificationFailure.into())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(CertificateError::ApplicationVerificationFailure.into())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        // Endpoints choose a certificate by these schemes. The weak ones are offered to detect weak
        // certificates.
        let mut schemes = self
            .provider
            .signature_verification_algorithms
            .supported_schemes();
        schemes.extend([
            SignatureScheme::RSA_PKCS1_SHA1,
            SignatureScheme::ECDSA_SHA1_Legacy,
        ]);
        schemes
    }
}

fn read(der: &[u8]) -> Option<Certificate> {
    let (_, certificate) = X509Certificate::from_der(der).ok()?;
    let validity = certificate.validity();
    let key = match certificate.public_key().parsed().ok()? {
        PublicKey::RSA(rsa) => CertificateKey::Rsa(rsa.key_size()),
        PublicKey::EC(point) => CertificateKey::Ec(point.key_size()),
        _ => CertificateKey::Other,
    };
    let signature = match certificate
        .signature_algorithm
        .algorithm
        .to_id_string()
        .as_str()
    {
        // RSA with MD2, MD4 and MD5 (RFC 8017, appendix C).
        "1.2.840.113549.1.1.2" | "1.2.840.113549.1.1.3" | "1.2.840.113549.1.1.4" => Signature::Md5,
        // RSA, DSA and ECDSA with SHA-1 (RFC 3279, section 2.2; RFC 5758, section 3.2).
        "1.2.840.113549.1.1.5" | "1.3.14.3.2.29" | "1.2.840.10040.4.3" | "1.2.840.10045.4.1" => {
            Signature::Sha1
        }
        _ => Signature::Other,
    };
    Some(Certificate {
        not_before: validity.not_before.timestamp(),
        not_after: validity.not_after.timestamp(),
        key,
        signature,
        self_signed: certificate.issuer() == certificate.subject(),
    })
}

/// The version in its wire format.
const fn wire(version: LegacyVersion) -> [u8; 2] {
    match version {
        LegacyVersion::Ssl30 => [3, 0],
        LegacyVersion::Tls10 => [3, 1],
        LegacyVersion::Tls11 => [3, 2],
    }
}

/// Cipher suites that servers of that time supported, and the signal of a client that supports secure
/// renegotiation (RFC 5746, section 3.3).
const CIPHERS: [[u8; 2]; 14] = [
    [0xC0, 0x14],
    [0xC0, 0x0A],
    [0xC0, 0x13],
    [0xC0, 0x09],
    [0x00, 0x39],
    [0x00, 0x33],
    [0x00, 0x35],
    [0x00, 0x2F],
    [0xC0, 0x12],
    [0xC0, 0x08],
    [0x00, 0x16],
    [0x00, 0x0A],
    [0x00, 0x05],
    [0x00, 0xFF],
];

/// A ClientHello that offers this version and no later one (RFC 2246, section 7.4.1.2; RFC 4346).
fn client_hello(host: &str, version: LegacyVersion) -> Vec<u8> {
    let mut body = wire(version).to_vec();
    // The random value protects nothing here, so the same bytes are sent each time.
    body.extend(Sha256::digest(host.as_bytes()));
    // No session to resume.
    body.push(0);
    body.extend(with_length(&CIPHERS.concat()));
    // No compression.
    body.extend([1, 0]);
    // SSL 3.0 has no extensions.
    if version != LegacyVersion::Ssl30 {
        body.extend(with_length(&extensions(host)));
    }
    let mut message = vec![CLIENT_HELLO, 0];
    message.extend(with_length(&body));
    let [major, minor] = wire(version);
    // Old servers drop records with versions that they do not know.
    let mut record = vec![HANDSHAKE, major, minor.min(1)];
    record.extend(with_length(&message));
    record
}

/// The server name (RFC 6066, section 3) and curves (RFC 8422, section 5.1).
fn extensions(host: &str) -> Vec<u8> {
    let mut all = Vec::new();
    // An IP address is not a server name.
    if host.parse::<IpAddr>().is_err() && !host.starts_with('[') {
        let mut name = vec![0];
        name.extend(with_length(host.as_bytes()));
        all.extend([0, 0]);
        all.extend(with_length(&with_length(&name)));
    }
    all.extend([0, 10]);
    all.extend(with_length(&with_length(&[0, 23, 0, 24, 0, 25])));
    all.extend([0, 11, 0, 2, 1, 0]);
    all
}

/// The bytes with a length prefix of two bytes. Names always fit.
fn with_length(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
    [&length.to_be_bytes()[..], bytes].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lengths_of_a_client_hello_match_its_parts() {
        let hello = client_hello("site.example", LegacyVersion::Tls10);
        let record = usize::from(u16::from_be_bytes([hello[3], hello[4]]));
        assert_eq!(record + 5, hello.len());
        let message = usize::from(u16::from_be_bytes([hello[7], hello[8]]));
        assert_eq!((hello[5], message + 9), (1, hello.len()));
        assert_eq!(hello[9..11], [3, 1]);
    }
}
