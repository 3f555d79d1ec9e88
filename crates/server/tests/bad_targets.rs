//! Targets that cannot be audited: each fails with its error code, a helpful message, and no score.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a failed expectation ends the test"
)]

use std::net::TcpListener;
use std::process::Command;

use serde_json::Value;
use testkit::{LoopbackServer, TestResponse};

/// A target and the expected end of its audit.
struct Row {
    what: &'static str,
    url: String,
    /// Additional arguments.
    flags: Vec<String>,
    /// Settings by environment variable.
    settings: Vec<(&'static str, String)>,
    code: &'static str,
    exit: i32,
    /// A text that the message must contain.
    says: &'static str,
    /// Keeps the target's server alive.
    _server: Option<LoopbackServer>,
}

fn named(what: &'static str, url: &str, code: &'static str, exit: i32, says: &'static str) -> Row {
    Row {
        what,
        url: url.to_owned(),
        flags: Vec::new(),
        settings: Vec::new(),
        code,
        exit,
        says,
        _server: None,
    }
}

/// A site whose start page redirects to a target that is not public. Typing that target would allow it; being sent
/// there does not.
fn refused(what: &'static str, url: &'static str, says: &'static str) -> Row {
    served(what, "target_not_allowed", says, move |_| {
        TestResponse::redirect(302, url)
    })
}

fn invalid(what: &'static str, url: &str, says: &'static str) -> Row {
    named(what, url, "invalid_request", 2, says)
}

/// An allowed server on loopback that returns 404 for `/robots.txt` and the given response for all other paths.
fn served(
    what: &'static str,
    code: &'static str,
    says: &'static str,
    answer: impl Fn(&str) -> TestResponse + Send + Sync + 'static,
) -> Row {
    let server = LoopbackServer::start(move |request| match request.path() {
        "/robots.txt" => TestResponse::not_found(),
        path => answer(path),
    })
    .unwrap();
    on(server, what, code, says)
}

fn on(server: LoopbackServer, what: &'static str, code: &'static str, says: &'static str) -> Row {
    Row {
        flags: vec!["--allow-target".to_owned(), server.target()],
        ..named(what, server.url("/").as_str(), code, 3, says)
    }
    .keeping(server)
}

impl Row {
    fn keeping(mut self, server: LoopbackServer) -> Self {
        self._server = Some(server);
        self
    }

    fn with(mut self, key: &'static str, value: &str) -> Self {
        self.settings.push((key, value.to_owned()));
        self
    }
}

fn with_robots(what: &'static str, robots: fn() -> TestResponse, says: &'static str) -> Row {
    let server = LoopbackServer::start(move |request| match request.path() {
        "/robots.txt" => robots(),
        _ => TestResponse::html("<title>Page</title>"),
    })
    .unwrap();
    on(server, what, "robots_disallowed", says)
}

fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

fn wrong_urls() -> Vec<Row> {
    vec![
        invalid("no URL at all", "", "the address of a site"),
        invalid("no host and no scheme", "/shop", "https://example.com"),
        invalid("another scheme", "ftp://example.com/", "http"),
        invalid("a script", "javascript:alert(1)", "http"),
        invalid(
            "a password in the URL",
            "https://user:secret@example.com/",
            "user",
        ),
        invalid("no host", "https://", ""),
        invalid(
            "too long",
            &format!("https://example.com/{}", "a".repeat(2_100)),
            "2",
        ),
    ]
}

fn forbidden_targets() -> Vec<Row> {
    vec![
        refused("loopback", "http://127.0.0.1/", "--allow-target 127.0.0.1"),
        refused(
            "loopback with a port",
            "http://127.0.0.1:3000/",
            "--allow-target 127.0.0.1:3000",
        ),
        refused(
            "loopback by name",
            "http://localhost:8080/",
            "--allow-target localhost:8080",
        ),
        refused(
            "loopback in hexadecimal",
            "http://0x7f.1/",
            "--allow-target 127.0.0.1",
        ),
        refused(
            "loopback as one number",
            "http://2130706433/",
            "--allow-target 127.0.0.1",
        ),
        refused(
            "loopback in octal",
            "http://0177.0.0.1/",
            "--allow-target 127.0.0.1",
        ),
        refused(
            "loopback in full-width digits",
            "http://１２７.0.0.1/",
            "--allow-target",
        ),
        refused("loopback in IPv6", "http://[::1]/", "--allow-target"),
        refused(
            "loopback mapped into IPv6",
            "http://[::ffff:127.0.0.1]/",
            "",
        ),
        refused(
            "a private network",
            "http://10.0.0.1/",
            "--allow-target 10.0.0.1",
        ),
        refused(
            "another private network",
            "http://192.168.1.1:8080/",
            "192.168.1.1:8080",
        ),
        refused(
            "cloud metadata",
            "http://169.254.169.254/latest/meta-data/",
            "",
        ),
        refused(
            "a name without a dot",
            "http://intranet/",
            "--allow-target intranet",
        ),
        refused(
            "a name of the local network",
            "http://printer.local/",
            "printer.local",
        ),
        refused("a port that is no web port", "http://example.com:22/", "22"),
        named(
            "a name that resolves to cloud metadata",
            "http://inside.example/",
            "target_not_allowed",
            3,
            "inside.example",
        )
        .with(
            "ASSAY_EGRESS__RESOLVE",
            "{ \"inside.example\" = \"169.254.169.254\" }",
        ),
    ]
}

fn sites_that_do_not_answer() -> Vec<Row> {
    let port = closed_port();
    let mut nobody = named(
        "nothing listens",
        &format!("http://127.0.0.1:{port}/"),
        "connection_refused",
        3,
        "refused",
    );
    nobody.flags = vec!["--allow-target".to_owned(), "127.0.0.1".to_owned()];
    let mut plain = served("no TLS on that port", "tls_error", "TLS", |_| {
        TestResponse::html("x")
    });
    plain.url = plain.url.replace("http://", "https://");
    let silent = || LoopbackServer::start(|_| TestResponse::hang()).unwrap();
    vec![
        named(
            "a name that does not exist",
            "http://nowhere.invalid/",
            "dns_failure",
            3,
            "DNS",
        ),
        nobody,
        plain,
        on(silent(), "never answers", "timeout", "in time")
            .with("ASSAY_EGRESS__HEADER_TIMEOUT_MS", "300"),
        on(
            silent(),
            "takes longer than the run may",
            "deadline_exceeded",
            "1 s",
        )
        .with("ASSAY_CRAWL__DEADLINE_SECONDS", "1"),
        served("speaks no HTTP", "http_error", "", |_| {
            TestResponse::raw("SSH-2.0-OpenSSH\r\n")
        }),
        served("hangs up", "http_error", "", |_| TestResponse::close()),
    ]
}

fn sites_that_answer_wrongly() -> Vec<Row> {
    vec![
        on(
            LoopbackServer::start(|_| TestResponse::status(500)).unwrap(),
            "a fault of the server",
            "http_error",
            "500",
        ),
        served("no such page", "http_error", "404", |_| {
            TestResponse::not_found()
        }),
        served("a login", "http_error", "401", |_| {
            TestResponse::status(401)
        }),
        served("forbidden", "blocked", "403", |_| TestResponse::status(403)),
        served("too many requests", "blocked", "429", |_| {
            TestResponse::status(429)
        }),
        served("a browser challenge", "blocked", "challenge", |_| {
            TestResponse::html("<title>Just a moment...</title>")
                .header("cf-mitigated", "challenge")
        }),
        served("a PDF", "not_html", "application/pdf", |_| {
            TestResponse::new(200, "%PDF-1.7").header("Content-Type", "application/pdf")
        }),
        served("JSON", "not_html", "application/json", |_| {
            TestResponse::new(200, "{}").header("Content-Type", "application/json")
        }),
        served("nothing", "not_html", "204", |_| TestResponse::new(204, "")),
        served(
            "a redirect to another site",
            "redirected_elsewhere",
            "example.org",
            |_| TestResponse::redirect(301, "https://example.org/"),
        ),
        served(
            "a redirect to itself",
            "too_many_redirects",
            "redirect loop",
            |_| TestResponse::redirect(302, "/"),
        ),
        served(
            "redirects without an end",
            "too_many_redirects",
            "10",
            |path| TestResponse::redirect(302, &format!("{path}a")),
        ),
        served(
            "a redirect to cloud metadata",
            "target_not_allowed",
            "redirects",
            |_| TestResponse::redirect(302, "http://169.254.169.254/"),
        ),
        with_robots(
            "robots.txt forbids it",
            || TestResponse::text("User-agent: *\nDisallow: /\n"),
            "--ignore-robots",
        ),
        with_robots("robots.txt is broken", || TestResponse::status(503), "503"),
    ]
}

/// Runs the audit, and returns what is wrong with its end.
fn problem(row: &Row) -> Option<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
    command
        .args(["audit", "--json", "--no-external"])
        .args(&row.flags)
        .arg("--")
        .arg(&row.url);
    command.envs(row.settings.iter().map(|(key, value)| (key, value)));
    command.current_dir(std::env::temp_dir());
    let output = command.output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let answer: Value = serde_json::from_str(&stdout).unwrap_or_default();
    let code = answer["error"]["code"].as_str().unwrap_or("none");
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    let fine = output.status.code() == Some(row.exit)
        && code == row.code
        && message.contains(row.says)
        && message.ends_with(['.', '?'])
        && !(message.contains("169.254.169.254") && row.url.contains("inside"))
        && !message.contains("secret")
        && stderr.contains(&format!("error[{}]", row.code))
        && !stdout.contains("overallScore");
    (!fine).then(|| {
        format!(
            "{} ({}): expected {} and exit {}, got {code} and {:?}: {message}\n{stderr}",
            row.what,
            row.url,
            row.code,
            row.exit,
            output.status.code()
        )
    })
}

#[test]
fn every_bad_target_ends_with_its_code_and_no_score() {
    let rows: Vec<Row> = [
        wrong_urls(),
        forbidden_targets(),
        sites_that_do_not_answer(),
        sites_that_answer_wrongly(),
    ]
    .into_iter()
    .flatten()
    .collect();
    let problems: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = rows
            .iter()
            .map(|row| scope.spawn(|| problem(row)))
            .collect();
        running
            .into_iter()
            .filter_map(|thread| thread.join().unwrap())
            .collect()
    });
    for row in &rows {
        println!("{:<45} {:<22} exit {}", row.what, row.code, row.exit);
    }
    println!("{} bad targets, {} wrong", rows.len(), problems.len());
    assert!(rows.len() >= 25, "{}", rows.len());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
