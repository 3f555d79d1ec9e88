//! A hostile page reaches nobody but its own site. Its twin without defences shows that it would.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::Path;

use audit_engine::browser::{BrowserOptions, FoundBrowser};
use audit_engine::egress::EgressOptions;
use audit_engine::gather::Renderer;
use audit_engine::view::Page;
use testkit::{LoopbackServer, TestResponse};

use crate::chromium::{Folder, Kind, options, renderer_with};

/// Names that only a name server could resolve.
const NAMES: &str = "canary.example";

/// Where a name server listens that is the only one of the browser, if this machine allows it.
const NAME_SERVER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(127, 53, 0, 53)), 53);

/// Whether the defences of the browser are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Defences {
    On,
    Off,
}

/// Who was reached.
#[derive(Debug, Default, PartialEq, Eq)]
struct Reached {
    /// The requests that arrived at the TCP canary, by path.
    tcp: Vec<String>,
    /// Packets at the UDP canary.
    udp: usize,
    /// Packets at the name server; none where the browser could not be given one.
    dns: Option<usize>,
}

fn udp_canary(address: SocketAddr) -> std::io::Result<UdpSocket> {
    let socket = UdpSocket::bind(address)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// The packets that wait at a canary.
fn packets(canary: &UdpSocket) -> usize {
    let mut buffer = [0; 2_048];
    std::iter::from_fn(|| canary.recv_from(&mut buffer).ok()).count()
}

/// The browser with a `resolv.conf` of its own, which needs a mount namespace.
fn with_name_server(options: &BrowserOptions, folder: &Folder) -> Option<BrowserOptions> {
    let resolv = folder.0.join("resolv.conf");
    std::fs::write(&resolv, format!("nameserver {}\n", NAME_SERVER.ip())).unwrap();
    let name = options.browser.path().file_name()?;
    let script = folder.0.join(name);
    let text = format!(
        "#!/bin/sh\nexec unshare -m sh -c 'mount --bind {} /etc/resolv.conf && exec \"$0\" \"$@\"' {} \"$@\"\n",
        resolv.display(),
        options.browser.path().display(),
    );
    std::fs::write(&script, text).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, mode).unwrap();
    let tried = std::process::Command::new("unshare")
        .args(["-m", "mount", "--bind"])
        .args([&resolv, Path::new("/etc/resolv.conf")])
        .status();
    if !tried.is_ok_and(|status| status.success()) {
        return None;
    }
    let mut own = options.clone();
    own.browser = FoundBrowser::find(Some(&script), &options.search_path).ok()?;
    Some(own)
}

async fn reached(kind: Kind, defences: Defences) -> Option<Reached> {
    let (options, folder) = options(kind)?;
    let tcp = LoopbackServer::start(|_| TestResponse::text("reached")).unwrap();
    let udp = udp_canary(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0)).unwrap();
    let dns = udp_canary(NAME_SERVER).ok();
    let scripts = Folder::new();
    let with_dns = dns
        .as_ref()
        .and_then(|_| with_name_server(&options, &scripts));
    let is_dns_known = with_dns.is_some();
    let (target, udp_target) = (tcp.target(), udp.local_addr().unwrap().to_string());
    let (_, port) = target.rsplit_once(':').unwrap();
    let html = include_str!("hostile.html")
        .replace("@TCP@", &target)
        .replace("@UDP@", &udp_target)
        .replace("@PORT@", port)
        .replace("@NAMES@", NAMES);
    let worker = format!(
        "self.addEventListener('install', (e) => e.waitUntil(fetch('http://{target}/service-worker', {{ mode: 'no-cors' }})))"
    );
    let site = LoopbackServer::start(move |request| match request.path() {
        "/" => TestResponse::html(html.clone()),
        "/service-worker.js" => {
            TestResponse::text(worker.clone()).header("content-type", "text/javascript")
        }
        _ => TestResponse::not_found(),
    })
    .unwrap();
    let without_dns = |egress: &mut EgressOptions| {
        // The name server of the engine itself is no matter of this test.
        egress.dns_server = Some("127.0.0.1:9".parse().unwrap());
    };
    let options = with_dns.unwrap_or(options);
    let renderer = renderer_with(options, &[&site.target()], without_dns, |_| {});
    let renderer = match defences {
        Defences::On => renderer,
        Defences::Off => renderer.without_defences(),
    };
    let shown = renderer.render(site.url("/")).await.unwrap();
    let page = Page::builder().html("").rendered(&shown.snapshot);
    assert_eq!(
        page.title(),
        Some("attempted"),
        "the page must have had its time"
    );
    renderer.close().await;
    drop(folder);
    let mut paths: Vec<String> = tcp.log();
    paths.sort();
    paths.dedup();
    if tcp.connections() > 0 && paths.is_empty() {
        paths.push("a connection".to_owned());
    }
    Some(Reached {
        tcp: paths,
        udp: packets(&udp),
        dns: dns.filter(|_| is_dns_known).map(|dns| packets(&dns)),
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_page_reaches_nobody_from_the_headless_shell() {
    let Some(found) = reached(Kind::HeadlessShell, Defences::On).await else {
        return;
    };
    assert_eq!(
        (found.tcp, found.udp, found.dns.unwrap_or(0)),
        (Vec::new(), 0, 0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_page_reaches_nobody_from_the_full_browser() {
    let Some(found) = reached(Kind::Full, Defences::On).await else {
        return;
    };
    assert_eq!(
        (found.tcp, found.udp, found.dns.unwrap_or(0)),
        (Vec::new(), 0, 0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn twin_without_defences_the_page_reaches_its_canaries() {
    for kind in [Kind::HeadlessShell, Kind::Full] {
        let Some(found) = reached(kind, Defences::Off).await else {
            continue;
        };
        eprintln!("{kind:?}: {found:?}");
        assert!(found.tcp.len() >= 15, "{kind:?}: {:?}", found.tcp);
        assert!(found.udp > 0, "{kind:?}");
        assert!(found.dns.is_none_or(|packets| packets > 0), "{kind:?}");
    }
}
