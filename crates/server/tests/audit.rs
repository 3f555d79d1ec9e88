//! `assay audit` as a user runs it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test ends where something is not as expected"
)]

use std::process::{Command, Output};

use audit_engine::gather::Recording;
use serde_json::Value;
use testkit::LoopbackServer;

const SITE: &str = "=== /\n<!doctype html><html lang=en><title>Home of the ferry</title><h1>Home</h1>\
<a href=/a>A</a><a href=/gone>Gone</a>\n\
=== /a\n<!doctype html><html><title>\u{202e}Evil \u{1b}[31mtitle</title><img src=/x.png>\n";

fn site() -> LoopbackServer {
    let recording = Recording::parse(SITE).unwrap();
    LoopbackServer::start(move |request| {
        let url = url::Url::parse("https://example.com")
            .unwrap()
            .join(&request.target)
            .unwrap();
        let answer = recording
            .answer(&audit_engine::gather::Request::get(url, 1 << 20))
            .unwrap();
        let mut response = testkit::TestResponse::new(answer.status, answer.body);
        for (name, value) in answer.headers.iter() {
            response = response.header(name, value);
        }
        response
    })
    .unwrap()
}

fn assay(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(arguments)
        .current_dir(std::env::temp_dir())
        .output()
        .unwrap()
}

fn audit(server: &LoopbackServer, further: &[&str]) -> Output {
    let (url, target) = (server.url("/").to_string(), server.target());
    let mut arguments = vec!["audit", &url, "--allow-target", &target, "--no-external"];
    arguments.extend(further);
    assay(&arguments)
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The report without what differs from run to run: ids and the time it was made.
fn stable(mut report: Value) -> Value {
    report["createdAt"] = Value::Null;
    for issue in report["issues"].as_array_mut().unwrap() {
        issue["issueId"] = Value::Null;
    }
    report
}

#[test]
fn json_has_the_contracts_keys_and_null_ids() {
    let report = json(&audit(&site(), &["--json"]));
    let keys: Vec<_> = report
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let mut expected = vec![
        "reportId",
        "runId",
        "siteId",
        "url",
        "createdAt",
        "variant",
        "overallScore",
        "subscores",
        "summaries",
        "issues",
        "coverage",
        "scoring",
    ];
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    expected.sort_unstable();
    assert_eq!(sorted, expected);
    for id in ["reportId", "runId", "siteId"] {
        assert!(report[id].is_null(), "{id}");
    }
    assert_eq!(report["coverage"]["pagesAudited"], 2);
    assert_eq!(report["variant"], "current");
}

#[test]
fn two_audits_of_one_site_agree_whatever_the_number_of_connections() {
    let server = site();
    let one = stable(json(&audit(&server, &["--json", "--concurrency", "1"])));
    let many = stable(json(&audit(&server, &["--json", "--concurrency", "32"])));
    assert_eq!(one, many);
}

#[test]
fn robots_txt_is_ignored_where_the_operator_says_so_by_a_visitor_who_still_gives_its_name() {
    let server = LoopbackServer::start(|request| match request.path() {
        "/robots.txt" => testkit::TestResponse::text("User-agent: *\nDisallow: /\n"),
        _ => testkit::TestResponse::html("<!doctype html><title>Home</title>"),
    })
    .unwrap();
    assert_eq!(audit(&server, &[]).status.code(), Some(3));
    assert_eq!(server.hits("/"), 0);
    assert_eq!(audit(&server, &["--ignore-robots"]).status.code(), Some(0));
    assert!(server.hits("/") > 0);
    for request in server.requests() {
        let agent = request.header("user-agent").unwrap_or_default();
        assert!(agent.starts_with("AssayBot/"), "{agent}");
        assert!(agent.contains("(+https://"), "{agent}");
    }
}

#[test]
fn the_printed_sum_gives_the_printed_score() {
    let report = json(&audit(&site(), &["--json"]));
    let mut subscores = Vec::new();
    for (dimension, sum) in report["scoring"]["dimensions"].as_object().unwrap() {
        let (mut weights, mut points) = (0.0, 0.0);
        for check in sum["checks"].as_array().unwrap() {
            let weight = check["weight"].as_f64().unwrap();
            weights += weight;
            points += weight * check["score"].as_f64().unwrap();
        }
        let cap = sum["cap"]["maximum"].as_f64().unwrap_or(100.0);
        let subscore = (100.0 * points / weights + 0.5 + 1e-9).floor().min(cap);
        assert_eq!(
            report["subscores"][dimension].as_f64(),
            Some(subscore),
            "{dimension}"
        );
        subscores.push(subscore);
    }
    let mean = subscores.iter().sum::<f64>() / 6.0;
    assert_eq!(
        report["overallScore"].as_f64(),
        Some((mean + 0.5 + 1e-9).floor())
    );
}

#[test]
fn the_text_report_holds_no_control_characters_of_the_page() {
    let output = audit(&site(), &["--all"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(text.contains("Accessibility"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
}

#[test]
fn progress_goes_to_the_standard_error_only() {
    let output = audit(&site(), &["--json"]);
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("2 pages audited")
    );
}

#[test]
fn a_gate_that_does_not_hold_exits_with_one() {
    let server = site();
    assert_eq!(
        audit(&server, &["--fail-under", "100"]).status.code(),
        Some(1)
    );
    assert_eq!(
        audit(&server, &["--fail-on", "serious"]).status.code(),
        Some(1)
    );
    assert_eq!(
        audit(&server, &["--fail-under", "0"]).status.code(),
        Some(0)
    );
}

#[test]
fn a_single_check_prints_no_score() {
    let output = audit(&site(), &["--check", "html-has-lang"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("html-has-lang") && !text.contains("Overall"),
        "{text}"
    );
}

#[test]
fn an_unknown_check_is_wrong_usage_and_the_nearest_is_named() {
    let output = audit(&site(), &["--check", "html-lang"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("did you mean html-")
    );
}

#[test]
fn wrong_usage_exits_with_two_and_help_with_zero() {
    for arguments in [
        &["audit"][..],
        &["audit", "https://e.com", "--max-pages", "0"],
        &["fly"],
    ] {
        assert_eq!(assay(arguments).status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(assay(&["--help"]).status.code(), Some(0));
    assert_eq!(assay(&["--version"]).status.code(), Some(0));
}

#[test]
fn the_catalogue_is_listed_and_explained() {
    let list = String::from_utf8(assay(&["checks"]).stdout).unwrap();
    assert!(list.contains("html-has-lang"));
    let one = String::from_utf8(assay(&["checks", "html-has-lang"]).stdout).unwrap();
    assert!(one.contains("Why it matters"), "{one}");
    assert_eq!(assay(&["checks", "nonsense"]).status.code(), Some(3));
}

#[test]
fn the_report_can_be_written_to_a_file() {
    let file = std::env::temp_dir().join(format!("assay-report-{}.json", std::process::id()));
    let path = file.to_str().unwrap().to_owned();
    let output = audit(&site(), &["--json", "--output", &path]);
    assert!(output.stdout.is_empty());
    let report: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert!(report["overallScore"].is_number());
    std::fs::remove_file(file).unwrap();
}
