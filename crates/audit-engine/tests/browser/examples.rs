//! The two examples of every check that needs a browser, as tests.

use std::sync::Arc;
use std::time::Duration;

use audit_engine::browser::BrowserOptions;
use audit_engine::check::{Check, Example, ExampleKind, Need};
use audit_engine::checks::catalogue;
use audit_engine::egress::{EgressOptions, GuardedFetcher};
use audit_engine::{AuditOptions, Auditor, default_user_agent};
use domain::report::AuditResult;
use testkit::{LoopbackServer, TestRequest, TestResponse};

use crate::chromium::{any, renderer};

#[tokio::test(flavor = "multi_thread")]
async fn the_first_example_of_every_check_that_needs_a_browser_fails_and_the_second_passes() {
    let Some((options, _folder)) = any() else {
        return;
    };
    let needs_browser = |check: &&'static Check| check.needs(Need::Browser);
    let mut wrong = Vec::new();
    for check in catalogue().into_iter().filter(needs_browser) {
        let docs = check.documentation();
        let (Some(failing), Some(passing)) = (docs.failing, docs.passing) else {
            wrong.push(format!("{}: two examples are needed", check.id));
            continue;
        };
        let failed = audit(options.clone(), check, failing).await;
        if failed.findings.is_empty() {
            let id = check.id;
            wrong.push(format!("{id}: the first example must fail: {failed:#?}"));
        }
        let passed = audit(options.clone(), check, passing).await;
        let counted = passed.tallies.checks.iter().any(|tally| tally.judged > 0);
        if !passed.findings.is_empty() || !counted {
            let id = check.id;
            wrong.push(format!("{id}: the second example must pass: {passed:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Audits a site that has the example as its only page.
async fn audit(browser: BrowserOptions, check: &'static Check, example: Example) -> AuditResult {
    assert_eq!(example.kind, ExampleKind::Html, "{}", check.id);
    let site = move |request: &TestRequest| match request.path() {
        "/" => TestResponse::html(example.text.clone()),
        _ => TestResponse::not_found(),
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
        ..AuditOptions::default()
    };
    let fetcher = Arc::new(GuardedFetcher::new(egress).unwrap());
    let chromium = Arc::new(renderer(browser, &[&target]));
    let auditor = Auditor::with_fetcher(fetcher, allow, options).rendering_with(chromium.clone());
    let audited = auditor.audit(server.url("/").as_str()).await;
    chromium.close().await;
    audited.unwrap().result
}
