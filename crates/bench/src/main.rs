//! `bare-crawl URL [--max-pages N] [--connections N]`: follows the links of a site and does nothing else.
//!
//! It is the baseline for the cost of an audit (`scripts/bench-crawl`): it fetches the same pages with the same
//! number of connections, builds a full tree of each, and reads only `a[href]`. It ignores robots.txt and has
//! no rate limit and no other limits, so use it only for your own servers.
//!
//! It prints one line: `pages=… requests=… failed=… seconds=… pages_per_s=… cpu_ms_per_page=… peak_mib=…`.

mod crawl;
mod tree;
mod usage;

use std::num::NonZeroUsize;
use std::time::Instant;

use anyhow::{Context, bail};
use url::Url;

use crawl::Options;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str = "usage: bare-crawl URL [--max-pages N] [--connections N]";

#[tokio::main]
#[expect(clippy::print_stdout, reason = "the line is what the program is for")]
async fn main() -> anyhow::Result<()> {
    let options = options(std::env::args().skip(1))?;
    let begin = Instant::now();
    let crawled = crawl::crawl(options).await?;
    let seconds = begin.elapsed().as_secs_f64();
    let usage = usage::of_this_process()?;
    let pages = f64::from(crawled.pages);
    println!(
        "pages={} requests={} failed={} seconds={seconds:.3} pages_per_s={:.0} cpu_ms_per_page={:.3} peak_mib={:.0}",
        crawled.pages,
        crawled.requests,
        crawled.failed,
        pages / seconds,
        1000.0 * usage.cpu_seconds / pages.max(1.0),
        usage.peak_mib,
    );
    Ok(())
}

fn options(mut args: impl Iterator<Item = String>) -> anyhow::Result<Options> {
    let mut start = None;
    let mut max_pages = u32::MAX;
    let mut connections = crawl::CONNECTIONS;
    while let Some(arg) = args.next() {
        let mut number = || args.next().context(USAGE)?.parse::<u32>().context(USAGE);
        match arg.as_str() {
            "--max-pages" => max_pages = number()?,
            "--connections" => {
                connections = NonZeroUsize::new(usize::try_from(number()?)?).context(USAGE)?;
            }
            url if start.is_none() => start = Some(Url::parse(url).context(USAGE)?),
            _ => bail!(USAGE),
        }
    }
    Ok(Options {
        start: start.context(USAGE)?,
        max_pages,
        connections,
    })
}
