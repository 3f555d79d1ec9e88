//! Connections of a tunnel to sites, or to the operator's proxy on the way there.

use std::io;
use std::net::{IpAddr, SocketAddr};

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use url::{Host, Url};

use super::TunnelError;
use super::request::read_head;
use crate::egress::GuardedFetcher;
use crate::gather::{FetchError, FetchErrorKind};

/// Why there is no connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoConnection {
    /// A gate refused the target.
    Refused,
    /// The name has no address, or nobody answers there.
    Unreachable,
}

impl From<FetchError> for NoConnection {
    fn from(error: FetchError) -> Self {
        match error.kind {
            FetchErrorKind::NotAllowed => Self::Refused,
            _ => Self::Unreachable,
        }
    }
}

/// The operator's proxy as the tunnel uses it.
#[derive(Debug, Clone)]
pub(super) struct OperatorProxy {
    host: String,
    port: u16,
    /// The value of `Proxy-Authorization`; empty without a user name.
    credentials: String,
}

impl OperatorProxy {
    /// The proxy of the fetcher; `None` without one.
    pub(super) fn of(fetcher: &GuardedFetcher) -> Result<Option<Self>, TunnelError> {
        let Some(proxy) = &fetcher.proxy else {
            return Ok(None);
        };
        let url = proxy.url();
        if url.scheme() != "http" {
            return Err(TunnelError::ProxyWithTls);
        }
        let credentials = match (url.username(), url.password()) {
            ("", None) => String::new(),
            (name, password) => {
                let decode = |text: &str| percent_decoded(text);
                let pair = [
                    decode(name),
                    b":".to_vec(),
                    decode(password.unwrap_or_default()),
                ];
                format!("Basic {}", data_encoding::BASE64.encode(&pair.concat()))
            }
        };
        Ok(Some(Self {
            host: url.host_str().unwrap_or_default().to_owned(),
            port: url.port_or_known_default().unwrap_or(80),
            credentials,
        }))
    }

    pub(super) fn credentials(&self) -> &str {
        &self.credentials
    }

    async fn connect(&self, fetcher: &GuardedFetcher) -> Result<TcpStream, NoConnection> {
        let literal = self.host.trim_matches(['[', ']']).parse::<IpAddr>();
        let addresses = match literal {
            Ok(address) => [address].into(),
            // The operator's own proxy is not gated.
            Err(_) => {
                let resolved = fetcher.resolver.resolve(&self.host).await;
                resolved.map_err(|_| NoConnection::Unreachable)?
            }
        };
        dial(fetcher, &addresses, self.port).await
    }

    /// Asks the proxy for a connection to a target that passed the gates.
    async fn connect_through(
        &self,
        fetcher: &GuardedFetcher,
        url: &Url,
    ) -> Result<TcpStream, NoConnection> {
        let mut stream = self.connect(fetcher).await?;
        let authority = authority_of(url);
        let mut head = format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n");
        if !self.credentials.is_empty() {
            head.push_str("Proxy-Authorization: ");
            head.push_str(&self.credentials);
            head.push_str("\r\n");
        }
        head.push_str("\r\n");
        let exchange = async {
            stream.write_all(head.as_bytes()).await?;
            let (head, rest) = read_head(&mut stream).await?;
            // A site sends nothing before the first request, so no bytes follow the head.
            let is_open = head.starts_with(b"HTTP/1.") && head.get(8..10) == Some(b" 2");
            Ok::<bool, io::Error>(is_open && rest.is_empty())
        };
        match timeout(fetcher.connect_timeout, exchange).await {
            Ok(Ok(true)) => Ok(stream),
            _ => Err(NoConnection::Unreachable),
        }
    }
}

/// Which kind of connection is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Bytes in both directions.
    Stream,
    /// One request in plain text.
    Request,
}

/// Connects to a URL that passes both gates.
pub(super) async fn connect(
    fetcher: &GuardedFetcher,
    proxy: Option<&OperatorProxy>,
    url: &Url,
    purpose: Purpose,
) -> Result<TcpStream, NoConnection> {
    let (_, addresses) = fetcher.vetted(url).await?;
    match (proxy, purpose) {
        (Some(proxy), Purpose::Stream) => proxy.connect_through(fetcher, url).await,
        (Some(proxy), Purpose::Request) => proxy.connect(fetcher).await,
        (None, _) => {
            let port = url.port_or_known_default().ok_or(NoConnection::Refused)?;
            let stream = dial(fetcher, &addresses, port).await?;
            let peer = stream.peer_addr().map_err(|_| NoConnection::Unreachable)?;
            fetcher.check_address(peer, url)?;
            Ok(stream)
        }
    }
}

/// The first address that accepts a connection.
async fn dial(
    fetcher: &GuardedFetcher,
    addresses: &[IpAddr],
    port: u16,
) -> Result<TcpStream, NoConnection> {
    for address in addresses {
        let address = SocketAddr::new(*address, port);
        #[expect(
            clippy::disallowed_methods,
            reason = "the egress guard opens the sockets; the address passed its gates, or is the operator's proxy"
        )]
        let connecting = TcpStream::connect(address);
        if let Ok(Ok(stream)) = timeout(fetcher.connect_timeout, connecting).await {
            // Small writes of TLS handshakes are not delayed.
            let _ = stream.set_nodelay(true);
            return Ok(stream);
        }
    }
    Err(NoConnection::Unreachable)
}

/// Host and port, as a request for a connection names them.
fn authority_of(url: &Url) -> String {
    let port = url.port_or_known_default().unwrap_or_default();
    match url.host() {
        Some(Host::Ipv6(address)) => format!("[{address}]:{port}"),
        Some(host) => format!("{host}:{port}"),
        None => String::new(),
    }
}

/// User names and passwords are percent-encoded in a URL.
fn percent_decoded(text: &str) -> Vec<u8> {
    let mut decoded = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let pair = after.first_chunk::<2>().filter(|_| *first == b'%');
        let byte = pair.and_then(|pair| {
            let digits = std::str::from_utf8(pair).ok()?;
            u8::from_str_radix(digits, 16).ok()
        });
        rest = match byte {
            Some(_) => after.get(2..).unwrap_or_default(),
            None => after,
        };
        decoded.push(byte.unwrap_or(*first));
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_percent_decoded() {
        assert_eq!(percent_decoded("a%3Ab%40%C3%A9"), "a:b@é".as_bytes());
        assert_eq!(percent_decoded("50%"), b"50%");
        assert_eq!(percent_decoded("%zz%4"), b"%zz%4");
    }

    #[test]
    fn an_authority_always_has_its_port() {
        for (url, authority) in [
            ("https://site.example/", "site.example:443"),
            ("http://site.example/", "site.example:80"),
            ("https://[::1]:8443/", "[::1]:8443"),
        ] {
            assert_eq!(authority_of(&Url::parse(url).unwrap()), authority);
        }
    }
}
