//! Server-side request forgery: every way in which a site can send the audit to another target.
//!
//! Each test audits a site on loopback that is allowed by its exact address and port. The canary
//! listens on another port that is not allowed; `{c}` is replaced by its origin. Each audit runs
//! twice: with the canary forbidden, when nothing may reach it, and, as a counterpart, with the canary
//! allowed, when every vector that the audit follows reaches it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics on unexpected results"
)]

use std::time::Duration;

use audit_engine::egress::EgressOptions;
use audit_engine::gather::Recording;
use audit_engine::{AuditOptions, Auditor};
use domain::run::RequestHeaders;
use rstest::rstest;
use testkit::{LoopbackServer, TestRequest, TestResponse};

/// A secret that no other origin may receive.
const SECRET: &str = "Bearer canary-5b0c77d1";

/// Whether the audit follows a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Vector {
    Followed,
    /// The reference is never requested, even if its target is allowed.
    NeverRequested,
}

fn canary() -> LoopbackServer {
    LoopbackServer::start(|_| TestResponse::html("<!doctype html><title>Canary</title>")).unwrap()
}

/// Audits the site and returns the requests that reached it.
fn audit(site: &str, listed: &[&LoopbackServer], canary: &LoopbackServer) -> Vec<TestRequest> {
    let site = site.replace("{c}", canary.url("/").as_str().trim_end_matches('/'));
    let server = LoopbackServer::replay(Recording::parse(&site).unwrap()).unwrap();
    let targets = listed.iter().map(|server| server.target());
    let allow = targets.chain([server.target()]);
    let allow = allow.map(|target| target.parse().unwrap()).collect();
    let headers = [("Authorization".to_owned(), SECRET.to_owned())];
    let options = AuditOptions {
        max_rate: Some(1e6),
        retry_pause: Duration::ZERO,
        headers: RequestHeaders::parse(headers.into_iter().collect()).unwrap(),
        ..AuditOptions::default()
    };
    let auditor = Auditor::with_egress(EgressOptions::new(allow, "Assay/1".to_owned()), options);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    // A start page that redirects away ends the audit; the test checks only who received requests.
    let _ = runtime
        .unwrap()
        .block_on(auditor.unwrap().audit(server.url("/").as_str()));
    server.requests()
}

#[rstest]
// Redirects
#[case::redirect_of_a_link(
    "=== /\n<a href=/out>o</a>\n=== /out\nHTTP/1.1 302 Found\nLocation: {c}/x\n",
    Vector::Followed
)]
#[case::redirect_of_the_start("=== /\nHTTP/1.1 301 Moved\nLocation: {c}/x\n", Vector::Followed)]
#[case::redirect_by_way_of_another(
    "=== /\n<a href=/a>o</a>\n=== /a\nHTTP/1.1 301 M\nLocation: /b\n\n=== /b\nHTTP/1.1 307 T\nLocation: {c}/x\n",
    Vector::Followed
)]
#[case::redirect_of_an_image(
    "=== /\n<img src=/i.png>\n=== /i.png\nHTTP/1.1 302 Found\nLocation: {c}/i.png\n",
    Vector::Followed
)]
#[case::redirect_of_a_style_sheet(
    "=== /\n<link rel=stylesheet href=/s.css>\n=== /s.css\nHTTP/1.1 308 P\nLocation: {c}/s.css\n",
    Vector::Followed
)]
#[case::redirect_of_robots_txt(
    "=== /\n<p>x\n=== /robots.txt\nHTTP/1.1 301 Moved\nLocation: {c}/robots.txt\n",
    Vector::Followed
)]
#[case::redirect_of_a_sitemap(
    "=== /\n<p>x\n=== /sitemap.xml\nHTTP/1.1 301 Moved\nLocation: {c}/sitemap.xml\n",
    Vector::Followed
)]
#[case::redirect_without_a_scheme(
    "=== /\n<a href=/out>o</a>\n=== /out\nHTTP/1.1 302 Found\nLocation: //{a}/x\n",
    Vector::Followed
)]
#[case::redirect_with_a_body(
    "=== /\n<a href=/out>o</a>\n=== /out\nHTTP/1.1 300 Choices\nLocation: {c}/x\n\n<a href={c}/y>y</a>",
    Vector::NeverRequested
)]
// Meta refresh
#[case::refresh_of_a_page(
    "=== /\n<meta http-equiv=refresh content='0;url={c}/x'>",
    Vector::NeverRequested
)]
#[case::refresh_by_a_header(
    "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nRefresh: 0;url={c}/x\n\n<p>x",
    Vector::NeverRequested
)]
// robots.txt and sitemaps
#[case::sitemap_of_robots_txt(
    "=== /\n<p>x\n=== /robots.txt\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\nSitemap: {c}/map.xml",
    Vector::Followed
)]
#[case::sitemap_of_an_index(
    "=== /\n<p>x\n=== /sitemap.xml\nHTTP/1.1 200 OK\nContent-Type: application/xml\n\n<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>{c}/map.xml</loc></sitemap></sitemapindex>",
    Vector::Followed
)]
#[case::page_of_a_sitemap(
    "=== /\n<p>x\n=== /sitemap.xml\nHTTP/1.1 200 OK\nContent-Type: application/xml\n\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{c}/x</loc></url></urlset>",
    Vector::NeverRequested
)]
#[case::image_of_a_sitemap(
    "=== /\n<p>x\n=== /sitemap.xml\nHTTP/1.1 200 OK\nContent-Type: application/xml\n\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'><url><loc>http://{s}/</loc><image:image><image:loc>{c}/i.png</image:loc></image:image></url></urlset>",
    Vector::NeverRequested
)]
#[case::entity_of_a_sitemap(
    "=== /\n<p>x\n=== /sitemap.xml\nHTTP/1.1 200 OK\nContent-Type: application/xml\n\n<!DOCTYPE urlset [<!ENTITY x SYSTEM '{c}/x'>]><urlset><url><loc>&x;</loc></url></urlset>",
    Vector::NeverRequested
)]
// Links
#[case::link("=== /\n<a href={c}/x>x</a>", Vector::Followed)]
#[case::link_of_an_area(
    "=== /\n<map name=m><area href={c}/x alt=x></map><img usemap=#m src=/i.png>",
    Vector::Followed
)]
#[case::link_below_a_base("=== /\n<base href={c}/><a href=x>x</a>", Vector::Followed)]
#[case::resource_below_a_base("=== /\n<base href={c}/><img src=i.png>", Vector::Followed)]
#[case::ping_of_a_link("=== /\n<a href=/x ping={c}/x>x</a>", Vector::NeverRequested)]
#[case::form(
    "=== /\n<form action={c}/x><input name=q></form>",
    Vector::NeverRequested
)]
#[case::button(
    "=== /\n<form><button formaction={c}/x>x</button></form>",
    Vector::NeverRequested
)]
// Documents that a page references
#[case::canonical("=== /\n<link rel=canonical href={c}/>", Vector::NeverRequested)]
#[case::canonical_by_a_header(
    "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nLink: <{c}/>; rel=canonical\n\n<p>x",
    Vector::NeverRequested
)]
#[case::hreflang(
    "=== /\n<link rel=alternate hreflang=de href={c}/de>",
    Vector::Followed
)]
#[case::feed(
    "=== /\n<link rel=alternate type=application/rss+xml href={c}/feed>",
    Vector::NeverRequested
)]
#[case::amp("=== /\n<link rel=amphtml href={c}/amp>", Vector::NeverRequested)]
#[case::next_page("=== /\n<link rel=next href={c}/2>", Vector::NeverRequested)]
#[case::frame("=== /\n<iframe src={c}/x></iframe>", Vector::NeverRequested)]
#[case::frame_by_its_source(
    "=== /\n<iframe srcdoc='<img src={c}/i.png>'></iframe>",
    Vector::NeverRequested
)]
#[case::json_ld(
    "=== /\n<script type=application/ld+json>{\"@type\":\"Article\",\"url\":\"{c}/x\",\"image\":\"{c}/i.png\"}</script>",
    Vector::NeverRequested
)]
#[case::llms_txt(
    "=== /\n<p>x\n=== /llms.txt\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\n# X\n\n- [x]({c}/x)",
    Vector::NeverRequested
)]
#[case::security_txt(
    "=== /\n<p>x\n=== /.well-known/security.txt\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\nContact: {c}/x\nPolicy: {c}/p",
    Vector::NeverRequested
)]
// Resources
#[case::image("=== /\n<img src={c}/i.png>", Vector::Followed)]
#[case::image_of_a_set(
    "=== /\n<img src=/i.png srcset='{c}/i2.png 2x'>",
    Vector::NeverRequested
)]
#[case::image_of_a_picture(
    "=== /\n<picture><source srcset={c}/i.webp><img src=/i.png></picture>",
    Vector::NeverRequested
)]
#[case::image_of_a_preview("=== /\n<meta property=og:image content={c}/i.png>", Vector::Followed)]
#[case::image_of_a_card(
    "=== /\n<meta name=twitter:image content={c}/t.png>",
    Vector::NeverRequested
)]
#[case::image_of_an_input("=== /\n<input type=image src={c}/i.png alt=x>", Vector::Followed)]
#[case::image_of_an_svg(
    "=== /\n<svg><image href={c}/i.png /><use href={c}/u.svg#a /></svg>",
    Vector::NeverRequested
)]
#[case::image_behind_a_body("=== /\n<body background={c}/i.png><p>x", Vector::NeverRequested)]
#[case::script("=== /\n<script src={c}/x.js></script>", Vector::Followed)]
#[case::module(
    "=== /\n<script type=module>import '{c}/x.js'</script>",
    Vector::NeverRequested
)]
#[case::style_sheet("=== /\n<link rel=stylesheet href={c}/s.css>", Vector::Followed)]
#[case::style_sheet_by_import(
    "=== /\n<link rel=stylesheet href=/s.css>\n=== /s.css\nHTTP/1.1 200 OK\nContent-Type: text/css\n\n@import '{c}/x.css';",
    Vector::Followed
)]
#[case::style_sheet_that_an_import_imports(
    "=== /\n<link rel=stylesheet href=/s.css>\n=== /s.css\nHTTP/1.1 200 OK\nContent-Type: text/css\n\n@import '/t.css';\n=== /t.css\nHTTP/1.1 200 OK\nContent-Type: text/css\n\n@import '{c}/x.css';",
    Vector::Followed
)]
#[case::font_of_a_face_in_a_style_sheet(
    "=== /\n<link rel=stylesheet href=/s.css>\n=== /s.css\nHTTP/1.1 200 OK\nContent-Type: text/css\n\n@font-face { font-family: x; src: url({c}/f.woff2) }",
    Vector::Followed
)]
#[case::image_of_a_style_sheet(
    "=== /\n<link rel=stylesheet href=/s.css>\n=== /s.css\nHTTP/1.1 200 OK\nContent-Type: text/css\n\nbody { background: url({c}/i.png) }",
    Vector::Followed
)]
#[case::font_of_a_style_sheet(
    "=== /\n<style>@font-face { font-family: x; src: url({c}/f.woff2) }</style><p>x",
    Vector::NeverRequested
)]
#[case::image_of_a_style_attribute(
    "=== /\n<p style='background: url({c}/i.png)'>x",
    Vector::Followed
)]
#[case::image_of_no_element(
    "=== /\n<style>.hero { background: url({c}/i.png) }</style><p>x",
    Vector::NeverRequested
)]
#[case::redirect_of_a_canonical_url(
    "=== /\n<link rel=canonical href=/a>\n=== /a\nHTTP/1.1 301 M\nLocation: {c}/x\n",
    Vector::Followed
)]
#[case::preload(
    "=== /\n<link rel=preload as=script href={c}/x.js>",
    Vector::NeverRequested
)]
#[case::preload_by_a_header(
    "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nLink: <{c}/x.js>; rel=preload; as=script\n\n<p>x",
    Vector::NeverRequested
)]
#[case::prefetch(
    "=== /\n<link rel=prefetch href={c}/x><link rel=prerender href={c}/y>",
    Vector::NeverRequested
)]
#[case::preconnect(
    "=== /\n<link rel=preconnect href={c}><link rel=dns-prefetch href={c}>",
    Vector::NeverRequested
)]
#[case::icon("=== /\n<link rel=icon href={c}/favicon.ico>", Vector::Followed)]
#[case::manifest(
    "=== /\n<link rel=manifest href={c}/app.webmanifest>",
    Vector::Followed
)]
#[case::object(
    "=== /\n<object data={c}/o.pdf></object><embed src={c}/e.swf>",
    Vector::Followed
)]
#[case::media(
    "=== /\n<video src={c}/v.mp4 poster={c}/p.png><track src={c}/t.vtt></video><audio src={c}/a.mp3></audio>",
    Vector::Followed
)]
#[case::report_of_a_policy(
    "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nContent-Security-Policy: default-src 'none'; report-uri {c}/r\nReporting-Endpoints: d=\"{c}/r\"\n\n<img src=/i.png>",
    Vector::NeverRequested
)]
#[test]
fn no_vector_reaches_a_target_that_is_not_allowed(#[case] site: &str, #[case] vector: Vector) {
    let stranger = canary();
    let site = site
        .replace("{a}", &stranger.target())
        .replace("{s}", "example.com");
    let requests = audit(&site, &[], &stranger);
    assert!(!requests.is_empty(), "the site itself is audited");
    assert_eq!(stranger.connections(), 0);

    let requests = audit(&site, &[&stranger], &stranger);
    assert!(!requests.is_empty());
    let reached = stranger.connections() > 0;
    assert_eq!(reached, vector == Vector::Followed, "{:?}", stranger.log());
    // The audit's headers are only for the site's own origin; another port is another origin.
    let has_secret = |request: &TestRequest| request.header("authorization") == Some(SECRET);
    assert!(requests.iter().all(has_secret));
    assert!(!stranger.requests().iter().any(has_secret));
}
