//! robots.txt of each origin of a site.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;
use url::Url;

use super::exchange::Exchange;
use super::robots::ask_robots;
use crate::address::at_origin;
use crate::gather::FetchError;
use crate::gather::robots::{RobotsRules, RobotsState};
use crate::options::PRODUCT_TOKEN;

type Answer = Arc<OnceCell<Result<Known, FetchError>>>;

/// What is known of another origin's robots.txt.
#[derive(Debug)]
struct Known {
    rules: RobotsRules,
    /// The status, if any, of a file that could not be reached.
    unreachable: Option<Option<u16>>,
}

impl Known {
    fn of(state: &RobotsState) -> Self {
        Self {
            rules: state.rules_for(PRODUCT_TOKEN),
            unreachable: match state {
                RobotsState::Unreachable { status } => Some(*status),
                RobotsState::Found(_) | RobotsState::Missing => None,
            },
        }
    }
}

/// The rules of the origins that make a site. A robots.txt holds for one scheme and authority alone
/// (RFC 9309, section 2.3); a site may have several: http beside https, `www.` beside none.
#[derive(Debug)]
pub(crate) struct Origins {
    start: Url,
    rules: RobotsRules,
    /// Those of other origins, by the URL of their robots.txt; each is asked for once. None where
    /// robots.txt is not obeyed.
    others: Option<Mutex<HashMap<Url, Answer>>>,
}

impl Origins {
    /// The site that begins at `start`, where `robots` holds; of `asked` the answers are known.
    pub(crate) fn new(start: &Url, robots: &RobotsState, asked: &[(Url, RobotsState)]) -> Self {
        let known = asked.iter().map(|(url, state)| {
            let known = Known::of(state);
            (url.clone(), Arc::new(OnceCell::new_with(Some(Ok(known)))))
        });
        Self {
            start: start.clone(),
            rules: robots.rules_for(PRODUCT_TOKEN),
            others: Some(Mutex::new(known.collect())),
        }
    }

    /// A site whose robots.txt is not obeyed.
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

    /// Whether the rules of the start page's origin are those of the URL and forbid it.
    pub(crate) fn forbid(&self, url: &Url) -> bool {
        self.is_start(url) && !self.rules.allows_url(url)
    }

    /// Whether the rules of another origin, which is asked for them first, let the URL be fetched.
    /// URLs of the start page's origin pass: [`Origins::forbid`] judges them without waiting.
    ///
    /// # Errors
    /// When that origin gives no answer at all.
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
            let (state, _) = ask_robots(exchange, &robots).await?;
            Ok(Known::of(&state))
        });
        match answer.await {
            Ok(known) => Ok(known.rules.allows_url(url)),
            Err(error) => Err(error.clone()),
        }
    }

    /// The robots.txt of other origins that could not be reached so far, with the status if there was
    /// any, in the order of their URLs.
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
