//! Documents behind signed links.

mod altered;
mod parts;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use actix_web::http::Method;
use actix_web::test::TestRequest;
use api::ApiState;
use chrono::TimeDelta;
use domain::id::{OrgId, ReportId};
use domain::link::ReportLink;
use domain::ports::{
    DocumentRequest, OrgStore, RenderError, ReportDetail, ReportRenderer, ReportStore, SiteStore,
    StoreError, UrlSigner,
};
use domain::report::Variant;
use rstest::rstest;
use testkit::{SampleSigner, sample};

use crate::world::{Client, Fixture};

/// The path and query of a link to a report, as its organization's interface gives it.
pub(crate) async fn link(world: &Fixture, report: &ReportId) -> String {
    let path = format!("/api/mcp/reports/{report}?format=pdf_url");
    let reply = world.get(&path).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let url = reply.json()["url"].as_str().unwrap().to_owned();
    url.strip_prefix("https://assay.example")
        .unwrap()
        .to_owned()
}

/// The path and query of a link that a signer signs for whom it is told.
fn signed(org: &OrgId, report: &ReportId, signer: &dyn UrlSigner) -> String {
    let link = ReportLink::issued(org.clone(), report.clone(), sample::noon());
    let signature = signer.sign(&link);
    format!(
        "/dl/reports/{report}.pdf?exp={}&kid={}&sig={}",
        link.expires_at.timestamp(),
        signature.key_id,
        signature.text
    )
}

/// How often a link of an organization was used, as its audit log says.
fn uses(world: &Fixture, org: &OrgId) -> usize {
    let log = world.stores.audit_log(org).unwrap();
    let uses = log.iter().filter(|entry| entry.event == "link.used");
    uses.inspect(|entry| assert_eq!(entry.actor, "link"))
        .count()
}

#[actix_web::test]
async fn a_link_needs_no_key_and_answers_the_pdf_under_a_name() {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let link = link(&world, &report).await;
    let reply = world
        .client()
        .await
        .send(TestRequest::with_uri(&link))
        .await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.text(), format!("%PDF-1.7 {report} 77"));
    let mut headers: Vec<_> = reply
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .filter(|header| !header.starts_with("x-request-id"))
        .collect();
    headers.sort_unstable();
    insta::assert_snapshot!(headers.join("\n"), @r#"
    accept-ranges: bytes
    cache-control: private, no-store
    content-disposition: attachment; filename="assay-www.example.com-2026-11-21.pdf"
    content-security-policy: default-src 'none'; frame-ancestors 'none'
    content-type: application/pdf
    etag: "0d38d0b7d257dc107f49318e312ca604"
    referrer-policy: no-referrer
    x-content-type-options: nosniff
    "#);
    let noted = world.stores.audit_log(&world.acme).unwrap().pop().unwrap();
    assert_eq!(
        (noted.actor.as_str(), noted.event.as_str()),
        ("link", "link.used")
    );
    assert_eq!(noted.subject, report.as_str());
    assert_eq!(uses(&world, &world.acme), 1);
}

#[actix_web::test]
async fn a_key_beside_the_link_changes_nothing() {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let link = link(&world, &report).await;
    let client = world.client().await;
    for key in [world.rival_admin.as_str(), "nonsense", ""] {
        assert_eq!(client.get(key, &link).await.status, 200, "{key}");
    }
    let path = format!("/dl/reports/{report}.pdf");
    assert_eq!(client.get(&world.admin, &path).await.code(), "link_invalid");
}

#[actix_web::test]
async fn it_works_until_it_expires_and_not_a_second_longer() {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let link = link(&world, &report).await;
    let client = world.client().await;
    let expiry = sample::noon() + TimeDelta::minutes(5);
    for (seconds, expected) in [(-300, 200), (-1, 200), (0, 403), (1, 403), (86_400, 403)] {
        world.clock.set(expiry + TimeDelta::seconds(seconds));
        let reply = client.get("", &link).await;
        assert_eq!(reply.status, expected, "{seconds}");
        if expected == 403 {
            assert_eq!(reply.code(), "link_expired");
        }
    }
    world.clock.set(expiry - TimeDelta::milliseconds(1));
    assert_eq!(client.get("", &link).await.status, 200);
    // What was altered is not judged by a time that its maker chose.
    world.clock.set(expiry);
    let later = link.replace("exp=17", "exp=18");
    assert_eq!(client.get("", &later).await.code(), "link_invalid");
}

#[actix_web::test]
async fn problems_tell_nothing_of_what_there_is() {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let link = link(&world, &report).await;
    let client = world.client().await;
    let altered = client
        .get("", &link.replace("kid=sample", "kid=simple"))
        .await;
    insta::assert_snapshot!(altered.shown(), @r#"
    403
    {
      "code": "link_invalid",
      "detail": "The signed link was altered or truncated. Request a new one.",
      "requestId": "01KXZZ9Q80000000000000YGJ0",
      "status": 403,
      "title": "The link is invalid",
      "type": "https://assay.example/docs/errors#link_invalid"
    }
    "#);
    let unknown = link.replace(report.as_str(), &crate::world::unused_id("rep"));
    let unknown = client.get("", &unknown).await;
    assert_eq!(unknown.problem(), altered.problem());
    let malformed = link.replace(report.as_str(), "x");
    let malformed = client.get("", &malformed).await;
    assert_eq!(malformed.problem(), altered.problem());
    world.clock.advance(TimeDelta::minutes(5));
    insta::assert_snapshot!(client.get("", &link).await.shown(), @r#"
    403
    {
      "code": "link_expired",
      "detail": "The signed link has expired. Request a new one.",
      "requestId": "01KXZZ9Q80000000000000YGJ3",
      "status": 403,
      "title": "The link has expired",
      "type": "https://assay.example/docs/errors#link_expired"
    }
    "#);
    assert_eq!(uses(&world, &world.acme), 0);
}

#[rstest]
#[case("POST")]
#[case("PUT")]
#[case("PATCH")]
#[case("DELETE")]
#[case("OPTIONS")]
#[case("BREW")]
#[actix_web::test]
async fn it_is_read_alone(#[case] method: &str) {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let link = link(&world, &report).await;
    let method: Method = method.parse().unwrap();
    let request = TestRequest::with_uri(&link).method(method);
    let reply = world.client().await.send(request).await;
    assert_eq!(
        (reply.status, reply.code().as_str(), reply.header("Allow")),
        (405, "method_not_allowed", Some("GET, HEAD"))
    );
}

#[actix_web::test]
async fn the_older_variant_shows_its_own_shape() {
    let world = Fixture::legacy();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let link = link(&world, &report).await;
    let client = world.client().await;
    let shown = client.get("", &link).await.text();
    let detail = ReportDetail::Inline;
    let shape = (world.stores).report(&world.acme, &report, Variant::Legacy, detail);
    let overall = shape.unwrap().unwrap().report.score.overall;
    assert_eq!(shown, format!("%PDF-1.7 {report} {overall}"));
    assert_ne!(overall, 79, "the sample tells the variants apart");
}

#[actix_web::test]
async fn a_link_that_was_issued_works_also_where_nobody_pays_any_more() {
    let world = Fixture::legacy();
    let report = world.completed(&world.rival, "https://example.com/").report;
    let client = world.client().await;
    let path = format!("/api/mcp/reports/{report}?format=pdf_url");
    assert_eq!(client.get(&world.rival_admin, &path).await.status, 402);
    let link = signed(&world.rival, &report, &SampleSigner);
    assert_eq!(client.get("", &link).await.status, 200);
    assert_eq!(uses(&world, &world.rival), 1);
}

#[actix_web::test]
async fn a_report_that_is_deleted_is_gone_at_once() {
    let world = Fixture::new();
    let completed = world.completed(&world.acme, "https://example.com/");
    let link = link(&world, &completed.report).await;
    let client = world.client().await;
    // From now on the document is kept.
    assert_eq!(client.get("", &link).await.status, 200);
    let by = domain::audit_log::Actor::CommandLine;
    let deleted = world
        .stores
        .delete_site(&world.acme, &completed.site, sample::noon(), &by);
    assert_eq!(deleted, Ok(true));
    assert_eq!(client.get("", &link).await.code(), "link_invalid");
}

/// Counts its documents, or fails.
struct Renderer {
    made: Arc<AtomicUsize>,
    fails: bool,
}

impl ReportRenderer for Renderer {
    fn pdf(&self, request: DocumentRequest<'_>) -> Result<Vec<u8>, RenderError> {
        self.made.fetch_add(1, Ordering::Relaxed);
        if self.fails {
            return Err(RenderError("the font Comic Sans is missing".to_owned()));
        }
        Ok(request.report.id.as_str().as_bytes().to_vec())
    }
}

fn with_renderer(world: &Fixture, fails: bool) -> (ApiState, Arc<AtomicUsize>) {
    let made = Arc::new(AtomicUsize::new(0));
    let renderer = Renderer {
        made: Arc::clone(&made),
        fails,
    };
    let state = ApiState {
        renderer: Some(Arc::new(renderer)),
        ..world.state()
    };
    (state, made)
}

#[actix_web::test]
async fn a_document_is_made_once_for_all_links_and_pieces() {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let (state, made) = with_renderer(&world, false);
    let (client, other_worker) = (Client::new(&state).await, Client::new(&state).await);
    for _ in 0..3 {
        let link = link(&world, &report).await;
        assert_eq!(client.get("", &link).await.status, 200);
        assert_eq!(other_worker.get("", &link).await.status, 200);
        world.clock.advance(TimeDelta::seconds(1));
    }
    assert_eq!(made.load(Ordering::Relaxed), 1);
}

#[actix_web::test]
async fn nothing_is_made_for_who_has_no_link() {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let link = link(&world, &report).await;
    let (state, made) = with_renderer(&world, false);
    let client = Client::new(&state).await;
    client.get("", &link.replace("sig=", "sig=0")).await;
    world.clock.advance(TimeDelta::minutes(5));
    client.get("", &link).await;
    assert_eq!(made.load(Ordering::Relaxed), 0);
}

#[actix_web::test]
async fn a_renderer_that_fails_is_a_fault_of_ours() {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let link = link(&world, &report).await;
    let (state, _) = with_renderer(&world, true);
    let reply = Client::new(&state).await.get("", &link).await;
    assert_eq!((reply.status, reply.code().as_str()), (500, "internal"));
    assert!(!reply.text().contains("Comic Sans"));
    assert_eq!(uses(&world, &world.acme), 0);
}

#[actix_web::test]
async fn a_database_that_is_away_is_503() {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let link = link(&world, &report).await;
    let client = world.client().await;
    let error = StoreError::Unavailable("10.1.2.3 refused".to_owned());
    world.stores.break_with(Some(error));
    let reply = client.get("", &link).await;
    assert_eq!((reply.status, reply.code().as_str()), (503, "unavailable"));
    assert_eq!(reply.header("Retry-After"), Some("5"));
    assert!(!reply.text().contains("10.1.2.3"));
}
