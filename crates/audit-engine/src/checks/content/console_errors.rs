//! Errors on load: uncaught exceptions, unhandled rejections, failed and blocked requests.

use std::collections::HashSet;
use std::fmt::Write as _;

use domain::Severity;

use crate::algorithms::shortened::shortened;
use crate::check::{Evidence, Failures, Outcome};
use crate::common::text::variable_parts;
use crate::declare_check;
use crate::gather::{MessageKind, PageEvents, PageMessage, PageRequest, RequestEnd};
use crate::lab::RequestKind;
use crate::page::ResourceKind;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// While the page loads, no script throws an exception that nobody catches, no promise is rejected without a
    /// handler, no request fails with a status code of 4xx or 5xx, and the browser blocks nothing because of the content
    /// security policy, an `integrity` attribute or CORS. No script runs for more than 3 s without returning.
    ///
    /// ## Why it matters
    /// A script stops at an exception: what it would have set up afterwards is missing, such as a menu that does not
    /// open or a form that does not send. A resource that fails to load leaves out what depends on it.
    ///
    /// ## How to fix it
    /// Open the page with the developer tools of a browser and read its console. Correct the line of the script that
    /// the finding names, restore the resource or remove the reference to it, or allow the resource in the policy.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><p>Timetable</p><script>showTimetable();</script></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferries</title><p>Timetable</p><script>function showTimetable() {} showTimetable();</script></html>
    /// ```
    ///
    /// ## Limits
    /// Only errors until the page has settled are seen, in the page and in frames of the same site, and not in workers.
    /// What scripts write to the console themselves is not reported.
    /// Responses that may only reject the crawler, such as 401, 403, 429 and 503, are not reported, nor are beacons,
    /// icons, requests that were canceled, and requests for which there was no connection. The images of `img` elements
    /// are judged by `image-broken`, and mixed content and wrong media types by their own checks. Exceptions that tell
    /// what the browser of the auditor cannot do or may not do (graphics hardware, permissions, playing media) are ignored.
    /// If the auditor refused or limited a connection of the page, the check cannot tell whether exceptions follow from
    /// that. After a script was stopped because it ran for too long, no further exceptions are reported.
    ///
    /// ## Also known as
    /// - Lighthouse: `errors-in-console`
    /// - Common name: JavaScript errors
    ///
    /// ## References
    /// - HTML Living Standard, section 8.1.4.6 Runtime script errors
    /// - HTML Living Standard, section 8.1.4.7 Unhandled promise rejections
    /// - Content Security Policy Level 3, section 5 Reporting
    CONSOLE_ERRORS {
        id: "console-errors",
        title: "Browser errors logged to the console",
        dimension: Content,
        scope: Page,
        severity: Moderate,
        confidence: Medium,
        effort: Medium,
        needs: [Browser],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const LIMITED: &str = "The auditor refused or limited a connection of the page, and its exceptions may follow from that.";

/// Characters of an error in a message; the excerpt has more.
const MAX_ERROR_CHARS: usize = 120;

/// Words of exceptions that come from the auditor's browser: it has no graphics hardware, grants no permissions, plays
/// nothing, and ends what a page has begun. The last one is a warning of browsers about a layout that is not finished yet.
const OF_THE_BROWSER: &[&str] = &[
    "webgl",
    "webgpu",
    "gpu",
    "aborterror",
    "notallowederror",
    "notsupportederror",
    "quotaexceedederror",
    "resizeobserver loop",
];

fn evaluate(page: &Page) -> Outcome {
    let Some(events) = page.events() else {
        return Outcome::NotApplicable;
    };
    let mut exceptions = events.messages.iter().filter(|own| is_of_page(own));
    let mut failures = Failures::default();
    for message in events.messages.iter().filter(|own| is_of_page(own)) {
        if message.kind == MessageKind::Blocked {
            failures.push(blocked(message, page));
        } else if !events.was_limited {
            failures.push(thrown(message, page));
        }
    }
    let images = images(page);
    for request in &events.requests {
        if let Some(evidence) = failed(request, events, &images) {
            failures.push(evidence);
        }
    }
    if events.has_long_script {
        let is_only = failures.is_none();
        failures.push(long_script());
        if is_only {
            // On a slower machine than a visitor's it may be less.
            return Outcome::from_failures(failures).with_severity(Severity::Minor);
        }
    }
    let is_uncertain =
        events.was_limited && exceptions.any(|message| message.kind != MessageKind::Blocked);
    if failures.is_none() && is_uncertain {
        return Outcome::CannotTell(LIMITED);
    }
    Outcome::from_failures(failures)
}

/// Whether a message says something about the page, and not about the auditor's browser.
fn is_of_page(message: &PageMessage) -> bool {
    if message.kind == MessageKind::Blocked {
        return true;
    }
    let text = message.text.to_ascii_lowercase();
    !OF_THE_BROWSER.iter().any(|word| text.contains(word))
}

fn thrown(message: &PageMessage, page: &Page) -> Evidence {
    let (what, expected) = match message.kind {
        MessageKind::Rejection => ("A promise is rejected without a handler", "a handler"),
        _ => ("A script throws an exception", "no uncaught exception"),
    };
    let error = shortened(&message.text, MAX_ERROR_CHARS);
    let often = if message.count > 1 {
        ", more than once"
    } else {
        ""
    };
    let place = place(message);
    located(message, page)
        .snippet(&message.text)
        .cause(
            format!(
                "{:?} {}",
                message.kind,
                variable_parts::without(&message.text)
            ),
            format!("{}: {error}", label(message.kind)),
        )
        .message(format!(
            "{what}{place}{often}: {error}; expected {expected}."
        ))
}

const fn label(kind: MessageKind) -> &'static str {
    match kind {
        MessageKind::Exception => "Uncaught exception",
        MessageKind::Rejection => "Unhandled rejection",
        MessageKind::Blocked => "Blocked by the browser",
    }
}

/// The messages of browsers about policies quote these with their nonces, which are different in each response.
fn blocked(message: &PageMessage, page: &Page) -> Evidence {
    let text = &message.text;
    let (what, why) =
        match text.split_once(" violates the following Content Security Policy directive") {
            Some((what, directive)) => {
                let name = directive.trim_start_matches([':', ' ', '"', '\'']);
                let name = name.split([' ', '"', '\'', ';']).next().unwrap_or_default();
                let what = what.trim_end_matches(" because it");
                (
                    what,
                    format!("the directive {name} of the content security policy"),
                )
            }
            None => (
                text.split(" with computed ").next().unwrap_or(text),
                "the integrity attribute".to_owned(),
            ),
        };
    let what = shortened(what, MAX_ERROR_CHARS);
    located(message, page)
        .snippet(&what)
        .cause(
            format!("Blocked {why} {}", variable_parts::without(&what)),
            format!("Blocked by {why}: {what}"),
        )
        .message(format!(
            "The browser blocks this because of {why}: {what}; expected that nothing is blocked."
        ))
}

fn long_script() -> Evidence {
    Evidence::here()
        .cause("long script", "A script ran for more than 3 s without returning")
        .message("A script ran for more than 3 s without returning, and was stopped; expected that scripts let the page respond.")
}

fn failed(request: &PageRequest, events: &PageEvents, images: &HashSet<&str>) -> Option<Evidence> {
    let url = request.url.as_str();
    let is_plain = url.starts_with("http:");
    let problem = match &request.end {
        // What may only reject the crawler, or ask it to wait.
        RequestEnd::Status(401 | 402 | 403 | 405 | 407 | 408 | 425 | 429 | 451 | 503) => {
            return None;
        }
        // The auditor's proxy has no other way to say that it could not connect.
        RequestEnd::Status(502) if events.was_limited && is_plain => return None,
        RequestEnd::Status(status @ 400..=599) => format!("fails with status {status}"),
        RequestEnd::Cors(_) if events.was_limited && is_plain => return None,
        RequestEnd::Cors(_) => "is blocked by CORS".to_owned(),
        RequestEnd::Blocked(reason) if is_cross_origin(reason) => {
            "is blocked by a cross-origin policy".to_owned()
        }
        _ => return None,
    };
    let kind = match request.kind {
        RequestKind::Other => return None,
        RequestKind::Image if images.contains(url) || url.ends_with("/favicon.ico") => return None,
        RequestKind::Document => "frame",
        kind => kind.as_str(),
    };
    // The same resource with another parameter is the same mistake.
    let path = url.split('?').next().unwrap_or(url);
    let evidence = Evidence::here()
        .snippet(url)
        .cause(
            format!("{problem} {}", variable_parts::without(path)),
            format!("Request for {kind} {problem}: {path}"),
        )
        .message(format!(
            "The request for {kind} at {url} {problem}; expected that it succeeds."
        ));
    Some(evidence)
}

/// Whether a reason of the protocol is one of the policies COEP, COOP and CORP. Others are found elsewhere.
fn is_cross_origin(reason: &str) -> bool {
    let policies = ["coep-", "coop-", "corp-"];
    policies.iter().any(|policy| reason.starts_with(policy))
}

/// The images that other checks judge: those of elements, and the icons of the page, which not every browser loads.
fn images(page: &Page) -> HashSet<&str> {
    let resources = page.resources().iter();
    let images = resources.filter(|resource| resource.kind == ResourceKind::Image);
    images.map(|image| image.url.as_str()).collect()
}

/// Evidence with the line, if the script is in the page itself.
fn located(message: &PageMessage, page: &Page) -> Evidence {
    let is_in_page = message.url == page.url().as_str();
    Evidence {
        line: Some(message.line).filter(|line| is_in_page && *line > 0),
        ..Evidence::here()
    }
}

fn place(message: &PageMessage) -> String {
    let mut place = String::new();
    if !message.url.is_empty() {
        let _ = write!(place, " at {}", message.url);
    }
    if message.line > 0 {
        let _ = write!(place, ", line {}, column {}", message.line, message.column);
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::outcome_of;

    fn message(kind: MessageKind, text: &str) -> PageMessage {
        PageMessage {
            kind,
            text: text.to_owned(),
            url: "https://example.com/a.js".to_owned(),
            line: 3,
            column: 7,
            count: 1,
        }
    }

    fn exception(text: &str) -> PageEvents {
        with_messages(vec![message(MessageKind::Exception, text)])
    }

    fn with_messages(messages: Vec<PageMessage>) -> PageEvents {
        PageEvents {
            messages,
            ..PageEvents::default()
        }
    }

    fn request(kind: RequestKind, url: &str, end: RequestEnd) -> PageEvents {
        let request = PageRequest {
            url: url.to_owned(),
            kind,
            end,
            wire_bytes: 0,
        };
        PageEvents {
            requests: vec![request],
            ..PageEvents::default()
        }
    }

    fn judged(events: PageEvents) -> Outcome {
        let page = Page::builder().html("<img src=/a.png>").with_events(events);
        outcome_of(&CONSOLE_ERRORS, &page)
    }

    fn evidence(events: PageEvents) -> Evidence {
        match judged(events) {
            Outcome::Failed(failures) => failures[0].clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_page_without_errors_passes_and_one_that_no_browser_showed_is_not_applicable() {
        assert_eq!(judged(PageEvents::default()), Outcome::Passed);
        let page = Page::builder().html("<p>");
        assert_eq!(outcome_of(&CONSOLE_ERRORS, &page), Outcome::NotApplicable);
    }

    #[test]
    fn an_exception_fails_with_its_text_and_place() {
        let found = evidence(exception("TypeError: f is not a function"));
        assert_eq!(
            found.message,
            "A script throws an exception at https://example.com/a.js, line 3, column 7: TypeError: f is not a function; expected no uncaught exception."
        );
        assert_eq!(found.line, None);
        let mut own = message(MessageKind::Rejection, "Error: no");
        (own.url, own.count) = ("https://example.com/".to_owned(), 9);
        let found = evidence(with_messages(vec![own]));
        assert_eq!(found.line, Some(3));
        assert!(found.message.contains("more than once"), "{found:?}");
    }

    #[test]
    fn one_mistake_has_one_cause() {
        let key = |text| evidence(exception(text)).cause_key().to_owned();
        assert_eq!(
            key("Error: Chunk 12 at https://example.com/c-3f9a8b1c.js?v=1 is missing"),
            key("Error: Chunk 7 at https://example.com/c-a81b2c3d.js?v=2 is missing")
        );
        assert_ne!(key("Error: one"), key("Error: two"));
        let missing = |url| {
            let events = request(RequestKind::Script, url, RequestEnd::Status(404));
            evidence(events).cause_key().to_owned()
        };
        assert_eq!(
            missing("https://example.com/a.js?1"),
            missing("https://example.com/a.js?2")
        );
    }

    #[test]
    fn requests_that_fail_are_reported() {
        use RequestKind::{Data, Font, Image, Other, Script};
        let named = |name: &str| name.to_owned();
        let fails = |kind, end| {
            let outcome = judged(request(kind, "https://example.com/x", end));
            matches!(outcome, Outcome::Failed(_))
        };
        for (kind, end, expected) in [
            (Script, RequestEnd::Status(404), true),
            (Data, RequestEnd::Status(500), true),
            (
                Data,
                RequestEnd::Cors(named("MissingAllowOriginHeader")),
                true,
            ),
            (
                Font,
                RequestEnd::Blocked(named("corp-not-same-origin")),
                true,
            ),
            (Image, RequestEnd::Status(404), true),
            (Script, RequestEnd::Status(200), false),
            (Script, RequestEnd::Status(403), false),
            (Script, RequestEnd::Status(503), false),
            (Script, RequestEnd::Blocked(named("mixed-content")), false),
            (Script, RequestEnd::Blocked(named("csp")), false),
            (
                Script,
                RequestEnd::Failed(named("net::ERR_TUNNEL_CONNECTION_FAILED")),
                false,
            ),
            (Script, RequestEnd::Open, false),
            (Other, RequestEnd::Status(404), false),
        ] {
            assert_eq!(fails(kind, end.clone()), expected, "{kind:?} {end:?}");
        }
    }

    #[test]
    fn images_of_elements_and_icons_are_left_to_other_checks() {
        for url in [
            "https://example.com/a.png",
            "https://example.com/favicon.ico",
        ] {
            let events = request(RequestKind::Image, url, RequestEnd::Status(404));
            assert_eq!(judged(events), Outcome::Passed, "{url}");
        }
    }

    #[test]
    fn what_follows_from_the_auditor_is_not_reported() {
        let limited = |events: PageEvents| PageEvents {
            was_limited: true,
            ..events
        };
        let follows = limited(exception("ReferenceError: jQuery is not defined"));
        assert_eq!(judged(follows), Outcome::CannotTell(LIMITED));
        for end in [RequestEnd::Status(502), RequestEnd::Cors(String::new())] {
            let events = limited(request(RequestKind::Data, "http://example.com/x", end));
            assert_eq!(judged(events), Outcome::Passed);
        }
        assert_eq!(judged(limited(PageEvents::default())), Outcome::Passed);
        for text in [
            "Error: Error creating WebGL context.",
            "NotAllowedError: play() failed because the user didn't interact",
            "AbortError: The user aborted a request.",
            "ResizeObserver loop completed with undelivered notifications.",
        ] {
            assert_eq!(judged(exception(text)), Outcome::Passed, "{text}");
        }
    }

    #[test]
    fn a_script_that_was_stopped_is_said_and_costs_less() {
        let long = PageEvents {
            has_long_script: true,
            ..PageEvents::default()
        };
        let Outcome::Failed(failures) = judged(long) else {
            panic!("it must fail");
        };
        assert_eq!(failures.severity(Severity::Moderate), Severity::Minor);
        let both = PageEvents {
            has_long_script: true,
            ..exception("Error: no")
        };
        let Outcome::Failed(failures) = judged(both) else {
            panic!("it must fail");
        };
        assert_eq!(failures.severity(Severity::Moderate), Severity::Moderate);
    }

    #[test]
    fn a_policy_is_named_without_what_changes_with_each_response() {
        let text = |nonce: &str| {
            format!(
                "Loading the script 'https://cdn.example.com/x.js' violates the following Content Security Policy directive: \"script-src 'nonce-{nonce}'\". The action has been blocked."
            )
        };
        let found = |nonce| {
            evidence(with_messages(vec![message(
                MessageKind::Blocked,
                &text(nonce),
            )]))
        };
        assert_eq!(found("abc"), found("xyz"));
        assert_eq!(
            found("abc").message,
            "The browser blocks this because of the directive script-src of the content security policy: Loading the script 'https://cdn.example.com/x.js'; expected that nothing is blocked."
        );
        let digest = "Failed to find a valid digest in the 'integrity' attribute for resource 'https://example.com/x.js' with computed SHA-256 integrity 'a4a='. The resource has been blocked.";
        let found = evidence(with_messages(vec![message(MessageKind::Blocked, digest)]));
        assert!(!found.message.contains("a4a="), "{found:?}");
    }
}
