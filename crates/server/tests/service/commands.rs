//! The client commands as users and scripts run them.

use std::process::{Command, Output};

use serde_json::Value;
use testkit::{LoopbackServer, TestResponse};

use crate::{Home, Kind, Service, site};

/// Runs a client command against a service.
fn assay(service: &Service, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(arguments)
        .env("ASSAY_URL", format!("http://{}", service.address))
        .env("ASSAY_API_KEY", service.key())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Returns the output of a command that must succeed.
fn printed(service: &Service, arguments: &[&str]) -> String {
    let output = assay(service, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    text(&output.stdout)
}

fn json(service: &Service, arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(service, &[arguments, &["--json"]].concat())).unwrap()
}

#[test]
fn an_audit_is_started_waited_for_and_read() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    let (site, other) = (site(), site());
    let output = assay(&service, &["start", site.url("/").as_str(), "--wait"]);
    assert!(output.status.success(), "{output:?}");
    let (scores, progress) = (text(&output.stdout), text(&output.stderr));
    for name in [
        "Overall",
        "Performance",
        "Accessibility",
        "SEO",
        "Security",
        "Content",
        "AI readiness",
    ] {
        assert!(scores.contains(name), "{scores}");
    }
    assert!(progress.contains("is queued"), "{progress}");
    assert!(!scores.contains('\u{1b}') && !progress.contains('\u{1b}'));

    let runs = json(&service, &["runs", "list", "--status", "completed"]);
    let run = runs["runs"][0]["runId"].as_str().unwrap();
    let report = runs["runs"][0]["reportId"].as_str().unwrap();
    assert!(printed(&service, &["runs", "show", run, "--wait"]).contains("completed"));
    assert!(printed(&service, &["reports", "show", run, "--all"]).contains("image-alt"));
    let of_interface = service
        .client()
        .get(&format!("/api/mcp/reports/{report}"))
        .body;
    assert_eq!(json(&service, &["reports", "show", report]), of_interface);
    let downloaded = printed(
        &service,
        &["reports", "download", report, "--format", "json"],
    );
    assert_eq!(
        serde_json::from_str::<Value>(&downloaded).unwrap(),
        of_interface
    );

    let host = site.target();
    assert!(printed(&service, &["history", &host]).contains(run));
    assert_eq!(
        json(&service, &["schedule", "show", &host])["enabled"],
        false
    );
    assert!(printed(&service, &["sites"]).contains(&host));
    let waiver = json(
        &service,
        &[
            "waivers",
            "add",
            &host,
            "csp-missing",
            "--path",
            "/archive/",
            "--reason",
            "Static pages",
            "--expires",
            "2099-01-31",
        ],
    );
    assert_eq!(waiver["expiresAt"], "2099-01-31T00:00:00.000Z");
    let id = waiver["waiverId"].as_str().unwrap();
    assert!(printed(&service, &["waivers", "list", &host]).contains("Static pages"));
    assay(&service, &["waivers", "remove", &host, id]);
    assert!(printed(&service, &["waivers", "list", &host]).contains("No waivers"));
    assert!(printed(&service, &["account"]).contains("admin"));
    let added = printed(
        &service,
        &["sites", "add", other.url("/").as_str(), "--name", "Other"],
    );
    assert!(printed(&service, &["sites", "list"]).contains(added.trim()));
    assay(&service, &["sites", "remove", added.trim(), "--yes"]);
    assert!(!printed(&service, &["sites"]).contains(added.trim()));

    let gated = assay(
        &service,
        &[
            "start",
            site.url("/").as_str(),
            "--wait",
            "--fail-under",
            "100",
        ],
    );
    assert_eq!(gated.status.code(), Some(1), "{gated:?}");
    assert!(text(&gated.stderr).contains("below 100"));
}

#[test]
fn ends_of_ids_and_hosts_are_accepted_for_ids() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    let site = site();
    let host = site.target();
    printed(&service, &["start", site.url("/").as_str(), "--wait"]);
    let runs = json(&service, &["runs"]);
    let run = runs["runs"][0]["runId"].as_str().unwrap();
    let report = runs["runs"][0]["reportId"].as_str().unwrap();
    let action = json(&service, &["actions"])["actions"][0]["actionId"].clone();
    let action = action.as_str().unwrap();
    let end = |id: &str| {
        id.chars()
            .skip(id.len() - 10)
            .collect::<String>()
            .to_lowercase()
    };
    for named in [end(run), end(report), host.clone()] {
        let shown = json(&service, &["runs", "show", &named]);
        assert_eq!(shown["runId"], run, "{named}");
        let shown = json(&service, &["reports", "show", &named]);
        assert_eq!(shown["reportId"], report, "{named}");
    }
    let shown = json(&service, &["actions", "show", &end(action)]);
    assert_eq!(shown["actionId"], action);
    let bare = json(&service, &["schedule", &host]);
    assert_eq!(bare, json(&service, &["schedule", "show", &host]));
    assert_eq!(
        json(&service, &["webhooks"])["webhooks"],
        serde_json::json!([])
    );
}

#[test]
fn an_unknown_name_is_answered_with_the_command_that_lists() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    let site = site();
    printed(&service, &["sites", "add", site.url("/").as_str()]);
    let of_site = site.target();
    for (arguments, expected) in [
        (
            &["runs", "show", "0GHJKM"][..],
            "there is no run 0GHJKM; `assay runs` lists the runs",
        ),
        (
            &["runs", "show", "run_01JD2Y3Z4A5B6C7D8E9F0GHJKM"],
            "there is no run run_01JD2Y3Z4A5B6C7D8E9F0GHJKM; `assay runs` lists the runs",
        ),
        (
            &["runs", "--site", "site_01JD2Y3Z4A5B6C7D8E9F0GHJKM"],
            "there is no site site_01JD2Y3Z4A5B6C7D8E9F0GHJKM; `assay sites` lists the sites",
        ),
        (
            &["history", "site_01ZZZZ"],
            "there is no site site_01ZZZZ; `assay sites` lists the sites",
        ),
        (
            &["reports", "show", "rep_01JD2Y3Z4A5B6C7D8E9F0GHJKM"],
            "there is no report rep_01JD2Y3Z4A5B6C7D8E9F0GHJKM; `assay reports` lists the reports",
        ),
        (
            &["actions", "show", "act_01JD2Y3Z4A5B6C7D8E9F0GHJKM"],
            "there is no action item act_01JD2Y3Z4A5B6C7D8E9F0GHJKM",
        ),
        (
            &["runs", "show", "7N0"],
            "7N0 is too short for the id of a run",
        ),
        (&["runs", "show", &of_site], "has no run yet; `assay start"),
        (
            &["reports", "show", "nowhere.example"],
            "there is no report nowhere.example",
        ),
        (
            &["history", "nowhere.example"],
            "there is no site nowhere.example; `assay sites` lists the sites",
        ),
        (&["schedule", "nowhere.example"], "`assay sites`"),
        (
            &["actions", "show", "0GHJKM"],
            "`assay actions --status all` lists the action items",
        ),
        (
            &["webhooks", "show", "0GHJKM"],
            "`assay webhooks` lists the webhooks",
        ),
        (
            &["actions", "list", "--assignee", "ada@example.com"],
            "`assay account --members`",
        ),
    ] {
        let output = assay(&service, arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {output:?}");
        let error = text(&output.stderr);
        assert!(
            error.starts_with("error[not_found]") && error.contains(expected),
            "{arguments:?}: {error}"
        );
    }
}

#[test]
fn action_items_are_listed_changed_and_handed_off() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    let site = site();
    service.client().report_on(site.url("/").as_str());
    let list = json(
        &service,
        &["actions", "list", "--priority", "critical,high"],
    );
    let (first, second) = (
        &list["actions"][0]["actionId"],
        &list["actions"][1]["actionId"],
    );
    let (first, second) = (first.as_str().unwrap(), second.as_str().unwrap());
    assert!(printed(&service, &["actions", "list"]).contains(first));
    let changed = json(
        &service,
        &[
            "actions",
            "update",
            first,
            "--status",
            "in_progress",
            "--due",
            "2030-01-31",
        ],
    );
    assert_eq!(changed["dueDate"], "2030-01-31");
    let cleared = json(&service, &["actions", "update", first, "--due", "none"]);
    assert_eq!(cleared["dueDate"], Value::Null);
    let dismissed = assay(
        &service,
        &["actions", "update", second, "--status", "dismissed"],
    );
    let offered = text(&dismissed.stderr);
    assert!(offered.contains("assay waivers add site_"), "{offered}");
    assay(&service, &["actions", "update", second, "--status", "open"]);
    printed(&service, &["actions", "comment", first, "Begun."]);
    assert!(printed(&service, &["actions", "show", first]).contains("Begun."));
    let brief = printed(&service, &["actions", "brief", first, "--queue", "--wait"]);
    assert!(brief.starts_with("# "), "{brief}");
    let prompt = printed(&service, &["actions", "handoff", first, second]);
    assert!(prompt.contains("untrusted"), "{prompt}");
    let done = json(&service, &["actions", "list", "--status", "done"]);
    assert_eq!(done["actions"].as_array().unwrap().len(), 0);
}

#[test]
fn failures_have_their_exit_status() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    for (arguments, code, expected) in [
        (&["runs", "show", "run_x"][..], 3, "error[not_found]"),
        (&["reports", "show", "../account"], 3, "error[not_found]"),
        (
            &["start", "http://10.0.0.1/"],
            3,
            "error[target_not_allowed]",
        ),
        (&["start", "no url"], 2, "error[invalid_request]"),
        (&["actions", "update", "act_x"], 2, "required"),
        (&["actions", "handoff"], 2, "required"),
        (&["reports", "download", "rep_x"], 2, "--format"),
        (
            &["account", "--server", "http://assay.example.com"],
            2,
            "--allow-plain-http",
        ),
        (
            &["account", "--server", "http://127.0.0.1:1"],
            3,
            "cannot be reached",
        ),
        (
            &["start", "http://127.0.0.1/", "--fail-under", "9"],
            2,
            "--wait",
        ),
    ] {
        let output = assay(&service, arguments);
        assert_eq!(
            output.status.code(),
            Some(code),
            "{arguments:?}: {output:?}"
        );
        assert!(
            text(&output.stderr).contains(expected),
            "{arguments:?}: {output:?}"
        );
        assert!(!text(&output.stderr).contains(&service.key()));
    }
    let output = assay(&service, &["runs", "show", "run_x", "--json"]);
    let failure: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(failure["error"]["code"], "not_found");
    let without = Command::new(env!("CARGO_BIN_EXE_assay"))
        .arg("account")
        .env_remove("ASSAY_API_KEY")
        .output()
        .unwrap();
    assert_eq!(without.status.code(), Some(2));
    assert!(text(&without.stderr).contains("ASSAY_API_KEY"));
}

#[test]
fn shells_and_manuals_know_every_command() {
    let home = Home::new(Kind::Sqlite);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = Command::new(env!("CARGO_BIN_EXE_assay"))
            .args(["completions", shell])
            .output()
            .unwrap();
        assert!(text(&output.stdout).contains("handoff"), "{shell}");
    }
    let folder = home.path("man");
    let output = Command::new(env!("CARGO_BIN_EXE_assay"))
        .arg("man")
        .arg("--output")
        .arg(&folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    for page in ["assay.1", "assay-start.1", "assay-actions-handoff.1"] {
        let text = std::fs::read_to_string(folder.join(page)).unwrap();
        assert!(
            text.contains(".SH SYNOPSIS") || text.contains(".SH NAME"),
            "{page}"
        );
    }
}

/// Whether GitHub's runner finds a command in a line.
fn commands(text: &str) -> bool {
    text.split(['\n', '\r'])
        .any(|line| line.contains("##[") || line.trim_start().starts_with("::"))
}

#[test]
fn no_command_prints_what_the_runner_of_a_job_obeys() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    let page = "<!doctype html><html lang=en><title>##[error]obey</title><h1>Home</h1>\
        <img src='/x.png?##[error]obey'>";
    let site = LoopbackServer::start(move |request| match request.path() {
        "/" => TestResponse::html(page),
        _ => TestResponse::new(404, "none"),
    })
    .unwrap();
    let in_job = |arguments: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_assay"))
            .args(arguments)
            .env("ASSAY_URL", format!("http://{}", service.address))
            .env("ASSAY_API_KEY", service.key())
            .env("GITHUB_ACTIONS", "true")
            .output()
            .unwrap()
    };
    assert!(
        in_job(&["start", site.url("/").as_str(), "--wait"])
            .status
            .success()
    );
    let runs = json(&service, &["runs", "list"]);
    let report = runs["runs"][0]["reportId"].as_str().unwrap();
    let list = json(&service, &["actions", "list", "--status", "all"]);
    let items = list["actions"].as_array().unwrap();
    let item = items
        .iter()
        .find(|item| item["checkId"] == "image-alt")
        .unwrap();
    let action = item["actionId"].as_str().unwrap();
    let said = "##[error]obey\n::error::obey";
    printed(&service, &["actions", "comment", action, said]);
    printed(
        &service,
        &["actions", "update", action, "--title", "##[error]obey"],
    );
    for arguments in [
        ["reports", "download", report, "--format", "csv"].as_slice(),
        &["reports", "download", report, "--format", "json"],
        &["reports", "download", report, "--format", "sarif"],
        &["reports", "download", report, "--format", "html"],
        &["reports", "download", report, "--format", "llm"],
        &["reports", "show", report, "--json"],
        &["actions", "list"],
        &["actions", "show", action],
        &["actions", "brief", action, "--queue", "--wait"],
        &["actions", "handoff", action],
        &["actions", "handoff", action, "--json"],
    ] {
        let outside = printed(&service, arguments);
        assert!(commands(&outside), "{arguments:?}: {outside}");
        let inside = in_job(arguments);
        assert!(inside.status.success(), "{inside:?}");
        let inside = text(&inside.stdout);
        assert!(!commands(&inside), "{arguments:?}: {inside}");
        assert!(inside.contains("obey"), "{arguments:?}: {inside}");
    }
    let pdf = in_job(&["reports", "download", report, "--format", "pdf"]);
    assert_eq!(pdf.status.code(), Some(2), "{pdf:?}");
}

#[test]
fn a_dimension_that_a_legacy_service_does_not_have_is_wrong_usage() {
    let home = Home::new(Kind::Sqlite);
    std::fs::write(home.path("assay.toml"), "variant = \"legacy\"\n").unwrap();
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    let site = site();
    printed(&service, &["start", site.url("/").as_str(), "--wait"]);
    let runs = json(&service, &["runs", "list"]);
    let report = runs["runs"][0]["reportId"].as_str().unwrap();
    let show = ["reports", "show", report, "--dimension", "ai-readiness"];
    let output = assay(&service, &show);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("security and content"));
}

#[test]
fn places_pages_members_and_items_of_ones_own_have_commands() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    let site = site();
    printed(&service, &["start", site.url("/").as_str(), "--wait"]);
    let run = json(&service, &["runs", "list"])["runs"][0]["runId"].clone();
    let run = run.as_str().unwrap();

    let pages = printed(&service, &["reports", "pages", run]);
    assert!(
        pages.starts_with("STATUS") && pages.contains("200"),
        "{pages}"
    );
    let first = assay(&service, &["reports", "pages", run, "--limit", "1"]);
    let hint = text(&first.stderr);
    let cursor = hint.trim().rsplit(' ').next().unwrap();
    assert!(hint.contains("--cursor"), "{hint}");
    let second = json(
        &service,
        &["reports", "pages", run, "--limit", "1", "--cursor", cursor],
    );
    assert_eq!(second["pages"].as_array().unwrap().len(), 1);

    let by_check = json(&service, &["reports", "occurrences", run, "image-alt"]);
    let report = json(&service, &["reports", "show", run]);
    let issues = report["issues"].as_array().unwrap();
    let issue = issues
        .iter()
        .find(|issue| issue["checkId"] == "image-alt")
        .unwrap();
    let issue = issue["issueId"].as_str().unwrap();
    assert_eq!(
        json(&service, &["reports", "occurrences", run, issue]),
        by_check
    );
    let table = printed(&service, &["reports", "occurrences", run, issue]);
    assert!(
        table.contains(by_check["occurrences"][0]["url"].as_str().unwrap()),
        "{table}"
    );
    let causes = json(&service, &["reports", "causes", run, issue]);
    assert_eq!(
        json(&service, &["reports", "causes", run, "image-alt"]),
        causes
    );
    let cause = causes["causes"][0]["fingerprint"].as_str().unwrap();
    let table = printed(&service, &["reports", "causes", run, issue]);
    assert!(table.contains(cause), "{table}");
    let of_cause = ["reports", "occurrences", run, issue, "--cause", cause];
    assert_eq!(
        json(&service, &of_cause)["occurrencesTotal"],
        causes["causes"][0]["occurrencesTotal"]
    );
    for unknown in [
        ["reports", "occurrences", run, "no-such-check", "--json"].as_slice(),
        &["reports", "causes", run, "no-such-check", "--json"],
        &[
            "reports",
            "occurrences",
            run,
            issue,
            "--cause",
            "00ff",
            "--json",
        ],
    ] {
        let wrong = assay(&service, unknown);
        assert_eq!(wrong.status.code(), Some(3), "{wrong:?}");
        let problem: Value = serde_json::from_slice(&wrong.stdout).unwrap();
        assert_eq!(problem["error"]["code"], "not_found");
    }

    let made = printed(
        &service,
        &[
            "actions",
            "create",
            "Say when the office is open",
            "--site",
            &site.target(),
            "--priority",
            "high",
            "--due",
            "2030-01-31",
            "--description",
            "On the start page.",
        ],
    );
    let item = json(&service, &["actions", "show", made.trim()]);
    assert_eq!(item["title"], "Say when the office is open");
    assert_eq!(item["priority"], "high");
    assert_eq!(item["dueDate"], "2030-01-31");
    assert!(item["siteId"].is_string());

    assert_eq!(
        printed(&service, &["account", "--members"]),
        "No members.\n"
    );
    assert_eq!(
        json(&service, &["account", "--members"])["members"],
        serde_json::json!([])
    );
}
