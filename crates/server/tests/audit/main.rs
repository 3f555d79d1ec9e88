//! End-to-end tests of `assay audit`.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a failed expectation ends the test"
)]

mod rendered;

use std::process::{Command, Output};

use audit_engine::gather::Recording;
use serde_json::Value;
use testkit::{LoopbackServer, TestResponse};

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
        let mut response = TestResponse::new(answer.status, answer.body);
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

/// Removes the parts of a report that differ from run to run: ids and timestamps.
fn stable(mut report: Value) -> Value {
    report["createdAt"] = Value::Null;
    for issue in report["issues"].as_array_mut().unwrap() {
        issue["issueId"] = Value::Null;
    }
    report
}

#[test]
fn the_host_and_port_that_a_person_typed_are_audited_and_the_last_line_is_the_verdict() {
    let site = LoopbackServer::start(|request| match request.path() {
        "/robots.txt" => TestResponse::not_found(),
        _ => TestResponse::html("<title>Page</title><h1>Page</h1>"),
    })
    .unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(["audit", &site.target(), "--no-external"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let last = text.lines().last().unwrap();
    assert!(
        last.contains(" issues (") && last.contains(" · 1 page in "),
        "{last}"
    );
}

#[test]
fn a_file_of_waivers_accepts_findings_in_gates_and_formats() {
    let server = site();
    let folder = Folder::new("waivers");
    let file = folder.path("accepted.toml");
    let before = json(&audit(&server, &["--json"]));
    let worst = |report: &Value| -> Vec<String> {
        let issues = report["issues"].as_array().unwrap().iter();
        let open = issues.filter(|issue| issue["waived"] != issue["occurrencesTotal"]);
        let severe =
            open.filter(|issue| issue["severity"] == "critical" || issue["severity"] == "serious");
        severe
            .map(|issue| issue["checkId"].as_str().unwrap().to_owned())
            .collect()
    };
    let checks = worst(&before);
    assert!(!checks.is_empty());
    let waivers: String = checks
        .iter()
        .map(|check| format!("[[waiver]]\ncheck = \"{check}\"\nreason = \"Accepted for now\"\n"))
        .collect();
    std::fs::write(&file, &waivers).unwrap();
    assert_eq!(
        audit(&server, &["--fail-on", "serious"]).status.code(),
        Some(1)
    );
    let accepted = audit(&server, &["--fail-on", "serious", "--waivers", &file]);
    assert_eq!(accepted.status.code(), Some(0), "{accepted:?}");
    let text = String::from_utf8(accepted.stdout).unwrap();
    assert!(
        text.contains(&format!(", {} waived", checks.len())),
        "{text}"
    );
    let after = json(&audit(&server, &["--json", "--waivers", &file]));
    assert_eq!(worst(&after), Vec::<String>::new());
    assert_eq!(after["waivers"].as_array().unwrap().len(), checks.len());
    assert_eq!(after["waivers"][0]["author"]["name"], "accepted.toml");
    assert!(after["overallScore"].as_u64() > before["overallScore"].as_u64());
    let sarif = json(&audit(&server, &["--format", "sarif", "--waivers", &file]));
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    for result in results {
        let is_waived = checks
            .iter()
            .any(|check| result["ruleId"] == check.as_str());
        assert_eq!(result["suppressions"].is_array(), is_waived, "{result:#}");
    }
    let markdown = audit(&server, &["--format", "markdown", "--waivers", &file]);
    assert!(
        String::from_utf8(markdown.stdout)
            .unwrap()
            .contains("Accepted for now")
    );
}

#[test]
fn an_error_in_a_file_of_waivers_names_the_line_before_anything_is_requested() {
    let server = site();
    let folder = Folder::new("wrong-waivers");
    let file = folder.path("accepted.toml");
    std::fs::write(&file, "[[waiver]]\ncheck = \"nonsense\"\nreason = \"x\"\n").unwrap();
    let refused = audit(&server, &["--waivers", &file]);
    assert_eq!(refused.status.code(), Some(2));
    let text = String::from_utf8(refused.stderr).unwrap();
    assert!(text.contains("accepted.toml: line 2: check: "), "{text}");
    assert_eq!(server.requests().len(), 0);
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
        "unjudged",
        "waivers",
        "changes",
        "coverage",
        "scoring",
        "lab",
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
fn the_printed_factors_give_the_printed_scores() {
    let report = json(&audit(&site(), &["--json"]));
    let mut parts = 0.0;
    for (dimension, scoring) in report["scoring"]["dimensions"].as_object().unwrap() {
        let number = |value: &Value| value.as_f64().unwrap();
        let checks = scoring["checks"].as_array().unwrap().iter();
        let product = checks
            .filter(|check| check["scope"] != "page")
            .map(|check| 1.0 - number(&check["penalty"]) * number(&check["reach"]))
            .product::<f64>();
        let cap = scoring["cap"]["maximum"].as_f64().unwrap_or(100.0);
        let score = (number(&scoring["pages"]["mean"]) * product).min(cap);
        let printed = number(&report["subscores"][dimension]);
        assert!(
            (score - printed).abs() <= 0.5 + 1e-6,
            "{dimension}: {score}"
        );
        parts += 1.0 / score.max(1.0);
    }
    let overall = 6.0 / parts;
    let printed = report["overallScore"].as_f64().unwrap();
    assert!((overall - printed).abs() <= 0.5 + 1e-6, "{overall}");
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
fn a_failed_gate_exits_with_one() {
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

/// A temporary folder that is removed on drop.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("assay-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, file: &str) -> String {
        self.0.join(file).to_str().unwrap().to_owned()
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.0.join(file)).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn several_forms_are_written_at_once_and_each_by_its_ending() {
    let folder = Folder::new("forms");
    let files = [
        "r.html", "r.md", "r.sarif", "r.xml", "r.csv", "r.json", "r.llm.md",
    ];
    let paths: Vec<_> = files.iter().map(|file| folder.path(file)).collect();
    let mut arguments: Vec<_> = paths
        .iter()
        .flat_map(|path| ["--output", path.as_str()])
        .collect();
    arguments.extend(["--output", "-"]);
    let output = audit(&site(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("Overall"));
    let begins = [
        "<!doctype html>",
        "# Website audit of",
        "{",
        "<?xml",
        "severity,",
        "{",
        "# Website audit: issues",
    ];
    for (file, begin) in files.iter().zip(begins) {
        let text = folder.read(file);
        assert!(
            text.starts_with(begin),
            "{file}: {}",
            text.get(..80).unwrap_or(&text)
        );
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{file}");
    }
}

#[test]
fn a_baseline_accepts_known_issues_and_the_comparison_lists_new_ones() {
    let folder = Folder::new("baseline");
    let saved = folder.path("before.json");
    let server = site();
    let known = audit(&server, &["--save", &saved]);
    assert!(String::from_utf8_lossy(&known.stdout).contains("Overall"));
    assert_eq!(
        audit(&server, &["--fail-on", "minor"]).status.code(),
        Some(1)
    );
    let again = audit(&server, &["--fail-on", "minor", "--baseline", &saved]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));

    // The gate reports an issue that the baseline does not have.
    let mut report: Value = serde_json::from_str(&folder.read("before.json")).unwrap();
    let issues = report["issues"].as_array_mut().unwrap();
    let missing = issues
        .iter()
        .position(|issue| issue["severity"] == "serious")
        .unwrap();
    let missing = issues.remove(missing);
    let older = folder.path("older.json");
    std::fs::write(&older, report.to_string()).unwrap();
    let worse = audit(&server, &["--baseline", &older]);
    assert_eq!(worse.status.code(), Some(1));
    assert!(
        stderr(&worse).contains("one new issue"),
        "{}",
        stderr(&worse)
    );

    let diff = assay(&["diff", &older, &saved, "--json", "--fail-on-new"]);
    assert_eq!(diff.status.code(), Some(1));
    let diff = json(&diff);
    assert_eq!(
        diff["new"][0]["causes"][0]["fingerprint"],
        missing["causes"][0]["fingerprint"]
    );
    assert!(diff["new"][0]["causeFingerprints"].is_null(), "{diff}");
    assert_eq!(
        (
            diff["new"].as_array().unwrap().len(),
            diff["scoreChange"].as_i64()
        ),
        (1, Some(0))
    );
    assert_eq!(
        assay(&["diff", &older, "/nonexistent"]).status.code(),
        Some(2)
    );
}

#[test]
fn a_dimension_alone_is_scored_and_the_whole_is_not() {
    let report = json(&audit(&site(), &["--dimension", "seo", "--json"]));
    assert!(report["subscores"]["seo"].is_number());
    assert!(report["overallScore"].is_null() && report["subscores"]["content"].is_null());
    let output = audit(&site(), &["--dimension", "seo", "--fail-under", "50"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn excluded_pages_are_not_evaluated() {
    let report = json(&audit(&site(), &["--exclude", "/a", "--json"]));
    assert_eq!(report["coverage"]["pagesAudited"], 1);
}

#[test]
fn headers_and_logins_reach_the_site_and_nothing_else() {
    let server = site();
    let folder = Folder::new("secrets");
    let output = audit(
        &server,
        &[
            "--header",
            "X-Preview: hunter2-open",
            "--basic-auth",
            "ada:hunter2-pass",
            "--output",
            "-",
            "--save",
            &folder.path("r.json"),
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for request in server.requests() {
        assert_eq!(request.header("x-preview"), Some("hunter2-open"));
        assert!(
            request
                .header("authorization")
                .unwrap()
                .starts_with("Basic ")
        );
    }
    let printed = format!(
        "{}{}{}",
        stderr(&output),
        String::from_utf8_lossy(&output.stdout),
        folder.read("r.json")
    );
    assert!(!printed.contains("hunter2"));
    let wrong = audit(&server, &["--header", "hunter2"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(!stderr(&wrong).contains("hunter2"), "{}", stderr(&wrong));
}

#[test]
fn a_job_of_github_gets_annotations_and_a_summary() {
    let server = site();
    let folder = Folder::new("summary");
    let (url, target) = (server.url("/").to_string(), server.target());
    let output = Command::new(env!("CARGO_BIN_EXE_assay"))
        .args([
            "audit",
            &url,
            "--allow-target",
            &target,
            "--no-external",
            "--fail-on",
            "serious",
        ])
        .current_dir(std::env::temp_dir())
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", folder.path("summary.md"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let shown = stderr(&output);
    assert!(
        shown.contains("::error title=Assay%3A a gate failed::"),
        "{shown}"
    );
    assert!(!String::from_utf8_lossy(&output.stdout).contains("::error"));
    assert!(folder.read("summary.md").contains("### Fix first"));
}

/// A page whose text contains commands for GitHub's runner, in an image without a text alternative.
fn speaking_site() -> LoopbackServer {
    LoopbackServer::start(|request| match request.path() {
        "/" => testkit::TestResponse::html(
            "<!doctype html><html lang=en><title>Home</title><h1>Home</h1>\
             <img src='/x.png?##[error]obey' class='\n::error::obey'>",
        ),
        _ => TestResponse::new(404, "none"),
    })
    .unwrap()
}

/// Returns the output of its audit, as part of a job or not.
fn spoken(server: &LoopbackServer, format: &str, job: bool, output: std::process::Stdio) -> String {
    let (url, target) = (server.url("/").to_string(), server.target());
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command
        .args(["audit", &url, "--allow-target", &target, "--no-external"])
        .args(["--check", "image-alt", "--format", format, "--all"])
        .current_dir(std::env::temp_dir())
        .env_remove("GITHUB_STEP_SUMMARY")
        .stdout(output);
    if job {
        command.env("GITHUB_ACTIONS", "true");
    } else {
        command.env_remove("GITHUB_ACTIONS");
    }
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// Whether the runner of a job finds a command in a line.
fn commands(text: &str) -> bool {
    text.split(['\n', '\r'])
        .any(|line| line.contains("##[") || line.trim_start().starts_with("::"))
}

#[test]
fn no_form_of_a_report_speaks_to_the_runner_of_a_job() {
    let server = speaking_site();
    for format in [
        "text", "json", "html", "markdown", "sarif", "junit", "csv", "llm",
    ] {
        let outside = spoken(&server, format, false, std::process::Stdio::piped());
        assert!(commands(&outside), "{format}: {outside}");
        let inside = spoken(&server, format, true, std::process::Stdio::piped());
        assert!(!commands(&inside), "{format}: {inside}");
        assert!(inside.contains("error]obey"), "{format}: {inside}");
        match format {
            "json" => assert_eq!(
                stable(serde_json::from_str(&inside).unwrap())["issues"][0]["causes"],
                stable(serde_json::from_str(&outside).unwrap())["issues"][0]["causes"]
            ),
            "sarif" => {
                let results = |text: &str| {
                    serde_json::from_str::<Value>(text).unwrap()["runs"][0]["results"].take()
                };
                assert_eq!(results(&inside), results(&outside));
            }
            "html" | "junit" => assert!(inside.contains("##&#91;error]obey"), "{inside}"),
            _ => assert!(inside.contains("## [error]obey"), "{format}: {inside}"),
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_gets_what_a_job_prints_as_it_is() {
    let server = speaking_site();
    let folder = Folder::new("job");
    for format in ["text", "csv", "json"] {
        let file = std::fs::File::create(folder.path("report")).unwrap();
        spoken(&server, format, true, file.into());
        let written = folder.read("report");
        assert!(written.contains("##[error]obey"), "{written}");
    }
}

/// Converts a report to the format of versions that had an issue for each cause.
fn older(report: &Value) -> Value {
    let mut older = report.clone();
    let issues = report["issues"].as_array().unwrap().iter();
    older["issues"] = issues
        .flat_map(|issue| {
            let causes = issue["causes"].as_array().unwrap().iter();
            causes.map(|cause| {
                let mut of_cause = issue.clone();
                let keys = of_cause.as_object_mut().unwrap();
                for key in [
                    "causes",
                    "causesTotal",
                    "causeFingerprints",
                    "state",
                    "waived",
                ] {
                    keys.remove(key).unwrap();
                }
                for key in [
                    "fingerprint",
                    "affectedPages",
                    "occurrencesTotal",
                    "scoreImpact",
                ] {
                    keys.insert(key.to_owned(), cause[key].clone());
                }
                keys.insert("title".to_owned(), cause["message"].clone());
                keys.insert("occurrences".to_owned(), cause["occurrences"].clone());
                of_cause
            })
        })
        .collect();
    older.as_object_mut().unwrap().remove("unjudged");
    older
}

#[test]
fn a_baseline_of_an_older_version_is_understood() {
    let folder = Folder::new("older-baseline");
    let (saved, path) = (folder.path("now.json"), folder.path("older.json"));
    let server = site();
    audit(&server, &["--save", &saved]);
    let report: Value = serde_json::from_str(&folder.read("now.json")).unwrap();
    std::fs::write(&path, older(&report).to_string()).unwrap();
    let again = audit(&server, &["--fail-on", "info", "--baseline", &path]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert!(
        stderr(&again).contains("against the baseline: 0 new causes"),
        "{}",
        stderr(&again)
    );
    let diff = json(&assay(&["diff", &path, &saved, "--json"]));
    assert_eq!(
        (&diff["new"], &diff["fixed"]),
        (&Value::Array(vec![]), &Value::Array(vec![]))
    );
    let number = |issues: &Value| issues.as_array().unwrap().len();
    assert_eq!(number(&diff["persisting"]), number(&report["issues"]));
}

#[test]
fn a_check_is_held_to_the_number_of_its_causes() {
    let server = site();
    let report = json(&audit(&server, &["--json"]));
    let issues = report["issues"].as_array().unwrap();
    let issue = issues
        .iter()
        .max_by_key(|issue| issue["causesTotal"].as_u64());
    let (check, causes) = (&issue.unwrap()["checkId"], &issue.unwrap()["causesTotal"]);
    let (check, causes) = (check.as_str().unwrap(), causes.as_u64().unwrap());
    let gate = |most: u64| audit(&server, &["--max-issues", &format!("{check}={most}")]);
    assert_eq!(gate(causes).status.code(), Some(0));
    let failed = gate(causes - 1);
    assert_eq!(failed.status.code(), Some(1));
    assert!(stderr(&failed).contains("cause"), "{}", stderr(&failed));
}

#[test]
fn a_comparison_does_not_speak_to_the_runner_of_a_job() {
    let folder = Folder::new("spoken-diff");
    let server = site();
    audit(&server, &["--save", &folder.path("before.json")]);
    let mut after: Value = serde_json::from_str(&folder.read("before.json")).unwrap();
    let cause = &mut after["issues"][0]["causes"][0];
    cause["fingerprint"] = "0123456789abcdef0123456789abcdef".into();
    cause["message"] = "##[error]obey\n::error::obey".into();
    after["issues"][0]["title"] = "##[error]obey\n::error::obey".into();
    std::fs::write(folder.path("after.json"), after.to_string()).unwrap();
    for format in ["text", "markdown", "json"] {
        let output = Command::new(env!("CARGO_BIN_EXE_assay"))
            .args([
                "diff",
                &folder.path("before.json"),
                &folder.path("after.json"),
            ])
            .args(["--format", format])
            .env("GITHUB_ACTIONS", "true")
            .output()
            .unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        assert!(shown.contains("obey"), "{shown}");
        assert!(!commands(&shown), "{shown}");
    }
}

#[test]
fn no_error_speaks_to_the_runner_of_a_job() {
    let output = Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(["audit", "https://example.com"])
        .args(["--include", "##[error]obey"])
        .env("GITHUB_ACTIONS", "true")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let shown = stderr(&output);
    assert!(shown.contains("## [error]obey"), "{shown}");
    assert!(!commands(&shown), "{shown}");
}

#[test]
fn wrong_usage_speaks_to_no_runner_of_a_job() {
    let words = "--x\n::error::pwn ##[error]y";
    for arguments in [
        vec!["actions", "create", words],
        vec!["audit", "https://example.com", "--fail-under", "##[error]x"],
        vec!["##[error]obey"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_assay"))
            .args(&arguments)
            .env("GITHUB_ACTIONS", "true")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let shown = stderr(&output);
        assert!(shown.contains("error]") && !commands(&shown), "{shown}");
    }
    let help = Command::new(env!("CARGO_BIN_EXE_assay"))
        .arg("--help")
        .output()
        .unwrap();
    assert_eq!(help.status.code(), Some(0));
    assert!(!help.stdout.is_empty() && help.stderr.is_empty());
}

#[cfg(unix)]
#[test]
fn a_file_that_is_the_runners_pipe_speaks_to_no_runner_either() {
    let server = speaking_site();
    let (url, target) = (server.url("/").to_string(), server.target());
    let output = Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(["audit", &url, "--allow-target", &target, "--no-external"])
        .args(["--check", "image-alt", "--format", "text", "--all"])
        .args(["--output", "/dev/stdout"])
        .current_dir(std::env::temp_dir())
        .env_remove("GITHUB_STEP_SUMMARY")
        .env("GITHUB_ACTIONS", "true")
        .output()
        .unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("error]obey") && !commands(&shown), "{shown}");
}

#[test]
fn dimensions_missing_from_legacy_reports_cannot_be_a_gate() {
    let server = site();
    let folder = Folder::new("legacy");
    std::fs::write(folder.path("assay.toml"), "variant = \"legacy\"\n").unwrap();
    let config = folder.path("assay.toml");
    for gate in [
        ["--fail-under", "aiReadiness=1"],
        ["--dimension", "aiReadiness"],
        ["--max-issues", "aiReadiness=0"],
        ["--check", "llms-txt-invalid"],
    ] {
        let output = audit(&server, &[gate.as_slice(), &["--config", &config]].concat());
        assert_eq!(output.status.code(), Some(2), "{gate:?}");
        let why = stderr(&output);
        assert!(why.contains("performance, accessibility, seo"), "{why}");
    }
    assert!(server.requests().is_empty());
}

/// The server responds immediately, except for pages after the third one, to which it never responds.
#[cfg(unix)]
#[test]
fn an_audit_that_is_interrupted_tells_what_it_saw() {
    let server = LoopbackServer::start(|request| match request.path() {
        "/" => testkit::TestResponse::html(
            "<title>Home of it</title><a href=/a>a</a><a href=/slow>b</a>",
        ),
        "/a" => testkit::TestResponse::html("<title>The page</title><h1>A</h1>"),
        "/slow" => {
            std::thread::park_timeout(std::time::Duration::from_secs(20));
            testkit::TestResponse::html("<title>Late</title>")
        }
        _ => TestResponse::new(404, "none"),
    })
    .unwrap();
    let (url, target) = (server.url("/").to_string(), server.target());
    let mut child = Command::new(env!("CARGO_BIN_EXE_assay"))
        .args([
            "audit",
            &url,
            "--allow-target",
            &target,
            "--no-external",
            "--json",
        ])
        .current_dir(std::env::temp_dir())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The note about the crawl comes with the first page.
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().unwrap()));
    lines
        .find(|line| line.as_ref().unwrap().contains("crawling"))
        .unwrap()
        .unwrap();
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
    let rest: Vec<_> = lines.map(|line| line.unwrap()).collect();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{rest:?}");
    let report = json(&output);
    assert_eq!(report["coverage"]["stoppedBy"], "cancelled");
    assert_eq!(report["coverage"]["complete"], false);
    assert!(report["coverage"]["pagesAudited"].as_u64().unwrap() >= 1);
}
