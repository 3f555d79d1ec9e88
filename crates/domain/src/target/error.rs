//! Why a target is not allowed, with messages for the person who requested it.

use std::fmt;
use std::net::{IpAddr, SocketAddr};

use super::address::AddressKind;
use super::gate::MAX_URL_BYTES;
use super::name::NameKind;

/// Why a target is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The text is not a URL that could be visited at all; on the wire `invalid_request`.
    #[error("{problem}")]
    Invalid {
        /// The error.
        problem: InvalidTarget,
    },
    /// The target may not be visited unless the operator lists it; on the wire
    /// `target_not_allowed`.
    #[error("{refused}")]
    NotAllowed {
        /// The rejected target.
        refused: RefusedTarget,
    },
}

impl TargetError {
    /// The code of this error on the wire.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "invalid_request",
            Self::NotAllowed { .. } => "target_not_allowed",
        }
    }

    /// The exception that would allow this target, for example `127.0.0.1:18101`: what
    /// `allow_targets` in the configuration takes.
    ///
    /// `None` when no exception helps that could be named without telling a resolved address.
    #[must_use]
    pub fn allow_target(&self) -> Option<String> {
        match self {
            Self::Invalid { .. } => None,
            Self::NotAllowed { refused } => refused.allow_target(),
        }
    }

    /// The flag that would allow this target, for example `--allow-target 127.0.0.1:18101`.
    #[must_use]
    pub fn allow_flag(&self) -> Option<String> {
        self.allow_target()
            .map(|target| format!("--allow-target {target}"))
    }
}

/// Why a text is not a usable URL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTarget {
    /// There is no scheme, or it is neither `http` nor `https`.
    #[error("the URL must be absolute with the scheme http or https{}", Hint(.suggestion.as_deref()))]
    NotHttp {
        /// The URL that was probably meant.
        suggestion: Option<String>,
    },
    /// The URL has user information (RFC 3986, section 3.2.1).
    #[error("the URL contains a user name or a password")]
    UserInfo,
    /// The URL is longer than [`MAX_URL_BYTES`].
    #[error("the URL is longer than {MAX_URL_BYTES} bytes")]
    TooLong,
    /// The URL has no host.
    #[error("the URL has no host")]
    NoHost,
    /// The host is no name that could exist in public DNS.
    #[error("the host of the URL is not a host name")]
    HostName,
    /// The URL cannot be parsed; holds the parser's reason.
    #[error("{}", InWords(*.0))]
    Malformed(url::ParseError),
}

impl From<InvalidTarget> for TargetError {
    fn from(problem: InvalidTarget) -> Self {
        Self::Invalid { problem }
    }
}

/// What is wrong with a URL that cannot be parsed. A space or a stray character in the host is the parser's "IDNA error",
/// which tells a person who mistyped an address nothing.
struct InWords(url::ParseError);

impl fmt::Display for InWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use url::ParseError::{
            IdnaError, InvalidDomainCharacter, InvalidIpv4Address, InvalidIpv6Address, InvalidPort,
        };
        match self.0 {
            IdnaError | InvalidDomainCharacter => f.write_str(
                "the host of the URL contains a space or another character that host names cannot have",
            ),
            InvalidPort => f.write_str("the port of the URL is not a number up to 65535"),
            InvalidIpv4Address => f.write_str("the host of the URL is not a valid IPv4 address"),
            InvalidIpv6Address => f.write_str("the host of the URL is not a valid IPv6 address"),
            other => write!(f, "the URL cannot be parsed: {other}"),
        }
    }
}

struct Hint<'a>(Option<&'a str>);

impl fmt::Display for Hint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(url) => write!(f, "; did you mean {url}?"),
            None => Ok(()),
        }
    }
}

/// A rejected target and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusedTarget {
    /// The host is an address that is not public.
    Address {
        /// The address, unmapped.
        addr: IpAddr,
        /// The port of the URL.
        port: u16,
        /// Why the address is not public.
        kind: AddressKind,
    },
    /// The host is a name that only private networks know.
    Name {
        /// The name, lower case and without a root dot.
        host: String,
        /// The port of the URL.
        port: u16,
        /// Why the name is not public.
        kind: NameKind,
    },
    /// The port is not one of those that are visited by default.
    Port {
        /// The host as it stands in the URL, without brackets.
        host: String,
        /// The port of the URL.
        port: u16,
    },
    /// The host is a name that resolved to a forbidden address, which is not disclosed.
    Resolved {
        /// The name, lower case and without a root dot.
        host: String,
        /// The port of the URL.
        port: u16,
        /// Whether the name is listed already, so that listing it does not help.
        listed: bool,
    },
}

impl RefusedTarget {
    fn allow_target(&self) -> Option<String> {
        match self {
            // Nobody's own site stands at a metadata, multicast or reserved address.
            Self::Address { addr, port, kind } => kind
                .opens_by_name()
                .then(|| SocketAddr::new(*addr, *port).to_string()),
            Self::Resolved { listed: true, .. } => None,
            Self::Name { host, port, .. }
            | Self::Port { host, port }
            | Self::Resolved { host, port, .. } => Some(match host.parse::<IpAddr>() {
                Ok(addr) => SocketAddr::new(addr, *port).to_string(),
                Err(_) => format!("{host}:{port}"),
            }),
        }
    }
}

impl fmt::Display for RefusedTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address { addr, kind, .. } => write!(
                f,
                "{addr} is {}; only public addresses are allowed",
                kind.description()
            ),
            Self::Name { host, kind, .. } => match kind {
                NameKind::Localhost => write!(f, "{host} is the local machine"),
                NameKind::SingleLabel => {
                    write!(
                        f,
                        "{host} is a name without a dot, which exists only in private networks"
                    )
                }
                NameKind::PrivateSuffix(suffix) => {
                    write!(
                        f,
                        "{host} ends in .{suffix}, which is used only in private networks"
                    )
                }
            },
            Self::Port { port, .. } => write!(
                f,
                "port {port} is not allowed; allowed ports are 80, 443, 8080 and 8443"
            ),
            Self::Resolved { host, listed, .. } if *listed => write!(
                f,
                "{host} resolves to an address that must be allowed explicitly"
            ),
            Self::Resolved { host, .. } => {
                write!(f, "{host} resolves to an address that is not public")
            }
        }
    }
}

impl From<RefusedTarget> for TargetError {
    fn from(refused: RefusedTarget) -> Self {
        Self::NotAllowed { refused }
    }
}
