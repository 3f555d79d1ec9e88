//! The colors of texts that styles do not tell, read from pictures.

use std::sync::{Arc, Mutex};

use audit_engine::check::Outcome;
use audit_engine::checks::find;
use audit_engine::gather::{Renderer, Want};
use audit_engine::view::Page;
use audit_engine::{Evaluated, evaluate_page};
use testkit::{LoopbackServer, TestRequest, TestResponse};

use crate::chromium::{any, renderer};

const WANT: Want = Want {
    focus: false,
    coverage: false,
    pixels: true,
};

/// What the check says of pages with these bodies.
async fn outcomes(bodies: &[String]) -> Option<Vec<Outcome>> {
    let (options, _folder) = any()?;
    let of_server = bodies.to_vec();
    let server = LoopbackServer::start(move |request: &TestRequest| {
        let number = request.path().trim_start_matches('/').parse::<usize>();
        match number.ok().and_then(|number| of_server.get(number)) {
            Some(body) => TestResponse::html(document(body)),
            None => TestResponse::not_found(),
        }
    })
    .unwrap();
    let renderer = renderer(options, &[&server.target()]);
    let check = find("color-contrast").unwrap();
    let mut found = Vec::new();
    for (number, body) in bodies.iter().enumerate() {
        let url = server.url(&format!("/{number}"));
        let shown = renderer.render_with(url, WANT).await.unwrap();
        let page = Page::builder()
            .html(&document(body))
            .rendered(&shown.snapshot)
            .with_events(shown.events);
        match evaluate_page(&[check], &page).pop() {
            Some(Evaluated::Answered(outcome)) => found.push(outcome),
            other => panic!("{body}: {other:?}"),
        }
    }
    renderer.close().await;
    Some(found)
}

fn document(body: &str) -> String {
    format!(
        "<!doctype html><html lang=en><meta name=viewport content='width=device-width'><title>x</title><style>p{{font:16px/1.5 sans-serif}}</style>{body}"
    )
}

/// The color pairs in the messages of a failure; empty for a pass, none if the check cannot tell.
fn told(outcome: &Outcome) -> Option<Vec<String>> {
    match outcome {
        Outcome::Passed => Some(Vec::new()),
        Outcome::Failed(found) => {
            let pair = |message: &str| {
                let (_, rest) = message.split_once('(')?;
                rest.split_once(')').map(|(pair, _)| pair.to_owned())
            };
            Some(
                found
                    .iter()
                    .filter_map(|found| pair(&found.message))
                    .collect(),
            )
        }
        _ => None,
    }
}

/// An image of one color.
fn image(color: &str) -> String {
    let size = "width=%229%22%20height=%229%22";
    let svg = format!(
        "%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20{size}%3E%3Crect%20{size}%20fill=%22%23{color}%22/%3E%3C/svg%3E"
    );
    format!("url(data:image/svg+xml,{svg})")
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_are_judged_by_what_is_painted_behind_them() {
    let (light, dark) = (image("eee"), image("222"));
    let stripes = "repeating-linear-gradient(90deg,#000 0 40px,#fff 40px 80px)";
    let far = "<div style='height:3000px'></div>";
    let cases = [
        (format!("<div style='background:{light}'><p style='color:#fff'>Text on an image</div>"), Some(vec!["#ffffff on #eeeeee"])),
        (format!("<div style='background:{dark}'><p style='color:#fff'>Text on an image</div>"), Some(vec![])),
        // Far below the window.
        (format!("{far}<div style='background:{light}'><p style='color:#fff'>Text on an image</div>{far}"), Some(vec!["#ffffff on #eeeeee"])),
        // In an element that scrolls.
        (format!("<div style='height:300px;overflow:auto'>{far}<div style='background:{light}'><p style='color:#fff'>Text on an image</div></div>"), Some(vec!["#ffffff on #eeeeee"])),
        // In a shadow tree.
        (format!("<div style='background:{light}'><template shadowrootmode=open><p style='color:#fff'>Text on an image</template></div>"), Some(vec!["#ffffff on #eeeeee"])),
        // Of a form whose fields have names of properties.
        (format!("<form style='background:{light};color:#fff'>Text on an image<input name=style><input name=getRootNode><input name=toggleAttribute></form>"), Some(vec!["#ffffff on #eeeeee"])),
        // Partly sufficient.
        (format!("<div style='background:{stripes}'><p style='color:#777'>Text on many stripes of black and white</div>"), None),
        // Half transparent.
        (format!("<div style='background:{light}'><p style='color:#0008'>Text on an image</div>"), Some(vec!["#6f6f6f on #eeeeee"])),
        // Behind a box that is moved up.
        ("<div style='height:30px;background:#eee'></div><p style='color:#fff;margin:-28px 0 0'>Text on the box before".to_owned(), Some(vec!["#ffffff on #eeeeee"])),
        // A bar that stays in the window is over the text at first.
        (format!("<div style='position:fixed;top:0;left:0;right:0;height:80px;background:#fff'></div><div style='background:{light}'><p style='color:#fff'>Text on an image</div>{far}"), None),
        // A shadow that makes it readable, and one that does not.
        ("<p style='color:#fff;text-shadow:0 0 4px #000,0 0 4px #000,0 0 4px #000,0 0 4px #000'>Text with a shadow".to_owned(), Some(vec![])),
        ("<p style='color:#ddd;text-shadow:0 1px 0 #fff'>Text with a shadow".to_owned(), Some(vec!["#dddddd on #ffffff"])),
        // What moves.
        ("<style>@keyframes x{from{opacity:0}}p{animation:x 600s}</style><p style='color:#aaa'>Text that appears".to_owned(), Some(vec!["#aaaaaa on #ffffff"])),
        ("<style>@keyframes x{50%{opacity:0}}p{animation:x 7s infinite}</style><p style='color:#aaa'>Text that blinks".to_owned(), Some(vec!["#aaaaaa on #ffffff"])),
        ("<style>p{transition:color 600s}</style><p style='color:#aaa'>Text that changes<script>document.body.offsetTop;document.querySelector('p').style.color='#999'</script>".to_owned(), Some(vec!["#999999 on #ffffff"])),
        // Its letters are transparent.
        (format!("<p style='background:{stripes};-webkit-background-clip:text;color:transparent'>Text of stripes"), None),
    ];
    let bodies: Vec<String> = cases.iter().map(|(body, _)| body.clone()).collect();
    let Some(found) = outcomes(&bodies).await else {
        return;
    };
    let mut wrong = Vec::new();
    for ((body, expected), outcome) in cases.iter().zip(&found) {
        let expected = expected
            .as_ref()
            .map(|pairs| pairs.iter().map(|pair| (*pair).to_owned()).collect());
        if told(outcome) != expected {
            wrong.push(format!("{body}\n  expected {expected:?}, got {outcome:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_looked_at_is_bounded() {
    // Texts are on black up to a height, and on white below it.
    let split = |height: usize, text: &str| {
        let style = format!(
            "margin:0;color:#ccc;background:linear-gradient(#000 0 {height}px,#fff {height}px)"
        );
        format!("<p style='{style}'>{text}</p>")
    };
    let lines = |lines: usize, dark: usize| split(24 * dark, &"A line<br>".repeat(lines));
    let nodes = |nodes: usize| {
        split(
            24,
            &format!("A line{}<br>Another line", "<i></i>".repeat(nodes)),
        )
    };
    let cases = [
        (lines(31, 29), true),
        (lines(31, 30), false),
        (nodes(400), true),
        (nodes(500), false),
    ];
    let bodies: Vec<String> = cases.iter().map(|(body, _)| body.clone()).collect();
    let Some(found) = outcomes(&bodies).await else {
        return;
    };
    for ((_, expected), (number, outcome)) in cases.iter().zip(found.iter().enumerate()) {
        let fails = matches!(outcome, Outcome::Failed(_));
        assert_eq!(fails, *expected, "{number}: {outcome:?}");
    }
}

/// A gray bitmap of 24 × 24 pixels.
fn bitmap() -> Vec<u8> {
    const SIDE: u32 = 24;
    let pixels = vec![0x88; 3 * 24 * 24];
    let mut file = b"BM".to_vec();
    let numbers = [54 + 3 * SIDE * SIDE, 0, 54, 40, SIDE, SIDE, 1 | 24 << 16];
    for number in numbers.into_iter().chain([0; 6]) {
        file.extend(number.to_le_bytes());
    }
    file.extend(pixels);
    file
}

#[tokio::test(flavor = "multi_thread")]
async fn no_pictures_are_taken_of_texts_beside_an_image() {
    let Some((options, _folder)) = any() else {
        return;
    };
    let icon = |style: &str| {
        format!(
            "<p style='width:300px;height:60px;padding-left:50px;color:#aaa;background:#fff url(/icon.bmp) no-repeat {style}'>Text"
        )
    };
    let cases = [
        (icon("8px 8px"), 0),
        (icon("0% 100%"), 0),
        (icon("50px 0"), 1),
        (icon("8px 8px/120px"), 1),
        (icon("8px 8px/cover"), 1),
        (icon("8px 8px").replace("no-repeat", "repeat-x"), 1),
        (icon("8px 8px").replace("no-repeat", "no-repeat fixed"), 1),
        (icon("8px 8px").replace("/icon.bmp", "/missing.bmp"), 1),
    ];
    let bodies = cases.clone();
    let server = LoopbackServer::start(move |request: &TestRequest| {
        let path = request.path().trim_start_matches('/');
        match path
            .parse::<usize>()
            .ok()
            .and_then(|number| bodies.get(number))
        {
            Some((body, _)) => TestResponse::html(document(body)),
            None if path == "icon.bmp" => {
                TestResponse::new(200, bitmap()).header("Content-Type", "image/bmp")
            }
            None => TestResponse::not_found(),
        }
    })
    .unwrap();
    let renderer = renderer(options, &[&server.target()]);
    let check = find("color-contrast").unwrap();
    for (number, (body, expected)) in cases.iter().enumerate() {
        let url = server.url(&format!("/{number}"));
        let shown = renderer.render_with(url, WANT).await.unwrap();
        let pictured = shown.events.text_colors.as_ref().map(Vec::len);
        assert_eq!(pictured, Some(*expected), "{body}");
        let page = Page::builder()
            .html(&document(body))
            .rendered(&shown.snapshot);
        let page = page.with_events(shown.events);
        let Some(Evaluated::Answered(outcome)) = evaluate_page(&[check], &page).pop() else {
            panic!("{body}");
        };
        if *expected == 0 {
            assert_eq!(
                told(&outcome),
                Some(vec!["#aaaaaa on #ffffff".to_owned()]),
                "{body}"
            );
        }
    }
    renderer.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_windows_of_a_page_are_bounded() {
    let Some((options, _folder)) = any() else {
        return;
    };
    // Each text is in a window of its own. Texts with the same shadow share their colors.
    let text = |blur: usize| {
        format!(
            "<p style='color:#ddd;text-shadow:0 1px {blur}px #fff'>Text with a shadow</p><div style='height:2000px'></div>"
        )
    };
    let server = LoopbackServer::start(move |request: &TestRequest| {
        let path = request.path().trim_start_matches('/');
        let body = match path.split_once('/') {
            Some(("same", many)) => text(1).repeat(many.parse().unwrap_or_default()),
            Some((_, many)) => (0..many.parse().unwrap_or_default()).map(text).collect(),
            None => return TestResponse::not_found(),
        };
        TestResponse::html(document(&body))
    })
    .unwrap();
    let renderer = renderer(options, &[&server.target()]);
    let mut found = Vec::new();
    for path in ["/other/9", "/other/12", "/same/12"] {
        let shown = renderer.render_with(server.url(path), WANT).await.unwrap();
        found.push(shown.events.text_colors.unwrap().len());
    }
    renderer.close().await;
    assert_eq!(found, [9, 10, 12]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_as_before_when_the_tab_key_is_pressed() {
    let Some((options, _folder)) = any() else {
        return;
    };
    let far = "<div style='height:3000px'></div>";
    let page = document(&format!(
        "{far}<p>Text <b style='color:#ddd;*zoom:1;text-shadow:0 1px 0 #fff;transition:all 600s'>with a shadow</b></p>{far}
            <a href=x style='position:fixed;top:0' onfocus='new Image().src=`/seen?${{[scrollY, ...state()]}}`'>a</a>
            <script>
            let changes = 0;
            new MutationObserver(() => changes++).observe(document, {{attributes: true, subtree: true}});
            const before = document.body.outerHTML;
            const state = () => [
                document.adoptedStyleSheets.length, document.getAnimations().length, changes, document.body.outerHTML === before,
            ];
            </script>"
    ));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let of_server = Arc::clone(&seen);
    let server = LoopbackServer::start(move |request: &TestRequest| {
        if request.path().starts_with("/seen") {
            let said = request.query().unwrap_or_default().to_owned();
            of_server.lock().unwrap().push(said);
        }
        TestResponse::html(page.clone())
    })
    .unwrap();
    let renderer = renderer(options, &[&server.target()]);
    let want = Want {
        focus: true,
        ..WANT
    };
    let shown = renderer.render_with(server.url("/"), want).await.unwrap();
    assert_eq!(shown.events.text_colors.map(|colors| colors.len()), Some(1));
    assert_eq!(shown.events.focus.unwrap().stops.len(), 1);
    // The request was sent before this page is shown.
    renderer.render(server.url("/next")).await.unwrap();
    renderer.close().await;
    let seen = seen.lock().unwrap();
    assert!(
        !seen.is_empty() && seen.iter().all(|seen| seen == "0,0,0,0,true"),
        "{seen:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_scripts_of_the_next_page_run() {
    let Some((options, _folder)) = any() else {
        return;
    };
    let page = document(
        "<p style='color:#ddd;text-shadow:0 1px 0 #fff'>Text with a shadow</p><script>document.body.append(document.createElement('hr'))</script>",
    );
    let of_server = page.clone();
    let server =
        LoopbackServer::start(move |_: &TestRequest| TestResponse::html(of_server.clone()))
            .unwrap();
    let renderer = renderer(options, &[&server.target()]);
    for path in ["/", "/next"] {
        let shown = renderer.render_with(server.url(path), WANT).await.unwrap();
        let shown_page = Page::builder().html(&page).rendered(&shown.snapshot);
        assert_eq!(shown_page.html("hr").count(), 1, "{path}");
        assert_eq!(shown.events.text_colors.map(|colors| colors.len()), Some(1));
    }
    renderer.close().await;
}
