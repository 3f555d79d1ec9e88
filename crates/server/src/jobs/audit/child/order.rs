//! The order to a child: how to audit, what to audit, and within which limits.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use audit_engine::browser::Sandbox;
use audit_engine::egress::EgressOptions;
use cli::BrowserSettings;
use domain::artifact::PicturedRuns;
use domain::ports::AuditOrder;
use domain::render_allowance::{RenderAllowance, RenderLimit};
use domain::run::{Device, Mode, RequestHeaders, RunOptions};
use domain::target::{AllowTarget, AllowTargets};
use domain::waiver::{AppliedWaiver, AuditWaivers};
use serde::{Deserialize, Serialize};

use super::limits::Limits;
use super::waiver::WireWaiver;
use crate::jobs::audit::auditor::CrawlOptions;
use crate::jobs::audit::browser::RunBrowser;

/// Maximum size of an order in bytes. Options, headers, authorities and targets are bounded, and far below.
pub(super) const ORDER_BYTES: u64 = 16 << 20;

/// An order, as written to a child.
#[derive(Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) limits: Limits,
    pub(super) egress: Egress,
    pub(super) crawl: Crawl,
    pub(super) browser: Option<Browser>,
    pub(super) run: Run,
}

/// The browser of the run.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Browser {
    path: Option<PathBuf>,
    has_sandbox: bool,
    memory_bytes: u64,
    contact_url: String,
}

/// The settings of the HTTP client.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Egress {
    allow_targets: Vec<String>,
    own_listeners: Vec<SocketAddr>,
    resolve: HashMap<String, Vec<IpAddr>>,
    dns_server: Option<SocketAddr>,
    proxy: Option<String>,
    extra_ca_pem: Vec<Vec<u8>>,
    user_agent: String,
    connect_timeout: Duration,
    header_timeout: Duration,
    total_timeout: Duration,
}

/// Configuration shared by all audits.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct Crawl {
    external: bool,
    concurrency: Option<usize>,
    max_rate: Option<f64>,
    crawl_budget: Duration,
    #[serde(with = "WirePicturedRuns")]
    pictured: PicturedRuns,
}

/// `domain::artifact::PicturedRuns`.
#[derive(Serialize, Deserialize)]
#[serde(remote = "PicturedRuns")]
enum WirePicturedRuns {
    None,
    WithoutHeaders,
    All,
}

/// The run.
#[derive(Serialize, Deserialize)]
pub(super) struct Run {
    url: String,
    deadline: Duration,
    max_pages: u32,
    max_depth: Option<u32>,
    mode: String,
    device: String,
    include: Vec<String>,
    exclude: Vec<String>,
    headers: BTreeMap<String, String>,
    user_agent: Option<String>,
    respect_robots: bool,
    /// How many pages a browser may show, and the name of the limit.
    rendering: Option<(u64, String)>,
    waivers: Vec<WireWaiver>,
}

/// Why an order cannot be executed: another version or another program wrote it.
#[derive(Debug, thiserror::Error)]
#[error("the order has an unknown {0}")]
pub(super) struct UnknownValue(&'static str);

impl From<&EgressOptions> for Egress {
    fn from(options: &EgressOptions) -> Self {
        Self {
            allow_targets: (options.allow_targets.iter())
                .map(ToString::to_string)
                .collect(),
            own_listeners: options.allow_targets.own_listeners().to_vec(),
            resolve: options.resolve.clone(),
            dns_server: options.dns_server,
            proxy: options.proxy.as_ref().map(|proxy| proxy.url().to_string()),
            extra_ca_pem: options.extra_ca_pem.clone(),
            user_agent: options.user_agent.clone(),
            connect_timeout: options.connect_timeout,
            header_timeout: options.header_timeout,
            total_timeout: options.total_timeout,
        }
    }
}

impl Egress {
    pub(super) fn read(self) -> Result<EgressOptions, UnknownValue> {
        let targets = self.allow_targets.iter().map(|text| text.parse());
        let allow: AllowTargets = targets
            .collect::<Result<Vec<AllowTarget>, _>>()
            .map_err(|_| UnknownValue("target"))?
            .into_iter()
            .collect();
        let allow = allow.with_own_listeners(self.own_listeners);
        let mut options = EgressOptions::new(allow, self.user_agent);
        options.resolve = self.resolve;
        options.dns_server = self.dns_server;
        options.proxy = match self.proxy {
            Some(text) => Some(text.parse().map_err(|_| UnknownValue("proxy"))?),
            None => None,
        };
        options.extra_ca_pem = self.extra_ca_pem;
        options.connect_timeout = self.connect_timeout;
        options.header_timeout = self.header_timeout;
        options.total_timeout = self.total_timeout;
        Ok(options)
    }
}

impl From<&RunBrowser> for Browser {
    fn from(browser: &RunBrowser) -> Self {
        let settings = &browser.settings;
        Self {
            path: settings.path.clone(),
            has_sandbox: settings.sandbox == Sandbox::On,
            memory_bytes: settings.memory_bytes,
            contact_url: browser.contact_url.clone(),
        }
    }
}

impl Browser {
    /// The browser of this process.
    pub(super) fn read(self) -> Option<RunBrowser> {
        let settings = BrowserSettings {
            path: self.path,
            sandbox: match self.has_sandbox {
                true => Sandbox::On,
                false => Sandbox::Off,
            },
            memory_bytes: self.memory_bytes,
        };
        RunBrowser::find(&settings, &self.contact_url)
    }
}

impl From<CrawlOptions> for Crawl {
    fn from(options: CrawlOptions) -> Self {
        let CrawlOptions {
            external,
            concurrency,
            max_rate,
            crawl_budget,
            pictured,
        } = options;
        Self {
            external,
            concurrency,
            max_rate,
            crawl_budget,
            pictured,
        }
    }
}

impl From<Crawl> for CrawlOptions {
    fn from(crawl: Crawl) -> Self {
        let Crawl {
            external,
            concurrency,
            max_rate,
            crawl_budget,
            pictured,
        } = crawl;
        Self {
            external,
            concurrency,
            max_rate,
            crawl_budget,
            pictured,
        }
    }
}

impl From<&AuditOrder> for Run {
    fn from(order: &AuditOrder) -> Self {
        let options = order.options.clone();
        let waivers = order.waivers.as_slice().iter();
        Self {
            url: order.url.clone(),
            deadline: order.deadline,
            max_pages: options.max_pages,
            max_depth: options.max_depth,
            mode: options.mode.as_str().to_owned(),
            device: options.device.as_str().to_owned(),
            include: options.include,
            exclude: options.exclude,
            headers: options.headers.expose().clone(),
            user_agent: options.user_agent,
            respect_robots: options.respect_robots,
            rendering: order
                .rendering
                .map(|allowed| (allowed.pages, allowed.limit.as_str().to_owned())),
            waivers: waivers.cloned().map(Into::into).collect(),
        }
    }
}

impl Run {
    pub(super) fn read(self) -> Result<AuditOrder, UnknownValue> {
        let waivers = self.waivers.into_iter().map(AppliedWaiver::try_from);
        let waivers: Result<AuditWaivers, _> = waivers.collect();
        let rendering = self.rendering.map(|(pages, limit)| {
            let limit = RenderLimit::named(&limit).ok_or(UnknownValue("limit"))?;
            Ok(RenderAllowance { pages, limit })
        });
        Ok(AuditOrder {
            url: self.url,
            options: RunOptions {
                max_pages: self.max_pages,
                max_depth: self.max_depth,
                mode: Mode::named(&self.mode).ok_or(UnknownValue("mode"))?,
                device: Device::named(&self.device).ok_or(UnknownValue("device"))?,
                include: self.include,
                exclude: self.exclude,
                headers: RequestHeaders::stored(self.headers),
                user_agent: self.user_agent,
                respect_robots: self.respect_robots,
            },
            waivers: waivers.map_err(|_| UnknownValue("waiver"))?,
            rendering: rendering.transpose()?,
            deadline: self.deadline,
            isolated: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use domain::id::WaiverId;
    use domain::waiver::{Waiver, WaiverAuthor, WaiverAuthorKind, WaiverState, WaiverTerms};

    use super::*;

    #[test]
    fn an_order_comes_back() {
        let waiver = |name: &str, state| AppliedWaiver {
            waiver: Waiver {
                id: WaiverId::parse("wvr_01KXZZ9Q80000000000000000W").unwrap(),
                terms: WaiverTerms {
                    check_id: "image-alt".to_owned(),
                    path: Some("/archive/*".to_owned()),
                    cause: Some("5a".to_owned()),
                    reason: "The archive is frozen".to_owned(),
                    expires_at: Some(DateTime::UNIX_EPOCH),
                },
                author: WaiverAuthor {
                    kind: WaiverAuthorKind::Key,
                    id: Some("key_1".to_owned()),
                    name: name.to_owned(),
                },
                created_at: Some(DateTime::UNIX_EPOCH),
            },
            state,
            occurrences: 0,
        };
        let waivers = [
            waiver("first", WaiverState::Expired),
            waiver("second", WaiverState::Active),
        ];
        let headers = [("x-preview".to_owned(), "open-sesame".to_owned())];
        let order = AuditOrder {
            url: "https://example.com/a".to_owned(),
            options: RunOptions {
                max_depth: Some(3),
                device: Device::Desktop,
                include: vec!["/a*".to_owned()],
                headers: RequestHeaders::stored(headers.into()),
                user_agent: Some("Somebody/2.0".to_owned()),
                respect_robots: false,
                ..RunOptions::with_max_pages(7)
            },
            rendering: Some(RenderAllowance {
                pages: 40,
                limit: RenderLimit::Month,
            }),
            deadline: Duration::from_millis(1_234),
            isolated: false,
            waivers: waivers.into_iter().collect(),
        };
        let text = serde_json::to_string(&Run::from(&order)).unwrap();
        let read: Run = serde_json::from_str(&text).unwrap();
        assert_eq!(read.read().unwrap(), order);
    }

    #[test]
    fn the_settings_of_the_client_come_back() {
        let targets = ["127.0.0.1:8080", "10.1.0.0/16", "intranet.local:8443"];
        let allow: AllowTargets = targets
            .map(|text| text.parse().unwrap())
            .into_iter()
            .collect();
        let own: SocketAddr = "127.0.0.1:9".parse().unwrap();
        let mut options = EgressOptions::new(allow.with_own_listeners([own]), "Assay/1".to_owned());
        options.resolve = HashMap::from([("a.example".to_owned(), vec![own.ip()])]);
        options.dns_server = Some(own);
        options.proxy = Some("http://user:word@proxy.example:3128".parse().unwrap());
        options.extra_ca_pem = vec![b"pem".to_vec()];
        options.total_timeout = Duration::from_millis(77);
        let text = serde_json::to_string(&Egress::from(&options)).unwrap();
        let read: Egress = serde_json::from_str(&text).unwrap();
        let read = read.read().unwrap();
        assert_eq!(read.allow_targets, options.allow_targets);
        assert_eq!(read.proxy, options.proxy);
        assert_eq!(
            (
                read.resolve,
                read.dns_server,
                read.extra_ca_pem,
                read.total_timeout
            ),
            (
                options.resolve,
                options.dns_server,
                options.extra_ca_pem,
                options.total_timeout
            )
        );
    }
}
