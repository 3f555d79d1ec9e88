//! scratch
use audit_engine::egress::EgressOptions;
use audit_engine::{AuditOptions, Auditor};
#[global_allocator]
static A: mimalloc::MiMalloc = mimalloc::MiMalloc;
fn rss() -> String {
    std::fs::read_to_string("/proc/self/status")
        .unwrap()
        .lines()
        .filter(|l| l.starts_with("VmHWM") || l.starts_with("VmRSS"))
        .map(|l| l.to_owned())
        .collect::<Vec<_>>()
        .join(" ")
}
#[tokio::main]
async fn main() {
    let url = std::env::args().nth(1).unwrap();
    let max: u32 = std::env::args().nth(2).unwrap().parse().unwrap();
    let allow = ["127.0.0.1".parse().unwrap()].into_iter().collect();
    let opts = AuditOptions {
        max_pages: max,
        external: false,
        ..AuditOptions::default()
    };
    let auditor =
        Auditor::with_egress(EgressOptions::new(allow, "AssayBot/1".into()), opts).unwrap();
    let a = auditor.audit(&url).await.unwrap();
    println!("{}", rss());
    let s = &a.site;
    let links: usize = s.pages.iter().map(|p| p.links.len()).sum();
    let cap: usize = s.pages.iter().map(|p| p.links.capacity()).sum();
    let res: usize = s.pages.iter().map(|p| p.resources.len()).sum();
    let urls: usize = s.urls.iter().map(|(_, e)| e.url.len()).sum();
    let hd: usize = s
        .pages
        .iter()
        .map(|p| {
            p.headers
                .iter()
                .map(|(a, b)| a.len() + b.len() + 48)
                .sum::<usize>()
        })
        .sum();
    let t: usize = s
        .pages
        .iter()
        .map(|p| {
            p.title.as_ref().map_or(0, |t| t.len())
                + p.description.as_ref().map_or(0, |t| t.len())
                + p.h1.as_ref().map_or(0, |t| t.text.len())
                + p.url.as_str().len()
        })
        .sum();
    let occ: usize = a.result.findings.iter().map(|f| f.occurrences.len()).sum();
    println!(
        "pages {} links {links} cap {cap} res {res} urls {} bytes {urls} headers {hd} texts {t} occ {occ} size pagefacts {} link {} entry {}",
        s.pages.len(),
        s.urls.len(),
        size_of::<audit_engine::site::PageFacts>(),
        size_of::<audit_engine::site::LinkFact>(),
        size_of::<audit_engine::site::UrlEntry>()
    );
    let mut h = std::collections::HashSet::new();
    let mut hb = 0;
    for p in &s.pages {
        for l in &p.links {
            if h.insert(s.urls.href(l.href)) {
                hb += s.urls.href(l.href).len();
            }
        }
    }
    println!("hrefs {} bytes {hb}", h.len());
    drop(a);
    println!("{}", rss());
}
