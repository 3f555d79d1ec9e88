//! Names of files that people save.

use chrono::{DateTime, Utc};

/// Characters of the host in a file's name at most; names may have 255 bytes on most systems.
const MAX_HOST_CHARS: usize = 100;

/// What a document of a report on this URL is saved as: letters, digits, dots and hyphens alone.
#[must_use]
pub fn file_name(url: &str, created_at: DateTime<Utc>, extension: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let safe: String = host
        .chars()
        .take(MAX_HOST_CHARS)
        .map(|character| match character {
            '.' => '.',
            letter if letter.is_ascii_alphanumeric() => letter.to_ascii_lowercase(),
            _ => '-',
        })
        .collect();
    let safe = safe.trim_matches(['.', '-']);
    let host = if safe.is_empty() { "site" } else { safe };
    format!("assay-{host}-{}.{extension}", created_at.format("%Y-%m-%d"))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain("https://example.com/a?b#c", "example.com")]
    #[case::port("http://127.0.0.1:8080/", "127.0.0.1-8080")]
    #[case::v6("http://[::1]:8080/", "1--8080")]
    #[case::international("https://bücher.example/", "b-cher.example")]
    #[case::quotes("https://a\"; filename=\"b.exe/", "a---filename--b.exe")]
    #[case::line_breaks("https://a\r\nSet-Cookie: b/", "a--set-cookie--b")]
    #[case::user("https://ada:secret@example.com/", "example.com")]
    #[case::up("https://../", "site")]
    #[case::nothing("", "site")]
    fn hosts_are_made_safe(#[case] url: &str, #[case] host: &str) {
        let name = file_name(url, DateTime::UNIX_EPOCH, "pdf");
        assert_eq!(name, format!("assay-{host}-1970-01-01.pdf"));
    }

    #[test]
    fn names_are_bounded() {
        let url = format!("https://{}.example/", "a".repeat(1_000));
        assert!(file_name(&url, DateTime::UNIX_EPOCH, "pdf").len() < 130);
    }
}
