//! Pages as the browser shows them.

use std::time::Duration;

use audit_engine::address::SiteKey;
use audit_engine::browser::RendererOptions;
use audit_engine::check::Outcome;
use audit_engine::gather::{RenderError, RenderedPage, Renderer};
use audit_engine::view::Page;
use testkit::{LoopbackServer, TestRequest, TestResponse};

use crate::chromium::{any, kill_browsers_of, renderer, renderer_with};

/// Serves these pages, and shows the one at `/`.
async fn shown(
    pages: impl Fn(&TestRequest) -> TestResponse + Send + Sync + 'static,
) -> Option<Result<RenderedPage, RenderError>> {
    let (options, _folder) = any()?;
    let server = LoopbackServer::start(pages).unwrap();
    let renderer = renderer(options, &[&server.target()]);
    let shown = renderer.render(server.url("/")).await;
    renderer.close().await;
    Some(shown)
}

async fn page(html: &'static str) -> Option<Page> {
    let shown = shown(move |request| match request.path() {
        "/" => TestResponse::html(html),
        _ => TestResponse::not_found(),
    })
    .await?
    .unwrap();
    let raw = Page::builder().url(shown.url.as_str()).html(html);
    Some(raw.rendered(&shown.snapshot))
}

/// The selectors of what a check reports, which fails.
fn failing(page: &Page, check: &str) -> Vec<String> {
    let check = audit_engine::checks::find(check).unwrap();
    let Some(Outcome::Failed(found)) = check.evaluate_page(page) else {
        panic!("it must fail");
    };
    let selectors = found.iter().filter_map(|found| found.selector.as_deref());
    selectors.map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_title_that_a_script_wrote_is_the_title() {
    let html = "<!doctype html><html lang=en><title>Loading</title><div id=app></div>
        <script>setTimeout(() => { document.title = 'Written'; app.innerHTML = '<h1>Hello</h1><a href=/next>Next</a>' }, 100)</script>";
    let Some(page) = page(html).await else {
        return;
    };
    assert_eq!(page.title(), Some("Written"));
    assert_eq!(page.html("h1").count(), 1);
    assert_eq!(page.links().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changes_while_the_page_is_awaited_is_in_its_snapshot() {
    // Each change comes before the page has been quiet for long enough, and none is lost.
    let html = Box::leak(format!(
        "<!doctype html><html lang=en><title>Menu</title><body data-count=0><p>{}
        <script>for (let at = 20; at <= 300; at += 20) setTimeout(() => document.body.dataset.count++, at);
            setTimeout(() => document.body.append(document.createElement('hr')), 100);
            setTimeout(() => document.body.append(document.createElement('hr')), 180)</script>",
        "Cake and coffee. ".repeat(30)
    ).into_boxed_str());
    let Some(page) = page(html).await else {
        return;
    };
    assert_eq!(page.html("hr").count(), 2);
    let body = page.html("body").next().unwrap();
    assert_eq!(body.attr("data-count"), Some("15"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_nobody_resizes_says_nothing_of_it() {
    // The event came before the listener or after it, which made pages differ from audit to audit.
    let html = "<!doctype html><html lang=en><title>x</title><div id=app></div><script>
        const add = (kind) => app.append(document.createElement(kind));
        addEventListener('resize', (event) => add(event.isTrusted ? 'h1' : 'h2')); onresize = () => add('h3');
        onload = () => dispatchEvent(new Event('resize'))</script>";
    let Some(page) = page(html).await else {
        return;
    };
    let counts = ["h1", "h2", "h3"].map(|kind| page.html(kind).count());
    assert_eq!(counts, [0, 1, 1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn visibility_is_what_the_browser_computed() {
    let html = "<!doctype html><style>.a{display:none}.b{visibility:hidden}.c{display:contents}</style>
        <p class=a id=gone><b id=inner>x</b></p><p class=b id=unseen>x</p><p class=c id=contents>x</p><p id=seen>x</p>
        <script>const s = new CSSStyleSheet(); s.replaceSync('.d{display:none}'); document.adoptedStyleSheets = [s];</script>
        <p class=d id=adopted>x</p>";
    let Some(page) = page(html).await else {
        return;
    };
    let tree = page.access_tree();
    for (id, is_exposed) in [
        ("gone", false),
        ("inner", false),
        ("unseen", false),
        ("contents", true),
        ("seen", true),
        ("adopted", false),
    ] {
        let exposure = tree.exposure(page.by_id(id).unwrap());
        assert_eq!(
            (exposure.is_exposed(), exposure.uncertain),
            (is_exposed, false),
            "{id}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn shadow_trees_stand_below_their_hosts_and_slots_hold_what_they_show() {
    let html = "<!doctype html><x-card id=card><b>light</b><i slot=end>last</i></x-card>
        <script>customElements.define('x-card', class extends HTMLElement { constructor() { super();
            this.attachShadow({mode: 'closed'}).innerHTML = '<h2 id=card>Head</h2><slot></slot><p><slot name=end>none</slot></p>'; } })</script>";
    let Some(page) = page(html).await else {
        return;
    };
    let card = page.by_id("card").unwrap();
    assert_eq!(
        card.name(),
        "x-card",
        "an id in a shadow tree is none of the document"
    );
    assert_eq!(page.all_by_id("card").count(), 1);
    let names: Vec<&str> = card.descendants().map(|element| element.name()).collect();
    assert_eq!(names, ["h2", "slot", "b", "p", "slot", "i"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn dialogs_windows_and_questions_do_not_hold_a_page() {
    let html = "<!doctype html><title>x</title><script>alert(1);confirm(2);prompt(3);window.open('/other');print();
        window.onbeforeunload = () => 'stay';document.title = 'passed'</script>";
    let Some(page) = page(html).await else {
        return;
    };
    assert_eq!(page.title(), Some("passed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_script_is_stopped_and_the_page_is_taken() {
    let html = "<!doctype html><title>begun</title><p>text</p><script>onload = () => { for (;;) {} }</script>";
    let Some(page) = page(html).await else {
        return;
    };
    assert_eq!(page.title(), Some("begun"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_page_is_an_error_that_says_so() {
    let Some(download) =
        shown(|_| TestResponse::html("x").header("content-disposition", "attachment; filename=x"))
            .await
    else {
        return;
    };
    assert!(
        matches!(
            download,
            Err(RenderError::Download | RenderError::Navigation(_))
        ),
        "{download:?}"
    );
    let text = shown(|_| TestResponse::text("words")).await.unwrap();
    assert!(matches!(text, Err(RenderError::NotHtml)), "{text:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_may_lead_within_the_site_and_not_for_ever() {
    let Some(within) = shown(|request| match request.path() {
        "/" => TestResponse::html("<script>location.href='/next'</script>"),
        _ => TestResponse::html("<!doctype html><title>next</title>"),
    })
    .await
    else {
        return;
    };
    assert!(within.unwrap().url.path() == "/next");
    let around = shown(|_| TestResponse::html("<script>location.href='/?'+Math.random()</script>"));
    let around = around.await.unwrap();
    assert!(matches!(around, Err(RenderError::Left(_))), "{around:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_page_sees_nothing_of_the_last() {
    let Some((options, _folder)) = any() else {
        return;
    };
    let server = LoopbackServer::start(|request| match request.path() {
        "/set" => TestResponse::html("<script>localStorage.a = 1; document.cookie = 'a=1; max-age=1000'</script>"),
        _ => TestResponse::html("<title>x</title><script>document.title = 'storage ' + localStorage.a + ' ' + document.cookie</script>"),
    })
    .unwrap();
    let renderer = renderer(options, &[&server.target()]);
    renderer.render(server.url("/set")).await.unwrap();
    let next = renderer.render(server.url("/get")).await.unwrap();
    let raw = Page::builder().html("").rendered(&next.snapshot);
    assert_eq!(raw.title(), Some("storage undefined"));
    renderer.close().await;
    assert!(SiteKey::from_url(&next.url).is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_crashes_its_process_is_an_error_and_the_next_page_is_well() {
    let Some((options, _folder)) = any() else {
        return;
    };
    let server = LoopbackServer::start(|request| match request.path() {
        "/bomb" => TestResponse::html(
            "<script>const all = []; for (;;) all.push(new Array(1e6).fill(Math.random()))</script>",
        ),
        _ => TestResponse::html("<!doctype html><title>well</title>"),
    })
    .unwrap();
    let renderer = renderer(options, &[&server.target()]);
    let bomb = renderer.render(server.url("/bomb")).await;
    assert!(bomb.is_err(), "{bomb:?}");
    let next = renderer.render(server.url("/")).await.unwrap();
    assert_eq!(next.status, 200);
    renderer.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_keeps_its_tab_busy_after_its_visit_does_not_harm_the_next_one() {
    let Some((options, _folder)) = any() else {
        return;
    };
    let (busy, mut is_busy) = tokio::sync::mpsc::unbounded_channel();
    let server = LoopbackServer::start(move |request| match request.path() {
        "/" => TestResponse::html(
            "<!doctype html><title>busy</title><script>setTimeout(() => { navigator.sendBeacon('/busy'); for (;;); }, 3000)</script>",
        ),
        "/busy" => {
            let _ = busy.send(());
            TestResponse::new(204, "")
        }
        _ => TestResponse::html("<!doctype html><title>well</title>"),
    })
    .unwrap();
    let renderer = renderer(options, &[&server.target()]);
    renderer.render(server.url("/")).await.unwrap();
    is_busy.recv().await.unwrap();
    let next = renderer.render(server.url("/next")).await.unwrap();
    assert_eq!((next.status, next.is_settled), (200, true));
    renderer.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_uses_too_much_memory_is_ended_and_the_next_page_is_well() {
    let Some((mut options, folder)) = any() else {
        return;
    };
    // An empty browser needs less.
    options.memory_bytes = 700_000_000;
    let server = LoopbackServer::start(|request| match request.path() {
        // Buffers are no part of the heap, whose size the browser limits itself.
        "/bomb" => TestResponse::html(
            "<title>bomb</title><script>const all = []; setInterval(() => {
                const buffer = new Uint8Array(50_000_000); buffer.fill(7); all.push(buffer); document.body.append('x') }, 50)</script>",
        ),
        _ => TestResponse::html("<!doctype html><title>well</title>"),
    })
    .unwrap();
    let renderer = renderer(options, &[&server.target()]);
    let bomb = renderer.render(server.url("/bomb")).await;
    assert!(matches!(bomb, Err(RenderError::Crashed)), "{bomb:?}");
    let next = renderer.render(server.url("/")).await.unwrap();
    assert_eq!(next.status, 200);
    renderer.close().await;
    assert!(folder.profiles().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_takes_longer_than_its_time_is_an_error_and_the_next_page_is_well() {
    let Some((options, _folder)) = any() else {
        return;
    };
    let server = LoopbackServer::start(|request| match request.path() {
        "/slow" => TestResponse::hang(),
        _ => TestResponse::html("<!doctype html><title>well</title>"),
    })
    .unwrap();
    let target = server.target();
    let with_time = |own: &mut RendererOptions| own.visit_timeout = Duration::from_secs(2);
    let renderer = renderer_with(options, &[&target], |_| {}, with_time);
    renderer.start().await.unwrap();
    let slow = renderer.render(server.url("/slow")).await;
    assert!(matches!(slow, Err(RenderError::Timeout)), "{slow:?}");
    renderer.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_ends_costs_a_page_and_never_the_run() {
    let Some((options, folder)) = any() else {
        return;
    };
    let well = |_: &TestRequest| TestResponse::html("<!doctype html><title>well</title>");
    let server = LoopbackServer::start(well).unwrap();
    let renderer = renderer(options, &[&server.target()]);
    for _ in 0..3 {
        assert_eq!(renderer.render(server.url("/")).await.unwrap().status, 200);
        kill_browsers_of(&folder.0);
    }
    let over = renderer.render(server.url("/")).await;
    assert!(matches!(over, Err(RenderError::Unavailable(_))), "{over:?}");
    renderer.close().await;
    assert!(folder.profiles().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_icon_of_a_font_is_no_name_and_colors_of_other_spaces_are_known() {
    let html = "<!doctype html><html lang=en><title>x</title><style>
        .icon::before { content: '\\f0c9' } .word::before { content: 'Menu' }
        p { color: color-mix(in srgb, white 45%, gray); background: oklch(1 0 0) }</style>
        <a id=silent href=/a><i class=icon></i></a> <a id=named href=/b><i class=word></i></a><p>Pale text</p>";
    let Some(page) = page(html).await else {
        return;
    };
    for (check, selector) in [("link-name", "#silent"), ("color-contrast", "p")] {
        let check = audit_engine::checks::find(check).unwrap();
        let outcome = format!("{:?}", check.evaluate_page(&page));
        assert!(
            outcome.contains("Failed") && outcome.contains(selector),
            "{outcome}"
        );
        assert!(!outcome.contains("#named"), "{outcome}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_is_scrolled_to_is_in_front_of_what_scrolls() {
    let html = "<!doctype html><html lang=en><title>x</title><body style='background: #000'>
        <pre style='width: 100px; overflow: auto; background: #fff; color: #ccc'>short <b id=far style='color: #bbb'>                    far away</b></pre>
        <pre style='width: 100px; overflow: auto; color: #999'>short <b id=clear style='color: #888'>                    far away</b></pre>";
    let Some(page) = page(html).await else {
        return;
    };
    let check = audit_engine::checks::find("color-contrast").unwrap();
    let outcome = format!("{:?}", check.evaluate_page(&page));
    assert!(outcome.contains("#far"), "{outcome}");
    assert!(outcome.contains("#bbbbbb on #ffffff"), "{outcome}");
    assert!(
        !outcome.contains("#clear"),
        "what is behind the second is not known: {outcome}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_in_fields_and_short_texts_are_judged_and_closed_menus_are_not() {
    let html = "<!doctype html><html lang=en><meta name=viewport content='width=device-width'><title>x</title>
        <style>p, input { color: #aaa; background: #fff }</style><body><p id=short>3+</p><p id=sign>\u{d7}</p>
        <p id=icon style='font-family: \"Some Icons\"'>ok</p><input id=value value='A name' aria-label=a>
        <input id=typed aria-label=b><input id=empty placeholder='A name' aria-label=c><input id=check type=checkbox value=yes aria-label=d>
        <div style='position: fixed; left: 100%; width: 200px'><p id=menu>Text of a closed menu</p>
            <div style='height: 30px; overflow: auto'><p>Text<p id=scrolled>Text that is scrolled to in the menu</p></div></div>
        <script>typed.value = 'Another name'</script>";
    let Some(page) = page(html).await else {
        return;
    };
    assert_eq!(
        failing(&page, "color-contrast"),
        ["#short", "#value", "#typed"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn targets_that_are_scrolled_to_have_the_neighbors_that_they_have_then() {
    let html = "<!doctype html><html lang=en><meta name=viewport content='width=device-width'><title>x</title>
        <style>a { display: block; font: 14px/18px sans-serif } li { height: 40px }</style>
        <ul style='height: 40px; overflow: auto; margin: 0'><li><a href=/1>One</a><li><a href=/2>Two</a><li><a href=/3>Three</a></ul>
        <p style='margin: 0'><a id=below href=/4>Below the list</a></p><p style='margin: 0'><a id=last href=/5>Last</a></p>";
    let Some(page) = page(html).await else {
        return;
    };
    assert_eq!(failing(&page, "target-size"), ["#below", "#last"]);
}
