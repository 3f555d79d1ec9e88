//! `measured URL... [--loads N]`: measures the loads of pages in Chromium, as an audit does, and prints how long that takes.
//!
//! The browser has started and the first page has been measured once before the clock begins. It ignores robots.txt and has no
//! rate limit, so use it only for your own servers.
//!
//! It prints a line for each page: `url=… loads=… seconds=… fcp_ms=… lcp_ms=… tbt_ms=… drift_percent=…`, each the median of its
//! loads; the last is how much the speed of the machine changed during a load.

use std::time::Instant;

use anyhow::{Context, anyhow};
use audit_engine::default_user_agent;
use audit_engine::egress::EgressOptions;
use audit_engine::gather::Renderer;
use domain::run::Device;
use testkit::TrustedBrowser;
use url::Url;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str = "usage: measured URL... [--loads N]";

struct Options {
    urls: Vec<Url>,
    loads: u32,
}

#[tokio::main]
#[expect(clippy::print_stdout, reason = "the lines are what the program is for")]
async fn main() -> anyhow::Result<()> {
    let options = options(std::env::args().skip(1))?;
    let first = options.urls.first().context(USAGE)?;
    let mut targets = Vec::new();
    for url in &options.urls {
        let host = url.host_str().context("a URL has no host")?;
        let port = url.port_or_known_default().unwrap_or(80);
        targets.push(format!("{host}:{port}").parse()?);
    }
    let egress = EgressOptions::new(targets.into_iter().collect(), default_user_agent());
    let browser = TrustedBrowser::new(Device::Mobile, 1, egress);
    let renderer = browser.map_err(|error| anyhow!("{error}"))?.renderer;
    renderer.measure(first.clone()).await?;
    for url in &options.urls {
        let (mut seconds, mut drifts) = (Vec::new(), Vec::new());
        let (mut fcp, mut lcp, mut tbt) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..options.loads.max(1) {
            let started_at = Instant::now();
            let load = renderer.measure(url.clone()).await?;
            seconds.push(started_at.elapsed().as_secs_f64());
            let speed = load.benchmark;
            let (before, after) = (f64::from(speed.before), f64::from(speed.after));
            drifts.push(100.0 * (after - before).abs() / before.max(1.0));
            let metrics = load.metrics();
            fcp.push(metrics.fcp_ms.map_or(f64::NAN, f64::from));
            lcp.push(metrics.lcp_ms.map_or(f64::NAN, f64::from));
            tbt.push(metrics.tbt_ms.map_or(f64::NAN, f64::from));
        }
        println!(
            "url={url} loads={} seconds={:.2} fcp_ms={:.0} lcp_ms={:.0} tbt_ms={:.0} drift_percent={:.0}",
            seconds.len(),
            median(seconds),
            median(fcp),
            median(lcp),
            median(tbt),
            median(drifts),
        );
    }
    renderer.close().await;
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn options(mut args: impl Iterator<Item = String>) -> anyhow::Result<Options> {
    let mut options = Options {
        urls: Vec::new(),
        loads: 5,
    };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--loads" => options.loads = args.next().context(USAGE)?.parse().context(USAGE)?,
            url => options.urls.push(Url::parse(url).context(USAGE)?),
        }
    }
    Ok(options)
}
