//! A context of the browser: cookies, storage, cache and proxy of one run, with one tab.

use std::net::SocketAddr;

use domain::run::Device;

use super::cdp::commands::{
    AddScript, AttachToTarget, BypassServiceWorker, CloseTarget, CreateBrowserContext,
    CreateTarget, DisposeBrowserContext, EnableInspector, EnableLog, EnableNetwork, EnablePage,
    EnableRuntime, InterceptFileChooser, MediaFeature, SetAutoAttach, SetDeviceMetrics,
    SetDownloadBehavior, SetMedia, SetTimezone, SetUserAgent,
};
use super::cdp::{CdpError, Session};
use super::flags::Containment;
use super::settle::Purpose;
use super::site_headers::SiteHeaders;
use super::start::Browser;
use super::world::WORLD;

/// Notes changes of the tree, in every document.
const OBSERVER: &str = include_str!("observe.js");

/// Notes what a page paints and what its main thread does, in every document.
const MEASURER: &str = include_str!("measure.js");

/// The window of a device: that of a phone with a touch screen, or of a desktop computer.
const fn window(device: Device) -> SetDeviceMetrics {
    match device {
        Device::Mobile => SetDeviceMetrics {
            width: 412,
            height: 823,
            device_scale_factor: 1.75,
            mobile: true,
        },
        Device::Desktop => SetDeviceMetrics {
            width: 1_350,
            height: 940,
            device_scale_factor: 1.0,
            mobile: false,
        },
    }
}

/// A context with its tab. [`Context::close`] ends it; dropping it ends it soon, as long as the runtime runs.
#[derive(Debug)]
pub(super) struct Context {
    browser: Session,
    id: String,
    is_closed: bool,
    target: String,
    tab: Session,
    headers: SiteHeaders,
}

/// How a context is set up.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContextOptions<'a> {
    pub(super) containment: Containment,
    pub(super) device: Device,
    /// The crawler's name, version and URL.
    pub(super) product: &'a str,
    /// The headers for the site's own origin.
    pub(super) headers: &'a SiteHeaders,
    /// What its pages are loaded for.
    pub(super) purpose: Purpose,
}

impl Context {
    /// Opens a context whose requests all go to the proxy at this address.
    pub(super) async fn open(
        browser: &Browser,
        proxy: SocketAddr,
        options: ContextOptions<'_>,
    ) -> Result<Self, CdpError> {
        let session = browser.session().connection().browser();
        let created = session
            .call(&CreateBrowserContext {
                proxy_server: format!("http://{proxy}"),
                proxy_bypass_list: match options.containment {
                    Containment::Full => "<-loopback>",
                    // Requests to loopback go past the proxy.
                    Containment::None => "",
                },
                dispose_on_detach: true,
            })
            .await?;
        let id = created.id;
        let downloads = SetDownloadBehavior {
            behavior: "deny",
            browser_context_id: &id,
        };
        session.call(&downloads).await?;
        let (target, tab) = open_tab(&session, &id).await?;
        let context = Self {
            browser: session,
            id,
            is_closed: false,
            target,
            tab,
            headers: options.headers.clone(),
        };
        let user_agent = user_agent(browser, options.product);
        context
            .prepare(options.device, &user_agent, options.purpose)
            .await?;
        Ok(context)
    }

    /// The headers for the site's own origin.
    pub(super) const fn headers(&self) -> &SiteHeaders {
        &self.headers
    }

    pub(super) const fn tab(&self) -> &Session {
        &self.tab
    }

    /// The session of the browser, for calls that concern the whole context.
    pub(super) const fn browser(&self) -> &Session {
        &self.browser
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// The main frame of the tab has the id of the tab.
    pub(super) fn main_frame(&self) -> &str {
        &self.target
    }

    /// The same window, preferences and time on every machine. What is noted of a page that is measured is as little as
    /// possible, and it moves as most visitors see it.
    async fn prepare(
        &self,
        device: Device,
        user_agent: &str,
        purpose: Purpose,
    ) -> Result<(), CdpError> {
        let tab = &self.tab;
        tab.call(&EnablePage {}).await?;
        tab.call(&EnableNetwork {}).await?;
        tab.call(&EnableInspector {}).await?;
        tab.call(&window(device)).await?;
        let prefers = |name, value| MediaFeature { name, value };
        let mut features = vec![prefers("prefers-color-scheme", "light")];
        let observer = match purpose {
            Purpose::Snapshot | Purpose::Pictures => {
                tab.call(&EnableRuntime {}).await?;
                tab.call(&EnableLog {}).await?;
                features.push(prefers("prefers-reduced-motion", "reduce"));
                OBSERVER
            }
            Purpose::Metrics { .. } => {
                tab.call(&BypassServiceWorker { bypass: true }).await?;
                MEASURER
            }
        };
        tab.call(&SetMedia { features }).await?;
        tab.call(&SetTimezone { timezone_id: "UTC" }).await?;
        let agent = SetUserAgent {
            user_agent,
            accept_language: "en-US",
        };
        tab.call(&agent).await?;
        let chooser = InterceptFileChooser { enabled: true };
        tab.call(&chooser).await?;
        let attach = SetAutoAttach {
            auto_attach: true,
            wait_for_debugger_on_start: true,
            flatten: true,
        };
        tab.call(&attach).await?;
        let observer = AddScript {
            source: observer,
            world_name: WORLD,
        };
        tab.call(&observer).await?;
        self.headers.begin(tab).await
    }

    /// Closes the tab and everything that the context stored.
    pub(super) async fn close(mut self) {
        // Both fail if the browser has ended.
        let close = CloseTarget {
            target_id: &self.target,
        };
        let _ = self.browser.call(&close).await;
        dispose(&self.browser, &self.id).await;
        self.is_closed = true;
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        if !self.is_closed && self.browser.connection().is_open() {
            let (browser, id) = (
                self.browser.connection().browser(),
                std::mem::take(&mut self.id),
            );
            runtime.spawn(async move { dispose(&browser, &id).await });
        }
    }
}

/// Ends a context with its tabs. Fails if the browser has ended.
async fn dispose(browser: &Session, id: &str) {
    let dispose = DisposeBrowserContext {
        browser_context_id: id,
    };
    let _ = browser.call(&dispose).await;
}

async fn open_tab(browser: &Session, context: &str) -> Result<(String, Session), CdpError> {
    let create = CreateTarget {
        url: "about:blank",
        browser_context_id: context,
    };
    let target = browser.call(&create).await?.id;
    let attach = AttachToTarget {
        target_id: &target,
        flatten: true,
    };
    let attached = browser.call(&attach).await?;
    let tab = browser.connection().session(attached.session);
    Ok((target, tab))
}

/// The browser's own user agent with the name of the crawler. It says that it is a crawler, and not that it has no
/// window: sites tell crawlers what they tell all.
fn user_agent(browser: &Browser, product: &str) -> String {
    let own = browser.user_agent().replace("HeadlessChrome", "Chrome");
    format!("{own} (compatible; {product})")
}
