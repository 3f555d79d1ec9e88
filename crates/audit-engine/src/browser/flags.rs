//! The command line of the browser: each option with its reason.

use std::path::Path;

use super::Sandbox;

/// Options that never change.
const ALWAYS: &[(&str, &str)] = &[
    (
        "--remote-debugging-pipe",
        "the engine speaks over descriptors 3 and 4; no port is open",
    ),
    ("--no-first-run", "no welcome pages"),
    (
        "--no-default-browser-check",
        "no question, and no look at the system",
    ),
    (
        "--no-startup-window",
        "nothing loads before the engine asks for it",
    ),
    (
        "--site-per-process",
        "frames of other sites are processes of their own, in the headless shell too",
    ),
    (
        "--disable-background-networking",
        "no requests of the browser's own",
    ),
    (
        "--disable-component-update",
        "no downloads of the browser's own",
    ),
    (
        "--disable-default-apps",
        "nothing that is no part of the page",
    ),
    (
        "--disable-extensions",
        "nothing that is no part of the page",
    ),
    ("--disable-sync", "no requests of the browser's own"),
    ("--disable-breakpad", "no crash reports are sent"),
    ("--disable-crash-reporter", "no crash reports are written"),
    ("--disable-domain-reliability", "no reports to the vendor"),
    (
        "--disable-client-side-phishing-detection",
        "no requests of the browser's own",
    ),
    (
        "--disable-hang-monitor",
        "the engine decides when a page hangs",
    ),
    (
        "--disable-ipc-flooding-protection",
        "the engine's own calls are not slowed down",
    ),
    (
        "--disable-renderer-backgrounding",
        "tabs that nobody looks at run as fast as others",
    ),
    (
        "--disable-background-timer-throttling",
        "tabs that nobody looks at run as fast as others",
    ),
    (
        "--disable-backgrounding-occluded-windows",
        "tabs that nobody looks at run as fast as others",
    ),
    (
        "--disable-prompt-on-repost",
        "no question that nobody answers",
    ),
    ("--disable-gpu", "the same pixels on every machine"),
    (
        "--disable-dev-shm-usage",
        "containers have little shared memory",
    ),
    ("--mute-audio", "no sound"),
    ("--hide-scrollbars", "the same widths on every machine"),
    ("--metrics-recording-only", "nothing is sent to the vendor"),
    ("--password-store=basic", "no question of a key ring"),
    ("--use-mock-keychain", "no question of a key ring"),
    ("--no-pings", "no request for the attribute `ping`"),
    (
        "--font-render-hinting=none",
        "the same text widths on every machine",
    ),
    ("--disable-lcd-text", "the same pixels on every machine"),
    (
        "--force-color-profile=srgb",
        "the same colors on every machine",
    ),
    (
        "--lang=en-US",
        "the same dates and numbers on every machine",
    ),
    (
        "--js-flags=--max-old-space-size=512",
        "a script that fills its heap ends its own process early",
    ),
];

/// Options that keep the traffic in the proxy. Without them a page reaches loopback, the local network and the
/// name servers: `tests/browser` has a page that tries, and a control that succeeds.
const CONTAINED: &[(&str, &str)] = &[
    (
        "--proxy-server=http://127.0.0.1:9",
        "a dead port: only contexts with a tunnel of the engine reach anything",
    ),
    (
        "--proxy-bypass-list=<-loopback>",
        "loopback and link-local addresses are not dialed directly",
    ),
    (
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "no UDP of WebRTC; the spelling of the full browser",
    ),
    (
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "no UDP of WebRTC; the spelling of the headless shell",
    ),
    (
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        "the browser resolves no names; the tunnel does",
    ),
    ("--dns-prefetch-disable", "no query for a link"),
    ("--disable-quic", "no UDP of HTTP/3"),
];

/// Features that are off. There is one list, because a second `--disable-features` replaces the first.
const WITHOUT: &[&str] = &[
    // Sends multicast DNS to the local network.
    "WebRtcHideLocalIpsWithMdns",
    // Both ask name servers past the resolver rules.
    "DnsOverHttps",
    "AsyncDns",
    // Pages that nobody visits are not loaded.
    "Prerender2",
    // Other browsers do not make scrollers focusable, so a check asks whether the page does.
    "KeyboardFocusableScrollers",
    // Requests of the browser's own.
    "Translate",
    "MediaRouter",
    "DialMediaRouteProvider",
    "OptimizationHints",
    "AutofillServerCommunication",
    "NetworkTimeServiceQuerying",
    "InterestFeedContentSuggestions",
    "CertificateTransparencyComponentUpdater",
    // The page is requested as it was linked.
    "HttpsUpgrades",
    "AcceptCHFrame",
    // Every visit is a load.
    "BackForwardCache",
    // A process in reserve belongs to one context, so that two tabs in turn would start and end one for nearly every page.
    "SpareRendererForSitePerProcess",
    // Each tab is a window. The full browser prepares the lists below its address bar, which takes 1.5 s of the processor.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
];

/// Which of the options are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Containment {
    /// All.
    Full,
    /// None of those that keep the traffic in the proxy: the control of the tests.
    None,
}

/// The arguments of the browser.
pub(super) fn arguments(
    is_headless_shell: bool,
    profile: &Path,
    sandbox: Sandbox,
    containment: Containment,
) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    // The headless shell knows no other mode.
    all.push(
        if is_headless_shell {
            "--headless"
        } else {
            "--headless=new"
        }
        .to_owned(),
    );
    all.push(format!("--user-data-dir={}", profile.display()));
    all.extend(ALWAYS.iter().map(|(flag, _)| (*flag).to_owned()));
    if containment == Containment::Full {
        all.extend(CONTAINED.iter().map(|(flag, _)| (*flag).to_owned()));
        all.push(format!("--disable-features={}", WITHOUT.join(",")));
    }
    if sandbox == Sandbox::Off {
        all.push("--no-sandbox".to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn all(sandbox: Sandbox) -> Vec<String> {
        arguments(true, Path::new("/p"), sandbox, Containment::Full)
    }

    #[test]
    fn no_option_is_given_twice() {
        let all = all(Sandbox::On);
        let names: Vec<&str> = all
            .iter()
            .filter_map(|flag| flag.split('=').next())
            .collect();
        let distinct: HashSet<&&str> = names.iter().collect();
        assert_eq!(
            distinct.len(),
            names.len(),
            "a second one replaces the first"
        );
    }

    #[test]
    fn the_sandbox_is_lifted_only_on_request() {
        assert!(!all(Sandbox::On).contains(&"--no-sandbox".to_owned()));
        assert!(all(Sandbox::Off).contains(&"--no-sandbox".to_owned()));
    }

    #[test]
    fn no_port_is_opened_and_the_profile_has_no_proxy_that_answers() {
        let all = all(Sandbox::On);
        assert!(all.contains(&"--remote-debugging-pipe".to_owned()));
        assert!(
            !all.iter()
                .any(|flag| flag.starts_with("--remote-debugging-port"))
        );
        assert!(all.contains(&"--proxy-server=http://127.0.0.1:9".to_owned()));
    }
}
