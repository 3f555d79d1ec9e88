//! `rendered URL [--max-pages N] [--tabs N]`: audits a site as Chromium shows it, every page and with every
//! check, without measuring page loads, and prints what it cost.
//!
//! The browser has started and the first page has been shown once before the clock begins. It ignores robots.txt and has no rate
//! limit, so use it only for your own servers.
//!
//! It prints one line: `tabs=… pages=… rendered=… findings=… seconds=… pages_per_s=… engine_cpu_ms_per_page=…
//! browser_cpu_ms_per_page=… peak_mib=…`.

mod descendants;
mod usage;

use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use audit_engine::egress::EgressOptions;
use audit_engine::gather::Renderer;
use audit_engine::{AuditOptions, Auditor, LabOptions, default_user_agent};
use domain::run::Device;
use testkit::TrustedBrowser;
use url::Url;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str = "usage: rendered URL [--max-pages N] [--tabs N]";

struct Options {
    url: Url,
    max_pages: u32,
    tabs: usize,
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "the line is what the program is for")]
async fn main() -> anyhow::Result<()> {
    let options = options(std::env::args().skip(1))?;
    let host = options.url.host_str().context("the URL has no host")?;
    let target = format!(
        "{host}:{}",
        options.url.port_or_known_default().unwrap_or(80)
    );
    let allow = std::iter::once(target.parse()?).collect();
    let egress = EgressOptions::new(allow, default_user_agent());
    // The audit has no rate limit, and its browser neither.
    let browser = TrustedBrowser::new(Device::Mobile, options.tabs, egress.clone());
    let TrustedBrowser {
        limiter, renderer, ..
    } = browser.map_err(|error| anyhow!("{error}"))?;
    renderer.render(options.url.clone()).await?;
    let audit_options = AuditOptions {
        max_pages: options.max_pages,
        lab: LabOptions {
            pages: 0,
            ..LabOptions::default()
        },
        external: false,
        max_rate: Some(1e6),
        respect_robots: false,
        ..AuditOptions::default()
    };
    let auditor = Auditor::with_egress(egress, audit_options)?
        .sharing_limits(limiter)
        .rendering_with(renderer.clone());
    let (engine_before, browser_before) = (usage::of_this_process()?, descendants::cpu_seconds()?);
    let begin = Instant::now();
    let audit = auditor.audit(options.url.as_str()).await?;
    let seconds = begin.elapsed().as_secs_f64();
    let (engine, browser) = (usage::of_this_process()?, descendants::cpu_seconds()?);
    renderer.close().await;
    let coverage = &audit.result.coverage;
    let pages = f64::from(u32::try_from(coverage.pages_audited)?).max(1.0);
    let findings: usize = audit.result.findings.len();
    println!(
        "tabs={} pages={} rendered={} findings={findings} seconds={seconds:.2} pages_per_s={:.2} engine_cpu_ms_per_page={:.0} browser_cpu_ms_per_page={:.0} peak_mib={:.0}",
        options.tabs,
        coverage.pages_audited,
        coverage.pages_rendered,
        pages / seconds,
        1000.0 * (engine.cpu_seconds - engine_before.cpu_seconds) / pages,
        1000.0 * (browser - browser_before) / pages,
        engine.peak_mib,
    );
    Ok(())
}

fn options(mut args: impl Iterator<Item = String>) -> anyhow::Result<Options> {
    let mut url = None;
    let (mut max_pages, mut tabs) = (60, 2);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--max-pages" => max_pages = args.next().context(USAGE)?.parse().context(USAGE)?,
            "--tabs" => tabs = args.next().context(USAGE)?.parse().context(USAGE)?,
            given if url.is_none() => url = Some(Url::parse(given).context(USAGE)?),
            _ => bail!(USAGE),
        }
    }
    Ok(Options {
        url: url.context(USAGE)?,
        max_pages,
        tabs,
    })
}
