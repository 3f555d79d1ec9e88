//! The operator's exceptions: targets that are visited although the gates refuse them.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use ipnet::IpNet;
use url::Host;

use super::{address, name};

/// One exception: an address, a range of addresses or a host name, on one port or on every port.
///
/// ```
/// use domain::target::AllowTarget;
///
/// for text in ["127.0.0.1", "::1", "10.1.0.0/16", "[::1]:8080", "intranet.local:8443"] {
///     let target: AllowTarget = text.parse().unwrap();
///     assert_eq!(target.to_string(), text);
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AllowTarget {
    host: AllowHost,
    port: Option<u16>,
    source: Source,
}

/// Why a target is an exception.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    /// The operator listed it, so it is the operator's own.
    Listed,
    /// A person typed it as the address to audit. If it is public, it may be anybody's.
    Typed,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum AllowHost {
    /// A single address is a range as long as the address.
    Net(IpNet),
    /// Canonical: lower case, ASCII, without the root dot.
    Name(String),
}

impl AllowTarget {
    /// The exception for the host and port of a URL that a person typed; `None` for a name that cannot exist.
    pub(super) fn from_typed(host: &Host<&str>, port: u16) -> Option<Self> {
        let host = match host {
            Host::Domain(name) => {
                let name = name::canonical(name);
                AllowHost::Name(name::is_host_name(&name).then_some(name)?)
            }
            Host::Ipv4(addr) => AllowHost::Net(IpAddr::V4(*addr).into()),
            Host::Ipv6(addr) => AllowHost::Net(IpAddr::V6(*addr).to_canonical().into()),
        };
        Some(Self {
            host,
            port: Some(port),
            source: Source::Typed,
        })
    }

    /// The port meant, or `None` when every port is meant.
    #[must_use]
    pub const fn port(&self) -> Option<u16> {
        self.port
    }

    /// The addresses meant, or `None` when a name is listed.
    #[must_use]
    pub const fn net(&self) -> Option<IpNet> {
        match self.host {
            AllowHost::Net(net) => Some(net),
            AllowHost::Name(_) => None,
        }
    }

    /// The name meant, lower case and without a root dot, or `None` when addresses are listed.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &self.host {
            AllowHost::Net(_) => None,
            AllowHost::Name(name) => Some(name),
        }
    }

    /// Tells whether the target is the operator's own: listed by the operator, or not reachable from outside.
    fn is_own(&self) -> bool {
        self.source == Source::Listed
            || match &self.host {
                AllowHost::Net(net) => address::classify(net.addr()).is_some(),
                AllowHost::Name(name) => name::classify(name).is_some(),
            }
    }

    fn lists_host(&self, host: &Host<&str>, port: u16) -> bool {
        self.is_for_port(port)
            && match host {
                Host::Domain(name) => self.name() == Some(name::canonical(name).as_str()),
                Host::Ipv4(addr) => self.lists_address(IpAddr::V4(*addr)),
                Host::Ipv6(addr) => self.lists_address(IpAddr::V6(*addr).to_canonical()),
            }
    }

    fn is_for_port(&self, port: u16) -> bool {
        self.port.is_none_or(|listed| listed == port)
    }

    fn lists_address(&self, addr: IpAddr) -> bool {
        let Some(net) = self.net() else {
            return false;
        };
        net.contains(&addr)
            && address::guarded(addr).is_none_or(|(guarded, _)| guarded.contains(&net))
    }
}

impl fmt::Display for AllowTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.host, self.port) {
            (AllowHost::Name(name), None) => f.write_str(name),
            (AllowHost::Name(name), Some(port)) => write!(f, "{name}:{port}"),
            (AllowHost::Net(net), port) if net.prefix_len() == net.max_prefix_len() => match port {
                Some(port) => SocketAddr::new(net.addr(), port).fmt(f),
                None => net.addr().fmt(f),
            },
            (AllowHost::Net(net), None) => net.fmt(f),
            (AllowHost::Net(net), Some(port)) => write!(f, "{net}:{port}"),
        }
    }
}

/// An exception that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a target: {reason}; use an address, a range, or a host with a port, for \
     example 127.0.0.1:8080, 10.1.0.0/16, [::1]:8080 or intranet.local:8443"
)]
pub struct AllowTargetError {
    text: String,
    reason: String,
}

impl FromStr for AllowTarget {
    type Err = AllowTargetError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text.trim()).map_err(|reason| AllowTargetError {
            text: text.trim().to_owned(),
            reason,
        })
    }
}

fn parse(text: &str) -> Result<AllowTarget, String> {
    if text.is_empty() {
        return Err("it is empty".to_owned());
    }
    if text.contains("://") {
        return Err("it is a URL".to_owned());
    }
    // A bare IPv6 address is full of colons, so addresses are tried before `host:port`.
    if let Ok(addr) = text.parse::<IpAddr>() {
        return Ok(AllowTarget {
            host: AllowHost::Net(addr.to_canonical().into()),
            port: None,
            source: Source::Listed,
        });
    }
    if let Some((addr, rest)) = text.split_once('/') {
        return parse_range(addr, rest);
    }
    if let Some(rest) = text.strip_prefix('[') {
        return parse_bracketed(rest);
    }
    let (host, port) = match text.split_once(':') {
        Some((_, port)) if port.contains(':') => {
            return Err("an IPv6 address with a port needs brackets".to_owned());
        }
        Some((host, port)) => (host, Some(parse_port(port)?)),
        None => (text, None),
    };
    let host = match host.parse::<IpAddr>() {
        Ok(addr) => AllowHost::Net(addr.into()),
        Err(_) => AllowHost::Name(parse_name(host)?),
    };
    Ok(AllowTarget {
        host,
        port,
        source: Source::Listed,
    })
}

fn parse_range(addr: &str, rest: &str) -> Result<AllowTarget, String> {
    let bare = addr
        .strip_prefix('[')
        .and_then(|addr| addr.strip_suffix(']'))
        .unwrap_or(addr);
    let addr: IpAddr = bare
        .parse()
        .map_err(|_| format!("`{bare}` before the slash is not an address"))?;
    let (prefix, port) = match rest.split_once(':') {
        Some((prefix, port)) => (prefix, Some(parse_port(port)?)),
        None => (rest, None),
    };
    let prefix_len: u8 = parse_digits(prefix)
        .ok_or_else(|| format!("`{prefix}` after the slash is not a prefix length"))?;
    let net = IpNet::new(addr, prefix_len)
        .map_err(|_| format!("the prefix length {prefix_len} is too long for {addr}"))?;
    Ok(AllowTarget {
        host: AllowHost::Net(unmapped(net).trunc()),
        port,
        source: Source::Listed,
    })
}

/// A range of IPv4-mapped addresses as the IPv4 range in it, because the gate unmaps as well.
fn unmapped(net: IpNet) -> IpNet {
    match (net.addr().to_canonical(), net.prefix_len().checked_sub(96)) {
        (addr @ IpAddr::V4(_), Some(prefix_len)) if net.addr().is_ipv6() => {
            IpNet::new(addr, prefix_len).unwrap_or(net)
        }
        _ => net,
    }
}

fn parse_bracketed(rest: &str) -> Result<AllowTarget, String> {
    let (addr, rest) = rest
        .split_once(']')
        .ok_or_else(|| "the closing bracket is missing".to_owned())?;
    let addr: IpAddr = addr
        .parse::<std::net::Ipv6Addr>()
        .map_err(|_| format!("`{addr}` in the brackets is not an IPv6 address"))?
        .to_canonical();
    let port = match rest.strip_prefix(':') {
        Some(port) => Some(parse_port(port)?),
        None if rest.is_empty() => None,
        None => return Err(format!("`{rest}` after the bracket is not a port")),
    };
    Ok(AllowTarget {
        host: AllowHost::Net(addr.into()),
        port,
        source: Source::Listed,
    })
}

fn parse_port(text: &str) -> Result<u16, String> {
    parse_digits::<u16>(text)
        .filter(|port| *port != 0)
        .ok_or_else(|| format!("`{text}` is not a port from 1 to 65535"))
}

/// Digits only: the standard parser would also take a leading `+`.
fn parse_digits<T: FromStr>(text: &str) -> Option<T> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}

fn parse_name(text: &str) -> Result<String, String> {
    let host = Host::parse(text).map_err(|_| format!("`{text}` is not a host name"))?;
    let name = match host {
        Host::Domain(name) => name::canonical(&name),
        // `10.1.0` would mean 10.1.0.0 in a URL; in a list of exceptions it is more likely a slip.
        Host::Ipv4(addr) => return Err(format!("write the address in full, as {addr}")),
        Host::Ipv6(addr) => return Err(format!("write the address as {addr}")),
    };
    if name::is_host_name(&name) {
        Ok(name)
    } else {
        Err(format!("`{text}` is not a host name"))
    }
}

/// The operator's exceptions together. Empty by default: then only public targets are visited.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowTargets {
    listed: Vec<AllowTarget>,
    own_listeners: Vec<SocketAddr>,
}

impl AllowTargets {
    /// Tells whether nothing is listed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// The exceptions in the order in which they were listed.
    pub fn iter(&self) -> std::slice::Iter<'_, AllowTarget> {
        self.listed.iter()
    }

    /// Names the sockets that this process listens on. They are visited only where
    /// [`AllowTargets::lists_exactly`] says so, whatever wider entry holds them.
    #[must_use]
    pub fn with_own_listeners(mut self, listeners: impl IntoIterator<Item = SocketAddr>) -> Self {
        self.own_listeners = listeners.into_iter().collect();
        self
    }

    /// The sockets that this process listens on.
    #[must_use]
    pub fn own_listeners(&self) -> &[SocketAddr] {
        &self.own_listeners
    }

    /// Tells whether this process listens on this port of every address of the machine. Which addresses
    /// those are is for whoever can ask the system.
    #[must_use]
    pub fn listens_everywhere_on(&self, port: u16) -> bool {
        self.own_listeners
            .iter()
            .any(|own| own.port() == port && own.ip().is_unspecified())
    }

    /// Tells whether this process listens there. The system connects an unspecified address to this
    /// machine, so `0.0.0.0` and `::` count as every listener on the port.
    pub(super) fn is_own_listener(&self, addr: IpAddr, port: u16) -> bool {
        let addr = addr.to_canonical();
        self.own_listeners.iter().any(|own| {
            let own_addr = own.ip().to_canonical();
            own.port() == port
                && (own_addr == addr
                    || addr.is_unspecified()
                    || own_addr.is_unspecified() && addr.is_loopback())
        })
    }

    /// Tells whether the address is listed on this port.
    ///
    /// A link-local or metadata address counts as listed only by an entry that lies within the
    /// same link-local or metadata range; `0.0.0.0/0` does not list 169.254.169.254.
    #[must_use]
    pub fn lists_address(&self, addr: IpAddr, port: u16) -> bool {
        let addr = addr.to_canonical();
        self.iter()
            .any(|target| target.is_for_port(port) && target.lists_address(addr))
    }

    /// Tells whether the host name is listed on this port. Case and a root dot do not matter.
    #[must_use]
    pub fn lists_name(&self, host: &str, port: u16) -> bool {
        let host = name::canonical(host);
        self.iter()
            .any(|target| target.is_for_port(port) && target.name() == Some(host.as_str()))
    }

    /// Tells whether the host of a parsed URL, be it a name or an address, is listed on this port.
    #[must_use]
    pub fn lists_host(&self, host: &Host<&str>, port: u16) -> bool {
        self.iter().any(|target| target.lists_host(host, port))
    }

    /// Tells whether the host of a parsed URL is the operator's own on this port, so that no visitor of somebody else
    /// is disturbed by many requests: it is listed, or it was typed and only private networks can reach it.
    #[must_use]
    pub fn owns_host(&self, host: &Host<&str>, port: u16) -> bool {
        self.iter()
            .any(|target| target.is_own() && target.lists_host(host, port))
    }

    /// Tells whether an entry says exactly this address and this port: what our own listening
    /// socket needs before it may be visited.
    #[must_use]
    pub fn lists_exactly(&self, socket: SocketAddr) -> bool {
        let net = IpNet::from(socket.ip().to_canonical());
        self.iter()
            .any(|target| target.port == Some(socket.port()) && target.net() == Some(net))
    }
}

impl FromIterator<AllowTarget> for AllowTargets {
    fn from_iter<I: IntoIterator<Item = AllowTarget>>(targets: I) -> Self {
        Self {
            listed: targets.into_iter().collect(),
            own_listeners: Vec::new(),
        }
    }
}

impl Extend<AllowTarget> for AllowTargets {
    fn extend<I: IntoIterator<Item = AllowTarget>>(&mut self, targets: I) {
        self.listed.extend(targets);
    }
}

impl<'a> IntoIterator for &'a AllowTargets {
    type Item = &'a AllowTarget;
    type IntoIter = std::slice::Iter<'a, AllowTarget>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests;
