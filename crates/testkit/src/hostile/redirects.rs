//! Broken redirects, redirect loops, and redirects to forbidden targets.

use super::{Behaviour, document, number};
use crate::TestResponse;

/// Redirects of a chain.
const CHAIN: u64 = 25;

pub(super) fn answer(behaviour: Behaviour, below: &str) -> Option<TestResponse> {
    let path = behaviour.path();
    let here = number(below);
    let to = |location: &str| TestResponse::redirect(302, location);
    Some(match behaviour {
        Behaviour::RedirectSelf => to(&path),
        Behaviour::RedirectCircle => match below {
            "" => to(&format!("{path}/back")),
            _ => to(&path),
        },
        Behaviour::RedirectChain if here >= CHAIN => document("The end of the chain", ""),
        Behaviour::RedirectChain | Behaviour::RedirectEndless => {
            to(&format!("{path}/{}", here.wrapping_add(1)))
        }
        Behaviour::RedirectFile => to("file:///etc/passwd"),
        Behaviour::RedirectJavascript => to("javascript:alert(1)"),
        Behaviour::RedirectData => to("data:text/html,<h1>A page"),
        Behaviour::RedirectNowhere => to("http://[::bad/"),
        Behaviour::RedirectWithoutLocation => TestResponse::new(302, ""),
        Behaviour::RedirectRelative => match below {
            "" => to("redirect-relative/./here/../there"),
            _ => document("The end of a relative redirect", ""),
        },
        Behaviour::RedirectLong => to(&format!("{path}/{}", "x".repeat(100_000))),
        Behaviour::RefreshCircle => {
            let other = if below.is_empty() {
                "/refresh-circle/back"
            } else {
                "/refresh-circle"
            };
            TestResponse::html(format!(
                "<!doctype html><html lang=\"en\"><title>Moved</title><meta http-equiv=\"refresh\" content=\"0; url={other}\"><p>Moved.</p></html>"
            ))
        }
        _ => return None,
    })
}
