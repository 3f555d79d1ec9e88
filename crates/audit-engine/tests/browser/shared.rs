//! One browser for the renderers of several runs.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use audit_engine::browser::{ChromiumRenderer, FoundBrowser, SharedBrowser};
use audit_engine::gather::Renderer;
use audit_engine::view::Page;
use rstest::rstest;
use testkit::{LoopbackServer, TestResponse};

use crate::chromium::{any, kill_running_browsers_of, kill_running_tabs_of, renderer_of};

/// A page whose title is what its cookie and its storage said before it set them.
const REMEMBERS: &str = "<!doctype html><html lang=en><title>Unknown</title><p>Text</p><script>
    document.title = `cookie ${document.cookie || 'none'}, storage ${localStorage.seen || 'none'}`;
    document.cookie = 'seen=yes; max-age=1000'; localStorage.seen = 'yes'</script></html>";

fn site() -> LoopbackServer {
    LoopbackServer::start(|request| match request.path() {
        "/" => TestResponse::html(REMEMBERS),
        _ => TestResponse::not_found(),
    })
    .unwrap()
}

async fn title(renderer: &ChromiumRenderer, site: &LoopbackServer) -> String {
    let shown = renderer.render(site.url("/")).await.unwrap();
    let page = Page::builder().html(REMEMBERS).rendered(&shown.snapshot);
    page.title().unwrap_or_default().to_owned()
}

const NOTHING: &str = "cookie none, storage none";

#[tokio::test(flavor = "multi_thread")]
async fn renderers_share_the_browser_and_nothing_that_pages_store() {
    let Some((options, folder)) = any() else {
        return;
    };
    let (site, browser) = (site(), SharedBrowser::new(options, 2));
    let target = site.target();
    let renderer = || renderer_of(Arc::clone(&browser), &[&target], |_| {}, |_| {});
    let (one, other) = (renderer(), renderer());
    let (first, second) = tokio::join!(title(&one, &site), title(&other, &site));
    assert_eq!((first.as_str(), second.as_str()), (NOTHING, NOTHING));
    assert_eq!(folder.profiles().len(), 1);
    // The browser stays for the other one.
    one.close().await;
    assert_eq!(title(&other, &site).await, NOTHING);
    assert_eq!(folder.profiles().len(), 1);
    other.close().await;
    assert_eq!(folder.profiles(), Vec::<PathBuf>::new());
    // The next renderer starts it again.
    let next = renderer();
    assert_eq!(title(&next, &site).await, NOTHING);
    drop(next);
    assert_eq!(folder.profiles(), Vec::<PathBuf>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_ends_while_it_starts_is_started_once_more() {
    let Some((mut options, folder)) = any() else {
        return;
    };
    let (program, once) = (
        folder.0.join("chromium-headless-shell"),
        folder.0.join("once"),
    );
    let script = format!(
        "#!/bin/sh\nif [ -e {once} ]; then exec {real} \"$@\"; fi\n: > {once}\nexit 1\n",
        once = once.display(),
        real = options.browser.path().display()
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    options.browser = FoundBrowser::find(Some(&program), &options.search_path).unwrap();
    let (site, browser) = (site(), SharedBrowser::new(options, 1));
    let renderer = renderer_of(browser, &[&site.target()], |_| {}, |_| {});
    assert_eq!(title(&renderer, &site).await, NOTHING);
    renderer.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renderer_that_is_dropped_gives_its_tabs_back() {
    let Some((options, _folder)) = any() else {
        return;
    };
    let (site, browser) = (site(), SharedBrowser::new(options, 1));
    let target = site.target();
    let renderer = || renderer_of(Arc::clone(&browser), &[&target], |_| {}, |_| {});
    let stays = renderer();
    assert_eq!(title(&stays, &site).await, NOTHING);
    for _ in 0..3 {
        // As a run that is cancelled while it shows a page.
        let gone = renderer();
        let shown = gone.render(site.url("/"));
        tokio::select! {
            biased;
            _ = shown => {}
            () = std::future::ready(()) => {}
        }
        drop(gone);
        assert_eq!(title(&stays, &site).await, NOTHING);
    }
    stays.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_lose_their_browser_are_shown_again_one_after_the_other() {
    let Some((options, folder)) = any() else {
        return;
    };
    let profiles = folder.0.clone();
    let (sender, mut arrived) = tokio::sync::mpsc::unbounded_channel();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let known = Arc::clone(&asked);
    let site = LoopbackServer::start(move |request| {
        let path = request.path().to_owned();
        let mut known = known.lock().unwrap();
        let is_first = !known.contains(&path);
        known.push(path.clone());
        sender.send(()).unwrap();
        match path.as_str() {
            "/one" | "/other" if is_first => TestResponse::hang(),
            "/one" | "/other" => {
                TestResponse::html(format!("<title>x</title><img src={path}.png>"))
            }
            _ => TestResponse::not_found(),
        }
    })
    .unwrap();
    let browser = SharedBrowser::new(options, 2);
    let renderer = renderer_of(browser, &[&site.target()], |_| {}, |_| {});
    let kill_when_both_wait = async {
        arrived.recv().await.unwrap();
        arrived.recv().await.unwrap();
        let kill = move || kill_running_browsers_of(&profiles);
        assert!(tokio::task::spawn_blocking(kill).await.unwrap());
    };
    let (one, other, ()) = tokio::join!(
        renderer.render(site.url("/one")),
        renderer.render(site.url("/other")),
        kill_when_both_wait
    );
    assert_eq!((one.unwrap().status, other.unwrap().status), (200, 200));
    let asked = asked.lock().unwrap().split_off(2);
    let (first, second) = asked.split_at(2);
    for page in [first, second] {
        assert_eq!(page[1], format!("{}.png", page[0]), "{asked:?}");
    }
    renderer.close().await;
}

/// Also if it is so old that the machine is measured again.
#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn a_tab_that_ended_before_its_measurement_is_replaced(#[values(false, true)] is_old: bool) {
    let Some((options, folder)) = any() else {
        return;
    };
    let (site, browser) = (site(), SharedBrowser::new(options, 1));
    let target = site.target();
    let renderer = || renderer_of(Arc::clone(&browser), &[&target], |_| {}, |_| {});
    let (one, other) = (renderer(), renderer());
    one.measure(site.url("/")).await.unwrap();
    // Ends the tab that the first renderer has opened for its next measurement, in the browser that goes on.
    let profiles = folder.0.clone();
    let kill = move || kill_running_tabs_of(&profiles);
    assert!(tokio::task::spawn_blocking(kill).await.unwrap());
    if is_old {
        // Takes longer than a benchmark is fresh.
        other.measure(site.url("/")).await.unwrap();
    }
    one.measure(site.url("/")).await.unwrap();
    one.close().await;
    other.close().await;
}
