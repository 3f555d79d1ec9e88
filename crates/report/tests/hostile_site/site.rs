//! The site, and its audit.

use std::sync::Arc;
use std::time::Duration;

use audit_engine::gather::{Headers, RECORDING_BASE, Recording};
use audit_engine::{AuditOptions, Auditor};
use domain::report::{Report, Variant};
use domain::score::DimensionWeights;
use testkit::ReplayFetcher;
use url::Url;

/// What stands around a text, so that it is known again.
pub(crate) fn marked(number: usize, text: &str) -> String {
    format!("zq{number}x{text}x{number}qz")
}

/// Audits a site whose pages hold the texts, each with its number.
pub(crate) fn audited(texts: &[(usize, &str)]) -> Report {
    let mut recording = Recording::default();
    let links: String = texts
        .iter()
        .map(|(number, _)| format!("<a href=\"/{number}\">Page</a>"))
        .collect();
    let home = format!("<title>Home</title>{links}");
    let base = Url::parse(RECORDING_BASE).unwrap();
    recording.add(&base, 200, html(), home);
    for (number, text) in texts {
        let url = base.join(&number.to_string()).unwrap();
        recording.add(&url, 200, headers(*number, text), page(*number, text));
    }
    let robots = texts
        .iter()
        .fold(String::new(), |mut robots, (number, text)| {
            robots += &format!("{}: x\nDisallow {}\n", marked(*number, text), text);
            robots
        });
    let plain = || Headers::from_iter([("content-type", "text/plain")]);
    let at = |path| base.join(path).unwrap();
    recording.add(&at("/robots.txt"), 200, plain(), robots.clone());
    recording.add(&at("/llms.txt"), 200, plain(), robots.clone());
    recording.add(&at("/.well-known/security.txt"), 200, plain(), robots);

    let options = AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        respect_robots: false,
        ..AuditOptions::default()
    };
    let fetcher = Arc::new(ReplayFetcher::new(recording));
    let auditor = Auditor::with_fetcher(fetcher, Default::default(), options);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    let audit = runtime
        .unwrap()
        .block_on(auditor.audit(RECORDING_BASE))
        .unwrap();
    Report::assemble(
        &audit.result,
        Variant::Current,
        &DimensionWeights::default(),
    )
}

fn html() -> Headers {
    Headers::from_iter([("content-type", "text/html; charset=utf-8")])
}

/// Headers as no server sends them, line ends included.
fn headers(number: usize, text: &str) -> Headers {
    let text = marked(number, text);
    let mut headers = html();
    headers.push("server", format!("Apache/2.4.1 {text}"));
    headers.push("x-powered-by", text.as_str());
    headers.push("content-security-policy", text.as_str());
    headers.push("set-cookie", format!("{text}={text}"));
    headers.push("x-robots-tag", format!("{text}: noindex"));
    headers
}

/// A page with the text in every place that a check quotes: as it is, and escaped.
fn page(number: usize, raw: &str) -> String {
    let text = escaped(&marked(number, raw));
    let bare = escaped(raw);
    let image = format!("<img title=\"{text}\" src=\"/{bare}.png\">");
    format!(
        "<!doctype html><!-- {raw} --><html lang=\"{text}\"><head><title>{text}</title>\
         <meta name=description content=\"{text}\"><link rel=canonical href=\"{bare}\">\
         <link rel=alternate hreflang=\"{text}\" href=\"/{bare}\">\
         <script type=\"application/ld+json\">{{\"@type\": {raw}</script></head><body>\
         <h1>{text}</h1><h4>{text}</h4>{image}<img alt=\"{text}\" src=\"http://img.example.net/{bare}\">\
         <a href=\"/gone-{number}?{bare}\">{text}</a><a href=\"{bare}\">{raw}</a><a href=\"#{bare}\">{bare}</a>\
         <a href=\"https://gone.invalid/{bare}\"></a><a href=\"javascript:{bare}\">{bare}</a>\
         <div id=\"{text}\" class=\"{text}\" role=\"{text}\" aria-label=\"{text}\" tabindex=9>{raw}</div>\
         <div id=\"{text}\" aria-zq{number}x=\"{text}\"><img title=\"{text}\" src=a.png></div>\
         <form action=\"http://example.net/{bare}\"><input autocomplete=\"{text}\" placeholder=\"{text}\">\
         <input type=password></form><button class=\"{text}\"></button><iframe src=\"/{bare}\"></iframe>\
         <a name=x href=\"/p\" title=\"{text}\">click here</a>{raw}</body></html>"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
