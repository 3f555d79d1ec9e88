//! Host names: how they are compared, and which of them only private networks know.

/// Endings of names that never lead to a public site, without the leading dot.
///
/// `local` is RFC 6762, `localhost` RFC 6761, `home.arpa` RFC 8375, `onion` RFC 7686, `internal`
/// the private-use name reserved by ICANN in 2024; `lan` and `corp` are wide-spread on private
/// networks and are not delegated.
const PRIVATE_SUFFIXES: [&str; 7] = [
    "local",
    "internal",
    "localhost",
    "home.arpa",
    "onion",
    "lan",
    "corp",
];

/// Why a host name may not be visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// The name `localhost`: this machine (RFC 6761, section 6.3).
    Localhost,
    /// A name without a dot, which only a search list or a hosts file resolves.
    SingleLabel,
    /// A name under an ending that only private networks use; holds that ending.
    PrivateSuffix(&'static str),
}

/// The name in the one form in which names are compared: lower case, without the root dot.
pub(super) fn canonical(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// Tells whether a canonical name has the form of a host name: labels of letters, digits, hyphens
/// and underscores, none of them empty.
///
/// RFC 1123, section 2.1, allows letters, digits and hyphens. Underscores occur in practice. A URL
/// may hold other characters in its host (`$`, `(`, a backquote); no such name exists in public
/// DNS, and text made from one is unsafe in a shell.
pub(super) fn is_host_name(name: &str) -> bool {
    name.split('.').all(|label| {
        !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    })
}

/// Says why a canonical name is refused, or `None` for a name that may be public.
pub(super) fn classify(name: &str) -> Option<NameKind> {
    if name == "localhost" {
        return Some(NameKind::Localhost);
    }
    if !name.contains('.') {
        return Some(NameKind::SingleLabel);
    }
    PRIVATE_SUFFIXES
        .into_iter()
        .find(|suffix| is_under(name, suffix))
        .map(NameKind::PrivateSuffix)
}

/// Tells whether `name` is `suffix` or stands below it.
pub(super) fn is_under(name: &str, suffix: &str) -> bool {
    name.strip_suffix(suffix)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("localhost", Some(NameKind::Localhost))]
    #[case("intranet", Some(NameKind::SingleLabel))]
    #[case("printer.local", Some(NameKind::PrivateSuffix("local")))]
    #[case("a.b.internal", Some(NameKind::PrivateSuffix("internal")))]
    #[case("app.localhost", Some(NameKind::PrivateSuffix("localhost")))]
    #[case("home.arpa", Some(NameKind::PrivateSuffix("home.arpa")))]
    #[case("nas.home.arpa", Some(NameKind::PrivateSuffix("home.arpa")))]
    #[case("x.onion", Some(NameKind::PrivateSuffix("onion")))]
    #[case("router.lan", Some(NameKind::PrivateSuffix("lan")))]
    #[case("mail.corp", Some(NameKind::PrivateSuffix("corp")))]
    #[case("example.com", None)]
    #[case("local.example.com", None)]
    #[case("notlocal.com", None)]
    #[case("my.vocal", None)]
    #[case("megacorp.com", None)]
    #[case("some.megacorp", None)]
    #[case("10.in-addr.arpa", None)]
    fn names_are_classified_by_label(#[case] name: &str, #[case] kind: Option<NameKind>) {
        assert_eq!(classify(name), kind);
    }

    #[rstest]
    #[case("example.com", true)]
    #[case("_dmarc.example.com", true)]
    #[case("xn--bcher-kva.example", true)]
    #[case("a..b", false)]
    #[case("", false)]
    #[case("example.com.", false)]
    #[case("$(id).example.com", false)]
    #[case("a`b`.example.com", false)]
    fn host_names_hold_plain_labels_only(#[case] name: &str, #[case] expected: bool) {
        assert_eq!(is_host_name(name), expected);
    }

    #[test]
    fn case_and_one_root_dot_do_not_matter() {
        assert_eq!(canonical("WWW.Example.COM."), "www.example.com");
        assert_eq!(canonical("example.com.."), "example.com.");
    }
}
