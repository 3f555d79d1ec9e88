//! A site that blocks the crawler gets no score, whether at the start page or during the crawl.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics on unexpected results"
)]

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use audit_engine::gather::{FetchFuture, Fetcher, Recording, Request};
use audit_engine::{Audit, AuditError, AuditOptions, Auditor};
use domain::FailureCode;
use rstest::rstest;

const START: &str = "https://example.com/";

/// Answers the first requests for a path from one recording, and further ones from another.
struct Switching {
    before: Recording,
    after: Recording,
    patience: usize,
    hits: Mutex<HashMap<String, usize>>,
}

impl Fetcher for Switching {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        let mut all = self.hits.lock().unwrap();
        let hits = all.entry(request.url.path().to_owned()).or_default();
        *hits += 1;
        let recording = if *hits > self.patience {
            &self.after
        } else {
            &self.before
        };
        recording.fetch(request)
    }
}

fn options() -> AuditOptions {
    AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        external: false,
        ..AuditOptions::default()
    }
}

fn run(fetcher: Arc<dyn Fetcher>, options: AuditOptions) -> Result<Audit, AuditError> {
    let auditor = Auditor::with_fetcher(fetcher, Default::default(), options);
    tokio::runtime::Builder::new_multi_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(auditor.audit(START))
}

fn audit(site: &str) -> Result<Audit, AuditError> {
    run(Arc::new(Recording::parse(site).unwrap()), options())
}

fn blocked(site: &str) -> String {
    let error = audit(site).unwrap_err();
    assert_eq!(error.code(), Some(FailureCode::Blocked), "{error}");
    error.to_string()
}

/// A start page that links to pages 0, 1, 2 …, with the responses that the function returns.
fn star(pages: usize, answer: impl Fn(usize) -> &'static str) -> String {
    let links: String = (0..pages)
        .map(|n| format!("<a href=/{n}>{n}</a>"))
        .collect();
    let pages: String = (0..pages)
        .map(|n| format!("=== /{n}\n{}\n", answer(n)))
        .collect();
    format!("=== /\n<title>Home</title>{links}\n{pages}")
}

const PAGE: &str = "<title>A page</title><p>text";
const FORBIDDEN: &str = "HTTP/1.1 403 Forbidden\n";
const TOO_MANY: &str = "HTTP/1.1 429 Too Many Requests\n";
const CHALLENGE: &str = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>";

#[rstest]
#[case("HTTP/1.1 403 Forbidden\n", "status 403")]
#[case("HTTP/1.1 429 Too Many\n", "status 429")]
#[case("HTTP/1.1 999 Denied\n", "status 999")]
#[case(
    "HTTP/1.1 503 Busy\nServer: cloudflare\nCf-Mitigated: challenge\n",
    "status 503 with a browser challenge"
)]
#[case(
    "HTTP/1.1 403 No\nCf-Mitigated: challenge\n",
    "cf-mitigated: challenge"
)]
#[case(CHALLENGE, "status 200 with a challenge page of Cloudflare")]
#[case(
    "<title>Are you human?</title><div class=h-captcha></div>",
    "a CAPTCHA page"
)]
fn a_blocking_start_page_is_evidence(#[case] answer: &str, #[case] sign: &str) {
    let message = blocked(&format!("=== /\n{answer}\n"));
    assert!(message.contains(sign), "{message}");
    assert!(message.contains(START), "{message}");
}

#[rstest]
#[case("HTTP/1.1 503 Busy\nServer: nginx\n", FailureCode::HttpError)]
#[case(
    "HTTP/1.1 503 Maintenance\nServer: cloudflare\nRetry-After: 0\n",
    FailureCode::HttpError
)]
#[case("HTTP/1.1 401 Who\n", FailureCode::HttpError)]
#[case("HTTP/1.1 500 Oops\n", FailureCode::HttpError)]
fn a_site_that_is_down_or_requires_login_is_not_blocking(
    #[case] answer: &str,
    #[case] code: FailureCode,
) {
    let error = audit(&format!("=== /\n{answer}\n")).unwrap_err();
    assert_eq!(error.code(), Some(code), "{error}");
}

#[test]
fn a_start_page_with_a_captcha_in_its_form_is_audited() {
    let page = "<title>Contact</title><form><div class=g-recaptcha></div></form>";
    assert_eq!(
        audit(&format!("=== /\n{page}\n")).unwrap().site.pages.len(),
        1
    );
}

#[rstest]
#[case(TOO_MANY, "status 429")]
#[case("HTTP/1.1 999 Denied\n", "status 999")]
#[case(CHALLENGE, "a challenge page of Cloudflare")]
fn a_site_that_starts_refusing_during_the_crawl_is_blocking(
    #[case] refusal: &'static str,
    #[case] sign: &str,
) {
    let site = star(60, |n| if n < 20 { PAGE } else { refusal });
    let message = blocked(&site);
    assert!(message.contains("https://example.com/29"), "{message}");
    assert!(message.contains(sign), "{message}");
    assert!(message.contains("10 of 31 pages"), "{message}");
}

#[test]
fn the_evidence_is_the_same_with_any_number_of_connections() {
    let site = star(60, |n| if n < 20 { PAGE } else { TOO_MANY });
    let recording = Recording::parse(&site).unwrap();
    let messages = [1, 2, 32].map(|concurrency| {
        let options = AuditOptions {
            concurrency: Some(concurrency),
            ..options()
        };
        run(Arc::new(recording.clone()), options)
            .unwrap_err()
            .to_string()
    });
    assert_eq!(messages[0], messages[1]);
    assert_eq!(messages[0], messages[2]);
}

#[test]
fn nine_consecutive_refusals_are_not_a_block() {
    let site = star(60, |n| {
        if (20..29).contains(&n) {
            TOO_MANY
        } else {
            PAGE
        }
    });
    assert_eq!(audit(&site).unwrap().site.pages.len(), 52);
}

#[test]
fn a_large_members_area_is_not_a_block_while_the_start_page_responds() {
    let site = star(100, |n| {
        if (20..50).contains(&n) {
            FORBIDDEN
        } else {
            PAGE
        }
    });
    assert_eq!(audit(&site).unwrap().site.pages.len(), 71);
}

#[test]
fn forbidden_pages_and_a_now_forbidden_start_page_are_a_block() {
    let site = star(100, |n| if n < 20 { PAGE } else { FORBIDDEN });
    let fetcher = Arc::new(Switching {
        before: Recording::parse(&site).unwrap(),
        after: Recording::parse("=== /\nHTTP/1.1 403 Forbidden\n").unwrap(),
        patience: 1,
        hits: Mutex::default(),
    });
    let same: Arc<dyn Fetcher> = Arc::<Switching>::clone(&fetcher);
    let error = run(same, options()).unwrap_err();
    assert_eq!(error.code(), Some(FailureCode::Blocked), "{error}");
    let message = error.to_string();
    assert!(
        message.contains("the start page https://example.com/"),
        "{message}"
    );
    assert!(message.contains("10 of 31 pages"), "{message}");
    assert_eq!(fetcher.hits.lock().unwrap()["/"], 2);
}

#[test]
fn more_than_half_of_the_pages_refused_is_a_block_in_any_order() {
    let site = star(40, |n| if n % 5 < 2 { PAGE } else { TOO_MANY });
    let message = blocked(&site);
    assert!(message.contains("24 of 41 pages"), "{message}");
    assert!(message.contains("status 429"), "{message}");
}

#[test]
fn mostly_forbidden_pages_are_not_a_block_while_the_start_page_responds() {
    let site = star(40, |n| if n % 5 < 2 { PAGE } else { FORBIDDEN });
    assert_eq!(audit(&site).unwrap().site.pages.len(), 17);
    let members = star(5, |_| FORBIDDEN);
    assert_eq!(audit(&members).unwrap().site.pages.len(), 1);
}

#[test]
fn mostly_forbidden_pages_and_a_now_forbidden_start_page_are_a_block() {
    let site = star(40, |n| if n % 5 < 2 { PAGE } else { FORBIDDEN });
    let fetcher = Arc::new(Switching {
        before: Recording::parse(&site).unwrap(),
        after: Recording::parse("=== /\nHTTP/1.1 403 Forbidden\n").unwrap(),
        patience: 1,
        hits: Mutex::default(),
    });
    let same: Arc<dyn Fetcher> = Arc::<Switching>::clone(&fetcher);
    let error = run(same, options()).unwrap_err();
    assert_eq!(error.code(), Some(FailureCode::Blocked), "{error}");
    let message = error.to_string();
    assert!(message.contains("24 of 41 pages"), "{message}");
    assert!(
        message.contains("the start page https://example.com/"),
        "{message}"
    );
    assert_eq!(fetcher.hits.lock().unwrap()["/"], 2);
}

#[test]
fn half_of_the_pages_refused_is_not_a_block() {
    let site = star(40, |n| if n % 2 == 0 { PAGE } else { FORBIDDEN });
    assert_eq!(audit(&site).unwrap().site.pages.len(), 21);
}

#[test]
fn a_few_refused_pages_of_a_small_site_are_not_a_block() {
    let site = star(4, |_| TOO_MANY);
    assert_eq!(audit(&site).unwrap().site.pages.len(), 1);
    let site = star(5, |_| TOO_MANY);
    assert!(blocked(&site).contains("5 of 6 pages"));
}

#[test]
fn missing_and_failing_pages_are_not_refusals() {
    let site = star(60, |n| match n % 3 {
        0 => "HTTP/1.1 404 Not Found\n",
        1 => "HTTP/1.1 500 Oops\n",
        _ => "HTTP/1.1 401 Who\n",
    });
    assert_eq!(audit(&site).unwrap().site.pages.len(), 1);
}

#[test]
fn a_challenge_page_is_not_audited() {
    let site = star(6, |n| if n == 3 { CHALLENGE } else { PAGE });
    let audit = audit(&site).unwrap();
    assert_eq!(audit.site.pages.len(), 6);
    assert!(audit.site.pages.iter().all(|page| page.url.path() != "/3"));
}
