//! The request headers of a run go to the site's own origin, and to no other.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use audit_engine::browser::SiteHeaders;
use audit_engine::gather::Renderer;
use audit_engine::view::Page;
use domain::run::RequestHeaders;
use testkit::{LoopbackServer, TestRequest, TestResponse};

use crate::chromium::{any, renderer_with};

const SECRET: &str = "Basic c2VjcmV0LXdvcmQ=";

/// Whether each requested path had the header.
type Seen = Arc<Mutex<BTreeMap<String, bool>>>;

fn note(seen: &Seen, request: &TestRequest) -> bool {
    let has = request.header("authorization") == Some(SECRET);
    seen.lock().unwrap().insert(request.path().to_owned(), has);
    has
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_own_origin_gets_the_headers_and_what_a_page_repeats_is_hidden() {
    let Some((options, _folder)) = any() else {
        return;
    };
    let (own, foreign) = (Seen::default(), Seen::default());
    let noted = Arc::clone(&foreign);
    let other = LoopbackServer::start(move |request| {
        note(&noted, request);
        TestResponse::html("x").header("access-control-allow-origin", "*")
    })
    .unwrap();
    let there = other.url("/").to_string();
    let noted = Arc::clone(&own);
    let site = LoopbackServer::start(move |request| {
        let has = note(&noted, request);
        match request.path() {
            _ if !has => TestResponse::new(401, "no"),
            "/" => TestResponse::new(302, "").header("location", "/home"),
            "/home" => TestResponse::html(format!(
                "<!doctype html><title>Home</title><p id=own>?</p><p id=far>?</p><p id=said>{SECRET}</p>
                <img src={there}image><iframe src={there}frame></iframe><img src=/away>
                <script>setTimeout(() => {{ throw new Error('{SECRET}') }});fetch('/api').then(r => own.textContent = r.status);
                fetch('/away-by-script').then(r => far.textContent = r.status)</script>"
            )),
            "/away" => TestResponse::new(302, "").header("location", format!("{there}redirected").as_str()),
            "/away-by-script" => {
                TestResponse::new(307, "").header("location", format!("{there}redirected-by-script").as_str())
            }
            _ => TestResponse::new(200, "ok"),
        }
    })
    .unwrap();
    let pair = ("authorization".to_owned(), SECRET.to_owned());
    let headers = RequestHeaders::parse([pair].into_iter().collect()).unwrap();
    let start = site.url("/");
    let headers = SiteHeaders::new(headers, &start);
    let allowed = [site.target(), other.target()];
    let allowed = allowed.each_ref().map(String::as_str);
    let renderer = renderer_with(
        options,
        &allowed,
        |_| {},
        |options| options.headers = headers,
    );
    let shown = renderer.render(start).await;
    renderer.close().await;
    let shown = shown.unwrap();
    let events = format!("{:?}", shown.events);
    assert!(
        events.contains("Error: ***") && !events.contains(SECRET),
        "{events}"
    );
    let page = Page::builder().html("").rendered(&shown.snapshot);
    let text = |id: &str| page.by_id(id).unwrap().text();
    assert_eq!(
        (page.title(), text("own")),
        (Some("Home"), "200".to_owned())
    );
    assert_eq!(
        (text("said"), text("far")),
        ("***".to_owned(), "200".to_owned())
    );
    let own = own.lock().unwrap().clone();
    assert!(own.values().all(|has| *has), "{own:?}");
    for path in ["/", "/home", "/api", "/away", "/away-by-script"] {
        assert!(own.contains_key(path), "{path}: {own:?}");
    }
    let foreign = foreign.lock().unwrap().clone();
    assert!(foreign.values().all(|has| !has), "{foreign:?}");
    for path in ["/image", "/frame", "/redirected", "/redirected-by-script"] {
        assert!(foreign.contains_key(path), "{path}: {foreign:?}");
    }
}
