//! The pages of a site: waivers, two audits to compare, settings and deletion.

use domain::action::MAX_HANDOFF_ITEMS;
use domain::key::Role;
use domain::ports::{OrgStore, SiteRef, SiteStore, WaiverStore};
use domain::report::Variant;
use domain::waiver::{MAX_WAIVERS, WaiverAuthorKind, WaiverState};
use rstest::rstest;
use testkit::sample;

use super::html;
use super::world::{Fixture, PLAIN};

#[actix_web::test]
async fn a_finding_is_accepted_until_a_day_and_then_ended_and_revoked() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let (org, member) = (&world.acme.id, &world.acme.member);
    let session = Some(&member.token);
    let path = format!("/sites/{}/waivers", world.acme.site);
    // From the report: the form is filled in with the check.
    let report = browser
        .get(session, &format!("/reports/{}", world.acme.report))
        .await;
    let links = html::values(&report.text, "a", "href");
    let link = links.iter().find(|link| link.starts_with(&path)).unwrap();
    let check = link
        .split("check=")
        .nth(1)
        .unwrap()
        .trim_end_matches("#new");
    let form = browser.get(session, link).await;
    assert!(form.text.contains(&format!("value=\"{check}\"")), "{link}");
    let fields = [
        ("check", "image-alt"),
        ("reason", "Until the redesign."),
        ("expires", "2026-12-31"),
    ];
    let made = browser.post(session, &path, &fields).await;
    assert!(made.leads_to(&path), "{made:?}");
    let waivers = || {
        world
            .stores
            .waivers(org, &world.acme.site)
            .unwrap()
            .unwrap()
    };
    let waiver = waivers().pop().unwrap();
    assert_eq!(waiver.author.kind, WaiverAuthorKind::Member);
    assert_eq!(waiver.author.id.as_deref(), Some(member.member.as_str()));
    let expires = waiver.terms.expires_at.unwrap().to_rfc3339();
    assert_eq!(expires, "2026-12-31T00:00:00+00:00");
    let list = browser.get(session, &path).await;
    assert!(list.text.contains("Until the redesign."));
    // Ended now: the list keeps it.
    let own = format!("{path}/{}", waiver.id);
    let ended = browser
        .post::<&str>(session, &format!("{own}/expire"), &[])
        .await;
    assert!(ended.leads_to(&path));
    let stored = waivers().pop().unwrap();
    assert_eq!(stored.state(sample::noon()), WaiverState::Expired);
    assert!(browser.get(session, &path).await.text.contains("○ expired"));
    let revoked = browser
        .post::<&str>(session, &format!("{own}/revoke"), &[])
        .await;
    assert!(revoked.leads_to(&path));
    assert!(waivers().iter().all(|known| known.id != waiver.id));
    let log = world.stores.audit_log(org).unwrap();
    for event in ["waiver.created", "waiver.expired", "waiver.deleted"] {
        let is_it = |line: &&domain::audit_log::AuditEntry| {
            line.event == event && line.subject == waiver.id.as_str()
        };
        let line = log.iter().find(is_it).unwrap();
        assert_eq!(line.actor, member.member.as_str(), "{event}");
    }
}

#[actix_web::test]
async fn a_waiver_that_is_wrong_is_shown_again_with_its_problems() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.member.token);
    let path = format!("/sites/{}/waivers", world.acme.site);
    let before = world.rows();
    let fields = [
        ("check", "no-such-check"),
        ("reason", "A & B"),
        ("path", "x"),
    ];
    let refused = browser.post(session, &path, &fields).await;
    assert_eq!(refused.status, 422);
    for text in ["id=\"check-problem\"", "id=\"path-problem\"", "A &#38; B"] {
        assert!(refused.text.contains(text), "{text}: {}", refused.text);
    }
    assert!(!refused.text.contains("id=\"reason-problem\""));
    assert_eq!(world.rows(), before);
}

#[actix_web::test]
async fn a_site_has_so_many_waivers_at_most() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.member.token);
    let path = format!("/sites/{}/waivers", world.acme.site);
    let fields = [("check", "image-alt"), ("reason", "Known.")];
    for _ in 1..MAX_WAIVERS {
        assert_eq!(browser.post(session, &path, &fields).await.status, 303);
    }
    let refused = browser.post(session, &path, &fields).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text.contains("limit of 200 waivers"), "{refused:?}");
}

#[actix_web::test]
async fn the_older_variant_lists_no_waiver_of_a_check_it_lacks() {
    let world = Fixture::new(Variant::Legacy, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.member.token);
    let path = format!("/sites/{}/waivers", world.acme.site);
    let lacked = world.state.checks.checks().into_iter();
    let lacked = lacked.filter(|check| !Variant::Legacy.dimensions().contains(&check.dimension));
    for check in lacked {
        let fields = [("check", check.id.as_str()), ("reason", "Known.")];
        assert_eq!(browser.post(session, &path, &fields).await.status, 422);
        let list = browser.get(session, &path).await;
        assert!(!list.text.contains(&check.title), "{}", check.id);
    }
}

#[rstest]
#[actix_web::test]
async fn two_audits_are_chosen_in_the_history_and_compared(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
) {
    let world = Fixture::new(variant, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.reader.token);
    let site = format!("/sites/{}", world.acme.site);
    let alone = browser.get(session, &site).await;
    assert!(
        !alone.text.contains("id=\"compare\""),
        "there is nothing to compare"
    );
    world.clock.advance(chrono::TimeDelta::hours(1));
    let later = world.complete(&world.acme.id, &sample::clean_audit_result());
    let history = browser.get(session, &site).await;
    assert!(history.text.contains("id=\"compare\""));
    let checked = |name: &str, report: &domain::id::ReportId| {
        let radios = history.text.split("<input type=\"radio\" ").skip(1);
        let mut radios = radios.map(|radio| radio.split('>').next().unwrap());
        let start = format!("name=\"{name}\" value=\"{report}\"");
        radios.any(|radio| radio.starts_with(&start) && radio.ends_with("checked"))
    };
    assert!(checked("after", &later));
    assert!(checked("before", &world.acme.report));
    let earlier = &world.acme.report;
    let query = format!("{site}/compare?before={earlier}&after={later}");
    let chosen = browser.get(session, &query).await;
    let path = format!("/reports/{later}/compare/{earlier}");
    assert!(chosen.leads_to(&path), "{chosen:?}");
    let compared = browser.get(session, &path).await;
    assert_eq!(compared.status, 200, "{compared:?}");
    assert!(compared.text.contains("Nothing is new."));
    assert!(!compared.text.contains("Nothing was fixed."));
    assert_eq!(
        compared.text.contains("AI readiness"),
        variant == Variant::Current
    );
    // The other way around what was fixed is new.
    let swapped = browser
        .get(session, &format!("/reports/{earlier}/compare/{later}"))
        .await;
    assert!(swapped.text.contains("Nothing was fixed."));
    // Its action items can be handed to an agent.
    let mut ids = html::values(&swapped.text, "input", "value");
    ids.retain(|value| value.starts_with("act_"));
    assert_eq!(!ids.is_empty(), variant == Variant::Current);
    assert!(ids.len() <= MAX_HANDOFF_ITEMS, "{ids:?}");
    if !ids.is_empty() {
        let query = format!("id={}", ids.join("&id="));
        let prompt = browser
            .get(session, &format!("/actions/handoff?{query}"))
            .await;
        assert_eq!(prompt.status, 200, "{prompt:?}");
    }
    // A report says what changed since the one before.
    let report = browser.get(session, &format!("/reports/{later}")).await;
    assert!(report.text.contains(&path), "{}", report.text);
}

#[actix_web::test]
async fn reports_of_different_sites_are_not_compared() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.admin.token);
    let mut elsewhere = sample::audit_result();
    elsewhere.url = "https://other.example/".to_owned();
    let other = world.complete_at(&world.acme.id, "https://other.example/", &elsewhere);
    let path = format!("/reports/{}/compare/{other}", world.acme.report);
    let refused = browser.get(session, &path).await;
    assert_eq!(refused.status, 400);
    assert!(refused.text.contains("different sites"));
    for (before, after) in [("", other.as_str()), (other.as_str(), ""), ("", "")] {
        let site = &world.acme.site;
        let path = format!("/sites/{site}/compare?before={before}&after={after}");
        assert_eq!(browser.get(session, &path).await.status, 400);
    }
}

#[actix_web::test]
async fn the_headers_of_a_site_are_written_and_never_shown() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.admin.token);
    let path = format!("/sites/{}/settings", world.acme.site);
    let defaults = || {
        let site = SiteRef::Id(&world.acme.site);
        let found = world.stores.site_defaults(&world.acme.id, &site).unwrap();
        found.unwrap().options
    };
    let fields = [
        ("name", "The shop"),
        ("max-pages", "7"),
        ("headers", "Authorization: Basic c2VjcmV0LXZhbHVl"),
    ];
    let saved = browser.post(session, &path, &fields).await;
    assert!(saved.leads_to(&format!("{path}?done=saved")), "{saved:?}");
    assert_eq!(defaults().max_pages, Some(7));
    let shown = browser.get(session, &path).await;
    assert!(shown.text.contains("<code>authorization</code>"));
    // Also where the form is refused with headers in it.
    let wrong = [("name", ""), ("headers", "X-A: c2VjcmV0LXZhbHVl")];
    let refused = browser.post(session, &path, &wrong).await;
    assert_eq!(refused.status, 422);
    for page in [&shown, &refused] {
        assert!(!page.text.contains("c2VjcmV0LXZhbHVl"));
    }
    // An empty field keeps them, and the box removes them.
    let keep = [("name", "The shop"), ("headers", "")];
    assert_eq!(browser.post(session, &path, &keep).await.status, 303);
    let kept = defaults().headers.unwrap();
    assert_eq!(kept.expose()["authorization"], "Basic c2VjcmV0LXZhbHVl");
    let remove = [("name", "The shop"), ("remove-headers", "yes")];
    assert_eq!(browser.post(session, &path, &remove).await.status, 303);
    assert_eq!(defaults().headers, None);
}

#[actix_web::test]
async fn a_site_is_deleted_when_its_name_is_typed() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.admin.token);
    let site = &world.acme.site;
    let path = format!("/sites/{site}/delete");
    let before = world.rows();
    for typed in ["", "example", "EXAMPLE.COM"] {
        let refused = browser.post(session, &path, &[("name", typed)]).await;
        assert_eq!(refused.status, 422, "{typed}");
    }
    assert_eq!(world.rows(), before);
    let deleted = browser
        .post(session, &path, &[("name", "example.com")])
        .await;
    assert!(deleted.leads_to("/"), "{deleted:?}");
    let found = world.stores.site(&world.acme.id, site, Variant::Current);
    assert_eq!(found.unwrap(), None);
    assert_eq!(
        browser.get(session, &format!("/sites/{site}")).await.status,
        404
    );
}

#[actix_web::test]
async fn only_administrators_see_the_settings_of_a_site() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let path = format!("/sites/{}", world.acme.site);
    for role in Role::ALL {
        let session = Some(&world.acme.person(role).token);
        let page = browser.get(session, &path).await;
        let is_linked = page.text.contains(&format!("{path}/settings"));
        assert_eq!(is_linked, role == Role::Admin, "{role}");
    }
}

#[rstest]
#[actix_web::test]
async fn the_calculation_has_the_numbers_of_the_report(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
) {
    let world = Fixture::new(variant, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.reader.token);
    let id = &world.acme.report;
    let json = browser
        .get(session, &format!("/reports/{id}/download/json"))
        .await;
    let json: serde_json::Value = serde_json::from_str(&json.text).unwrap();
    let page = browser.get(session, &format!("/reports/{id}/score")).await;
    assert_eq!(page.status, 200);
    let shows = |number: &serde_json::Value| {
        let number = number.to_string();
        let number = number.trim_end_matches(".0");
        assert!(
            page.text.contains(&format!(">{number}<")),
            "{number}: {}",
            page.text
        );
    };
    let dimensions = json["scoring"]["dimensions"].as_object().unwrap();
    let mut steps = 0;
    for (name, dimension) in dimensions {
        assert!(
            page.text.contains(&format!("<h2 id=\"dimension-{name}\">")),
            "{name}"
        );
        for check in dimension["checks"].as_array().unwrap() {
            if check["scope"] != "page" && check["failed"] != 0 {
                shows(&check["penalty"]);
                shows(&check["reach"]);
                steps += 1;
            }
        }
    }
    assert!(steps > 0);
    let overall = format!("rounded half up: <b>{}</b>", json["overallScore"]);
    assert!(page.text.contains(&overall), "{overall}");
}
