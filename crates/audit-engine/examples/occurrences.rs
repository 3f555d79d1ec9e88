//! Audits a page as Chromium shows it and prints every occurrence of every check, one JSON object a line:
//! `cargo run -p audit-engine --features every-occurrence --example occurrences -- URL [PAGES]`. A report has at most twenty
//! of a check on a page, so `scripts/axe-agreement` compares these. With a number of pages the site is crawled, and pages are
//! shown as in the mode `auto`. The address may be one of this machine.

use std::error::Error;
use std::io::Write;

use audit_engine::egress::EgressOptions;
use audit_engine::{AuditOptions, Auditor, LabOptions, RenderedPages, default_user_agent};
use domain::run::Device;
use serde_json::json;
use testkit::TrustedBrowser;
use url::Url;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let url = Url::parse(&args.next().ok_or("name a URL")?)?;
    let pages = args.next().map(|pages| pages.parse()).transpose()?;
    let host = url.host_str().ok_or("the URL has no host")?;
    let target = format!("{host}:{}", url.port_or_known_default().unwrap_or(80));
    let allow = std::iter::once(target.parse()?).collect();
    let egress = EgressOptions::new(allow, default_user_agent());
    let browser = TrustedBrowser::new(Device::Mobile, 1, egress.clone())?;
    let options = AuditOptions {
        max_pages: pages.unwrap_or(1),
        rendered_pages: match pages {
            Some(_) => RenderedPages::AsNeeded,
            None => RenderedPages::All,
        },
        // No metric is compared.
        lab: LabOptions {
            pages: 0,
            ..LabOptions::default()
        },
        external: false,
        max_rate: Some(1e6),
        respect_robots: false,
        ..AuditOptions::default()
    };
    let auditor = Auditor::with_egress(egress, options)?;
    let audit = auditor
        .sharing_limits(browser.limiter)
        .rendering_with(browser.renderer.clone())
        .audit(url.as_str())
        .await;
    browser.renderer.close().await;
    let mut out = std::io::stdout().lock();
    for finding in &audit?.result.findings {
        for cause in &finding.causes {
            for place in &cause.occurrences {
                let line = json!({
                    "url": place.url,
                    "checkId": finding.check_id.as_str(),
                    "cause": cause.key,
                    "occurrencesTotal": cause.occurrences_total,
                    "selector": place.selector,
                    "snippet": place.snippet,
                    "message": place.message,
                });
                writeln!(out, "{line}")?;
            }
        }
    }
    Ok(())
}
