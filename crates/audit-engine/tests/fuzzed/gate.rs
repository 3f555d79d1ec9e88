//! The URL gate: a URL that passes is public, according to an implementation that shares no code
//! with the gate.

use std::net::{IpAddr, Ipv4Addr};

use domain::target::{AllowTargets, gate_parsed_url, gate_url};

/// Passes a text through the gate; if it passes, parses the URL by hand and checks its host again.
pub(crate) fn check_property(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let nothing = AllowTargets::default();
    let Ok(url) = gate_url(&text, &nothing) else {
        return;
    };
    assert!(gate_parsed_url(&url, &nothing).is_ok(), "{url}");
    let again = gate_url(url.as_str(), &nothing);
    assert_eq!(again.as_ref().ok(), Some(&url), "what passed passes again");

    let written = url.as_str();
    let rest = written
        .strip_prefix("https://")
        .or_else(|| written.strip_prefix("http://"));
    let rest = rest.unwrap_or_else(|| panic!("{url} is not http"));
    assert!(written.len() <= 2_048 && written.is_ascii(), "{url}");
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    assert!(!authority.contains('@'), "{url} has user information");
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    assert!(
        matches!(port, None | Some("80" | "443" | "8080" | "8443")),
        "{url}"
    );
    assert!(is_public(host), "{host} of {text:?} is not public");
}

fn is_public(host: &str) -> bool {
    if let Some(inner) = host.strip_prefix('[') {
        return match inner.trim_end_matches(']').parse() {
            Ok(IpAddr::V6(address)) => {
                // Connections go to the mapped IPv4 address (RFC 4291, section 2.5.5.2).
                if let [0, 0, 0, 0, 0, 0xffff, high, low] = address.segments() {
                    return is_public_v4(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)));
                }
                let [first, second, ..] = address.segments();
                let reserved = first == 0x2001 && (second < 0x200 || second == 0xdb8)
                    || first == 0x2002
                    || first == 0x3fff && second < 0x1000;
                first & 0xe000 == 0x2000 && !reserved
            }
            _ => false,
        };
    }
    match parse_like_inet_aton(host) {
        Some(address) => is_public_v4(address),
        None => is_public_name(host),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let private = match address.octets() {
        [0 | 10 | 127 | 224..=255, ..]
        | [169, 254, ..]
        | [192, 168, ..]
        | [192, 0, 0 | 2, _]
        | [192, 88, 99, _]
        | [198, 18 | 19, ..]
        | [198, 51, 100, _]
        | [203, 0, 113, _]
        | [168, 63, 129, 16] => true,
        [100, second, ..] => second & 0xc0 == 64,
        [172, second, ..] => second & 0xf0 == 16,
        _ => false,
    };
    !private
}

/// One to four numbers, decimal, octal or hexadecimal; the last one fills the remaining octets.
fn parse_like_inet_aton(host: &str) -> Option<Ipv4Addr> {
    let parts: Vec<u64> = host.split('.').map(number).collect::<Option<_>>()?;
    let (last, first) = parts.split_last()?;
    if first.len() > 3 || first.iter().any(|part| *part > 255) {
        return None;
    }
    let mut value = 0;
    for part in first {
        value = value << 8 | part;
    }
    let bits = 8 * (4 - first.len());
    let whole = value << bits | last;
    (*last < 1 << bits).then(|| Ipv4Addr::from(u32::try_from(whole).unwrap()))
}

fn number(text: &str) -> Option<u64> {
    let lower = text.to_ascii_lowercase();
    match lower.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None if lower.len() > 1 && lower.starts_with('0') => u64::from_str_radix(&lower, 8).ok(),
        None => lower.parse().ok(),
    }
}

fn is_public_name(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host);
    let labels: Vec<&str> = name.split('.').collect();
    let fine = |label: &&str| {
        !label.is_empty()
            && label.bytes().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte)
            })
    };
    let private = match labels.as_slice() {
        []
        | [_]
        | [
            ..,
            "local" | "internal" | "localhost" | "onion" | "lan" | "corp",
        ]
        | [.., "home", "arpa"] => true,
        // No public name ends in a number, and some parsers read such names as addresses.
        [.., last] => number(last).is_some(),
    };
    labels.iter().all(fine) && !private
}
