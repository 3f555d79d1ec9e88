//! Renders an HTML file in Chromium and writes the snapshot that the engine reads, for tests without a browser:
//! `cargo run -p audit-engine --example record -- PAGE.html SNAPSHOT.json`.

#![allow(
    clippy::disallowed_methods,
    reason = "the page comes from a file here, and is served on loopback"
)]

use std::error::Error;

use audit_engine::default_user_agent;
use audit_engine::egress::EgressOptions;
use audit_engine::gather::Renderer;
use domain::run::Device;
use testkit::{LoopbackServer, TestResponse, TrustedBrowser};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let page = args.next().ok_or("name the file of the page")?;
    let out = args.next().ok_or("name the file to write")?;
    let html = std::fs::read(page)?;
    let server = LoopbackServer::start(move |request| match request.path() {
        "/" => TestResponse::html(html.clone()),
        _ => TestResponse::not_found(),
    })?;
    let allow = std::iter::once(server.target().parse()?).collect();
    let egress = EgressOptions::new(allow, default_user_agent());
    let renderer = TrustedBrowser::new(Device::Mobile, 1, egress)?.renderer;
    let shown = renderer.render(server.url("/")).await;
    renderer.close().await;
    std::fs::write(out, shown?.snapshot.to_json())?;
    Ok(())
}
