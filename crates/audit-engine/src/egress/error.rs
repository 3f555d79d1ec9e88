//! What the HTTP client's errors mean.

use std::error::Error;

use super::resolver::ResolveError;
use crate::gather::{FetchError, FetchErrorKind};

/// Sorts an error of the client by its causes.
pub(super) fn classify(error: &reqwest::Error, host: &str) -> FetchError {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(current) = cause {
        if let Some(known) = known_cause(current, host) {
            return known;
        }
        cause = current.source();
    }
    if error.is_timeout() {
        return FetchError::new(
            FetchErrorKind::Timeout,
            format!("{host} did not answer in time"),
        );
    }
    if error.is_connect() {
        return FetchError::new(
            FetchErrorKind::Connect,
            format!("no connection to {host} could be made"),
        );
    }
    FetchError::new(
        FetchErrorKind::Protocol,
        format!("{host} ended the connection without a valid HTTP answer"),
    )
}

fn known_cause(cause: &(dyn Error + 'static), host: &str) -> Option<FetchError> {
    if let Some(resolve) = cause.downcast_ref::<ResolveError>() {
        return Some(resolve_error(resolve));
    }
    if let Some(tls) = cause.downcast_ref::<rustls::Error>() {
        return Some(tls_error(tls, host));
    }
    let io = cause.downcast_ref::<std::io::Error>()?;
    if let Some(tls) = io
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<rustls::Error>())
    {
        return Some(tls_error(tls, host));
    }
    match io.kind() {
        std::io::ErrorKind::ConnectionRefused => Some(FetchError::new(
            FetchErrorKind::Connect,
            format!("{host} refused the connection: nothing listens on that port"),
        )),
        std::io::ErrorKind::HostUnreachable | std::io::ErrorKind::NetworkUnreachable => Some(
            FetchError::new(FetchErrorKind::Connect, format!("{host} cannot be reached")),
        ),
        std::io::ErrorKind::TimedOut => Some(FetchError::new(
            FetchErrorKind::Timeout,
            format!("{host} did not answer in time"),
        )),
        _ => None,
    }
}

/// A resolver's refusal, in the engine's words.
pub(super) fn resolve_error(error: &ResolveError) -> FetchError {
    let kind = match error {
        ResolveError::NoAddress(_) => FetchErrorKind::Dns,
        ResolveError::Forbidden(_) => FetchErrorKind::NotAllowed,
    };
    FetchError::new(kind, error.to_string())
}

fn tls_error(error: &rustls::Error, host: &str) -> FetchError {
    let why = match error {
        rustls::Error::InvalidCertificate(certificate) => match certificate {
            rustls::CertificateError::Expired | rustls::CertificateError::ExpiredContext { .. } => {
                "its certificate has expired".to_owned()
            }
            rustls::CertificateError::NotValidYet
            | rustls::CertificateError::NotValidYetContext { .. } => {
                "its certificate is not valid yet".to_owned()
            }
            rustls::CertificateError::UnknownIssuer => {
                "its certificate comes from an authority that is not trusted, or the chain is \
                 incomplete"
                    .to_owned()
            }
            rustls::CertificateError::NotValidForName
            | rustls::CertificateError::NotValidForNameContext { .. } => {
                "its certificate is for another name".to_owned()
            }
            _ => "its certificate is not valid".to_owned(),
        },
        rustls::Error::AlertReceived(alert) => format!("it ended the handshake ({alert:?})"),
        rustls::Error::InvalidMessage(_) => "it does not speak TLS on that port".to_owned(),
        _ => "the handshake failed".to_owned(),
    };
    FetchError::new(
        FetchErrorKind::Tls,
        format!("no TLS connection to {host}: {why}"),
    )
}
