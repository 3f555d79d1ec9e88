//! The certificate authorities of the system, for `sslrootcert=system` in a database URL.

use std::borrow::Cow;

use crate::database::url::parameter;

/// The URL parameter that names the trusted certificates.
const ROOTS: &str = "sslrootcert";

/// The value of [`ROOTS`] for the certificates that the system trusts.
const OF_SYSTEM: &str = "system";

/// The URL with the file of the system's certificates instead of `sslrootcert=system`. The OpenSSL that is built into
/// this program looks for them in its own folder, which exists on no system. As in libpq the value implies
/// `sslmode=verify-full`.
pub(super) fn with_system_roots<'a>(
    url: &'a str,
    file: impl FnOnce() -> Option<String>,
) -> Cow<'a, str> {
    if parameter(url, ROOTS) != Some(OF_SYSTEM) {
        return Cow::Borrowed(url);
    }
    let Some(file) = file() else {
        return Cow::Borrowed(url);
    };
    let named = format!("{ROOTS}={}", escaped(&file));
    let with_file = url.replacen(&format!("{ROOTS}={OF_SYSTEM}"), &named, 1);
    Cow::Owned(match parameter(url, "sslmode") {
        Some(_) => with_file,
        None => format!("{with_file}&sslmode=verify-full"),
    })
}

/// The file with the certificates that the system trusts: `SSL_CERT_FILE`, else the one of the distribution.
pub(super) fn system_file() -> Option<String> {
    let found = openssl_probe::probe().cert_file?;
    found.into_os_string().into_string().ok()
}

/// A path as the value of a URL parameter.
fn escaped(path: &str) -> String {
    let reserved = |character: char| matches!(character, '%' | '&' | '=' | '#' | '+' | ' ');
    let mut escaped = String::with_capacity(path.len());
    for character in path.chars() {
        if reserved(character) {
            escaped.push_str(&format!("%{:02X}", u32::from(character)));
        } else {
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_certificates_of_the_system_are_those_of_its_file() {
        for (url, expected) in [
            (
                "postgres://h/d?sslrootcert=system",
                "postgres://h/d?sslrootcert=/etc/a%20b.pem&sslmode=verify-full",
            ),
            (
                "postgres://h/d?sslmode=verify-full&sslrootcert=system&application_name=x",
                "postgres://h/d?sslmode=verify-full&sslrootcert=/etc/a%20b.pem&application_name=x",
            ),
            (
                "postgres://h/d?sslrootcert=/own.pem",
                "postgres://h/d?sslrootcert=/own.pem",
            ),
            ("postgres://h/d", "postgres://h/d"),
        ] {
            let with_file = with_system_roots(url, || Some("/etc/a b.pem".to_owned()));
            assert_eq!(with_file, expected);
        }
    }

    #[test]
    fn a_system_without_such_a_file_leaves_the_url_to_libpq() {
        let url = "postgres://h/d?sslrootcert=system";
        assert_eq!(with_system_roots(url, || None), url);
    }
}
