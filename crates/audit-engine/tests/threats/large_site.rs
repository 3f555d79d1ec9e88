//! A site with known defects: the audit finds exactly these.

use std::sync::Arc;

use audit_engine::AuditOptions;
use audit_engine::Auditor;
use audit_engine::checks::find;
use testkit::LoopbackServer;
use testkit::large_site::{Defect, LargeSite};

use crate::audit::{affected, options, runtime};

#[test]
fn an_audit_finds_exactly_the_defects_of_the_manifest() {
    let origin = Arc::new(std::sync::OnceLock::new());
    let server = LoopbackServer::start({
        let site = Arc::clone(&origin);
        move |request| {
            let site: &LargeSite = site.wait();
            site.respond(request)
        }
    })
    .unwrap();
    let site = LargeSite::new(
        300,
        11,
        &format!("http://{}", server.target()),
        &Defect::ALL,
    );
    origin.set(site.clone()).unwrap();
    let checks: Vec<_> = Defect::ALL
        .iter()
        .map(|defect| find(defect.check()).unwrap())
        .collect();
    let allow = [server.target().parse().unwrap()].into_iter().collect();
    let egress = audit_engine::egress::EgressOptions::new(allow, "TestBot/1.0".to_owned());
    let auditor = Auditor::with_egress(
        egress,
        AuditOptions {
            only: Some(checks),
            ..options()
        },
    )
    .unwrap();
    let audit = runtime()
        .block_on(auditor.audit(server.url("/").as_str()))
        .unwrap();
    assert_eq!(audit.site.pages.len(), 300);
    let manifest = site.manifest();
    for (check, paths) in manifest.iter() {
        assert!(!paths.is_empty(), "{check}: another seed has one");
        let expected: Vec<String> = paths
            .iter()
            .map(|path| server.url(path).to_string())
            .collect();
        assert_eq!(affected(&audit, check), expected, "{check}");
    }
}
