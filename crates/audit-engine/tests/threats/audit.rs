//! Audits and single requests against a hostile server, with timeouts short enough for tests.

use std::time::Duration;

use audit_engine::egress::{EgressOptions, GuardedFetcher};
use audit_engine::gather::{FetchError, Fetcher, Request, Response};
use audit_engine::{Audit, AuditError, AuditOptions, Auditor};
use domain::target::AllowTargets;
use testkit::hostile::{Behaviour, HostileServer};
use url::Url;

/// The header timeout of a client with short timeouts.
pub(crate) const HEADER_TIMEOUT: Duration = Duration::from_millis(300);
/// The total timeout of a client with short timeouts.
pub(crate) const TOTAL_TIMEOUT: Duration = Duration::from_millis(500);
/// An upper bound for any audit with these timeouts, on the slowest machine.
pub(crate) const BOUND: Duration = Duration::from_secs(30);

/// A client that may reach only this server.
pub(crate) fn egress(server: &HostileServer) -> EgressOptions {
    let allow: AllowTargets = [server.target().parse().unwrap()].into_iter().collect();
    EgressOptions::new(allow, "TestBot/1.0".to_owned())
}

/// As [`egress`], with short timeouts.
pub(crate) fn hasty(server: &HostileServer) -> EgressOptions {
    let mut egress = egress(server);
    egress.header_timeout = HEADER_TIMEOUT;
    egress.total_timeout = TOTAL_TIMEOUT;
    egress
}

/// No retry delays and no requests to external hosts.
pub(crate) fn options() -> AuditOptions {
    AuditOptions {
        retry_pause: Duration::ZERO,
        external: false,
        ..AuditOptions::default()
    }
}

/// Audits a site with these behaviors.
pub(crate) fn audit(behaviours: &[Behaviour]) -> (Result<Audit, AuditError>, HostileServer) {
    audit_with(behaviours, options())
}

/// As [`audit`], with other options.
pub(crate) fn audit_with(
    behaviours: &[Behaviour],
    options: AuditOptions,
) -> (Result<Audit, AuditError>, HostileServer) {
    let server = HostileServer::start(behaviours).unwrap();
    let audit = audit_of(&server, egress(&server), options);
    (audit, server)
}

/// As [`audit`], with short timeouts.
pub(crate) fn audit_hastily(
    behaviours: &[Behaviour],
) -> (Result<Audit, AuditError>, HostileServer) {
    let server = HostileServer::start(behaviours).unwrap();
    let audit = audit_of(&server, hasty(&server), options());
    (audit, server)
}

/// Audits the site of a server.
pub(crate) fn audit_of(
    server: &HostileServer,
    egress: EgressOptions,
    options: AuditOptions,
) -> Result<Audit, AuditError> {
    let auditor = Auditor::with_egress(egress, options).unwrap();
    runtime().block_on(async {
        tokio::time::timeout(BOUND, auditor.audit(server.start_url().as_str()))
            .await
            .expect("an audit comes to an end")
    })
}

/// A single request for the entry of a behaviour.
pub(crate) fn fetch(behaviour: Behaviour, limit: u64) -> Result<Response, FetchError> {
    let server = HostileServer::start(&[]).unwrap();
    fetch_from(egress(&server), server.url(behaviour), limit)
}

/// A single request for the entry of a behavior, with short timeouts.
pub(crate) fn fetch_hastily(behaviour: Behaviour, limit: u64) -> Result<Response, FetchError> {
    let server = HostileServer::start(&[]).unwrap();
    fetch_from(hasty(&server), server.url(behaviour), limit)
}

/// A single request with the given client settings.
pub(crate) fn fetch_from(
    egress: EgressOptions,
    url: Url,
    limit: u64,
) -> Result<Response, FetchError> {
    let client = GuardedFetcher::new(egress).unwrap();
    runtime().block_on(client.fetch(Request::get(url, limit)))
}

/// Whether the request of a client without timeouts is still pending after this time.
pub(crate) fn still_waits(behaviour: Behaviour, after: Duration) -> bool {
    let server = HostileServer::start(&[]).unwrap();
    let mut egress = egress(&server);
    egress.header_timeout = Duration::from_secs(3_600);
    egress.total_timeout = Duration::from_secs(3_600);
    let client = GuardedFetcher::new(egress).unwrap();
    let request = Request::get(server.url(behaviour), u64::MAX);
    runtime().block_on(async {
        tokio::time::timeout(after, client.fetch(request))
            .await
            .is_err()
    })
}

/// A crawler without any defense: follows redirects and every link on the same host, breadth first,
/// up to a number of requests. Returns the number of requests it made.
pub(crate) fn naive_crawl(server: &HostileServer, start: &Url, requests: usize) -> usize {
    let client = GuardedFetcher::new(egress(server)).unwrap();
    let mut queue = std::collections::VecDeque::from([start.clone()]);
    let mut seen = std::collections::HashSet::from([start.clone()]);
    let mut made = 0;
    let runtime = runtime();
    while let Some(url) = queue.pop_front() {
        if made == requests {
            break;
        }
        made += 1;
        let Ok(answer) = runtime.block_on(client.fetch(Request::get(url.clone(), 1 << 20))) else {
            continue;
        };
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        let links = text.split("href=\"").skip(1).filter_map(|rest| {
            let href = rest.split('"').next()?.replace("&amp;", "&");
            url.join(&href).ok()
        });
        let found: Vec<Url> = links.chain(answer.redirect_target()).collect();
        for target in found {
            if target.host() == start.host() && seen.insert(target.clone()) {
                queue.push_back(target);
            }
        }
    }
    made
}

/// The number of URLs skipped for the reason.
pub(crate) fn skipped(audit: &Audit, reason: &str) -> u64 {
    audit
        .result
        .coverage
        .skipped
        .iter()
        .filter(|(name, _)| name == reason)
        .map(|(_, count)| *count)
        .sum()
}

/// The subjects that a check reported, sorted.
pub(crate) fn affected(audit: &Audit, check: &str) -> Vec<String> {
    let mut urls: Vec<String> = audit
        .result
        .findings
        .iter()
        .filter(|finding| finding.check_id == check)
        .flat_map(|finding| finding.occurrences().map(|place| place.url.clone()))
        .collect();
    urls.sort();
    urls.dedup();
    urls
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
}

/// Reads a sitemap and everything that index files list, up to `most` files. Returns the number of
/// files it read.
pub(crate) fn naive_sitemaps(server: &HostileServer, behaviour: Behaviour, most: usize) -> usize {
    let client = GuardedFetcher::new(egress(server)).unwrap();
    let mut queue = std::collections::VecDeque::from([server.url(behaviour)]);
    let mut made = 0;
    let runtime = runtime();
    while let Some(url) = queue.pop_front() {
        if made == most {
            break;
        }
        made += 1;
        let answer = runtime.block_on(client.fetch(Request::get(url, 1 << 20)));
        let text = String::from_utf8_lossy(&answer.unwrap().body).into_owned();
        let locs = text.split("<loc>").skip(1);
        queue.extend(locs.filter_map(|rest| Url::parse(rest.split('<').next()?).ok()));
    }
    made
}

/// The requests to the server, sorted, without the soft 404 probe, whose name depends on the port.
pub(crate) fn requests(server: &HostileServer) -> Vec<String> {
    let mut log = server.server().log();
    log.retain(|line| !line.contains("/assay-probe-"));
    log.sort();
    log
}
