//! Pages that are slow for one known reason each: the reason is named with what it wastes, and nothing else is.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use audit_engine::checks::catalogue;
use audit_engine::egress::{EgressOptions, GuardedFetcher, Limiter};
use audit_engine::{AuditOptions, Auditor, LabOptions, default_user_agent};
use domain::Dimension;
use domain::report::AuditResult;
use testkit::{LoopbackServer, TestRequest, TestResponse};

use crate::chromium::{any, renderer_with};

/// The checks that grade what a browser measured.
const METRICS: [&str; 6] = [
    "cls",
    "fcp",
    "lcp",
    "main-thread-work",
    "speed-index",
    "tbt",
];

/// A service of which the files of the pages come from the server of the test.
const SERVICE: &str = "www.googletagmanager.com";

/// A document with something in its head and in its body, which names the server of the third party as `{tags}`.
fn page(head: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>Harbour office</title>
        <meta name=viewport content='width=device-width'><link rel=icon href='data:,'>{head}</head>
        <body><main><h1>Harbour office</h1><p>Open from nine to five.</p>{body}</main></body></html>"
    )
}

/// Text of this length that compression makes little smaller.
fn noise(length: usize) -> String {
    let mut state = 7_u32;
    let letters = (0..length).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(
            b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"
                [usize::try_from(state >> 26).unwrap()],
        )
    });
    letters.collect()
}

/// A picture of one color with this many bytes beside its pixels.
fn picture(width: u32, height: u32, bytes: usize) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder
        .add_text_chunk("Comment".to_owned(), noise(bytes))
        .unwrap();
    let mut writer = encoder.write_header().unwrap();
    let pixels = usize::try_from(width * height).unwrap();
    writer.write_image_data(&vec![120; pixels]).unwrap();
    drop(writer);
    file
}

fn kept(response: TestResponse, media_type: &str) -> TestResponse {
    let response = response.header("content-type", media_type);
    response.header("cache-control", "max-age=31536000, immutable")
}

fn packed(text: &str, media_type: &str) -> TestResponse {
    kept(TestResponse::new(200, text.to_owned()).gzip(), media_type)
}

fn script(text: &str) -> TestResponse {
    packed(text, "text/javascript")
}

fn sheet(text: &str) -> TestResponse {
    packed(text, "text/css")
}

fn image(width: u32, height: u32, bytes: usize) -> TestResponse {
    kept(
        TestResponse::new(200, picture(width, height, bytes)),
        "image/png",
    )
}

/// Audits the page at `/`, which loads these files, with all checks of performance. None where there is no browser.
async fn audit(html: &str, files: Vec<(&'static str, TestResponse)>) -> Option<AuditResult> {
    let (options, _folder) = any()?;
    let files: HashMap<&str, TestResponse> = files.into_iter().collect();
    let html = html.to_owned();
    let server = LoopbackServer::start(move |request: &TestRequest| {
        let tags = format!(
            "http://{SERVICE}:{}",
            request
                .header("host")
                .map_or("", |host| { host.rsplit(':').next().unwrap_or("") })
        );
        match request.path() {
            "/" => TestResponse::html(html.replace("{tags}", &tags)).gzip(),
            path => files
                .get(path)
                .cloned()
                .unwrap_or_else(TestResponse::not_found),
        }
    })
    .unwrap();
    let resolve = HashMap::from([(SERVICE.to_owned(), vec![IpAddr::V4(Ipv4Addr::LOCALHOST)])]);
    let target = server.target();
    let service = format!("{SERVICE}:{}", target.rsplit(':').next().unwrap());
    let own = resolve.clone();
    let browser = Arc::new(renderer_with(
        options,
        &[&target, &service],
        move |egress| egress.resolve = own,
        |_| {},
    ));
    let allowed = [target.parse().unwrap(), service.parse().unwrap()];
    let allow: domain::target::AllowTargets = allowed.into_iter().collect();
    let mut egress = EgressOptions::new(allow.clone(), default_user_agent());
    egress.resolve = resolve;
    let checks = catalogue().into_iter();
    let options = AuditOptions {
        only: Some(
            checks
                .filter(|check| check.dimension == Dimension::Performance)
                .collect(),
        ),
        external: false,
        max_pages: 1,
        max_rate: Some(1e6),
        retry_pause: Duration::ZERO,
        // The machine is busy with other tests.
        lab: LabOptions {
            pages: 1,
            start_page_loads: 1,
            most_drift_percent: 10_000,
        },
        ..AuditOptions::default()
    };
    let fetcher = Arc::new(GuardedFetcher::new(egress).unwrap());
    let auditor = Auditor::with_fetcher(fetcher, allow, options)
        .sharing_limits(Arc::new(Limiter::default()))
        .rendering_with(browser.clone());
    let audit = auditor.audit(server.url("/").as_str()).await.unwrap();
    browser.close().await;
    assert_eq!(
        audit.result.coverage.measured.len(),
        1,
        "the page was measured"
    );
    Some(audit.result)
}

/// The titles of the causes with their first messages that a check found.
fn causes(result: &AuditResult, check: &str) -> Vec<(String, String)> {
    let found = result
        .findings
        .iter()
        .filter(|finding| finding.check_id == *check);
    let causes = found.flat_map(|finding| &finding.causes);
    causes
        .map(|cause| (cause.title.clone(), cause.occurrences[0].message.clone()))
        .collect()
}

/// The message of the only cause that is found, by this check; metrics aside.
#[track_caller]
fn only(result: &AuditResult, check: &str) -> String {
    let others = result
        .findings
        .iter()
        .map(|finding| finding.check_id.as_str());
    let others: Vec<&str> = others.filter(|id| !METRICS.contains(id)).collect();
    assert_eq!(others, [check], "{:#?}", result.findings);
    let mut causes = causes(result, check);
    assert_eq!(causes.len(), 1, "{causes:#?}");
    causes.pop().unwrap().1
}

/// No check but those of metrics finds anything.
#[track_caller]
fn only_metrics(result: &AuditResult) {
    let ids = result
        .findings
        .iter()
        .map(|finding| finding.check_id.as_str());
    let others: Vec<&str> = ids.filter(|id| !METRICS.contains(id)).collect();
    assert!(others.is_empty(), "{:#?}", result.findings);
}

/// The number that follows a text in a message.
#[track_caller]
fn number(message: &str, after: &str) -> u64 {
    let (_, rest) = message
        .split_once(after)
        .unwrap_or_else(|| panic!("{after:?} is not in {message:?}"));
    let digits: String = rest
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == ',')
        .collect();
    digits
        .replace(',', "")
        .parse()
        .unwrap_or_else(|_| panic!("{rest:?}"))
}

#[track_caller]
fn within(found: u64, expected: std::ops::RangeInclusive<u64>, message: &str) {
    assert!(
        expected.contains(&found),
        "{found} is not in {expected:?}: {message}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_without_a_fault_has_no_finding() {
    let html = page(
        "<link rel=stylesheet href=/a.css>",
        "<img src=/a.png alt=Pier width=300 height=200>",
    );
    let files = vec![
        ("/a.css", sheet("p { color: navy }")),
        ("/a.png", image(300, 200, 100)),
    ];
    let Some(result) = audit(&html, files).await else {
        return;
    };
    only_metrics(&result);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blocking_script() {
    let html = page("<script src=/menu.js></script>", "");
    let files = vec![(
        "/menu.js",
        script(&format!("self.menu='{}'", noise(320_000))),
    )];
    let Some(result) = audit(&html, files).await else {
        return;
    };
    assert!(
        only(&result, "render-blocking")
            .contains("/menu.js in the head has neither async nor defer")
    );
    // 240 KB at 200 KB/s.
    let (title, message) = &causes(&result, "fcp")[0];
    assert!(
        title.starts_with("The first paint waits for the script http")
            && title.ends_with("/menu.js"),
        "{title}"
    );
    within(
        number(message, "blocked rendering: its "),
        225..=250,
        message,
    );
    within(number(message, "KiB took "), 1_100..=2_500, message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_style_sheet_behind_another_one() {
    let html = page("<link rel=stylesheet href=/a.css>", "");
    let big = |size: usize| sheet(&format!("p {{ --a: '{}' }}", noise(size)));
    let first = format!("@import 'b.css'; p {{ --b: '{}' }}", noise(160_000));
    let files = vec![("/a.css", sheet(&first)), ("/b.css", big(160_000))];
    let Some(result) = audit(&html, files).await else {
        return;
    };
    only_metrics(&result);
    let causes = causes(&result, "fcp");
    let (_, message) = causes
        .iter()
        .find(|(title, _)| title.ends_with("/b.css"))
        .unwrap();
    within(
        number(message, "blocked rendering: its "),
        112..=125,
        message,
    );
    within(number(message, "KiB took "), 550..=1_800, message);
    assert!(
        message.ends_with("/a.css.") && message.contains("learned of it only from"),
        "{message}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_of_which_little_runs() {
    let html = page("<script src=/app.js defer></script>", "");
    let letters: Vec<char> = noise(90_000).chars().collect();
    let functions: String = (letters.chunks(150).enumerate())
        .map(|(at, part)| format!("function f{at}(){{return '{}'}}", String::from_iter(part)))
        .collect();
    let body = format!("self.used='{}';{functions}", noise(30_000));
    let Some(result) = audit(&html, vec![("/app.js", script(&body))]).await else {
        return;
    };
    let message = only(&result, "js-unused");
    within(number(&message, ""), 75..=85, &message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_style_sheet_of_which_little_matches() {
    let html = page("<link rel=stylesheet href=/a.css>", "");
    let letters: Vec<char> = noise(60_000).chars().collect();
    let rules: String = (letters.chunks(60).enumerate())
        .map(|(at, part)| format!(".x{at}{{--a:'{}'}}", String::from_iter(part)))
        .collect();
    let used = format!(
        "p{{--a:'{}'}}a:hover{{--a:'{}'}}",
        noise(20_000),
        noise(20_000)
    );
    let Some(result) = audit(&html, vec![("/a.css", sheet(&format!("{used}{rules}")))]).await
    else {
        return;
    };
    let message = only(&result, "css-unused");
    within(number(&message, ""), 62..=68, &message);
    within(number(&message, "about "), 28..=40, &message);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_image_with_many_times_the_pixels_that_are_shown() {
    let html = page("", "<img src=/pier.png alt=Pier width=100 height=75>");
    let Some(result) = audit(&html, vec![("/pier.png", image(2_000, 1_500, 150_000))]).await else {
        return;
    };
    let message = only(&result, "image-oversized-for-box");
    assert!(
        message.starts_with("The image has 2,000 × 1,500 pixels"),
        "{message}"
    );
    // A quarter of the window is 467 × 350 of 1,920 device pixels.
    within(number(&message, "about "), 137..=150, &message);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_image_with_many_bytes_for_its_pixels() {
    let html = page("", "<img src=/pier.png alt=Pier width=300 height=200>");
    let Some(result) = audit(&html, vec![("/pier.png", image(300, 200, 90_000))]).await else {
        return;
    };
    let message = only(&result, "image-bytes-wasted");
    within(number(&message, "The image has "), 86..=90, &message);
    within(
        number(&message, "expected at most about "),
        11..=12,
        &message,
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_image_without_a_size() {
    let html = page(
        "",
        "<img src=/pier.png alt=Pier><p>Tickets are sold on board.</p>",
    );
    let Some(result) = audit(&html, vec![("/pier.png", image(390, 300, 8_000))]).await else {
        return;
    };
    let message = only(&result, "image-no-dimensions");
    assert!(message.contains("width"), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hero_that_a_script_adds() {
    let body = "<div id=hero></div><script>
        const load = (left) => left ? fetch('/step').then(() => load(left - 1))
            : (hero.innerHTML = '<img src=/pier.png alt=Pier width=390 height=500>');
        load(12);</script>";
    let html = page("", body);
    let files = vec![
        ("/pier.png", image(390, 500, 30_000)),
        (
            "/step",
            kept(TestResponse::text("x"), "text/plain").header("cache-control", "no-store"),
        ),
    ];
    let Some(result) = audit(&html, files).await else {
        return;
    };
    only_metrics(&result);
    let (title, message) = &causes(&result, "lcp")[0];
    assert_eq!(title, "The largest image waits for a script");
    let (before, _) = message
        .split_once(" ms of it passed before the request")
        .unwrap();
    let waited = before.rsplit(' ').next().unwrap();
    within(number(waited, ""), 1_800..=4_000, message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hero_that_is_lazy() {
    let html = page(
        "",
        "<img src=/pier.png alt=Pier width=800 height=600 loading=lazy style='max-width:100%;height:auto'>",
    );
    let Some(result) = audit(&html, vec![("/pier.png", image(800, 600, 60_000))]).await else {
        return;
    };
    assert!(only(&result, "lcp-image-lazy").contains("loading=\"lazy\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_with_most_of_the_bytes_and_a_long_task() {
    let html = page("", "<script src={tags}/gtm.js async></script>");
    let busy = "for (const end = performance.now() + 100; performance.now() < end;);";
    let body = format!("{busy}self.tags='{}'", noise(200_000));
    let Some(result) = audit(&html, vec![("/gtm.js", script(&body))]).await else {
        return;
    };
    let message = only(&result, "third-party-weight");
    let service = "Google Tag Manager: ";
    within(number(&message, service), 140..=160, &message);
    let (_, time) = message.split_once(service).unwrap();
    within(number(time, "KiB and "), 90..=2_000, &message);
    assert!(message.ends_with(" ms of the main thread."), "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_font_that_hides_text() {
    let html = page("<link rel=stylesheet href=/a.css>", "");
    let css =
        "@font-face { font-family: Harbour; src: url(/harbour.woff2) } p { font-family: Harbour }";
    let font = kept(TestResponse::new(200, noise(120_000)), "font/woff2");
    let Some(result) = audit(
        &html,
        vec![("/a.css", sheet(css)), ("/harbour.woff2", font)],
    )
    .await
    else {
        return;
    };
    let message = only(&result, "font-display-missing");
    // 120 KB at 200 KB/s, and a round trip.
    within(number(&message, "was hidden for "), 600..=2_000, &message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_kept() {
    let html = page("", "<img src=/pier.png alt=Pier width=390 height=300>");
    let file = TestResponse::new(200, picture(390, 300, 18_000));
    let file = file
        .header("content-type", "image/png")
        .header("cache-control", "max-age=60");
    let Some(result) = audit(&html, vec![("/pier.png", file)]).await else {
        return;
    };
    let message = only(&result, "cache-policy-weak");
    within(number(&message, "transfers its "), 17..=18, &message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_task() {
    let html = page("<script src=/busy.js defer></script>", "");
    let busy = "const busy = () => { for (const end = performance.now() + 700; performance.now() < end;); };
        requestAnimationFrame(() => setTimeout(busy, 300));";
    let Some(result) = audit(&html, vec![("/busy.js", script(busy))]).await else {
        return;
    };
    only_metrics(&result);
    let (title, message) = &causes(&result, "tbt")[0];
    assert!(title.ends_with("/busy.js block the main thread"), "{title}");
    within(number(message, "/busy.js ran for "), 650..=2_000, message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tree_that_grows() {
    let body = "<div id=rows></div><script>rows.innerHTML = ('<p>' + '<b>x</b>'.repeat(50) + '</p>').repeat(40)</script>";
    let Some(result) = audit(&page("", body), Vec::new()).await else {
        return;
    };
    let message = only(&result, "dom-too-large");
    assert_eq!(number(&message, "Scripts add "), 2_040, "{message}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_style_sheet_behind_a_redirect() {
    let html = page("<link rel=stylesheet href=/a.css>", "");
    let files = vec![
        ("/a.css", TestResponse::redirect(301, "/b.css")),
        ("/b.css", sheet("p { color: navy }")),
    ];
    let Some(result) = audit(&html, files).await else {
        return;
    };
    let message = only(&result, "blocking-redirect");
    assert!(
        message.contains("/a.css arrives after a redirect"),
        "{message}"
    );
    // A round trip.
    within(number(&message, "which took "), 140..=900, &message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_is_not_packed() {
    let html = page("<script src=/app.js defer></script>", "");
    let text = format!("self.words='{}'", "harbour ".repeat(2_000));
    let file = kept(TestResponse::new(200, text), "text/javascript");
    let Some(result) = audit(&html, vec![("/app.js", file)]).await else {
        return;
    };
    let message = only(&result, "text-uncompressed");
    assert!(message.contains("15 KiB"), "{message}");
}
