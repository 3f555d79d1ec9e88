//! The two examples of every check that needs a browser, as tests.

use std::sync::Arc;
use std::time::Duration;

use audit_engine::browser::ChromiumRenderer;
use audit_engine::check::{Check, Example, Need};
use audit_engine::checks::catalogue;
use audit_engine::egress::{EgressOptions, GuardedFetcher};
use audit_engine::gather::{Fetcher, RECORDING_BASE, Recording, Request};
use audit_engine::{AuditOptions, Auditor, LabOptions, default_user_agent};
use domain::report::AuditResult;
use futures_util::FutureExt;
use testkit::{LoopbackServer, TestRequest, TestResponse};
use url::Url;

use crate::chromium::{any, renderer};

#[tokio::test(flavor = "multi_thread")]
async fn the_first_example_of_every_check_that_needs_a_browser_fails_and_the_second_passes() {
    examples(|check| check.needs(Need::Browser) && !check.needs(Need::Measured)).await;
}

/// A load that is slow enough to fail takes several seconds.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_example_of_every_check_of_measured_pages_fails_and_the_second_passes() {
    examples(|check| check.needs(Need::Measured)).await;
}

async fn examples(of: fn(&&'static Check) -> bool) {
    let Some((options, _folder)) = any() else {
        return;
    };
    // One browser for all: each start takes a second and more.
    let browser = Arc::new(renderer(options, &["127.0.0.0/8"]));
    let mut wrong = Vec::new();
    for check in catalogue().into_iter().filter(of) {
        let docs = check.documentation();
        let (Some(failing), Some(passing)) = (docs.failing, docs.passing) else {
            wrong.push(format!("{}: two examples are needed", check.id));
            continue;
        };
        let failed = audit(&browser, check, failing).await;
        if failed.findings.is_empty() {
            let id = check.id;
            wrong.push(format!("{id}: the first example must fail: {failed:#?}"));
        }
        let passed = audit(&browser, check, passing).await;
        let counted = passed.tallies.checks.iter().any(|tally| tally.judged > 0);
        if !passed.findings.is_empty() || !counted {
            let id = check.id;
            wrong.push(format!("{id}: the second example must pass: {passed:#?}"));
        }
    }
    browser.close().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Audits the site of the example.
async fn audit(
    browser: &Arc<ChromiumRenderer>,
    check: &'static Check,
    example: Example,
) -> AuditResult {
    let recording = Recording::parse(&example.recording()).unwrap();
    let site = move |request: &TestRequest| {
        let url = Url::parse(RECORDING_BASE).unwrap();
        let request = Request::get(url.join(request.path()).unwrap(), u64::MAX);
        // A recording answers at once.
        let answer = recording.fetch(request).now_or_never();
        match answer {
            Some(Ok(answer)) if answer.status != 404 => {
                let of_type = answer.headers.get("content-type").unwrap_or("text/html");
                let response = TestResponse::new(answer.status, answer.body.to_vec())
                    .header("content-type", of_type);
                match answer.headers.get("location") {
                    Some(target) => response.header("location", target),
                    None => response,
                }
            }
            _ => TestResponse::not_found(),
        }
    };
    let server = LoopbackServer::start(site).unwrap();
    let target = server.target();
    let allow: domain::target::AllowTargets = [target.parse().unwrap()].into_iter().collect();
    let egress = EgressOptions::new(allow.clone(), default_user_agent());
    let options = AuditOptions {
        only: Some(vec![check]),
        external: false,
        max_rate: Some(1e6),
        retry_pause: Duration::ZERO,
        // The machine is busy with other tests.
        lab: LabOptions {
            start_page_loads: 1,
            most_drift_percent: 10_000,
            ..LabOptions::default()
        },
        ..AuditOptions::default()
    };
    let fetcher = Arc::new(GuardedFetcher::new(egress).unwrap());
    let auditor = Auditor::with_fetcher(fetcher, allow, options).rendering_with(browser.clone());
    let audited = auditor.audit(server.url("/").as_str()).await;
    audited.unwrap().result
}
