//! Loads of pages that are measured.

use audit_engine::gather::{RenderError, Renderer};
use audit_engine::lab::{
    Initiator, MAX_LAB_TEXT_BYTES, MAX_SHIFT_SOURCES, MeasuredLoad, Observed, RequestKind,
};
use rstest::rstest;
use testkit::{LoopbackServer, TestRequest, TestResponse};

use crate::chromium::{any, renderer};

/// Measures the page at `/` of these pages this many times.
async fn loads(
    times: usize,
    pages: impl Fn(&TestRequest) -> TestResponse + Send + Sync + 'static,
) -> Option<Vec<Result<MeasuredLoad, RenderError>>> {
    let (options, _folder) = any()?;
    let server = LoopbackServer::start(pages).unwrap();
    let renderer = renderer(options, &[&server.target()]);
    let mut loads = Vec::new();
    for _ in 0..times {
        loads.push(renderer.measure(server.url("/")).await);
    }
    renderer.close().await;
    Some(loads)
}

async fn measured(html: &'static str) -> Option<MeasuredLoad> {
    let hero = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='400' height='300'><rect width='400' height='300' fill='teal'/><!--{}--></svg>",
        // An image of few bytes for its size is a placeholder.
        "hero".repeat(5_000)
    );
    let pages = move |request: &TestRequest| {
        match request.path() {
        "/" => TestResponse::html(html),
        "/hero.svg" => {
            TestResponse::new(200, hero.clone()).header("content-type", "image/svg+xml")
        }
        "/busy.js" => TestResponse::new(
            200,
            "const busy = () => { for (const end = performance.now() + 300; performance.now() < end;); };
            fetch('/one').then(() => setTimeout(busy, 300));",
        )
        .header("content-type", "text/javascript"),
        _ => TestResponse::not_found(),
    }
    };
    Some(loads(1, pages).await?.pop().unwrap().unwrap())
}

/// The first text was painted before anything that comes later.
fn assert_painted(observed: &Observed) {
    let fcp = observed.fcp_ms.unwrap();
    assert!(fcp > 0 && fcp <= observed.ended_ms, "{observed:#?}");
    assert!(observed.ttfb_ms.unwrap() <= fcp, "{observed:#?}");
    assert!(!observed.frames.is_empty(), "{observed:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plain_page_shifts_nothing_and_blocks_nothing() {
    let html =
        "<!doctype html><html lang=en><title>Menu</title><h1>Menu</h1><p>Cake and coffee.</p>";
    let Some(loads) = loads(3, move |_| TestResponse::html(html)).await else {
        return;
    };
    let loads: Vec<MeasuredLoad> = loads.into_iter().map(Result::unwrap).collect();
    for load in &loads {
        assert_painted(&load.observed);
        assert!(load.is_settled, "{load:#?}");
        let metrics = load.metrics();
        assert_eq!(metrics.cls_thousandths, Some(0));
        assert!(
            metrics.lcp_ms >= metrics.fcp_ms && metrics.speed_index_ms > Some(0),
            "{metrics:?}"
        );
        // Two round trips for the connection, one for the request.
        assert!(metrics.ttfb_ms >= Some(450), "{metrics:?}");
        let speed = load.benchmark;
        assert!(speed.mean > 0 && speed.before > 0 && speed.after > 0);
    }
    // A busy machine may take longer than 50 ms for anything.
    let blocks_nothing = |load: &MeasuredLoad| load.metrics().tbt_ms == Some(0);
    assert!(loads.iter().any(blocks_nothing), "{loads:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_largest_paint_names_its_element_and_when_its_image_was_requested() {
    let html = "<!doctype html><html lang=en><title>Menu</title><p>Cake and coffee.</p><main></main>
        <script>fetch('/one').then(() => fetch('/two')).then(() => {
            document.querySelector('main').innerHTML = '<img id=hero src=/hero.svg width=400 height=300 alt=Cake>'; })</script>";
    let Some(load) = measured(html).await else {
        return;
    };
    assert_painted(&load.observed);
    let largest = load.observed.largest.unwrap();
    assert!(largest.at_ms > load.observed.fcp_ms.unwrap(), "{largest:?}");
    assert!(largest.url.unwrap().ends_with("/hero.svg"));
    let element = largest.element.unwrap();
    assert_eq!(element.selector.as_deref(), Some("#hero"));
    assert!(
        element.snippet.starts_with("<img id=\"hero\""),
        "{element:?}"
    );
    let (begun, ended) = largest.loaded_ms.unwrap();
    assert!(begun < ended && ended <= largest.at_ms);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_banner_without_a_size_shifts_what_is_below_it() {
    let html = "<!doctype html><html lang=en><title>Menu</title><style>*{margin:0}</style><div id=banner></div>
        <main style='height:700px;background:teal'>Cake and coffee.</main>
        <script>fetch('/one').then(() => setTimeout(() => {
            banner.innerHTML = '<p style=\"height:300px\">New cakes</p>'; }, 500))</script>";
    let Some(load) = measured(html).await else {
        return;
    };
    assert_painted(&load.observed);
    assert!(
        load.metrics().cls_thousandths.unwrap() > 50,
        "{:#?}",
        load.observed
    );
    let source = &load.observed.shift_sources[0];
    let element = source.element.as_ref().unwrap();
    assert_eq!(element.selector.as_deref(), Some("html > body > main"));
    assert!(source.shift.at_ms > load.observed.fcp_ms.unwrap());
}

/// After 600 and 700 ms a load has usually been read, and the Tab key is pressed.
#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn what_shifts_after_the_load_is_measured(#[values(600, 700, 3_000)] delay_ms: u32) {
    let html = format!(
        "<!doctype html><html lang=en><title>Menu</title><style>*{{margin:0}}</style><div id=banner></div>
        <main style='height:700px;background:teal'>Cake and coffee. <a href=/>Menu</a></main>
        <script>setTimeout(() => {{ banner.style.height = '300px'; }}, {delay_ms})</script>"
    );
    let Some(shifts) = loads(2, move |_| TestResponse::html(html.clone())).await else {
        return;
    };
    for load in shifts {
        let observed = load.unwrap().observed;
        assert_eq!(observed.shifts.len(), 1, "{observed:#?}");
        assert!(observed.shifts[0].at_ms >= delay_ms, "{observed:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_task_blocks_and_its_script_is_named() {
    let html = "<!doctype html><html lang=en><title>Menu</title><p>Cake and coffee.</p><script src=/busy.js></script>";
    let Some(load) = measured(html).await else {
        return;
    };
    assert_painted(&load.observed);
    assert!(load.metrics().tbt_ms.unwrap() > 0, "{:#?}", load.observed);
    let (read, ended) = (load.observed.content_loaded_ms, load.observed.ended_ms);
    assert!(read.is_some_and(|read| read <= ended), "{read:?} {ended}");
    // Of a load with this task of 300 ms, Chromium counted 275 ms of tasks or more.
    assert!(
        load.observed.main_thread_ms.unwrap() >= 200,
        "{:#?}",
        load.observed
    );
    let busiest = &load.observed.busy_scripts[0];
    assert!(busiest.url.ends_with("/busy.js"), "{busiest:?}");
    assert!(busiest.ms >= 250, "{busiest:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_load_begins_without_a_cache_and_without_what_the_last_one_stored() {
    let html = "<!doctype html><html lang=en><title>Menu</title><p id=seen>Cake</p><img src=/hero.svg alt=Cake>
        <script>if (localStorage.seen) seen.remove(); localStorage.seen = 'yes'; document.cookie = 'seen=yes'</script>";
    let requests = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&requests);
    let pages = move |request: &TestRequest| match request.path() {
        "/" => {
            assert_eq!(request.header("cookie"), None);
            TestResponse::html(html).header("cache-control", "max-age=3600")
        }
        _ => {
            counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            TestResponse::new(200, "<svg xmlns='http://www.w3.org/2000/svg'/>")
                .header("content-type", "image/svg+xml")
                .header("cache-control", "max-age=3600")
        }
    };
    let Some(loads) = loads(2, pages).await else {
        return;
    };
    assert!(loads.iter().all(Result::is_ok), "{loads:#?}");
    assert!(requests.load(std::sync::atomic::Ordering::Relaxed) >= 2);
    for load in loads.into_iter().flatten() {
        assert!(load.observed.fcp_ms.is_some(), "{load:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_page_is_not_measured() {
    let Some(mut loads) = loads(1, |_| {
        TestResponse::new(500, "no").header("content-type", "text/html")
    })
    .await
    else {
        return;
    };
    let error = loads.pop().unwrap().unwrap_err();
    assert!(matches!(error, RenderError::Navigation(_)), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_can_lengthen_is_bounded() {
    let html = "<!doctype html><html lang=en><title>Menu</title><meta name=viewport content='width=device-width'>
        <div id=banner></div><section></section>
        <script>const deep = document.querySelector('section');
            let at = deep;
            for (let level = 0; level < 100; level++) { at.innerHTML = '<div></div>'; at = at.firstChild; }
            at.innerHTML = '<h1>Cake and coffee, every day from nine to five</h1>';
            at.firstChild.title = 'x'.repeat(100_000);
            let height = 0;
            const grow = () => { height += 20; banner.style.height = height + 'px'; };
            fetch('/one').then(() => { for (let turn = 0; turn < 15; turn++) setTimeout(grow, 300 + 40 * turn); });</script>";
    let Some(load) = measured(html).await else {
        return;
    };
    let observed = &load.observed;
    assert!(observed.shifts.len() > MAX_SHIFT_SOURCES, "{observed:#?}");
    assert_eq!(observed.shift_sources.len(), MAX_SHIFT_SOURCES);
    let element = observed.largest.as_ref().unwrap().element.as_ref().unwrap();
    assert_eq!(element.selector, None, "a path of 100 elements");
    assert_eq!(element.snippet.len(), MAX_LAB_TEXT_BYTES);
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_have_their_times_and_what_made_the_browser_send_them() {
    let html = "<!doctype html><html lang=en><title>Menu</title><link rel=stylesheet href=/a.css>
        <h1>Menu</h1><img src=/plain.svg alt=Cake width=40 height=40><p>Cake and coffee.</p>
        <script>fetch('/one')</script>";
    let pages = move |request: &TestRequest| match request.path() {
        "/" => TestResponse::html(html),
        "/a.css" => TestResponse::redirect(302, "/b.css"),
        "/b.css" => TestResponse::new(200, "h1 { background: url(/styled.svg) }")
            .header("content-type", "text/css"),
        _ => TestResponse::new(200, "<svg xmlns='http://www.w3.org/2000/svg'/>")
            .header("content-type", "image/svg+xml"),
    };
    let Some(mut loads) = loads(1, pages).await else {
        return;
    };
    let observed = loads.pop().unwrap().unwrap().observed;
    let request = |path: &str| {
        let mut requests = observed.requests.iter();
        requests
            .find(|request| request.url.ends_with(path))
            .unwrap()
    };
    let (document, sheet) = (request("/"), request("/a.css"));
    assert_eq!(
        (document.kind, document.began_ms),
        (RequestKind::Document, 0)
    );
    assert!(document.ended_ms <= Some(sheet.began_ms), "{observed:#?}");
    assert_eq!(sheet.kind, RequestKind::Stylesheet);
    assert!(sheet.blocks_rendering && sheet.redirects == 1, "{sheet:?}");
    // A round trip each for the redirect and the file.
    assert!(sheet.redirects_ms >= 140, "{sheet:?}");
    assert!(
        sheet.took_ms() >= Some(sheet.redirects_ms + 140),
        "{sheet:?}"
    );
    assert!(
        sheet.landed_at.as_deref().unwrap().ends_with("/b.css"),
        "{sheet:?}"
    );
    let plain = request("/plain.svg");
    assert_eq!(
        (plain.kind, plain.initiator),
        (RequestKind::Image, Initiator::Parser)
    );
    assert!(!plain.blocks_rendering && observed.named_by_file(plain).is_none());
    let styled = request("/styled.svg");
    assert_eq!(observed.named_by_file(styled), Some(sheet));
    assert!(Some(styled.began_ms) >= sheet.ended_ms, "{observed:#?}");
    let data = request("/one");
    assert_eq!(
        (data.kind, data.initiator),
        (RequestKind::Data, Initiator::Script)
    );
    assert!(
        observed
            .requests
            .is_sorted_by_key(|request| request.began_ms)
    );
}
