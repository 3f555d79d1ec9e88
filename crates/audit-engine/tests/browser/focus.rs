//! What the Tab key does to pages.

use std::time::{Duration, Instant};

use audit_engine::gather::FocusChange::{self, Nothing, Outside, Unknown, Visible};
use audit_engine::gather::{FocusWalk, Renderer, WalkEnd, Want};
use testkit::{LoopbackServer, TestRequest, TestResponse};

use crate::chromium::{any, renderer};

const WANT: Want = Want {
    focus: true,
    coverage: false,
    pixels: false,
};

/// Walks around pages with these bodies.
async fn walks(bodies: Vec<String>) -> Option<Vec<FocusWalk>> {
    let (options, _folder) = any()?;
    let many = bodies.len();
    let page = move |request: &TestRequest| {
        let number = request.path().trim_start_matches('/').parse::<usize>();
        match number.ok().and_then(|number| bodies.get(number)) {
            Some(body) => TestResponse::html(format!("<!doctype html><title>x</title>{body}")),
            None => TestResponse::not_found(),
        }
    };
    let server = LoopbackServer::start(page).unwrap();
    let renderer = renderer(options, &[&server.target()]);
    let mut found = Vec::new();
    for number in 0..many {
        let url = server.url(&format!("/{number}"));
        let shown = renderer.render_with(url, WANT).await.unwrap();
        found.push(shown.events.focus.unwrap());
    }
    renderer.close().await;
    Some(found)
}

fn changes(walk: &FocusWalk) -> Vec<FocusChange> {
    walk.stops.iter().map(|stop| stop.change).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_styles_or_of_pixels_is_seen() {
    let cases: [(&str, &[FocusChange]); 24] = [
        ("<p>nothing to focus", &[]),
        ("<a tabindex=-1 href=x>a</a>", &[]),
        ("<a href=x>a</a><button>b</button>", &[Visible, Visible]),
        ("<style>a{outline:none}</style><a href=x>a</a><button>b</button>", &[Nothing, Visible]),
        ("<style>a{outline:none}</style><a autofocus href=x>a</a><button>b</button>", &[Visible, Nothing]),
        ("<style>a{outline:none}a:focus{color:red}</style><a href=x>a</a>", &[Visible]),
        ("<style>a{outline:2px solid transparent}</style><a href=x>a</a>", &[Nothing]),
        ("<style>a{outline:none;transition:color .3s}a:focus{color:red}</style><a href=x>a</a>", &[Visible]),
        ("<style>a{outline:none}p:focus-within{background:#eee}</style><p><a href=x>a</a></p>", &[Visible]),
        ("<style>a{outline:none}a:focus::after{content:'here'}</style><a href=x>a</a>", &[Visible]),
        // What is far away.
        ("<style>a{outline:none}#m{position:fixed;bottom:0;width:9px;height:9px;background:#000}</style>
            <a href=x onfocus='m.hidden=false' onblur='m.hidden=true'>a</a><i id=m hidden></i>", &[Visible]),
        ("<style>input{outline:none;border:0}</style><input><input readonly>", &[Visible, Nothing]),
        ("<style>input{outline:none;caret-color:transparent;border:1px solid}</style><input>", &[Nothing]),
        // A check box that is drawn by what follows it.
        ("<style>input{opacity:0}input+b{border:1px solid #000}input:focus+b{border-color:red}</style><label><input type=checkbox><b>x</b></label>", &[Visible]),
        ("<style>input{opacity:0}input+b{border:1px solid #000}</style><label><input type=checkbox><b>x</b></label>", &[Nothing]),
        ("<a href=x style='position:absolute;left:-9999px;outline:none'>skip</a>", &[Outside]),
        ("<a href=x style='position:absolute;left:-9999px'>skip</a>", &[Outside]),
        // A closed menu, and the same one that the Tab key skips.
        ("<nav style='position:fixed;left:0;width:250px;transform:translateX(-100%)'><a href=x>a</a></nav><button>b</button>", &[Outside, Visible]),
        ("<nav style='position:fixed;left:0;width:250px;transform:translateX(-100%);visibility:hidden'><a href=x>a</a></nav><button>b</button>", &[Visible]),
        ("<input name=trap style='position:absolute;left:-9999px'>", &[Unknown]),
        ("<style>a{position:absolute;left:-9999px}a:focus{left:0}</style><a href=x>skip</a>", &[Visible]),
        ("<style>a{outline:none}div{position:fixed;inset:0;background:#fff}</style><a href=x>behind</a><div>front</div>", &[Unknown]),
        // What appears because the page is scrolled is not what the focus changes.
        ("<style>a{outline:none}#t{position:fixed;top:0;width:99px;height:99px;background:#000;opacity:0}</style><div><i id=t></i></div><div style='height:3000px'></div>
            <div><p><a href=x>a</a></p></div><script>onscroll=()=>{onscroll=null;const f=performance.now(),s=()=>{const o=(performance.now()-f)/300;t.style.opacity=o;if(o<1)requestAnimationFrame(s)};s()}</script>", &[Nothing]),
        ("<iframe srcdoc='<a href=x>1</a><a href=x>2</a>'></iframe><button>b</button>", &[Unknown, Visible]),
    ];
    let bodies = cases.iter().map(|(body, _)| (*body).to_owned()).collect();
    let Some(walks) = walks(bodies).await else {
        return;
    };
    let mut wrong = Vec::new();
    for ((body, expected), walk) in cases.iter().zip(&walks) {
        if changes(walk) != *expected || walk.ended_early.is_some() {
            wrong.push(format!("{body}\n  expected {expected:?}, got {walk:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_walk_that_cannot_see_everything_says_why() {
    let links = |many: usize| "<a href=x>a</a> ".repeat(many);
    let cases = [
        (links(60), None),
        (links(61), Some(WalkEnd::TooMany)),
        // Pictures of more elements are not compared.
        (format!("<style>a{{outline:none}}</style>{}", links(7)), None),
        (format!("<style>a{{outline:none}}</style>{}", links(20)), Some(WalkEnd::TooMany)),
        (
            "<a href=x onfocus='b.focus()'>a</a><button id=b>b</button>".to_owned(),
            Some(WalkEnd::MovedByScript),
        ),
        (
            "<a href=x onfocus='setTimeout(() => b.focus(), 30)' style='outline:none'>a</a><button id=b>b</button>".to_owned(),
            Some(WalkEnd::MovedByScript),
        ),
        (
            "<button>a</button><button onkeydown='event.preventDefault()'>b</button><button>c</button>".to_owned(),
            Some(WalkEnd::MovedByScript),
        ),
        (
            "<a href=x>a</a><button onfocus='location.href=\"/0\"'>b</button><button>c</button>".to_owned(),
            Some(WalkEnd::PageLost),
        ),
        (
            "<a href=x>a</a><button onfocus='alert(1);confirm(2)'>b</button><button>c</button>".to_owned(),
            None,
        ),
    ];
    let bodies = cases.iter().map(|(body, _)| body.clone()).collect();
    let Some(walks) = walks(bodies).await else {
        return;
    };
    for ((body, expected), walk) in cases.iter().zip(&walks) {
        let start: String = body.chars().take(100).collect();
        assert_eq!(walk.ended_early, *expected, "{start}: {walk:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_walk_ends_in_time_and_the_next_page_is_well() {
    let slow = "<style>a{outline:none}</style>".to_owned() + &"<a href=x>a</a><br>".repeat(200);
    let bodies = vec![
        "<button>a</button><button onfocus='for(;;){}'>b</button>".to_owned(),
        "<button>a</button>".to_owned(),
        "<button>a</button><button onfocus='const all=[];for(;;)all.push(new Array(1e6).fill(Math.random()))'>b</button>".to_owned(),
        slow,
        "<button>a</button>".to_owned(),
    ];
    let begun = Instant::now();
    let Some(walks) = walks(bodies).await else {
        return;
    };
    assert!(
        begun.elapsed() < Duration::from_secs(60),
        "{:?}",
        begun.elapsed()
    );
    let ends: Vec<Option<WalkEnd>> = walks.iter().map(|walk| walk.ended_early).collect();
    assert!(
        ends[0].is_some() && ends[2].is_some() && ends[3].is_some(),
        "{ends:?}"
    );
    for place in [1, 4] {
        assert_eq!((changes(&walks[place]), ends[place]), (vec![Visible], None));
    }
    assert!(
        walks[3]
            .stops
            .iter()
            .all(|stop| stop.change == Nothing && stop.node.is_some())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_presses_a_key_that_is_not_asked_for() {
    let Some((options, _folder)) = any() else {
        return;
    };
    let server =
        LoopbackServer::start(|_: &TestRequest| TestResponse::html("<a href=x>a</a>")).unwrap();
    let renderer = renderer(options, &[&server.target()]);
    let shown = renderer.render(server.url("/")).await.unwrap();
    renderer.close().await;
    assert_eq!(shown.events.focus, None);
}
