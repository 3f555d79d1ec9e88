//! Pages that cost time, memory or patience: each ends in time, and the next page is well.

use std::time::{Duration, Instant};

use audit_engine::gather::{RenderError, RenderedPage, Renderer, Want};
use rstest::rstest;
use testkit::{LoopbackServer, TestRequest, TestResponse};

use crate::chromium::{any, renderer};

/// How long a page may take.
const MOST: Duration = Duration::from_secs(35);

/// Everything that a renderer can find out.
const WANT: Want = Want {
    focus: true,
    coverage: true,
    pixels: true,
};

/// Shows a page, asserts that it ends in time, and that the next page is well.
async fn shown(html: &'static str) -> Option<Result<RenderedPage, RenderError>> {
    let (options, _folder) = any()?;
    let pages = move |request: &TestRequest| {
        match request.path() {
        "/" => TestResponse::html(html),
        "/well" => TestResponse::html("<!doctype html><title>well</title><a href=/>a</a>"),
        "/worker.js" => TestResponse::new(
            200,
            "onfetch = event => event.respondWith(new Response('<title>worker</title>', {headers: {'content-type': 'text/html'}}));
            oninstall = () => skipWaiting(); onactivate = event => event.waitUntil(clients.claim())",
        )
        .header("content-type", "text/javascript"),
        "/file" => TestResponse::html("x").header("content-disposition", "attachment; filename=x"),
        "/socket" | "/slow" => TestResponse::hang(),
        _ => TestResponse::not_found(),
    }
    };
    let server = LoopbackServer::start(pages).unwrap();
    let renderer = renderer(options, &[&server.target()]);
    renderer.start().await.unwrap();
    let begun = Instant::now();
    let shown = renderer.render_with(server.url("/"), WANT).await;
    assert!(begun.elapsed() < MOST, "{:?} {shown:?}", begun.elapsed());
    let next = renderer.render_with(server.url("/well"), WANT).await;
    let next = next.unwrap();
    assert_eq!((next.status, next.is_settled), (200, true));
    assert_eq!(next.events.focus.unwrap().stops.len(), 1);
    renderer.close().await;
    Some(shown)
}

#[rstest]
#[case::many_nodes(
    "<script>onload = () => { const all = document.createDocumentFragment(); for (let i = 0; i < 100000; i++) all.append(document.createElement('b')); document.body.append(all) }</script>"
)]
#[case::many_windows(
    "<script>onload = () => { for (let i = 0; i < 60; i++) { const a = document.createElement('a'); a.href = '/x'; a.target = '_blank'; a.rel = 'opener'; document.body.append(a); a.click(); open('/x' + i) } }</script>"
)]
#[case::windows_without_end(
    "<title>x</title><p>text</p><script>setInterval(() => open('/x'), 5)</script>"
)]
#[case::navigations_without_end("<script>location.href = '/?' + Math.random()</script>")]
#[case::fragments_without_end(
    "<title>x</title><p>text</p><script>setInterval(() => location.hash = Math.random(), 5)</script>"
)]
#[case::downloads(
    "<title>x</title><p>text</p><script>for (let i = 0; i < 10; i++) { const f = document.createElement('iframe'); f.src = '/file'; document.documentElement.append(f) } setTimeout(() => location.href = '/file', 50)</script>"
)]
#[case::service_worker(
    "<title>x</title><p>text</p><script>navigator.serviceWorker.register('/worker.js')</script>"
)]
#[case::socket_without_answer(
    "<title>x</title><p>text</p><script>for (let i = 0; i < 20; i++) new WebSocket('ws://' + location.host + '/socket')</script>"
)]
#[case::requests_without_answer(
    "<title>x</title><p>text</p><script>for (let i = 0; i < 20; i++) fetch('/slow?' + i)</script><img src=/slow>"
)]
#[case::broken_tls(
    "<title>x</title><p>text</p><img id=i><script>i.src = 'https://' + location.host + '/x'; fetch(i.src)</script>"
)]
#[case::dialogs_without_end(
    "<title>x</title><p>text</p><script>setInterval(() => alert(1), 5)</script>"
)]
#[case::leaving_is_refused(
    "<title>x</title><a href=/>a</a><script>onbeforeunload = event => { event.preventDefault(); return 'stay' }</script>"
)]
#[case::frames_in_frames(
    "<title>x</title><p>text</p><script>let at = document; for (let i = 0; i < 40; i++) { const f = at.createElement('iframe'); at.documentElement.append(f); at = f.contentDocument }</script>"
)]
#[case::memory(
    "<script>const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()))</script>"
)]
#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_page_ends_and_the_next_is_well(#[case] html: &'static str) {
    shown(html).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_too_many_elements_says_so() {
    let html = "<script>onload = () => { for (let i = 0; i < 100000; i++) document.body.append(document.createElement('b')) }</script>";
    let Some(many) = shown(html).await else {
        return;
    };
    assert!(matches!(many, Err(RenderError::TooLarge)), "{many:?}");
}
