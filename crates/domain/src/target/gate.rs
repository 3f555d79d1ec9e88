//! The URL gate: what is known of a target before anyone asks the network.

use std::net::IpAddr;

use url::{Host, Url};

use super::address::gate_address;
use super::allow::AllowTargets;
use super::error::{InvalidTarget, RefusedTarget, TargetError};
use super::name;

/// The longest URL that is visited, in bytes, both as given and after parsing.
pub const MAX_URL_BYTES: usize = 2_048;

/// The ports that are visited without being listed.
pub const DEFAULT_PORTS: [u16; 4] = [80, 443, 8_080, 8_443];

/// Parses a text and judges it as [`gate_parsed_url`] does.
///
/// The text is parsed by the URL standard, so surrounding white space does not matter, and only
/// the result is judged: `http://0x7f.1/` is 127.0.0.1 and is treated as such.
///
/// # Errors
///
/// [`TargetError::Invalid`] for a text that is not an absolute http(s) URL; where the scheme alone
/// is missing, the message suggests the URL with a scheme. Otherwise as [`gate_parsed_url`].
pub fn gate_url(text: &str, allow: &AllowTargets) -> Result<Url, TargetError> {
    if text.len() > MAX_URL_BYTES {
        return Err(InvalidTarget::TooLong.into());
    }
    let url = Url::parse(text).map_err(|error| match error {
        url::ParseError::RelativeUrlWithoutBase => not_http(text),
        url::ParseError::EmptyHost => InvalidTarget::NoHost,
        other => InvalidTarget::Malformed(other),
    })?;
    if is_http(&url) {
        if has_user_info(text) {
            return Err(InvalidTarget::UserInfo.into());
        }
        gate_parsed_url(&url, allow).map(|()| url)
    } else {
        Err(not_http(text).into())
    }
}

/// Judges a URL that was parsed already: a redirect's target, a link, a sitemap's entry.
///
/// # Errors
///
/// [`TargetError::Invalid`] when the URL is not http(s), carries user information, is longer than
/// [`MAX_URL_BYTES`] or has no usable host. [`TargetError::NotAllowed`] when its host is an address
/// that is not public or a name that only private networks know, or its port is none of
/// [`DEFAULT_PORTS`], and `allow` does not list it.
pub fn gate_parsed_url(url: &Url, allow: &AllowTargets) -> Result<(), TargetError> {
    if !is_http(url) {
        return Err(InvalidTarget::NotHttp { suggestion: None }.into());
    }
    if url.as_str().len() > MAX_URL_BYTES {
        return Err(InvalidTarget::TooLong.into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(InvalidTarget::UserInfo.into());
    }
    let (Some(host), Some(port)) = (url.host(), url.port_or_known_default()) else {
        return Err(InvalidTarget::NoHost.into());
    };
    let host_name = match host {
        Host::Ipv4(addr) => gate_literal(IpAddr::V4(addr), port, allow)?,
        Host::Ipv6(addr) => gate_literal(IpAddr::V6(addr), port, allow)?,
        Host::Domain(name) => gate_name(name, port, allow)?,
    };
    if DEFAULT_PORTS.contains(&port) || allow.lists_host(&host, port) {
        Ok(())
    } else {
        Err(RefusedTarget::Port {
            host: host_name,
            port,
        }
        .into())
    }
}

/// Whether an `@` stands in the authority of a URL, also where the parser drops an empty user name.
fn has_user_info(text: &str) -> bool {
    text.split_once(':').is_some_and(|(_, rest)| {
        rest.trim_start_matches(['/', '\\', '\t', '\n', '\r'])
            .split(['/', '\\', '?', '#'])
            .next()
            .is_some_and(|authority| authority.contains('@'))
    })
}

fn is_http(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

fn gate_literal(addr: IpAddr, port: u16, allow: &AllowTargets) -> Result<String, TargetError> {
    gate_address(addr, port, None, allow)?;
    Ok(addr.to_canonical().to_string())
}

fn gate_name(text: &str, port: u16, allow: &AllowTargets) -> Result<String, TargetError> {
    let host = name::canonical(text);
    if host.is_empty() {
        return Err(InvalidTarget::NoHost.into());
    }
    if !name::is_host_name(&host) {
        return Err(InvalidTarget::HostName.into());
    }
    match name::classify(&host) {
        Some(kind) if !allow.lists_name(&host, port) => {
            Err(RefusedTarget::Name { host, port, kind }.into())
        }
        _ => Ok(host),
    }
}

/// The error for a text without a scheme, or with another one.
fn not_http(text: &str) -> InvalidTarget {
    InvalidTarget::NotHttp {
        suggestion: with_scheme(text),
    }
}

/// The URL that somebody meant who left out the scheme: `example.com/x`, `//example.com`,
/// `localhost:3000`.
pub(super) fn with_scheme(text: &str) -> Option<String> {
    let text = text.trim();
    let rest = text.strip_prefix("//").unwrap_or(text);
    if rest.contains("://") || rest.starts_with(['/', '\\', '?', '#', '.']) {
        return None;
    }
    let url = Url::parse(&format!("https://{rest}")).ok()?;
    let looks_like_a_host = match url.host()? {
        Host::Domain(name) => {
            let name = name::canonical(name);
            name::is_host_name(&name) && (name.contains('.') || name == "localhost")
        }
        // `5` and `1.5` are addresses to the URL standard, but hardly to the person who typed them.
        Host::Ipv4(addr) => rest.starts_with(&addr.to_string()),
        Host::Ipv6(_) => true,
    };
    let has_user_info = !url.username().is_empty() || url.password().is_some();
    if !looks_like_a_host || has_user_info {
        return None;
    }
    match url.host()? {
        Host::Domain(name) if name::canonical(name) != "localhost" => Some(url.into()),
        // Certificates for addresses and for localhost are rare.
        _ => Url::parse(&format!("http://{rest}")).ok().map(String::from),
    }
}

#[cfg(test)]
mod tests;
