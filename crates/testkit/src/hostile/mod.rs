//! A server with selectable hostile behaviors.

mod behaviour;
mod codings;
mod pages;
mod redirects;
mod refusals;
mod resources;
mod robots;
mod sitemaps;
mod spaces;
#[cfg(test)]
mod tests;
mod transport;

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use url::Url;

use crate::{LoopbackServer, TestRequest, TestResponse};

pub use behaviour::{Behaviour, Kind};

/// The pause between two bytes of slow responses. No test waits for their end.
const PAUSE: Duration = Duration::from_millis(20);

/// A [`LoopbackServer`] with the selected [`Behaviour`]s.
///
/// Every behavior responds at its own path, `/name`, whether or not it was selected. The selected ones also
/// make up a site: the start page links to those of [`Kind::Page`], robots.txt lists those of [`Kind::Sitemap`]
/// and is the first of [`Kind::Robots`], and one of [`Kind::Site`] replaces every other page.
///
/// The same requests get the same responses, regardless of time and order.
///
/// ```
/// use testkit::hostile::{Behaviour, HostileServer};
///
/// let server = HostileServer::start(&[Behaviour::Calendar, Behaviour::GzipBomb])?;
/// assert_eq!(server.url(Behaviour::Calendar).path(), "/calendar");
/// assert_eq!(server.hits(Behaviour::Calendar), 0);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct HostileServer {
    server: LoopbackServer,
    robots: Option<Behaviour>,
}

impl HostileServer {
    /// Starts a server whose site has these behaviors.
    ///
    /// # Errors
    /// If no port of 127.0.0.1 can be bound.
    pub fn start(behaviours: &[Behaviour]) -> io::Result<Self> {
        let of_kind = |kind| behaviours.iter().find(move |b| b.kind() == kind).copied();
        let robots = of_kind(Kind::Robots);
        let site = Site {
            robots,
            whole: of_kind(Kind::Site),
            linked: behaviours.to_vec(),
        };
        let server = LoopbackServer::start(move |request| site.answer(request))?;
        Ok(Self { server, robots })
    }

    /// The start page.
    #[must_use]
    pub fn start_url(&self) -> Url {
        self.server.url("/")
    }

    /// The entry page of a behavior.
    #[must_use]
    pub fn url(&self, behaviour: Behaviour) -> Url {
        self.server.url(&behaviour.path())
    }

    /// The number of requests for the behavior, below its path or as the robots.txt.
    #[must_use]
    pub fn hits(&self, behaviour: Behaviour) -> usize {
        let robots = (self.robots == Some(behaviour)).then_some("/robots.txt");
        self.server
            .requests()
            .iter()
            .map(TestRequest::path)
            .filter(|path| {
                Some(*path) == robots
                    || Behaviour::of_path(path).is_some_and(|(found, _)| found == behaviour)
            })
            .count()
    }

    /// The underlying server with its log.
    #[must_use]
    pub const fn server(&self) -> &LoopbackServer {
        &self.server
    }

    /// The address it listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// The `address:port` for `--allow-target`.
    #[must_use]
    pub fn target(&self) -> String {
        self.server.target()
    }
}

struct Site {
    robots: Option<Behaviour>,
    whole: Option<Behaviour>,
    linked: Vec<Behaviour>,
}

impl Site {
    fn answer(&self, request: &TestRequest) -> TestResponse {
        match (request.path(), self.whole) {
            ("/robots.txt", _) => match self.robots {
                Some(behaviour) => answer(behaviour, "", request),
                None => self.robots_txt(request),
            },
            (_, Some(behaviour)) => {
                let below = request
                    .path()
                    .strip_prefix(&behaviour.path())
                    .unwrap_or("/elsewhere");
                answer(behaviour, below, request)
            }
            ("/", None) => self.start_page(),
            (path, None) => match Behaviour::of_path(path) {
                Some((behaviour, rest)) => answer(behaviour, rest, request),
                None => TestResponse::not_found(),
            },
        }
    }

    fn robots_txt(&self, request: &TestRequest) -> TestResponse {
        let lines: String = self
            .linked
            .iter()
            .filter(|behaviour| behaviour.kind() == Kind::Sitemap)
            .map(|behaviour| format!("Sitemap: {}{}\n", origin(request), behaviour.path()))
            .collect();
        TestResponse::text(format!("User-agent: *\nAllow: /\n{lines}"))
    }

    fn start_page(&self) -> TestResponse {
        let links: String = self
            .linked
            .iter()
            .filter(|behaviour| behaviour.kind() == Kind::Page)
            .map(|behaviour| format!("<p><a href=\"{0}\">To {0}</a></p>", behaviour.path()))
            .collect();
        document("The start page", &links)
    }
}

/// The response of the behavior to a path below its own.
fn answer(behaviour: Behaviour, below: &str, request: &TestRequest) -> TestResponse {
    transport::answer(behaviour)
        .or_else(|| codings::answer(behaviour))
        .or_else(|| redirects::answer(behaviour, below))
        .or_else(|| spaces::answer(behaviour, below, request))
        .or_else(|| sitemaps::answer(behaviour, below, request))
        .or_else(|| robots::answer(behaviour, below))
        .or_else(|| pages::answer(behaviour))
        .or_else(|| resources::answer(behaviour, below))
        .or_else(|| refusals::answer(behaviour, below))
        .unwrap_or_else(TestResponse::not_found)
}

/// Scheme, host and port in the request.
fn origin(request: &TestRequest) -> String {
    format!("http://{}", request.header("host").unwrap_or("127.0.0.1"))
}

/// A document with this title and body.
fn document(title: &str, body: &str) -> TestResponse {
    TestResponse::html(format!(
        "<!doctype html><html lang=\"en\"><head><title>{title}</title></head><body><main><h1>{title}</h1>{body}</main></body></html>"
    ))
}

/// The number after the last slash or equals sign; 0 if there is none.
fn number(text: &str) -> u64 {
    text.rsplit(['/', '=', ';'])
        .next()
        .and_then(|digits| digits.parse().ok())
        .unwrap_or(0)
}
