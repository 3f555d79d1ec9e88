//! The address gate: which addresses are public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use super::allow::AllowTargets;
use super::error::{RefusedTarget, TargetError};
use super::name;

/// Why an address is not public.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressKind {
    /// `0.0.0.0/8` (RFC 1122, section 3.2.1.3) and `::` (RFC 4291, section 2.5.2).
    Unspecified,
    /// `127.0.0.0/8` (RFC 1122, section 3.2.1.3) and `::1` (RFC 4291, section 2.5.3).
    Loopback,
    /// `10.0.0.0/8`, `172.16.0.0/12`, `192.168.0.0/16` (RFC 1918).
    Private,
    /// `100.64.0.0/10`, shared by carriers and overlay networks (RFC 6598).
    Shared,
    /// `fc00::/7` (RFC 4193).
    UniqueLocal,
    /// `169.254.0.0/16` (RFC 3927) and `fe80::/10` (RFC 4291, section 2.5.6).
    LinkLocal,
    /// An address at which a cloud provider answers questions about the machine.
    Metadata,
    /// `192.0.0.0/24` (RFC 6890) and `2001::/23` (RFC 2928), Teredo among them.
    ProtocolAssignment,
    /// `192.0.2.0/24`, `198.51.100.0/24`, `203.0.113.0/24` (RFC 5737), `2001:db8::/32` (RFC 3849),
    /// `3fff::/20` (RFC 9637).
    Documentation,
    /// `198.18.0.0/15` (RFC 2544).
    Benchmarking,
    /// `192.88.99.0/24` (RFC 7526), `2002::/16` (RFC 3056), `64:ff9b::/96` (RFC 6052),
    /// `64:ff9b:1::/48` (RFC 8215) and `::/96` (RFC 4291, section 2.5.5.1): ways to reach an IPv4
    /// address by another road.
    Translation,
    /// `224.0.0.0/4` (RFC 5771) and `ff00::/8` (RFC 4291, section 2.7).
    Multicast,
    /// `240.0.0.0/4` (RFC 1112, section 4), the broadcast address among them.
    Reserved,
    /// Any other IPv6 address outside `2000::/3`, the only global unicast space handed out.
    NotGlobal,
    /// An address at which this process itself listens.
    OwnListener,
}

impl AddressKind {
    /// The kind with its article, for a sentence such as "127.0.0.1 is a loopback address".
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Unspecified => "an unspecified address",
            Self::Loopback => "a loopback address",
            Self::Private => "a private address",
            Self::Shared => "an address of the shared carrier range",
            Self::UniqueLocal => "a unique local address",
            Self::LinkLocal => "a link-local address",
            Self::Metadata => "a cloud metadata address",
            Self::ProtocolAssignment => "an address reserved for protocols",
            Self::Documentation => "an address reserved for documentation",
            Self::Benchmarking => "an address reserved for benchmarks",
            Self::Translation => "a translated or tunnelled address",
            Self::Multicast => "a multicast address",
            Self::Reserved => "a reserved address",
            Self::NotGlobal => "not a global unicast address",
            Self::OwnListener => "an address on which this service listens",
        }
    }

    /// Tells whether a listed name may resolve to an address of this kind.
    pub(super) const fn opens_by_name(self) -> bool {
        matches!(
            self,
            Self::Loopback | Self::Private | Self::Shared | Self::UniqueLocal | Self::OwnListener
        )
    }
}

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(segments: [u16; 8], prefix: u8) -> Ipv6Net {
    let [a, b, c, d, e, f, g, h] = segments;
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, d, e, f, g, h), prefix)
}

/// Ranges that only an entry inside them opens, because what answers there hands out credentials.
/// First match wins here and in the tables below.
const GUARDED_V4: [(Ipv4Net, AddressKind); 3] = [
    (v4(169, 254, 0, 0, 16), AddressKind::LinkLocal),
    (v4(168, 63, 129, 16, 32), AddressKind::Metadata),
    (v4(100, 100, 100, 200, 32), AddressKind::Metadata),
];

const REFUSED_V4: [(Ipv4Net, AddressKind); 14] = [
    (v4(0, 0, 0, 0, 8), AddressKind::Unspecified),
    (v4(10, 0, 0, 0, 8), AddressKind::Private),
    (v4(100, 64, 0, 0, 10), AddressKind::Shared),
    (v4(127, 0, 0, 0, 8), AddressKind::Loopback),
    (v4(172, 16, 0, 0, 12), AddressKind::Private),
    (v4(192, 0, 0, 0, 24), AddressKind::ProtocolAssignment),
    (v4(192, 0, 2, 0, 24), AddressKind::Documentation),
    (v4(192, 88, 99, 0, 24), AddressKind::Translation),
    (v4(192, 168, 0, 0, 16), AddressKind::Private),
    (v4(198, 18, 0, 0, 15), AddressKind::Benchmarking),
    (v4(198, 51, 100, 0, 24), AddressKind::Documentation),
    (v4(203, 0, 113, 0, 24), AddressKind::Documentation),
    (v4(224, 0, 0, 0, 4), AddressKind::Multicast),
    (v4(240, 0, 0, 0, 4), AddressKind::Reserved),
];

const GUARDED_V6: [(Ipv6Net, AddressKind); 5] = [
    (
        v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10),
        AddressKind::LinkLocal,
    ),
    (
        v6([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254], 128),
        AddressKind::Metadata,
    ),
    (
        v6([0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254], 128),
        AddressKind::Metadata,
    ),
    (
        v6([0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe], 128),
        AddressKind::Metadata,
    ),
    (
        v6([0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42], 128),
        AddressKind::Metadata,
    ),
];

const REFUSED_V6: [(Ipv6Net, AddressKind); 11] = [
    (v6([0, 0, 0, 0, 0, 0, 0, 0], 128), AddressKind::Unspecified),
    (v6([0, 0, 0, 0, 0, 0, 0, 1], 128), AddressKind::Loopback),
    (v6([0, 0, 0, 0, 0, 0, 0, 0], 96), AddressKind::Translation),
    (
        v6([0x64, 0xff9b, 0, 0, 0, 0, 0, 0], 96),
        AddressKind::Translation,
    ),
    (
        v6([0x64, 0xff9b, 1, 0, 0, 0, 0, 0], 48),
        AddressKind::Translation,
    ),
    (
        v6([0xfc00, 0, 0, 0, 0, 0, 0, 0], 7),
        AddressKind::UniqueLocal,
    ),
    (v6([0xff00, 0, 0, 0, 0, 0, 0, 0], 8), AddressKind::Multicast),
    (
        v6([0x2001, 0, 0, 0, 0, 0, 0, 0], 23),
        AddressKind::ProtocolAssignment,
    ),
    (
        v6([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32),
        AddressKind::Documentation,
    ),
    (
        v6([0x2002, 0, 0, 0, 0, 0, 0, 0], 16),
        AddressKind::Translation,
    ),
    (
        v6([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20),
        AddressKind::Documentation,
    ),
];

/// The only IPv6 unicast space that is handed out to the public (RFC 4291, section 2.4; IANA).
const GLOBAL_V6: Ipv6Net = v6([0x2000, 0, 0, 0, 0, 0, 0, 0], 3);

/// Judges one address on one port, as a literal or as one of those that `host` resolved to.
///
/// An IPv4-mapped IPv6 address is judged as the IPv4 address in it. An entry of `allow` that holds
/// the address (and port) lifts the refusal; so does an entry that names `host`, but only for
/// loopback, private, shared and unique local addresses. Link-local and metadata addresses need an
/// entry of their own: neither a name nor a wider range such as `0.0.0.0/0` opens them. An address at
/// which this process listens needs an entry of exactly that address and port.
///
/// # Errors
///
/// [`TargetError::NotAllowed`]. With a `host` the error tells nothing of the address.
pub fn gate_address(
    addr: IpAddr,
    port: u16,
    host: Option<&str>,
    allow: &AllowTargets,
) -> Result<(), TargetError> {
    let addr = addr.to_canonical();
    if allow.is_own_listener(addr, port) && !allow.lists_exactly(SocketAddr::new(addr, port)) {
        let kind = AddressKind::OwnListener;
        return Err(match host {
            None => RefusedTarget::Address { addr, port, kind },
            Some(host) => RefusedTarget::Resolved {
                host: name::canonical(host),
                port,
                listed: true,
            },
        }
        .into());
    }
    let Some(kind) = classify(addr) else {
        return Ok(());
    };
    if allow.lists_address(addr, port) {
        return Ok(());
    }
    let Some(host) = host else {
        return Err(RefusedTarget::Address { addr, port, kind }.into());
    };
    let host = name::canonical(host);
    let listed = allow.lists_name(&host, port);
    if listed && kind.opens_by_name() {
        return Ok(());
    }
    Err(RefusedTarget::Resolved { host, port, listed }.into())
}

/// Says why an address is not public, or `None` when it is.
pub(super) fn classify(addr: IpAddr) -> Option<AddressKind> {
    if let Some((_, kind)) = guarded(addr) {
        return Some(kind);
    }
    match addr.to_canonical() {
        IpAddr::V4(addr) => find_v4(&REFUSED_V4, addr).map(|(_, kind)| kind),
        IpAddr::V6(addr) => find_v6(&REFUSED_V6, addr)
            .map(|(_, kind)| kind)
            .or_else(|| (!GLOBAL_V6.contains(&addr)).then_some(AddressKind::NotGlobal)),
    }
}

/// The link-local or metadata range that holds the address, if one does.
///
/// An IPv6 address that leads to such an IPv4 address by translation is a range of its own.
pub(super) fn guarded(addr: IpAddr) -> Option<(IpNet, AddressKind)> {
    match addr.to_canonical() {
        IpAddr::V4(addr) => {
            find_v4(&GUARDED_V4, addr).map(|(range, kind)| (IpNet::V4(range), kind))
        }
        IpAddr::V6(addr) => find_v6(&GUARDED_V6, addr)
            .map(|(range, kind)| (IpNet::V6(range), kind))
            .or_else(|| {
                let (_, kind) = find_v4(&GUARDED_V4, embedded_v4(addr)?)?;
                Some((IpNet::from(IpAddr::V6(addr)), kind))
            }),
    }
}

/// The IPv4 address that an IPv4-compatible, NAT64 or 6to4 address leads to.
fn embedded_v4(addr: Ipv6Addr) -> Option<Ipv4Addr> {
    let [high, low] = match addr.segments() {
        [0, 0, 0, 0, 0, 0, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => [high, low],
        [0x2002, high, low, ..] => [high, low],
        _ => return None,
    };
    let [[a, b], [c, d]] = [high.to_be_bytes(), low.to_be_bytes()];
    Some(Ipv4Addr::new(a, b, c, d))
}

fn find_v4(table: &[(Ipv4Net, AddressKind)], addr: Ipv4Addr) -> Option<(Ipv4Net, AddressKind)> {
    table
        .iter()
        .find(|(range, _)| range.contains(&addr))
        .copied()
}

fn find_v6(table: &[(Ipv6Net, AddressKind)], addr: Ipv6Addr) -> Option<(Ipv6Net, AddressKind)> {
    table
        .iter()
        .find(|(range, _)| range.contains(&addr))
        .copied()
}

#[cfg(test)]
mod tests;
