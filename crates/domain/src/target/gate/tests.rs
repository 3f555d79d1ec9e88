use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::target::AddressKind;
use crate::target::name::NameKind;

fn nothing() -> AllowTargets {
    AllowTargets::default()
}

fn listing(targets: &[&str]) -> AllowTargets {
    targets.iter().map(|text| text.parse().unwrap()).collect()
}

fn refused(text: &str) -> RefusedTarget {
    match gate_url(text, &nothing()) {
        Err(TargetError::NotAllowed { refused }) => refused,
        other => panic!("{text} gave {other:?}"),
    }
}

fn invalid(text: &str) -> InvalidTarget {
    match gate_url(text, &nothing()) {
        Err(TargetError::Invalid { problem }) => problem,
        other => panic!("{text} gave {other:?}"),
    }
}

#[rstest]
#[case("https://example.com", "https://example.com/")]
#[case("http://example.com/a?b#c", "http://example.com/a?b#c")]
#[case("HTTPS://EXAMPLE.COM/A", "https://example.com/A")]
#[case("https://example.com:443/", "https://example.com/")]
#[case("http://example.com:443/", "http://example.com:443/")]
#[case("http://example.com:8080/", "http://example.com:8080/")]
#[case("https://example.com:8443/", "https://example.com:8443/")]
#[case("  https://example.com/\n", "https://example.com/")]
#[case("https://bücher.example/", "https://xn--bcher-kva.example/")]
#[case("https://example.com./", "https://example.com./")]
#[case("http://8.8.8.8/", "http://8.8.8.8/")]
#[case("http://134744072/", "http://8.8.8.8/")]
#[case("http://[2606:4700::1111]/", "http://[2606:4700::1111]/")]
#[case("http://[::ffff:8.8.8.8]/", "http://[::ffff:808:808]/")]
#[case("https://example.com/@user", "https://example.com/@user")]
#[case("https://localhost.example.com/", "https://localhost.example.com/")]
#[case("https://127.0.0.1.example.com/", "https://127.0.0.1.example.com/")]
fn public_targets_pass(#[case] text: &str, #[case] parsed: &str) {
    assert_eq!(gate_url(text, &nothing()).unwrap().as_str(), parsed);
}

#[rstest]
// Loopback
#[case("http://127.0.0.1/", "127.0.0.1")]
#[case("http://127.1/", "127.0.0.1")]
#[case("http://127.0.1/", "127.0.0.1")]
#[case("http://127.000.000.001/", "127.0.0.1")]
#[case("http://0177.0.0.1/", "127.0.0.1")]
#[case("http://00000177.0.0.1/", "127.0.0.1")]
#[case("http://0177.0000.00.01/", "127.0.0.1")]
#[case("http://0x7f.1/", "127.0.0.1")]
#[case("http://0X7F.0x0.0x0.0x1/", "127.0.0.1")]
#[case("http://0x7f000001/", "127.0.0.1")]
#[case("http://0x0000007f.1/", "127.0.0.1")]
#[case("http://2130706433/", "127.0.0.1")]
#[case("http://017700000001/", "127.0.0.1")]
#[case("http://127.0.0.1./", "127.0.0.1")]
#[case("http://0x7f.1./", "127.0.0.1")]
#[case("http://127.0.0.0x1/", "127.0.0.1")]
#[case("http://127.0x.1/", "127.0.0.1")]
#[case("http://%31%32%37.0.0.1/", "127.0.0.1")]
#[case("http://%30%78%37%66.1/", "127.0.0.1")]
#[case("http://１２７.０.０.１/", "127.0.0.1")]
#[case("http://１２７。０。０。１/", "127.0.0.1")]
#[case("http://127｡0｡0｡1/", "127.0.0.1")]
#[case("http://127．0．0．1/", "127.0.0.1")]
#[case("http://①②⑦.0.0.1/", "127.0.0.1")]
#[case("http://𝟏𝟐𝟕.0.0.1/", "127.0.0.1")]
#[case("http://¹²⁷.0.0.1/", "127.0.0.1")]
#[case("http://０ｘ７ｆ.1/", "127.0.0.1")]
#[case("http://%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1/", "127.0.0.1")]
#[case("http://127.0.0.1\u{ad}/", "127.0.0.1")]
#[case("http://127.0\u{200b}.0.1/", "127.0.0.1")]
#[case("http://12\t7.0.0\n.1/", "127.0.0.1")]
#[case("\u{1}http://127.0.0.1/", "127.0.0.1")]
#[case("http:127.0.0.1", "127.0.0.1")]
#[case("http:/127.0.0.1", "127.0.0.1")]
#[case("http:////127.0.0.1/", "127.0.0.1")]
#[case("http:\\\\127.0.0.1\\", "127.0.0.1")]
#[case("http://127.0.0.1\\@example.com/", "127.0.0.1")]
#[case("http://127.0.0.1#@example.com/", "127.0.0.1")]
#[case("http://127.0.0.1?@example.com/", "127.0.0.1")]
#[case("hTtP://127.0.0.1/", "127.0.0.1")]
#[case("http://127.255.255.254/", "127.255.255.254")]
#[case("http://[::1]/", "::1")]
#[case("http://[0:0:0:0:0:0:0:1]/", "::1")]
#[case("http://[0000:0000::0001]/", "::1")]
#[case("http://[::0.0.0.1]/", "::1")]
#[case("http://[::ffff:127.0.0.1]/", "127.0.0.1")]
#[case("http://[::FFFF:7F00:1]/", "127.0.0.1")]
#[case("http://[0:0:0:0:0:ffff:7f00:0001]/", "127.0.0.1")]
// This network
#[case("http://0/", "0.0.0.0")]
#[case("http://0.0.0.0/", "0.0.0.0")]
#[case("http://0x/", "0.0.0.0")]
#[case("http://00.0x0.0/", "0.0.0.0")]
#[case("http://0.1/", "0.0.0.1")]
#[case("http://[::]/", "::")]
// Private and link-local
#[case("http://10.0.0.1/", "10.0.0.1")]
#[case("http://10.1/", "10.0.0.1")]
#[case("http://012.0.0.1/", "10.0.0.1")]
#[case("http://0xa.1/", "10.0.0.1")]
#[case("http://167772161/", "10.0.0.1")]
#[case("http://192.168.257/", "192.168.1.1")]
#[case("http://0xC0A80101/", "192.168.1.1")]
#[case("http://3232235777/", "192.168.1.1")]
#[case("http://172.1048577/", "172.16.0.1")]
#[case("http://169.254.169.254/latest/meta-data/", "169.254.169.254")]
#[case("http://2852039166/", "169.254.169.254")]
#[case("http://0xa9fea9fe/", "169.254.169.254")]
#[case("http://0251.0376.0251.0376/", "169.254.169.254")]
#[case("http://169.16689662/", "169.254.169.254")]
#[case("http://[::ffff:a9fe:a9fe]/", "169.254.169.254")]
#[case("http://168.63.129.16/", "168.63.129.16")]
#[case("http://100.100.100.200/", "100.100.100.200")]
#[case("http://[fe80::1]/", "fe80::1")]
#[case("http://[fd00:ec2::254]/", "fd00:ec2::254")]
#[case("http://[fc00::]/", "fc00::")]
// Other roads to IPv4
#[case("http://[::127.0.0.1]/", "::7f00:1")]
#[case("http://[64:ff9b::7f00:1]/", "64:ff9b::7f00:1")]
#[case("http://[64:ff9b::169.254.169.254]/", "64:ff9b::a9fe:a9fe")]
#[case("http://[2002:7f00:1::]/", "2002:7f00:1::")]
#[case("http://[2001:0:7f00:1::]/", "2001:0:7f00:1::")]
// Multicast, broadcast, reserved
#[case("http://224.0.0.251/", "224.0.0.251")]
#[case("http://4294967295/", "255.255.255.255")]
#[case("http://037777777777/", "255.255.255.255")]
#[case("http://[ff02::1]/", "ff02::1")]
fn a_spelling_of_a_forbidden_address_is_that_address(#[case] text: &str, #[case] expected: &str) {
    let RefusedTarget::Address { addr, port, .. } = refused(text) else {
        panic!("{text} is not seen as an address");
    };
    assert_eq!((addr, port), (expected.parse().unwrap(), 80));
}

#[rstest]
#[case("http://256.0.0.1/")]
#[case("http://127.0.0.1.1/")]
#[case("http://4294967296/")]
#[case("http://0x100000000/")]
#[case("http://127.0.0.09/")]
#[case("http://127..1/")]
#[case("http://[::1%25eth0]/")]
#[case("http://[fe80::1%eth0]/")]
#[case("http://[127.0.0.1]/")]
#[case("http://[::1/")]
#[case("http://exa mple.com/")]
#[case("http://example.com:99999/")]
#[case("http://example.com:port/")]
#[case("http://exam%00ple.com/")]
#[case("http://xn--/")]
fn a_host_that_cannot_be_parsed_is_invalid(#[case] text: &str) {
    assert!(
        matches!(invalid(text), InvalidTarget::Malformed(_)),
        "{text}"
    );
}

#[rstest]
#[case("http://localhost/", "localhost", NameKind::Localhost)]
#[case("http://LOCALHOST/", "localhost", NameKind::Localhost)]
#[case("http://localhost./", "localhost", NameKind::Localhost)]
#[case("http://ｌｏｃａｌｈｏｓｔ/", "localhost", NameKind::Localhost)]
#[case("http://%6cocalhost/", "localhost", NameKind::Localhost)]
#[case("http://ⓛocalhost/", "localhost", NameKind::Localhost)]
#[case("http://loc\u{ad}alhost/", "localhost", NameKind::Localhost)]
#[case(
    "http://app.localhost/",
    "app.localhost",
    NameKind::PrivateSuffix("localhost")
)]
#[case("http://intranet/", "intranet", NameKind::SingleLabel)]
#[case("http://intranet./", "intranet", NameKind::SingleLabel)]
#[case("http://com/", "com", NameKind::SingleLabel)]
#[case(
    "http://printer.local/",
    "printer.local",
    NameKind::PrivateSuffix("local")
)]
#[case(
    "http://Printer.LOCAL./",
    "printer.local",
    NameKind::PrivateSuffix("local")
)]
#[case(
    "http://printer。local/",
    "printer.local",
    NameKind::PrivateSuffix("local")
)]
#[case(
    "http://metadata.google.internal/",
    "metadata.google.internal",
    NameKind::PrivateSuffix("internal")
)]
#[case(
    "http://nas.home.arpa/",
    "nas.home.arpa",
    NameKind::PrivateSuffix("home.arpa")
)]
#[case("http://abc.onion/", "abc.onion", NameKind::PrivateSuffix("onion"))]
#[case("http://router.lan/", "router.lan", NameKind::PrivateSuffix("lan"))]
#[case("http://mail.corp/", "mail.corp", NameKind::PrivateSuffix("corp"))]
fn a_private_name_is_refused(#[case] text: &str, #[case] host: &str, #[case] kind: NameKind) {
    assert_eq!(
        refused(text),
        RefusedTarget::Name {
            host: host.to_owned(),
            port: 80,
            kind
        }
    );
}

#[rstest]
#[case("http://example.com:22/", 22)]
#[case("https://example.com:80443/", 0)]
#[case("http://example.com:81/", 81)]
#[case("http://8.8.8.8:25/", 25)]
#[case("http://[2606:4700::1111]:6379/", 6379)]
#[case("http://example.com:0/", 0)]
fn another_port_is_refused(#[case] text: &str, #[case] expected: u16) {
    match gate_url(text, &nothing()) {
        Err(TargetError::NotAllowed {
            refused: RefusedTarget::Port { port, .. },
        }) => {
            assert_eq!(port, expected);
        }
        Err(TargetError::Invalid {
            problem: InvalidTarget::Malformed(_),
        }) => {
            assert_eq!(expected, 0, "only a number beyond 65535 cannot be parsed");
        }
        other => panic!("{text} gave {other:?}"),
    }
}

#[rstest]
#[case("https://user@example.com/")]
#[case("https://user:secret@example.com/")]
#[case("https://:secret@example.com/")]
#[case("https://example.com@127.0.0.1/")]
#[case("https://user%40evil@example.com/")]
#[case("https://@example.com/")]
#[case("https://:@example.com/")]
#[case("https:\\\\@example.com/")]
fn user_information_is_invalid(#[case] text: &str) {
    assert_eq!(invalid(text), InvalidTarget::UserInfo);
    assert!(!InvalidTarget::UserInfo.to_string().contains("secret"));
}

#[rstest]
#[case("ftp://example.com/")]
#[case("file:///etc/passwd")]
#[case("gopher://127.0.0.1:6379/")]
#[case("javascript:alert(1)")]
#[case("data:text/html,x")]
#[case("mailto:a@example.com")]
#[case("blob:https://example.com/1")]
#[case("ws://example.com/")]
#[case("/path")]
#[case("?query")]
#[case("#fragment")]
#[case("../up")]
#[case("foo")]
#[case("foo bar")]
#[case("")]
#[case("   ")]
#[case("5")]
#[case("1.5")]
#[case("user@example.com")]
fn anything_else_is_not_http(#[case] text: &str) {
    assert_eq!(
        invalid(text),
        InvalidTarget::NotHttp { suggestion: None },
        "{text}"
    );
}

#[rstest]
#[case("example.com/x", "https://example.com/x")]
#[case("example.com", "https://example.com/")]
#[case("//example.com/x", "https://example.com/x")]
#[case("example.com:8443/x", "https://example.com:8443/x")]
#[case(" www.example.com ", "https://www.example.com/")]
#[case("localhost:3000", "http://localhost:3000/")]
#[case("localhost", "http://localhost/")]
#[case("127.0.0.1:8080/x", "http://127.0.0.1:8080/x")]
#[case("[::1]:8080", "http://[::1]:8080/")]
#[case("example.com/\u{1b}[31m", "https://example.com/%1B[31m")]
fn a_missing_scheme_is_suggested(#[case] text: &str, #[case] expected: &str) {
    let problem = invalid(text);
    assert_eq!(
        problem,
        InvalidTarget::NotHttp {
            suggestion: Some(expected.to_owned())
        }
    );
    assert!(
        problem
            .to_string()
            .ends_with(&format!("did you mean {expected}?"))
    );
}

#[rstest]
#[case("http://", InvalidTarget::NoHost)]
#[case("https:///", InvalidTarget::NoHost)]
#[case("http://./", InvalidTarget::NoHost)]
#[case("http://:80/", InvalidTarget::NoHost)]
#[case("http://a..b.com/", InvalidTarget::HostName)]
#[case("http://localhost../", InvalidTarget::HostName)]
#[case("http://.example.com/", InvalidTarget::HostName)]
#[case("http://$(id).example.com/", InvalidTarget::HostName)]
#[case("http://a`id`.local/", InvalidTarget::HostName)]
#[case("http://a;b.local/", InvalidTarget::HostName)]
#[case("http://*.example.com/", InvalidTarget::HostName)]
fn a_host_that_no_dns_knows_is_invalid(#[case] text: &str, #[case] problem: InvalidTarget) {
    assert_eq!(invalid(text), problem, "{text}");
}

#[test]
fn a_url_may_be_2048_bytes_long_and_no_longer() {
    let url = |len: usize| format!("https://example.com/{}", "a".repeat(len - 20));
    assert!(gate_url(&url(2_048), &nothing()).is_ok());
    assert_eq!(invalid(&url(2_049)), InvalidTarget::TooLong);
    let grows_by_encoding = format!("https://example.com/{}", "é".repeat(500));
    assert_eq!(invalid(&grows_by_encoding), InvalidTarget::TooLong);
}

#[rstest]
#[case("http://127.0.0.1:18080/", "127.0.0.1:18080")]
#[case("http://127.0.0.1:18080/", "127.0.0.1")]
#[case("http://127.0.0.1:18080/", "127.0.0.0/8")]
#[case("http://0x7f.1:22/", "127.0.0.1:22")]
#[case("http://[::1]:9000/", "[::1]:9000")]
#[case("http://[::ffff:10.1.2.3]/", "10.1.0.0/16")]
#[case("https://intranet.local:8443/", "intranet.local:8443")]
#[case("https://intranet.local./", "Intranet.Local")]
#[case("http://localhost:3000/", "localhost:3000")]
#[case("http://intranet/", "intranet")]
#[case("http://example.com:9000/", "example.com:9000")]
#[case("http://example.com:9000/", "example.com")]
#[case("http://8.8.8.8:9000/", "8.8.8.8:9000")]
#[case("http://169.254.169.254/", "169.254.169.254:80")]
fn a_listed_target_passes(#[case] text: &str, #[case] target: &str) {
    assert!(gate_url(text, &nothing()).is_err());
    assert!(gate_url(text, &listing(&[target])).is_ok());
}

#[rstest]
#[case("http://127.0.0.1:18081/", "127.0.0.1:18080")]
#[case("http://127.0.0.2/", "127.0.0.1")]
#[case("http://localhost/", "127.0.0.1")]
#[case("http://127.0.0.1/", "localhost")]
#[case("http://intranet.local/", "intranet.local:8443")]
#[case("http://a.intranet.local/", "intranet.local")]
#[case("http://intranet.corp/", "10.0.0.0/8")]
#[case("http://example.com:9000/", "127.0.0.1:9000")]
#[case("ftp://127.0.0.1/", "127.0.0.1")]
#[case("http://user@127.0.0.1/", "127.0.0.1")]
fn an_exception_opens_nothing_else(#[case] text: &str, #[case] target: &str) {
    assert!(gate_url(text, &listing(&[target])).is_err());
}

#[rstest]
#[case("http://127.0.0.1:18101/x", "--allow-target 127.0.0.1:18101")]
#[case("https://127.1/", "--allow-target 127.0.0.1:443")]
#[case("http://[::1]/", "--allow-target [::1]:80")]
#[case("http://[::ffff:10.0.0.1]/", "--allow-target 10.0.0.1:80")]
#[case("http://LOCALHOST:3000/", "--allow-target localhost:3000")]
#[case("https://bücher.local/", "--allow-target xn--bcher-kva.local:443")]
#[case("http://example.com:9000/", "--allow-target example.com:9000")]
#[case("http://8.8.8.8:9000/", "--allow-target 8.8.8.8:9000")]
#[case(
    "http://[2606:4700::1111]:9000/",
    "--allow-target [2606:4700::1111]:9000"
)]
fn the_flag_that_is_named_allows_the_target(#[case] text: &str, #[case] flag: &str) {
    let error = gate_url(text, &nothing()).unwrap_err();
    assert_eq!(error.allow_flag().as_deref(), Some(flag));
    let allow = listing(&[&error.allow_target().unwrap()]);
    assert!(gate_url(text, &allow).is_ok());
}

#[rstest]
#[case(
    "http://0x7f.1/",
    "127.0.0.1 is a loopback address; only public addresses are allowed"
)]
#[case("http://localhost/", "localhost is the local machine")]
#[case(
    "http://nas/",
    "nas is a name without a dot, which exists only in private networks"
)]
#[case(
    "http://nas.lan/",
    "nas.lan ends in .lan, which is used only in private networks"
)]
#[case(
    "http://example.com:25/",
    "port 25 is not allowed; allowed ports are 80, 443, 8080 and 8443"
)]
#[case(
    "ftp://example.com/",
    "the URL must be absolute with the scheme http or https"
)]
#[case(
    "http://a:b@example.com/",
    "the URL contains a user name or a password"
)]
#[case("http://", "the URL has no host")]
fn a_message_is_one_plain_sentence(#[case] text: &str, #[case] message: &str) {
    assert_eq!(gate_url(text, &nothing()).unwrap_err().to_string(), message);
}

#[test]
fn invalid_and_refused_have_their_wire_codes() {
    let code = |text| gate_url(text, &nothing()).unwrap_err().code();
    assert_eq!(code("example.com"), "invalid_request");
    assert_eq!(code("http://user@127.0.0.1/"), "invalid_request");
    assert_eq!(code("http://127.0.0.1/"), "target_not_allowed");
    assert_eq!(code("http://example.com:25/"), "target_not_allowed");
}

#[test]
fn a_parsed_url_is_judged_alike() {
    for text in [
        "ftp://example.com/",
        "data:,x",
        "http://u@example.com/",
        "http://10.0.0.1/",
    ] {
        assert!(
            gate_parsed_url(&Url::parse(text).unwrap(), &nothing()).is_err(),
            "{text}"
        );
    }
    assert_eq!(
        gate_parsed_url(&Url::parse("http://127.0.0.1/").unwrap(), &nothing()),
        Err(RefusedTarget::Address {
            addr: "127.0.0.1".parse().unwrap(),
            port: 80,
            kind: AddressKind::Loopback,
        }
        .into())
    );
}

/// The spellings that the URL standard gives an IPv4 address.
fn spelled() -> impl Strategy<Value = (u32, String)> {
    (any::<u32>(), 1_usize..=4, any::<[u8; 4]>()).prop_map(|(bits, parts, radix)| {
        let bytes = bits.to_be_bytes();
        let last = bytes[parts - 1..]
            .iter()
            .fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte));
        let numbers = bytes[..parts - 1]
            .iter()
            .map(|byte| u32::from(*byte))
            .chain([last]);
        let text: Vec<String> = numbers
            .zip(radix)
            .map(|(number, radix)| match radix % 4 {
                0 => format!("0x{number:x}"),
                1 => format!("0{number:o}"),
                2 => format!("0X00{number:X}"),
                _ => number.to_string(),
            })
            .collect();
        (bits, text.join("."))
    })
}

proptest! {
    #[test]
    fn the_spelling_of_an_address_does_not_matter((bits, spelling) in spelled()) {
        let plain = std::net::Ipv4Addr::from(bits);
        prop_assert_eq!(
            gate_url(&format!("http://{spelling}/"), &nothing()),
            gate_url(&format!("http://{plain}/"), &nothing())
        );
    }

    #[test]
    fn what_passes_is_http_without_user_information(text in "\\PC{0,60}") {
        for text in [text.clone(), format!("http://{text}"), format!("https://example.com{text}")] {
            if let Ok(url) = gate_url(&text, &nothing()) {
                prop_assert!(is_http(&url) && url.username().is_empty());
                prop_assert!(DEFAULT_PORTS.contains(&url.port_or_known_default().unwrap()));
                prop_assert_eq!(gate_parsed_url(&url, &nothing()), Ok(()));
            }
        }
    }

    #[test]
    fn a_named_flag_always_allows(host in "[a-z0-9_.()$`-]{1,20}", port in 1_u16..) {
        let text = format!("http://{host}:{port}/");
        if let Err(error) = gate_url(&text, &nothing())
            && let Some(target) = error.allow_target()
        {
            prop_assert!(gate_url(&text, &listing(&[&target])).is_ok(), "{}", target);
        }
    }
}
