//! robots.txt of each origin of a site.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;
use url::Url;

use super::exchange::Exchange;
use super::options::PRODUCT_TOKEN;
use super::start::ask_robots;
use crate::address::at_origin;
use crate::gather::FetchError;
use crate::gather::robots::{RobotsRules, RobotsState};

type Answer = Arc<OnceCell<Result<RobotsRules, FetchError>>>;

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
            let rules = state.rules_for(PRODUCT_TOKEN);
            (url.clone(), Arc::new(OnceCell::new_with(Some(Ok(rules)))))
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
            Ok(state.rules_for(PRODUCT_TOKEN))
        });
        match answer.await {
            Ok(rules) => Ok(rules.allows_url(url)),
            Err(error) => Err(error.clone()),
        }
    }
}
