//! Runs whose pages a browser shows.

use rstest::rstest;
use serde_json::json;
use testkit::{LoopbackServer, TestResponse, has_browser};

use crate::{Client, Home, Kind, Service};

/// The settings of a process that uses the browser of this machine; tests may run as root.
const WITH_BROWSER: [(&str, &str); 2] = [
    ("ASSAY_BROWSER__RUNS", "here"),
    ("ASSAY_BROWSER__SANDBOX", "off"),
];

/// A site whose title, with the width of the window, comes from a script, and which shows the headers of its request.
fn site() -> LoopbackServer {
    LoopbackServer::start(|request| match request.path() {
        "/" => {
            let preview = request.header("x-preview").unwrap_or_default();
            TestResponse::html(format!(
                "<!doctype html><html lang=en><meta name=viewport content=width=device-width><title>As served</title><main><h1>Ferries</h1><p>Text {preview}</p></main>
                <script>document.title = `Shown ${{innerWidth}} wide`</script></html>"
            ))
        }
        _ => TestResponse::not_found(),
    })
    .unwrap()
}

/// Audits the site with these options, and returns the mode of its report, how many pages were rendered, and the title of
/// its page.
fn audited(
    client: &Client,
    site: &LoopbackServer,
    options: &serde_json::Value,
) -> (String, u64, String) {
    let started = client.post(
        "/api/mcp/start-audit",
        &json!({"url": site.url("/"), "options": options}),
    );
    assert_eq!(started.status, 202, "{started:?}");
    let run = started.body["runId"].as_str().unwrap().to_owned();
    let ended = client.ended(&run);
    assert_eq!(ended["status"], "completed", "{ended:?}");
    let report = ended["reportId"].as_str().unwrap();
    let coverage = client.get(&format!("/api/mcp/reports/{report}")).body["coverage"].clone();
    let pages = client.get(&format!("/api/mcp/reports/{report}/pages")).body;
    (
        coverage["mode"].as_str().unwrap().to_owned(),
        coverage["pagesRendered"].as_u64().unwrap(),
        pages["pages"][0]["title"].as_str().unwrap().to_owned(),
    )
}

#[rstest]
#[case::in_this_process(Kind::Sqlite, "thread")]
#[case::in_a_child_process(Kind::Postgresql, "process")]
fn pages_are_audited_as_the_browser_shows_them(#[case] kind: Kind, #[case] isolation: &str) {
    if !has_browser() {
        return;
    }
    let (home, site) = (Home::new(kind), site());
    let allow = ["--allow-target", &site.target()];
    let [runs, sandbox] = WITH_BROWSER;
    let isolated = ("ASSAY_WORKER__ISOLATION", isolation);
    let service = home.serve_with(&allow, &[runs, sandbox, isolated]);
    let client = service.client();
    let of = |options: serde_json::Value| audited(&client, &site, &options);
    let rendered = |width: u32| ("rendered".to_owned(), 1, format!("Shown {width} wide"));
    assert_eq!(of(json!({"mode": "rendered"})), rendered(412));
    let desktop = json!({"mode": "rendered", "device": "desktop"});
    assert_eq!(of(desktop), rendered(1350));
    assert_eq!(of(json!({})), rendered(412), "auto is the default");
    let fixed = ("static".to_owned(), 0, "As served".to_owned());
    assert_eq!(of(json!({"mode": "static"})), fixed);
    let (status, log) = service.stop();
    assert_eq!(status, Some(0), "{log}");
}

/// A site of four pages that a browser shows as they are.
fn four_pages() -> LoopbackServer {
    LoopbackServer::start(|request| match request.path() {
        path @ ("/" | "/a" | "/b" | "/c") => TestResponse::html(format!(
            "<!doctype html><html lang=en><title>Page {path}</title><main><h1>Ferries</h1><p>Text</p>
             <a href=/a>A</a> <a href=/b>B</a> <a href=/c>C</a></main></html>"
        )),
        _ => TestResponse::not_found(),
    })
    .unwrap()
}

#[rstest]
#[case::in_this_process(Kind::Sqlite, "thread")]
#[case::in_a_child_process(Kind::Postgresql, "process")]
fn runs_beyond_the_plan_go_on_without_the_browser_and_say_so(
    #[case] kind: Kind,
    #[case] isolation: &str,
) {
    const PLANS: &str = "[plans.self_hosted]\nrendered_pages_per_run = 3\nmonthly_rendered_pages = 5\npaid = true\n";
    if !has_browser() {
        return;
    }
    let (home, site) = (Home::new(kind), four_pages());
    std::fs::write(home.path("assay.toml"), PLANS).unwrap();
    let allow = ["--allow-target", &site.target()];
    let [runs, sandbox] = WITH_BROWSER;
    let isolated = ("ASSAY_WORKER__ISOLATION", isolation);
    let service = home.serve_with(&allow, &[runs, sandbox, isolated]);
    let client = service.client();
    for (rendered, reason, mode, used) in [
        (3, "page_over_run_render_limit", "rendered", 3),
        (2, "page_over_monthly_render_limit", "rendered", 5),
        (0, "page_over_monthly_render_limit", "static", 5),
    ] {
        let body = json!({"url": site.url("/"), "options": {"mode": "rendered"}});
        let started = client.post("/api/mcp/start-audit", &body);
        assert_eq!(started.status, 202, "{started:?}");
        let ended = client.ended(started.body["runId"].as_str().unwrap());
        assert_eq!(ended["status"], "completed", "{ended:?}");
        assert_eq!(ended["progress"]["pagesRendered"], rendered);
        let report = ended["reportId"].as_str().unwrap();
        let coverage = client.get(&format!("/api/mcp/reports/{report}")).body["coverage"].clone();
        assert_eq!(coverage["pagesAudited"], 4);
        assert_eq!(
            (&coverage["mode"], &coverage["pagesRendered"]),
            (&json!(mode), &json!(rendered))
        );
        let skipped = json!({"reason": reason, "count": 4 - rendered});
        assert!(
            coverage["skipped"].as_array().unwrap().contains(&skipped),
            "{coverage}"
        );
        let plan = client.get("/api/mcp/account").body["plan"].clone();
        assert_eq!(plan["usage"]["monthlyRenderedPages"], used);
        assert_eq!(plan["limits"]["renderedPagesPerRun"], 3);
    }
    let (status, log) = service.stop();
    assert_eq!(status, Some(0), "{log}");
}

#[test]
fn without_a_browser_rendered_mode_is_refused_and_auto_mode_audits_pages_as_they_are_served() {
    for environment in [
        ("ASSAY_BROWSER__RUNS", "off"),
        ("ASSAY_BROWSER__PATH", "/nonexistent/chromium"),
    ] {
        let (home, site) = (Home::new(Kind::Sqlite), site());
        let allow = ["--allow-target", &site.target()];
        let here = ("ASSAY_BROWSER__RUNS", "here");
        let service = home.serve_with(&allow, &[here, environment]);
        let client = service.client();
        let body = json!({"url": site.url("/"), "options": {"mode": "rendered"}});
        let refused = client.post("/api/mcp/start-audit", &body);
        assert_eq!(refused.status, 400, "{refused:?}");
        assert_eq!(refused.body["code"], "invalid_request");
        let fixed = ("static".to_owned(), 0, "As served".to_owned());
        assert_eq!(audited(&client, &site, &json!({"mode": "auto"})), fixed);
    }
}

#[test]
fn a_browser_that_does_not_start_costs_no_run() {
    let (home, site) = (Home::new(Kind::Sqlite), site());
    let allow = ["--allow-target", &site.target()];
    let broken = [
        ("ASSAY_BROWSER__RUNS", "here"),
        ("ASSAY_BROWSER__PATH", "/bin/true"),
    ];
    let service = home.serve_with(&allow, &broken);
    let client = service.client();
    let fixed = ("static".to_owned(), 0, "As served".to_owned());
    for mode in ["auto", "rendered"] {
        assert_eq!(audited(&client, &site, &json!({"mode": mode})), fixed);
    }
    service.wait_for_log("browser not started");
}

#[test]
fn runs_that_need_a_browser_are_left_to_the_processes_that_have_one() {
    if !has_browser() {
        return;
    }
    let (home, site) = (Home::new(Kind::Postgresql), site());
    let allow = ["--allow-target", &site.target()];
    let service = home.serve_with(&allow, &[("ASSAY_BROWSER__RUNS", "elsewhere")]);
    let client = service.client();
    // The service itself audits what needs no browser.
    let fixed = ("static".to_owned(), 0, "As served".to_owned());
    assert_eq!(audited(&client, &site, &json!({"mode": "static"})), fixed);
    let mut command = home.command(&["worker", "--browser", "--allow-target", &site.target()]);
    command.envs(WITH_BROWSER);
    let _worker = Service::start_until(command, &home.path("key"), "working");
    let rendered = ("rendered".to_owned(), 1, "Shown 412 wide".to_owned());
    assert_eq!(audited(&client, &site, &json!({})), rendered);
    let asked = json!({"mode": "rendered"});
    assert_eq!(audited(&client, &site, &asked), rendered);
    let (status, log) = service.stop();
    assert_eq!(status, Some(0), "{log}");
    assert_eq!(log.matches("run completed").count(), 1, "{log}");
}

#[test]
fn a_worker_that_must_have_a_browser_does_not_start_without_one() {
    let home = Home::new(Kind::Postgresql);
    drop(home.serve(&["--no-worker"]));
    let mut command = home.command(&["worker", "--browser"]);
    command.env("ASSAY_BROWSER__RUNS", "here");
    command.env("ASSAY_BROWSER__PATH", "/nonexistent/chromium");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("--browser: /nonexistent/chromium is not a program"),
        "{told}"
    );
}
