//! How browsers start and end: nothing is left behind.

use std::time::{Duration, Instant};

use audit_engine::browser::{Browser, FoundBrowser, StartError};
use audit_engine::gather::Renderer;
use testkit::{LoopbackServer, TestResponse};

use crate::chromium::{Folder, Kind, any, browsers_of, options, renderer, tabs_of};

/// Waits for a condition, at most 20 s.
async fn within_seconds(mut is_true: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + Duration::from_secs(20);
    while Instant::now() < deadline {
        if is_true() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    false
}

#[tokio::test]
async fn each_kind_of_chromium_tells_its_version_and_leaves_nothing() {
    for kind in [Kind::HeadlessShell, Kind::Full] {
        let Some((options, folder)) = options(kind) else {
            continue;
        };
        let browser = Browser::start(&options).await.unwrap();
        assert!(
            browser.product().contains("Chrome/"),
            "{}",
            browser.product()
        );
        assert_eq!(folder.profiles().len(), 1);
        assert!(!browsers_of(&folder.0).is_empty());
        browser.close().await;
        assert_eq!(
            folder.profiles(),
            Vec::<std::path::PathBuf>::new(),
            "{kind:?}"
        );
        assert!(
            within_seconds(|| browsers_of(&folder.0).is_empty()).await,
            "{kind:?}"
        );
    }
}

/// The user interface of the full browser has pages of its own, which would take the processor from a page that is measured.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_the_only_one_that_runs() {
    const PAGE: &str = "<!doctype html><html lang=en><title>Page</title><p>Text</html>";
    let site = LoopbackServer::start(|_| TestResponse::html(PAGE)).unwrap();
    for kind in [Kind::HeadlessShell, Kind::Full] {
        let Some((options, folder)) = options(kind) else {
            continue;
        };
        let renderer = renderer(options, &[&site.target()]);
        renderer.render(site.url("/")).await.unwrap();
        assert_eq!(tabs_of(&folder.0).len(), 1, "{kind:?}");
        renderer.close().await;
    }
}

#[tokio::test]
async fn a_browser_that_is_dropped_leaves_nothing() {
    let Some((options, folder)) = any() else {
        return;
    };
    let browser = Browser::start(&options).await.unwrap();
    drop(browser);
    assert_eq!(folder.profiles(), Vec::<std::path::PathBuf>::new());
    assert!(within_seconds(|| browsers_of(&folder.0).is_empty()).await);
}

#[tokio::test]
async fn an_engine_that_is_killed_leaves_no_browser_and_no_profile() {
    let Some((_, folder)) = any() else {
        return;
    };
    // This test binary again, as the engine.
    let mut engine = tokio::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "lifetime::engine_that_waits",
            "--ignored",
            "--nocapture",
        ])
        .env("ASSAY_TEST_PROFILES", &folder.0)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let has_started = within_seconds(|| folder.0.join("started").is_file()).await;
    assert!(has_started, "the engine did not start a browser");
    engine.start_kill().unwrap();
    engine.wait().await.unwrap();
    let left = || {
        let profiles = folder.profiles();
        profiles.iter().filter(|path| path.is_dir()).count() + browsers_of(&folder.0).len()
    };
    assert!(
        within_seconds(|| left() == 0).await,
        "{:?}",
        folder.profiles()
    );
}

/// No test: the engine that the test above kills.
#[tokio::test]
#[ignore = "another test starts it"]
async fn engine_that_waits() {
    let Some(profiles) = std::env::var_os("ASSAY_TEST_PROFILES") else {
        return;
    };
    let (mut options, _folder) = any().unwrap();
    options.profiles = profiles.into();
    let _browser = Browser::start(&options).await.unwrap();
    std::fs::write(options.profiles.join("started"), "").unwrap();
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn a_program_that_is_no_browser_is_an_error_with_its_last_words() {
    let Some((mut options, folder)) = any() else {
        return;
    };
    let script = Folder::new();
    let program = script.0.join("chromium");
    std::fs::write(&program, "#!/bin/sh\necho broken >&2\nexit 3\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, mode).unwrap();
    options.browser = FoundBrowser::find(Some(&program), &options.search_path).unwrap();
    let error = Browser::start(&options).await.unwrap_err();
    assert!(matches!(&error, StartError::Ended(_)), "{error}");
    assert!(error.to_string().ends_with("broken"), "{error}");
    assert_eq!(folder.profiles(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn a_sandbox_that_cannot_be_used_is_an_error_with_a_remedy() {
    let Some((mut options, _folder)) = any() else {
        return;
    };
    if options.sandbox == audit_engine::browser::Sandbox::On {
        eprintln!("NOT RUN: the sandbox can be used here");
        return;
    }
    options.sandbox = audit_engine::browser::Sandbox::On;
    match Browser::start(&options).await {
        Err(error) => {
            assert!(matches!(&error, StartError::Sandbox(_)), "{error}");
            assert!(error.remedy().is_some());
        }
        // A set-uid helper may make it work after all.
        Ok(browser) => browser.close().await,
    }
}
