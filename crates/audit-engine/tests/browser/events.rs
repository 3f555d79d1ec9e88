//! What happens while the browser shows a page.

use std::time::{Duration, Instant};

use audit_engine::gather::{MessageKind, PageEvents, Renderer, RequestEnd, Want};
use testkit::{LoopbackServer, TestRequest, TestResponse};

use crate::chromium::{any, renderer};

/// The events of the page at `/`, of these pages.
async fn events(
    pages: impl Fn(&TestRequest) -> TestResponse + Send + Sync + 'static,
) -> Option<PageEvents> {
    let (options, _folder) = any()?;
    let server = LoopbackServer::start(pages).unwrap();
    let renderer = renderer(options, &[&server.target()]);
    let shown = renderer.render(server.url("/")).await;
    renderer.close().await;
    Some(shown.unwrap().events)
}

async fn events_of(html: &'static str) -> Option<PageEvents> {
    events(move |request| match request.path() {
        "/" => TestResponse::html(html),
        "/slow" => TestResponse::hang(),
        "/error" => TestResponse::new(500, "no"),
        _ => TestResponse::not_found(),
    })
    .await
}

fn texts(events: &PageEvents) -> Vec<(MessageKind, &str, u32)> {
    let messages = events.messages.iter();
    messages
        .map(|own| (own.kind, own.text.as_str(), own.line))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn exceptions_and_rejections_have_their_text_and_line() {
    let html = "<!doctype html><title>x</title>\n<script>missing();</script>
        <script>Promise.reject(new Error('no'));
        const handled = Promise.reject(new Error('later')); setTimeout(() => handled.catch(() => {}), 50);
        console.error('said'); console.log({a: 1});</script>";
    let Some(events) = events_of(html).await else {
        return;
    };
    let expected = [
        (
            MessageKind::Exception,
            "ReferenceError: missing is not defined",
            2,
        ),
        (MessageKind::Rejection, "Error: no", 3),
    ];
    assert_eq!(texts(&events), expected);
    assert!(!events.was_limited && !events.has_long_script && !events.is_cut);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_fail_or_are_blocked_say_how() {
    let html = "<!doctype html><title>x</title><script src=/missing.js></script><link rel=stylesheet href=/error>
        <script>fetch('/slow').catch(() => {}); const stop = new AbortController();
        fetch('/slow?2', {signal: stop.signal}).catch(() => {}); stop.abort();</script>";
    let Some(events) = events_of(html).await else {
        return;
    };
    let ended = events.requests.iter().map(|request| {
        let path = request.url.splitn(4, '/').nth(3).unwrap_or_default();
        (path, request.end.clone())
    });
    let expected = [
        ("", RequestEnd::Status(200)),
        ("error", RequestEnd::Status(500)),
        ("missing.js", RequestEnd::Status(404)),
        ("slow", RequestEnd::Open),
        ("slow?2", RequestEnd::Open),
    ];
    assert_eq!(ended.collect::<Vec<_>>(), expected);
    assert!(events.requests[0].wire_bytes > 0);
    assert_eq!(events.messages, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_policy_blocks_is_a_message_and_what_it_only_reports_is_none() {
    let page = |_: &TestRequest| {
        TestResponse::html("<!doctype html><title>x</title><script>1</script><img src=/x.png>")
            .header("content-security-policy", "script-src 'self'")
            .header("content-security-policy-report-only", "img-src 'none'")
    };
    let Some(events) = events(page).await else {
        return;
    };
    assert_eq!(events.messages.len(), 1, "{events:#?}");
    assert_eq!(events.messages[0].kind, MessageKind::Blocked);
    assert!(events.messages[0].text.contains("script-src"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_is_stopped_is_a_fact_of_its_own_and_no_exception() {
    let html = "<!doctype html><title>x</title><p>text</p><script>onload = () => { try { for (;;) {} } finally { missing() } }</script>";
    let Some(events) = events_of(html).await else {
        return;
    };
    assert!(events.has_long_script);
    assert_eq!(events.messages, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_the_engine_refuses_limits_the_page() {
    let html = "<!doctype html><title>x</title><script src='http://10.0.0.1/x.js'></script><script>x()</script>";
    let Some(events) = events_of(html).await else {
        return;
    };
    assert!(events.was_limited, "{events:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_a_script_left_leaves_no_events_behind() {
    let Some(events) = events(|request| match request.path() {
        "/" => TestResponse::html(
            "<script>setTimeout(() => location.href='/next'); missing()</script>",
        ),
        _ => TestResponse::html("<!doctype html><title>next</title>"),
    })
    .await
    else {
        return;
    };
    assert_eq!(events.messages, []);
    let urls = events.requests.iter();
    assert!(urls.clone().count() == 1 && urls.last().unwrap().url.ends_with("/next"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_writes_and_throws_without_end_is_shown_in_time() {
    let html = "<!doctype html><title>x</title><p>text</p><script>
        const large = 'x'.repeat(100_000);
        setInterval(() => { for (let i = 0; i < 50; i++) { console.log(large, {large}); setTimeout(() => { throw new Error(large + i) }) } }, 10)</script>";
    let begun = Instant::now();
    let Some(events) = events_of(html).await else {
        return;
    };
    assert!(begun.elapsed() < Duration::from_secs(35));
    assert!(!events.messages.is_empty() && events.messages.len() <= 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn code_that_does_not_run_is_noted_where_it_is_wanted() {
    let Some((options, _folder)) = any() else {
        return;
    };
    let script =
        "function runs() { return 1 }\nfunction rests() { return 'a longer text' }\nruns();";
    let server = LoopbackServer::start(move |request: &TestRequest| match request.path() {
        "/a.js" => TestResponse::new(200, script).header("content-type", "text/javascript"),
        _ => TestResponse::html(
            "<!doctype html><title>x</title><script src=/a.js></script><script>1</script>",
        ),
    })
    .unwrap();
    let renderer = renderer(options, &[&server.target()]);
    let want = Want {
        coverage: true,
        ..Want::default()
    };
    // A script in the cache of the browser, too.
    for path in ["/", "/2"] {
        let shown = renderer.render_with(server.url(path), want).await.unwrap();
        let coverage = shown.events.coverage.unwrap();
        assert_eq!(coverage.len(), 1, "{coverage:?}");
        let start = script.find("function rests").unwrap();
        let end = script.find("\nruns();").unwrap();
        let range = |at: usize| u32::try_from(at).unwrap();
        assert_eq!(coverage[0].unused, [(range(start), range(end))]);
        assert_eq!(coverage[0].chars, range(script.len()));
    }
    let shown = renderer.render(server.url("/3")).await.unwrap();
    assert_eq!(shown.events.coverage, None);
    renderer.close().await;
}
