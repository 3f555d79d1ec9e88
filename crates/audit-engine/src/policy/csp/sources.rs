//! A source list of a fetch directive.

/// The sources of a directive.
#[derive(Debug, Clone, Copy)]
pub struct SourceList<'a> {
    values: &'a [String],
}

/// Sources that match (nearly) every host.
const BROAD: [&str; 10] = [
    "*",
    "http:",
    "https:",
    "ftp:",
    "ws:",
    "wss:",
    "http://*",
    "https://*",
    "http://*.*",
    "https://*.*",
];

impl<'a> SourceList<'a> {
    pub(super) const fn new(values: &'a [String]) -> Self {
        Self { values }
    }

    /// The sources in the order of the policy.
    pub fn iter(self) -> impl Iterator<Item = &'a str> {
        self.values.iter().map(String::as_str)
    }

    /// Whether the list contains this source, without regard to ASCII case.
    #[must_use]
    pub fn has(self, source: &str) -> bool {
        self.iter().any(|found| found.eq_ignore_ascii_case(source))
    }

    /// Whether the list contains a nonce or a hash.
    #[must_use]
    pub fn has_nonce_or_hash(self) -> bool {
        self.iter().any(is_nonce_or_hash)
    }

    /// Whether every inline script may run (CSP3 §6.7.3.2): a nonce, a hash or `'strict-dynamic'`
    /// makes browsers ignore `'unsafe-inline'`.
    #[must_use]
    pub fn allows_all_inline_scripts(self) -> bool {
        self.has("'unsafe-inline'") && !self.has_nonce_or_hash() && !self.has("'strict-dynamic'")
    }

    /// The first source that allows scripts from nearly any host; none with `'strict-dynamic'`, which makes
    /// browsers ignore schemes and hosts.
    #[must_use]
    pub fn broad_script_source(self) -> Option<&'a str> {
        self.script_hosts().find(|source| is_broad(source))
    }

    /// Whether scripts may be `data:` URLs.
    #[must_use]
    pub fn allows_data_scripts(self) -> bool {
        self.script_hosts()
            .any(|source| source.eq_ignore_ascii_case("data:"))
    }

    /// The sources other than keywords, nonces and hashes, if browsers apply them to scripts.
    fn script_hosts(self) -> impl Iterator<Item = &'a str> {
        let ignored = self.has("'strict-dynamic'");
        self.iter()
            .filter(move |source| !ignored && !source.starts_with('\''))
    }
}

/// Whether the source matches nearly every host.
#[must_use]
pub fn is_broad(source: &str) -> bool {
    BROAD.iter().any(|broad| source.eq_ignore_ascii_case(broad))
}

fn is_nonce_or_hash(source: &str) -> bool {
    let source = source.to_ascii_lowercase();
    ["'nonce-", "'sha256-", "'sha384-", "'sha512-"]
        .iter()
        .any(|prefix| {
            source
                .strip_prefix(prefix)
                .and_then(|rest| rest.strip_suffix('\''))
                .is_some_and(|value| !value.is_empty())
        })
}

#[cfg(test)]
mod tests {
    use super::super::{Policy, PolicySource};

    fn inline(value: &str) -> bool {
        let policy = Policy::parse(&format!("script-src {value}"), PolicySource::Header).unwrap();
        policy.directives[0].sources().allows_all_inline_scripts()
    }

    fn broad(value: &str) -> Option<String> {
        let policy = Policy::parse(&format!("script-src {value}"), PolicySource::Header).unwrap();
        let source = policy.directives[0].sources().broad_script_source();
        source.map(str::to_owned)
    }

    #[test]
    fn a_nonce_or_hash_disables_unsafe_inline() {
        assert!(inline("'self' 'unsafe-inline'"));
        assert!(!inline("'unsafe-inline' 'nonce-abc'"));
        assert!(!inline("'unsafe-inline' 'SHA256-abc='"));
        assert!(!inline("'unsafe-inline' 'strict-dynamic'"));
    }

    #[test]
    fn an_empty_nonce_disables_nothing() {
        assert!(inline("'unsafe-inline' 'nonce-'"));
    }

    #[test]
    fn strict_dynamic_ignores_schemes_and_hosts() {
        assert_eq!(broad("https: 'self'").as_deref(), Some("https:"));
        assert_eq!(broad("'nonce-a' 'strict-dynamic' https: http:"), None);
        assert_eq!(broad("https://cdn.example.com"), None);
    }
}
