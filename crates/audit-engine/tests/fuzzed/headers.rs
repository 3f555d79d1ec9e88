//! Headers: cookies, policies, caching and links with arbitrary values.
//!
//! An input has one header per line, `Name: value`, decoded as ISO 8859-1.

use audit_engine::gather::Headers;
use audit_engine::policy::{
    cache::freshness,
    cookie::SetCookie,
    csp::{Policy, PolicySource},
    frame_options::FrameOptions,
    hsts::Hsts,
    security_txt::SecurityTxt,
};
use audit_engine::view::Page;

use super::page;

const BODY: &str = "<!doctype html><html lang=en><title>A page</title><link rel=stylesheet href=/a.css>\
    <p>Text and a <a href=/b>link</a>.<script src=/c.js></script><form><input type=password></form>";

/// Parses every value with every parser, and runs the checks on a page with these headers.
pub(crate) fn check_property(bytes: &[u8]) {
    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    let lines: Vec<(&str, &str)> = text
        .lines()
        .take(100)
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name, value.trim()))
        .collect();
    for (_, value) in &lines {
        if let Some(cookie) = SetCookie::parse(value) {
            let _ = (
                cookie.is_removal(),
                cookie.is_session(),
                cookie.is_anti_forgery(),
            );
        }
        let _ = Hsts::parse(value);
        for source in [PolicySource::Header, PolicySource::Meta] {
            for directive in Policy::parse(value, source)
                .iter()
                .flat_map(|policy| &policy.directives)
            {
                let sources = directive.sources();
                let _ = (
                    sources.has_nonce_or_hash(),
                    sources.allows_all_inline_scripts(),
                );
                let _ = (sources.broad_script_source(), sources.allows_data_scripts());
            }
        }
    }
    let _ = SecurityTxt::parse(&text).expires();
    let headers = Headers::from_iter(lines.iter().copied());
    let _ = (freshness(&headers), FrameOptions::from_headers(&headers));
    let mut builder = Page::builder();
    for (name, value) in lines {
        builder = builder.header(name, value);
    }
    page::run_checks(builder, BODY.as_bytes());
}
