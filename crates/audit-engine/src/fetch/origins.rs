//! robots.txt of each origin of a site.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;
use url::Url;

use super::exchange::Exchange;
use super::robots::request_robots;
use crate::address::at_origin;
use crate::gather::FetchError;
use crate::gather::robots::{RobotsRules, RobotsState};
use crate::options::PRODUCT_TOKEN;

type SharedResult = Arc<OnceCell<Result<Known, FetchError>>>;

/// The state of another origin's robots.txt.
#[derive(Debug)]
struct Known {
    rules: RobotsRules,
    /// The status code, if any, of a file that is unreachable.
    unreachable: Option<Option<u16>>,
}

impl Known {
    fn from_state(state: &RobotsState) -> Self {
        Self {
            rules: state.rules_for(PRODUCT_TOKEN),
            unreachable: match state {
                RobotsState::Unreachable { status } => Some(*status),
                RobotsState::Found(_) | RobotsState::Missing => None,
            },
        }
    }
}

/// The robots.txt rules of the origins of a site. A robots.txt applies to one scheme and authority (RFC 9309,
/// section 2.3). A site may have several: http and https, with and without `www.`.
#[derive(Debug)]
pub(crate) struct Origins {
    start: Url,
    rules: RobotsRules,
    /// The rules of other origins, by the URL of their robots.txt. Each is requested once. None if robots.txt
    /// is ignored.
    others: Option<Mutex<HashMap<Url, SharedResult>>>,
}

impl Origins {
    /// The site that begins at `start` with the rules `robots`. `asked` are the robots.txt files that were
    /// requested already.
    pub(crate) fn new(start: &Url, robots: &RobotsState, asked: &[(Url, RobotsState)]) -> Self {
        let known = asked.iter().map(|(url, state)| {
            let known = Known::from_state(state);
            (url.clone(), Arc::new(OnceCell::new_with(Some(Ok(known)))))
        });
        Self {
            start: start.clone(),
            rules: robots.rules_for(PRODUCT_TOKEN),
            others: Some(Mutex::new(known.collect())),
        }
    }

    /// A site whose robots.txt is ignored.
    pub(crate) fn ignored(start: &Url) -> Self {
        Self {
            start: start.clone(),
            rules: RobotsRules::NONE,
            others: None,
        }
    }

    /// The rules of the start page's origin.
    pub(crate) const fn rules(&self) -> &RobotsRules {
        &self.rules
    }

    fn is_start(&self, url: &Url) -> bool {
        self.start.scheme() == url.scheme()
            && self.start.host_str() == url.host_str()
            && self.start.port() == url.port()
    }

    /// Whether the URL is on the start page's origin and its rules disallow it.
    pub(crate) fn forbid(&self, url: &Url) -> bool {
        self.is_start(url) && !self.rules.allows_url(url)
    }

    /// Whether the rules of another origin allow the URL. They are requested first if necessary. URLs of the
    /// start page's origin pass: [`Origins::forbid`] evaluates them without waiting.
    ///
    /// # Errors
    /// If that origin does not respond.
    pub(crate) async fn allow(&self, exchange: &Exchange, url: &Url) -> Result<bool, FetchError> {
        let Some(others) = self.others.as_ref().filter(|_| !self.is_start(url)) else {
            return Ok(true);
        };
        let robots = at_origin(url, "/robots.txt");
        let answer = {
            let mut others = others.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(others.entry(robots.clone()).or_default())
        };
        let answer = answer.get_or_init(|| async {
            let (state, _) = request_robots(exchange, &robots).await?;
            Ok(Known::from_state(&state))
        });
        match answer.await {
            Ok(known) => Ok(known.rules.allows_url(url)),
            Err(error) => Err(error.clone()),
        }
    }

    /// The robots.txt files of other origins that are unreachable so far, with the status code if there was
    /// any, in URL order.
    pub(crate) fn unreachable(&self) -> Vec<(Url, Option<u16>)> {
        let Some(others) = &self.others else {
            return Vec::new();
        };
        let others = others.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<_> = others
            .iter()
            .filter_map(|(url, answer)| {
                let known = answer.get()?.as_ref().ok()?;
                Some((url.clone(), known.unreachable?))
            })
            .collect();
        found.sort();
        found
    }
}
