//! Audits every page of the W3C's ACT test cases as a separate site on loopback, and prints which ACT
//! rules failed: `cargo run -p audit-engine --example act -- FOLDER RUN.jsonl [--mode static|rendered]`.
//!
//! With `--mode rendered` the checks run on each page as Chromium renders it. If the page is not HTML, or navigates to
//! another page, they run on the response as it was served.
//!
//! The folder contains `testcases.json` and the pages and assets it references. `RUN.jsonl` gets one line
//! per page: `{"case": "<testcaseId>", "rules_failed": ["<ACT rule id>", …]}`. The standard output
//! contains the agreement rule by rule, as Markdown.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example shows what it does"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "pages come from files here, and are served on loopback"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use audit_engine::check::{Check, Outcome, Rule};
use audit_engine::checks::catalogue;
use audit_engine::egress::EgressOptions;
use audit_engine::gather::{Fetcher, Renderer, Request, Want};
use audit_engine::view::Page;
use audit_engine::{Audit, AuditOptions, Auditor, Evaluated, default_user_agent, evaluate_page};
use domain::Dimension;
use domain::report::Finding;
use domain::run::Device;
use serde_json::{Value, json};
use testkit::{LoopbackServer, TestRequest, TestResponse, TrustedBrowser};
use url::Url;

/// The URL path of the pages' assets.
const ROOT: &str = "/WAI/content-assets/wcag-act-rules/";

/// What the checks need to know of a page.
const WANT: Want = Want {
    focus: true,
    coverage: false,
    pixels: true,
};

/// A rule and one of its test case pages.
struct Case {
    rule: String,
    rule_name: String,
    page: String,
    path: String,
    fails: bool,
    approved: bool,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let folder = PathBuf::from(args.next().ok_or("name the folder of the cases")?);
    let out = args.next().ok_or("name the file to write")?;
    let is_rendered = match (args.next().as_deref(), args.next().as_deref()) {
        (None, None) | (Some("--mode"), Some("static")) => false,
        (Some("--mode"), Some("rendered")) => true,
        _ => return Err("the mode is --mode static or --mode rendered".into()),
    };
    let cases = cases(&folder)?;
    let pages: BTreeMap<&str, &str> = cases
        .iter()
        .map(|case| (case.page.as_str(), case.path.as_str()))
        .collect();
    let server = LoopbackServer::start(move |request| serve(&folder, request))?;
    let auditor = auditor(&server)?;
    let rendering = match is_rendered {
        true => Some(Rendering::new(&server)?),
        false => None,
    };
    let mut failed = BTreeMap::new();
    let mut lines = String::new();
    for (page, path) in pages {
        let url = server.url(&format!("{ROOT}{path}"));
        // Documents that are not HTML are not audited, so no rule is reported.
        let served = match auditor.audit(url.as_str()).await {
            Ok(audit) => rules(&audit),
            Err(_) => BTreeSet::new(),
        };
        let shown = match &rendering {
            Some(rendering) => rendering.rules(&url).await?,
            None => None,
        };
        let rules = shown.unwrap_or(served);
        lines.push_str(&json!({"case": page, "rules_failed": rules}).to_string());
        lines.push('\n');
        failed.insert(page.to_owned(), rules);
    }
    if let Some(rendering) = rendering {
        rendering.browser.renderer.close().await;
    }
    std::fs::write(out, lines)?;
    println!("{}", agreement(&cases, &failed));
    Ok(())
}

fn cases(folder: &Path) -> Result<Vec<Case>, Box<dyn Error>> {
    let list: Value = serde_json::from_slice(&std::fs::read(folder.join("testcases.json"))?)?;
    let cases = list.get("testcases").and_then(Value::as_array);
    let cases = cases.ok_or("testcases.json lists no cases")?.iter();
    let text = |case: &Value, key: &str| case.get(key).and_then(Value::as_str).map(str::to_owned);
    cases
        .map(|case| {
            Some(Case {
                rule: text(case, "ruleId")?,
                rule_name: text(case, "ruleName")?,
                page: text(case, "testcaseId")?,
                path: text(case, "relativePath")?,
                fails: text(case, "expected")? == "failed",
                approved: case.get("approved")?.as_bool()?,
            })
        })
        .collect::<Option<_>>()
        .ok_or_else(|| "a case lacks a field".into())
}

fn serve(folder: &Path, request: &TestRequest) -> TestResponse {
    let Some(path) = request.path().strip_prefix(ROOT) else {
        return TestResponse::not_found();
    };
    if path.split('/').any(|step| step == "..") {
        return TestResponse::not_found();
    }
    let Ok(body) = std::fs::read(folder.join(path)) else {
        return TestResponse::not_found();
    };
    let media_type = match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("svg") => "image/svg+xml",
        Some("xml") => "application/xml",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        _ => "application/octet-stream",
    };
    TestResponse::new(200, body).header("Content-Type", media_type)
}

/// The checks of pages that refer to an ACT rule.
fn checks() -> Vec<&'static Check> {
    let checks = catalogue().into_iter();
    checks
        .filter(|check| matches!(check.rule, Rule::Page(_)))
        .filter(|check| check.dimension == Dimension::Accessibility)
        .filter(|check| check.docs.contains("ACT rule "))
        .collect()
}

/// The settings of requests to the server.
fn egress(server: &LoopbackServer) -> Result<EgressOptions, Box<dyn Error>> {
    let allow = std::iter::once(server.target().parse()?).collect();
    Ok(EgressOptions::new(allow, default_user_agent()))
}

/// Runs the checks on pages as Chromium renders them.
struct Rendering {
    browser: TrustedBrowser,
    checks: Vec<&'static Check>,
    /// What [`reported`] reads of each check.
    references: Vec<Vec<String>>,
}

impl Rendering {
    fn new(server: &LoopbackServer) -> Result<Self, Box<dyn Error>> {
        let browser = TrustedBrowser::new(Device::Desktop, 1, egress(server)?)?;
        let checks = checks();
        let documented = checks.iter().map(|check| check.documentation());
        let references = documented.map(|own| own.references).collect();
        Ok(Self {
            browser,
            checks,
            references,
        })
    }

    /// The rules that fail on the rendered page; `None` if the checks run on the response as it was served.
    async fn rules(&self, url: &Url) -> Result<Option<BTreeSet<String>>, Box<dyn Error>> {
        let request = Request::page(url.clone(), 10_000_000);
        let served = self.browser.fetcher.fetch(request).await?;
        let shown = match self.browser.renderer.render_with(url.clone(), WANT).await {
            Ok(shown) if shown.url == *url => shown,
            Ok(_) => return Ok(None),
            Err(error) => {
                eprintln!("{url}: {error}");
                return Ok(None);
            }
        };
        let page = Page::builder()
            .url(url.as_str())
            .header("content-type", "text/html; charset=utf-8")
            .body(&served.body)
            .rendered(&shown.snapshot)
            .with_events(shown.events);
        let mut rules = BTreeSet::new();
        let judged = evaluate_page(&self.checks, &page);
        for ((check, judged), references) in self.checks.iter().zip(judged).zip(&self.references) {
            if let Evaluated::Answered(Outcome::Failed(failures)) = judged {
                let messages = failures.iter().map(|evidence| evidence.message.as_str());
                let messages: Vec<&str> = messages.collect();
                rules.extend(reported(check.id, references, &messages));
            }
        }
        Ok(Some(rules))
    }
}

/// An auditor for single pages, with the checks that refer to an ACT rule.
fn auditor(server: &LoopbackServer) -> Result<Auditor, Box<dyn Error>> {
    let options = AuditOptions {
        max_pages: 1,
        external: false,
        max_rate: Some(1e6),
        retry_pause: Duration::ZERO,
        only: Some(checks()),
        ..AuditOptions::default()
    };
    Ok(Auditor::with_egress(egress(server)?, options)?)
}

/// The ACT rules that an audit reports as failed.
fn rules(audit: &Audit) -> BTreeSet<String> {
    let of_finding = |finding: &Finding| {
        let messages = finding.occurrences().map(|place| place.message.as_str());
        let messages: Vec<&str> = messages.collect();
        reported(finding.check_id.as_str(), &finding.references, &messages)
    };
    audit.result.findings.iter().flat_map(of_finding).collect()
}

/// The ACT rules of a finding: those that its check references. If a check covers several rules, each
/// rule is about one kind of element, which the messages name.
fn reported(check: &str, references: &[String], messages: &[&str]) -> Vec<String> {
    let words: &[(&str, &str)] = match check {
        "aria-allowed-attr" => &[("5c01ea", "not supported"), ("kb1m8s", "prohibited")],
        "button-name" => &[
            ("97a4e1", "button"),
            ("m6b1q3", "menu item"),
            ("2t702h", "summary"),
        ],
        "list-structure" => &[("bc4a75", "contains no list items")],
        "table-headers" => &[
            ("a25f45", "The attribute headers refers to"),
            ("d0f69e", "This header cell"),
        ],
        "text-spacing-inline" => &[
            ("24afc2", "letter-spacing"),
            ("9e45ec", "word-spacing"),
            ("78fd32", "line-height"),
        ],
        _ => &[],
    };
    let is_about = |rule: &str| {
        let word = words.iter().find(|(known, _)| *known == rule);
        word.is_none_or(|(_, word)| messages.iter().any(|message| message.contains(word)))
    };
    references
        .iter()
        .filter_map(|reference| reference.split_once("ACT rule "))
        .filter_map(|(_, rest)| rest.get(..6))
        .filter(|rule| is_about(rule))
        .map(str::to_owned)
        .collect()
}

/// A table with a row for each rule: failed cases that were reported, and other cases that were.
fn agreement(cases: &[Case], failed: &BTreeMap<String, BTreeSet<String>>) -> String {
    #[derive(Default)]
    struct Row {
        name: String,
        failing: usize,
        caught: usize,
        clean: usize,
        wrong: usize,
    }
    let mut rows: BTreeMap<(bool, &str), Row> = BTreeMap::new();
    for case in cases {
        let rules = failed.get(&case.page);
        let reported = rules.is_some_and(|rules| rules.contains(&case.rule));
        for key in [case.rule.as_str(), ""] {
            let row = rows.entry((!case.approved, key)).or_default();
            row.name = case.rule_name.replace('`', "");
            let (all, found) = if case.fails {
                (&mut row.failing, &mut row.caught)
            } else {
                (&mut row.clean, &mut row.wrong)
            };
            *all += 1;
            *found += usize::from(reported);
        }
    }
    let mut table = String::from(
        "| ACT rule | cases | failing cases reported | others reported |\n| --- | --- | --- | --- |\n",
    );
    for ((proposed, rule), row) in rows {
        let cases = if proposed { "proposed" } else { "approved" };
        let name = match rule {
            "" => format!("**all {cases} cases**"),
            _ => format!("{} ({rule})", row.name),
        };
        table.push_str(&format!(
            "| {name} | {cases} | {} of {} | {} of {} |\n",
            row.caught, row.failing, row.wrong, row.clean
        ));
    }
    table
}
