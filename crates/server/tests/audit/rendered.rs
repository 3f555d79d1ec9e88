//! Audits with a browser, and without one where it is wanted.

use std::process::Command;

use serde_json::Value;
use testkit::{LoopbackServer, TestResponse, has_browser};

use crate::{audit, json, site, stderr};

#[test]
fn rendered_mode_without_a_browser_says_what_to_install_before_anything_is_requested() {
    let site = site();
    let output = Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(["audit", site.url("/").as_str(), "--mode", "rendered"])
        .env("ASSAY_BROWSER__PATH", "/nonexistent/chromium")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let told = stderr(&output);
    assert!(
        told.contains("/nonexistent/chromium is not a program"),
        "{told}"
    );
    let nothing = Command::new(env!("CARGO_BIN_EXE_assay"))
        .args(["audit", site.url("/").as_str(), "--mode", "rendered"])
        .env("ASSAY_BROWSER__PATH", "/bin/true")
        .output()
        .unwrap();
    assert_eq!(nothing.status.code(), Some(3), "{nothing:?}");
    assert!(
        stderr(&nothing).contains("--mode rendered: no browser is available"),
        "{nothing:?}"
    );
    assert_eq!(site.hits("/"), 0);
}

#[test]
fn auto_mode_without_a_browser_audits_pages_as_they_are_served_and_says_so() {
    let site = site();
    for program in ["/nonexistent/chromium", "/bin/true"] {
        let output = Command::new(env!("CARGO_BIN_EXE_assay"))
            .args(["audit", site.url("/").as_str(), "--mode", "auto", "--json"])
            .env("ASSAY_BROWSER__PATH", program)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let told = stderr(&output);
        assert!(told.contains("without a browser: "), "{told}");
        assert_eq!(json(&output)["coverage"]["mode"], "static");
    }
}

#[test]
fn a_check_that_needs_a_browser_is_wrong_usage_without_one() {
    let site = site();
    for (arguments, argument) in [
        (
            ["--check", "image-alt", "--check", "target-size"],
            "--check target-size",
        ),
        (
            ["--fail-on", "critical", "--max-issues", "lcp=0"],
            "--max-issues lcp",
        ),
    ] {
        let output = audit(&site, &arguments);
        assert_eq!(output.status.code(), Some(2));
        let message = stderr(&output);
        let expected = format!("{argument}: the check needs a browser; add --mode rendered");
        assert!(message.contains(&expected), "{message}");
    }
    assert_eq!(site.hits("/"), 0);
}

#[test]
fn auto_mode_without_a_browser_does_not_pass_a_check_that_needs_one() {
    let site = site();
    for (program, code) in [("/nonexistent/chromium", 2), ("/bin/true", 3)] {
        let output = Command::new(env!("CARGO_BIN_EXE_assay"))
            .args(["audit", site.url("/").as_str(), "--mode", "auto"])
            .args(["--check", "target-size"])
            .env("ASSAY_BROWSER__PATH", program)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let message = stderr(&output);
        let expected = "--check target-size: the check needs a browser: ";
        assert!(message.contains(expected), "{message}");
    }
    assert_eq!(site.hits("/"), 0);
}

#[test]
fn a_report_in_html_has_pictures_unless_the_run_has_request_headers() {
    if !has_browser() {
        return;
    }
    let site = site();
    let url = site.url("/");
    let pictures = |headers: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_assay"))
            .args(["audit", url.as_str(), "--no-external", "--max-pages", "1"])
            .args(["--mode", "rendered", "--format", "html"])
            .args(headers)
            .env("ASSAY_BROWSER__SANDBOX", "off")
            .output()
            .unwrap();
        let html = String::from_utf8(output.stdout).unwrap();
        assert!(
            html.contains("</html>"),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        html.matches("data:image/jpeg;base64,").count()
    };
    assert!(pictures(&[]) > 0);
    assert_eq!(pictures(&["--header", "Authorization: Bearer secret"]), 0);
}

#[test]
fn the_title_that_a_script_wrote_is_judged_in_rendered_mode() {
    if !has_browser() {
        return;
    }
    let site = LoopbackServer::start(|request| match request.path() {
        "/" => TestResponse::html(
            "<!doctype html><html lang=en><meta name=viewport content=width=device-width>
            <title>Timetables of the ferries to all islands</title><p>Text
            <script>setTimeout(() => document.title = innerWidth > 1000 ? 'Wide' : 'Short', 50)</script></html>",
        ),
        _ => TestResponse::not_found(),
    })
    .unwrap();
    let url = site.url("/");
    let titles = |mode: &str, device: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_assay"))
            .args([
                "audit",
                url.as_str(),
                "--no-external",
                "--max-pages",
                "1",
                "--json",
            ])
            .args(["--check", "title-short", "--mode", mode, "--device", device])
            // The page is one's own, and tests may run as root.
            .env("ASSAY_BROWSER__SANDBOX", "off")
            .output()
            .unwrap();
        let report = json(&output);
        let found = &report["issues"][0]["causes"][0]["occurrences"][0];
        let coverage = report["coverage"].clone();
        (
            found["snippet"].clone(),
            coverage["mode"].clone(),
            coverage["pagesRendered"].clone(),
        )
    };
    let fixed = (Value::Null, "static".into(), 0.into());
    assert_eq!(titles("static", "mobile"), fixed);
    for (mode, device, title) in [
        ("rendered", "mobile", "Short"),
        ("auto", "mobile", "Short"),
        ("rendered", "desktop", "Wide"),
    ] {
        let (found, mode, rendered) = titles(mode, device);
        assert!(found.to_string().contains(title), "{found}");
        assert_eq!((mode, rendered), ("rendered".into(), 1.into()));
    }
}
