//! Classifies the errors of the HTTP client.

use std::error::Error;

use super::resolver::ResolveError;
use crate::gather::{FetchError, FetchErrorKind};

/// Classifies an error of the client by its causes.
pub(super) fn classify(error: &reqwest::Error, host: &str) -> FetchError {
    if let Some(known) = causes(error).find_map(|cause| known_cause(cause, host)) {
        return known;
    }
    if error.is_timeout() {
        return FetchError::new(
            FetchErrorKind::Timeout,
            format!("{host} did not respond in time"),
        );
    }
    if error.is_connect() && broke_off(error) {
        let message = format!("no TLS connection to {host}: it aborted the handshake");
        return FetchError::new(FetchErrorKind::Tls, message);
    }
    if error.is_connect() {
        return FetchError::new(
            FetchErrorKind::Connect,
            format!("a connection to {host} could not be established"),
        );
    }
    FetchError::new(
        FetchErrorKind::Protocol,
        format!("{host} closed the connection without a valid HTTP response"),
    )
}

/// The error and its causes. An I/O error hides the error that it wraps from `source`.
fn causes<'a>(error: &'a reqwest::Error) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let first: &'a (dyn Error + 'static) = error;
    std::iter::successors(Some(first), |current| next_cause(*current))
}

fn next_cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    match error
        .downcast_ref::<std::io::Error>()
        .and_then(std::io::Error::get_ref)
    {
        Some(wrapped) => Some(wrapped),
        None => error.source(),
    }
}

/// Whether a connection was established and closed before it could be used, as happens if the server does not
/// speak TLS. A connection that was never established has other kinds of errors.
fn broke_off(error: &reqwest::Error) -> bool {
    use std::io::ErrorKind;
    causes(error)
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|io| {
            matches!(
                io.kind(),
                ErrorKind::UnexpectedEof
                    | ErrorKind::ConnectionReset
                    | ErrorKind::ConnectionAborted
                    | ErrorKind::BrokenPipe
                    | ErrorKind::InvalidData
            )
        })
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
            format!("{host} refused the connection: no server listens on that port"),
        )),
        std::io::ErrorKind::HostUnreachable | std::io::ErrorKind::NetworkUnreachable => Some(
            FetchError::new(FetchErrorKind::Connect, format!("{host} cannot be reached")),
        ),
        std::io::ErrorKind::TimedOut => Some(FetchError::new(
            FetchErrorKind::Timeout,
            format!("{host} did not respond in time"),
        )),
        _ => None,
    }
}

/// Converts an error of the resolver.
pub(super) fn resolve_error(error: &ResolveError) -> FetchError {
    let kind = match error {
        ResolveError::NoAddress(_) | ResolveError::Failed(_) => FetchErrorKind::Dns,
        ResolveError::TimedOut(_) => FetchErrorKind::Timeout,
        ResolveError::Forbidden(_) | ResolveError::NotVetted(_) => FetchErrorKind::NotAllowed,
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
                "its certificate was issued by an authority that is not trusted, or the chain is \
                 incomplete"
                    .to_owned()
            }
            rustls::CertificateError::NotValidForName
            | rustls::CertificateError::NotValidForNameContext { .. } => {
                "its certificate is for another host name".to_owned()
            }
            rustls::CertificateError::BadSignature => {
                "its certificate is not signed by the authority that it names".to_owned()
            }
            rustls::CertificateError::Revoked => "its certificate was revoked".to_owned(),
            _ => "its certificate is not valid".to_owned(),
        },
        rustls::Error::AlertReceived(alert) => {
            format!("it ended the handshake with an alert ({alert:?})")
        }
        rustls::Error::InvalidMessage(_) => "it does not speak TLS on that port".to_owned(),
        _ => "the TLS handshake failed".to_owned(),
    };
    FetchError::new(
        FetchErrorKind::Tls,
        format!("no TLS connection to {host}: {why}"),
    )
}
