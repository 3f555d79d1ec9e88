use proptest::prelude::*;
use rstest::rstest;

use super::*;

fn target(text: &str) -> AllowTarget {
    text.parse().unwrap()
}

fn listing(targets: &[&str]) -> AllowTargets {
    targets.iter().copied().map(target).collect()
}

#[rstest]
#[case("127.0.0.1", "127.0.0.1")]
#[case("127.0.0.1:18080", "127.0.0.1:18080")]
#[case("127.0.0.1/32", "127.0.0.1")]
#[case("10.1.0.0/16", "10.1.0.0/16")]
#[case("10.1.2.3/16", "10.1.0.0/16")]
#[case("10.1.0.0/16:8080", "10.1.0.0/16:8080")]
#[case("0.0.0.0/0", "0.0.0.0/0")]
#[case("::1", "::1")]
#[case("[::1]", "::1")]
#[case("[::1]:8080", "[::1]:8080")]
#[case("fd00::/8", "fd00::/8")]
#[case("[fd00::]/8", "fd00::/8")]
#[case("fd00::/8:443", "fd00::/8:443")]
#[case("0:0:0:0:0:0:0:1", "::1")]
#[case("::ffff:10.0.0.1", "10.0.0.1")]
#[case("[::ffff:10.0.0.1]:80", "10.0.0.1:80")]
#[case("::ffff:10.0.0.0/104", "10.0.0.0/8")]
#[case("localhost", "localhost")]
#[case("localhost:3000", "localhost:3000")]
#[case("Intranet.LOCAL.:8443", "intranet.local:8443")]
#[case("bücher.local", "xn--bcher-kva.local")]
#[case("my_app.corp:80", "my_app.corp:80")]
#[case("  10.0.0.1 ", "10.0.0.1")]
fn an_exception_is_read_and_shown(#[case] text: &str, #[case] shown: &str) {
    assert_eq!(target(text).to_string(), shown);
    assert_eq!(target(shown), target(text));
}

#[rstest]
#[case("", "empty")]
#[case("http://127.0.0.1:8080/", "URL")]
#[case("127.0.0.1:", "not a port")]
#[case("127.0.0.1:0", "not a port")]
#[case("127.0.0.1:65536", "not a port")]
#[case("127.0.0.1:+80", "not a port")]
#[case("localhost:http", "not a port")]
#[case("10.0.0.0/33", "too long")]
#[case("fd00::/129", "too long")]
#[case("10.0.0.0/", "prefix length")]
#[case("10.0.0.0/x", "prefix length")]
#[case("intranet/24", "not an address")]
#[case("example.com/path", "not an address")]
#[case("[::1", "closing bracket")]
#[case("[::1]8080", "not a port")]
#[case("[intranet]:80", "not an IPv6 address")]
#[case("fd00::zz:80", "brackets")]
#[case("10.1.0", "10.1.0.0")]
#[case("0x7f.1:80", "127.0.0.1")]
#[case("2130706433", "127.0.0.1")]
#[case("256.0.0.1", "not a host name")]
#[case("*.example.com", "not a host name")]
#[case("a..b", "not a host name")]
#[case("$(id).local", "not a host name")]
#[case("user@host", "not a host name")]
#[case(":8080", "not a host name")]
#[case(".", "not a host name")]
fn a_bad_exception_says_what_is_wrong(#[case] text: &str, #[case] reason: &str) {
    let message = text.parse::<AllowTarget>().unwrap_err().to_string();
    assert!(message.contains(reason), "{message}");
    assert!(message.contains("for example 127.0.0.1:8080"), "{message}");
}

#[test]
fn without_a_port_every_port_is_meant() {
    let allow = listing(&["127.0.0.1", "intranet.local"]);
    for port in [1, 80, 18_080, 65_535] {
        assert!(allow.lists_address("127.0.0.1".parse().unwrap(), port));
        assert!(allow.lists_name("intranet.local", port));
    }
}

#[test]
fn a_name_is_listed_exactly_and_without_regard_to_case() {
    let allow = listing(&["Intranet.local:8443"]);
    assert!(allow.lists_name("INTRANET.local.", 8_443));
    assert!(!allow.lists_name("intranet.local", 443));
    assert!(!allow.lists_name("a.intranet.local", 8_443));
    assert!(!allow.lists_name("local", 8_443));
}

#[test]
fn the_host_of_a_url_is_looked_up_by_its_kind() {
    let allow = listing(&["10.0.0.0/8", "::1", "intranet.local"]);
    for (url, listed) in [
        ("http://10.2.3.4/", true),
        ("http://[::1]/", true),
        ("http://[::ffff:10.2.3.4]/", true),
        ("http://intranet.local/", true),
        ("http://11.0.0.0/", false),
        ("http://example.com/", false),
    ] {
        let url = url::Url::parse(url).unwrap();
        assert_eq!(allow.lists_host(&url.host().unwrap(), 80), listed, "{url}");
    }
}

#[test]
fn our_own_listener_needs_the_exact_socket() {
    let socket = "127.0.0.1:8080".parse().unwrap();
    for (text, exact) in [
        ("127.0.0.1:8080", true),
        ("127.0.0.1", false),
        ("127.0.0.0/8:8080", false),
        ("0.0.0.0/0", false),
        ("localhost:8080", false),
        ("127.0.0.1:8081", false),
    ] {
        assert_eq!(listing(&[text]).lists_exactly(socket), exact, "{text}");
    }
}

#[test]
fn nothing_is_listed_by_default() {
    let allow = AllowTargets::default();
    assert!(allow.is_empty());
    assert_eq!(allow.iter().count(), 0);
    assert!(!allow.lists_address("127.0.0.1".parse().unwrap(), 80));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
        if let Ok(target) = text.parse::<AllowTarget>() {
            let shown = target.to_string();
            prop_assert_eq!(shown.parse::<AllowTarget>(), Ok(target));
        }
    }

    #[test]
    fn texts_near_the_grammar_come_back(
        text in "\\[?[0-9a-f:.]{1,20}\\]?(/[0-9]{1,3})?(:[0-9]{1,5})?"
    ) {
        if let Ok(target) = text.parse::<AllowTarget>() {
            let shown = target.to_string();
            prop_assert_eq!(shown.parse::<AllowTarget>(), Ok(target));
        }
    }

    #[test]
    fn a_range_lists_what_shares_its_prefix(bits: u32, other: u32, prefix in 0_u8..=32) {
        let net = std::net::Ipv4Addr::from(bits);
        let addr = std::net::Ipv4Addr::from(other);
        let shift = u32::from(32 - prefix);
        let same = u64::from(bits) >> shift == u64::from(other) >> shift;
        let listed = listing(&[&format!("{net}/{prefix}")]).lists_address(addr.into(), 80);
        let guarded = address::guarded(addr.into()).is_some();
        prop_assert!(listed == same || guarded);
    }
}
