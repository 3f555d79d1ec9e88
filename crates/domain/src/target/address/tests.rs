use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;
use rstest::rstest;

use super::*;

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn listing(targets: &[&str]) -> AllowTargets {
    targets.iter().map(|text| text.parse().unwrap()).collect()
}

fn passes(addr: &str) -> bool {
    gate_address(ip(addr), 443, None, &AllowTargets::default()).is_ok()
}

#[rstest]
#[case("0.0.0.0", "0.255.255.255", AddressKind::Unspecified)]
#[case("10.0.0.0", "10.255.255.255", AddressKind::Private)]
#[case("100.64.0.0", "100.127.255.255", AddressKind::Shared)]
#[case("127.0.0.0", "127.255.255.255", AddressKind::Loopback)]
#[case("169.254.0.0", "169.254.255.255", AddressKind::LinkLocal)]
#[case("172.16.0.0", "172.31.255.255", AddressKind::Private)]
#[case("192.0.0.0", "192.0.0.255", AddressKind::ProtocolAssignment)]
#[case("192.0.2.0", "192.0.2.255", AddressKind::Documentation)]
#[case("192.88.99.0", "192.88.99.255", AddressKind::Translation)]
#[case("192.168.0.0", "192.168.255.255", AddressKind::Private)]
#[case("198.18.0.0", "198.19.255.255", AddressKind::Benchmarking)]
#[case("198.51.100.0", "198.51.100.255", AddressKind::Documentation)]
#[case("203.0.113.0", "203.0.113.255", AddressKind::Documentation)]
#[case("224.0.0.0", "239.255.255.255", AddressKind::Multicast)]
#[case("240.0.0.0", "255.255.255.255", AddressKind::Reserved)]
#[case("168.63.129.16", "168.63.129.16", AddressKind::Metadata)]
#[case("100.100.100.200", "100.100.100.200", AddressKind::Metadata)]
#[case("::", "::", AddressKind::Unspecified)]
#[case("::1", "::1", AddressKind::Loopback)]
#[case("::2", "::a8ff:ffff", AddressKind::Translation)]
#[case("64:ff9b::", "64:ff9b::a9fd:ffff", AddressKind::Translation)]
#[case(
    "64:ff9b:1::",
    "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
    AddressKind::Translation
)]
#[case(
    "fc00::",
    "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    AddressKind::UniqueLocal
)]
#[case(
    "fe80::",
    "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    AddressKind::LinkLocal
)]
#[case(
    "ff00::",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    AddressKind::Multicast
)]
#[case(
    "2001::",
    "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
    AddressKind::ProtocolAssignment
)]
#[case(
    "2001:db8::",
    "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
    AddressKind::Documentation
)]
#[case(
    "2002::",
    "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    AddressKind::Translation
)]
#[case(
    "3fff::",
    "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
    AddressKind::Documentation
)]
#[case("fd00:ec2::254", "fd00:ec2::254", AddressKind::Metadata)]
#[case(
    "fec0::",
    "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    AddressKind::NotGlobal
)]
#[case(
    "4000::",
    "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    AddressKind::NotGlobal
)]
#[case(
    "100::",
    "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    AddressKind::NotGlobal
)]
fn first_and_last_of_a_range_are_refused(
    #[case] first: &str,
    #[case] last: &str,
    #[case] kind: AddressKind,
) {
    for addr in [first, last] {
        let refused = gate_address(ip(addr), 443, None, &AllowTargets::default());
        let expected = RefusedTarget::Address {
            addr: ip(addr),
            port: 443,
            kind,
        };
        assert_eq!(refused, Err(expected.into()), "{addr}");
    }
}

#[rstest]
#[case("1.0.0.0", "9.255.255.255")]
#[case("11.0.0.0", "100.63.255.255")]
#[case("100.128.0.0", "126.255.255.255")]
#[case("128.0.0.0", "169.253.255.255")]
#[case("168.63.129.15", "168.63.129.17")]
#[case("169.255.0.0", "172.15.255.255")]
#[case("172.32.0.0", "191.255.255.255")]
#[case("192.0.1.0", "192.0.1.255")]
#[case("192.0.3.0", "192.88.98.255")]
#[case("192.88.100.0", "192.167.255.255")]
#[case("192.169.0.0", "198.17.255.255")]
#[case("198.20.0.0", "198.51.99.255")]
#[case("198.51.101.0", "203.0.112.255")]
#[case("203.0.114.0", "223.255.255.255")]
#[case("2000::", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff")]
#[case("2001:200::", "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff")]
#[case("2001:db9::", "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff")]
#[case("2003::", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff")]
#[case("3fff:1000::", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")]
fn neighbours_of_the_ranges_are_public(#[case] first: &str, #[case] last: &str) {
    assert!(passes(first), "{first}");
    assert!(passes(last), "{last}");
}

#[rstest]
#[case("::ffff:127.0.0.1")]
#[case("::ffff:10.0.0.1")]
#[case("::ffff:169.254.169.254")]
#[case("::127.0.0.1")]
#[case("::8.8.8.8")]
#[case("64:ff9b::8.8.8.8")]
#[case("64:ff9b::10.0.0.1")]
#[case("2002:7f00:1::")]
#[case("2002:808:808::1")]
#[case("2001:0:4136:e378:8000:63bf:3fff:fdd2")]
#[case("fd20:ce::254")]
#[case("fd00:c1::a9fe:a9fe")]
#[case("fd00:42::42")]
fn roads_around_the_v4_list_are_refused(#[case] addr: &str) {
    assert!(!passes(addr));
}

#[test]
fn a_mapped_public_address_is_public() {
    assert!(passes("::ffff:8.8.8.8"));
}

#[rstest]
#[case("127.0.0.1", "127.0.0.1")]
#[case("127.0.0.1:443", "127.0.0.1")]
#[case("10.1.0.0/16", "10.1.255.255")]
#[case("10.1.0.0/16:443", "10.1.2.3")]
#[case("0.0.0.0/0", "192.168.1.1")]
#[case("127.0.0.1", "::ffff:127.0.0.1")]
#[case("::ffff:127.0.0.1", "127.0.0.1")]
#[case("[::1]:443", "::1")]
#[case("fd00::/8", "fd12::1")]
#[case("169.254.169.254", "169.254.169.254")]
#[case("169.254.0.0/16", "169.254.169.254")]
#[case("168.63.129.16/32", "168.63.129.16")]
#[case("fe80::/10", "fe80::1")]
#[case("fd00:ec2::254", "fd00:ec2::254")]
#[case("64:ff9b::/96", "64:ff9b::808:808")]
#[case("64:ff9b::a9fe:a9fe", "64:ff9b::169.254.169.254")]
fn a_listed_address_is_visited(#[case] target: &str, #[case] addr: &str) {
    let allow = listing(&[target]);
    assert_eq!(gate_address(ip(addr), 443, None, &allow), Ok(()));
    assert_eq!(
        gate_address(ip(addr), 443, Some("some.example"), &allow),
        Ok(())
    );
}

#[rstest]
#[case("127.0.0.1:80", "127.0.0.1")]
#[case("127.0.0.1", "127.0.0.2")]
#[case("10.1.0.0/16", "10.2.0.0")]
#[case("intranet.local", "10.0.0.1")]
#[case::too_wide("0.0.0.0/0", "169.254.169.254")]
#[case::too_wide("0.0.0.0/0", "168.63.129.16")]
#[case::too_wide("100.64.0.0/10", "100.100.100.200")]
#[case::too_wide("fd00::/8", "fd00:ec2::254")]
#[case::too_wide("::/0", "fe80::1")]
#[case::too_wide("64:ff9b::/96", "64:ff9b::169.254.169.254")]
#[case::too_wide("2002::/16", "2002:a9fe:a9fe::1")]
fn another_entry_does_not_help(#[case] target: &str, #[case] addr: &str) {
    assert!(gate_address(ip(addr), 443, None, &listing(&[target])).is_err());
}

#[rstest]
#[case("127.0.0.1")]
#[case("::1")]
#[case("10.0.0.1")]
#[case("172.16.0.1")]
#[case("192.168.0.1")]
#[case("100.64.0.1")]
#[case("fd12:3456::1")]
#[case("::ffff:10.0.0.1")]
fn a_listed_name_may_resolve_to_a_private_address(#[case] addr: &str) {
    let allow = listing(&["intranet.example:443"]);
    let gate = |host, port| gate_address(ip(addr), port, Some(host), &allow);
    assert_eq!(gate("intranet.example", 443), Ok(()));
    assert_eq!(gate("INTRANET.example.", 443), Ok(()));
    assert!(gate("intranet.example", 80).is_err());
    assert!(gate("www.intranet.example", 443).is_err());
}

#[rstest]
#[case("169.254.169.254")]
#[case("169.254.0.1")]
#[case("168.63.129.16")]
#[case("100.100.100.200")]
#[case("fd00:ec2::254")]
#[case("fe80::1")]
#[case("febf::1")]
#[case("::ffff:169.254.169.254")]
#[case("64:ff9b::a9fe:a9fe")]
#[case("0.0.0.0")]
#[case("224.0.0.1")]
#[case("255.255.255.255")]
fn a_listed_name_never_resolves_to_metadata(#[case] addr: &str) {
    let allow = listing(&["intranet.example"]);
    let error = gate_address(ip(addr), 443, Some("intranet.example"), &allow).unwrap_err();
    assert_eq!(error.allow_flag(), None);
}

#[test]
fn the_message_for_a_literal_names_the_address_and_its_kind() {
    let error = gate_address(
        ip("::ffff:127.0.0.1"),
        18_101,
        None,
        &AllowTargets::default(),
    );
    let error = error.unwrap_err();
    assert_eq!(
        error.to_string(),
        "127.0.0.1 is a loopback address; only public addresses are allowed"
    );
    assert_eq!(
        error.allow_flag().as_deref(),
        Some("--allow-target 127.0.0.1:18101")
    );
    assert_eq!(error.code(), "target_not_allowed");
}

#[test]
fn the_message_for_a_name_is_the_same_for_every_address() {
    let texts = ["127.0.0.1", "10.9.8.7", "169.254.169.254", "fe80::1"].map(|addr| {
        let error = gate_address(
            ip(addr),
            80,
            Some("Evil.example."),
            &AllowTargets::default(),
        );
        let error = error.unwrap_err();
        assert_eq!(
            error.allow_flag().as_deref(),
            Some("--allow-target evil.example:80")
        );
        assert!(!error.to_string().contains(addr) && !format!("{error:?}").contains(addr));
        error.to_string()
    });
    assert!(texts.iter().all(|text| *text == texts[0]));
}

fn any_v4() -> impl Strategy<Value = Ipv4Addr> {
    any::<u32>().prop_map(Ipv4Addr::from)
}

proptest! {
    #[test]
    fn no_special_v4_address_passes(addr in any_v4()) {
        let special = addr.is_private() || addr.is_loopback() || addr.is_link_local()
            || addr.is_multicast() || addr.is_broadcast() || addr.is_unspecified()
            || addr.is_documentation() || addr.octets()[0] == 0 || addr.octets()[0] >= 224;
        let passed = gate_address(addr.into(), 443, None, &AllowTargets::default()).is_ok();
        prop_assert!(!(special && passed));
    }

    #[test]
    fn no_private_v4_address_passes(
        addr in prop_oneof![
            any::<u32>().prop_map(|bits| 0x0a00_0000 | bits >> 8),
            any::<u32>().prop_map(|bits| 0xac10_0000 | bits >> 12),
            any::<u32>().prop_map(|bits| 0xc0a8_0000 | bits >> 16),
            any::<u32>().prop_map(|bits| 0x7f00_0000 | bits >> 8),
            any::<u32>().prop_map(|bits| 0xa9fe_0000 | bits >> 16),
        ].prop_map(Ipv4Addr::from)
    ) {
        prop_assert!(gate_address(addr.into(), 443, None, &AllowTargets::default()).is_err());
    }

    #[test]
    fn mapped_equals_unmapped(addr in any_v4(), port: u16) {
        let allow = listing(&["10.0.0.0/9", "192.168.0.1:80"]);
        let mapped = IpAddr::V6(addr.to_ipv6_mapped());
        prop_assert_eq!(
            gate_address(mapped, port, None, &allow),
            gate_address(addr.into(), port, None, &allow)
        );
    }

    #[test]
    fn v6_that_carries_v4_never_passes(addr in any_v4()) {
        let bits = u128::from(u32::from(addr));
        for base in [0_u128, 0x64_ff9b << 96, 0x2002 << 112] {
            let shift = if base >> 112 == 0x2002 { 80 } else { 0 };
            let carrier = Ipv6Addr::from(base | bits << shift);
            prop_assert!(
                gate_address(carrier.into(), 443, None, &AllowTargets::default()).is_err()
            );
        }
    }

    #[test]
    fn v6_outside_global_unicast_never_passes(bits: u128) {
        let addr = Ipv6Addr::from(bits);
        let passed = gate_address(addr.into(), 443, None, &AllowTargets::default()).is_ok();
        prop_assert!(!passed || bits >> 125 == 1 || addr.to_ipv4_mapped().is_some());
    }

    #[test]
    fn the_flag_for_a_literal_allows_it(bits: u128, v4 in any_v4(), port in 1_u16..) {
        for addr in [IpAddr::V6(bits.into()), IpAddr::V4(v4)] {
            let judged = gate_address(addr, port, None, &AllowTargets::default());
            if let Some(target) = judged.err().and_then(|error| error.allow_target()) {
                prop_assert_eq!(gate_address(addr, port, None, &listing(&[&target])), Ok(()));
            }
        }
    }
}

#[test]
fn our_own_listener_needs_an_exact_entry() {
    let listener: SocketAddr = "127.0.0.1:8080".parse().unwrap();
    let allow = |entries: &[&str]| {
        let entries = entries.iter().map(|entry| entry.parse().unwrap());
        entries
            .collect::<AllowTargets>()
            .with_own_listeners([listener])
    };
    let judged = |allow: &AllowTargets, host| gate_address(listener.ip(), 8080, host, allow);
    let wide = allow(&["127.0.0.0/8", "127.0.0.1", "localhost"]);
    let refused = judged(&wide, None).unwrap_err();
    assert_eq!(refused.allow_target().as_deref(), Some("127.0.0.1:8080"));
    assert!(judged(&wide, Some("localhost")).is_err());
    assert!(gate_address(listener.ip(), 8081, None, &wide).is_ok());
    assert!(judged(&allow(&["127.0.0.1:8080"]), None).is_ok());
}

#[test]
fn a_listener_on_all_interfaces_is_ours_on_loopback() {
    let everywhere: SocketAddr = "0.0.0.0:8080".parse().unwrap();
    let allow = ["127.0.0.0/8".parse().unwrap()]
        .into_iter()
        .collect::<AllowTargets>()
        .with_own_listeners([everywhere]);
    assert!(gate_address("127.0.0.1".parse().unwrap(), 8080, None, &allow).is_err());
    assert!(gate_address("127.0.0.1".parse().unwrap(), 8000, None, &allow).is_ok());
}

/// On Linux a connection to an unspecified address reaches the listeners on loopback.
#[test]
fn an_unspecified_address_is_every_own_listener() {
    let everything = ["0.0.0.0/0", "::/0"].map(|entry| entry.parse().unwrap());
    for listener in [
        "127.0.0.1:8080",
        "[::1]:8080",
        "192.168.1.5:8080",
        "0.0.0.0:8080",
        "[::]:8080",
    ] {
        let own: SocketAddr = listener.parse().unwrap();
        let allow = AllowTargets::from_iter(everything.clone()).with_own_listeners([own]);
        for text in ["0.0.0.0", "::", "::ffff:0.0.0.0", &own.ip().to_string()] {
            let addr: IpAddr = text.parse().unwrap();
            for host in [None, Some("own.example.com")] {
                let judged = gate_address(addr, 8080, host, &allow);
                assert!(judged.is_err(), "{text} of {listener}");
            }
            assert!(gate_address(addr, 8081, None, &allow).is_ok(), "{text}");
        }
    }
    // An operator may still list the service itself, and only in the spelling of the entry.
    let exact = ["0.0.0.0:8080".parse().unwrap()].into_iter();
    let allow = exact
        .collect::<AllowTargets>()
        .with_own_listeners(["127.0.0.1:8080".parse().unwrap()]);
    assert!(gate_address("0.0.0.0".parse().unwrap(), 8080, None, &allow).is_ok());
    assert!(gate_address("127.0.0.1".parse().unwrap(), 8080, None, &allow).is_err());
}
