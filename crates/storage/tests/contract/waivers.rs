//! Waivers: the findings that the owner of a site accepts.

use chrono::{DateTime, Utc};
use domain::action::Author;
use domain::audit_log::Actor;
use domain::id::{KeyId, OrgId, SiteId, WaiverId};
use domain::idempotency::{
    Fingerprint, IdempotencyKey, Idempotent, IdempotentCall, IdempotentWrite, StoredAnswer,
};
use domain::ports::{CreateWaiverError, ReportDetail, Stores};
use domain::report::Variant;
use domain::waiver::{AuditWaivers, MAX_WAIVERS, Waiver, WaiverAuthor, WaiverRequest};
use testkit::sample;

use crate::contract::sites_written::created;
use crate::contract::world::{Fixture, at, at_once};

const FINGERPRINT: &str = "24680937b262fa3f5604926f6291d7f9";

pub(crate) fn new_waiver(world: &Fixture<'_>, check_id: &str, now: DateTime<Utc>) -> Waiver {
    let request = WaiverRequest {
        check_id: check_id.to_owned(),
        reason: "Accepted.".to_owned(),
        ..WaiverRequest::default()
    };
    Waiver {
        id: WaiverId::make(&world.ids),
        terms: request.validate(|_| true, None).unwrap(),
        author: WaiverAuthor::from(&Author::System),
        created_at: Some(now),
    }
}

fn create(
    world: &Fixture<'_>,
    org: &OrgId,
    site: &SiteId,
    waiver: &Waiver,
) -> Result<Idempotent<Waiver>, CreateWaiverError> {
    let by = Actor::CommandLine;
    world.stores.create_waiver(org, site, waiver, &by, None)
}

fn waivers(world: &Fixture<'_>, org: &OrgId, site: &SiteId) -> Vec<Waiver> {
    world.stores.waivers(org, site).unwrap().unwrap()
}

pub(crate) fn a_waiver_comes_back_whole(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let site = created(&world, &org, "example.com");
    assert_eq!(waivers(&world, &org, &site), []);
    let mut whole = new_waiver(&world, "image-alt", at(1));
    whole.terms.path = Some("/archive/*".to_owned());
    whole.terms.cause = Some(FINGERPRINT.to_owned());
    whole.terms.reason = "First.\nSecond: 🦀.".to_owned();
    whole.terms.expires_at = Some(at(99));
    whole.author = WaiverAuthor::from(&Author::Key {
        id: KeyId::make(&world.ids),
        name: "CI".to_owned(),
    });
    let bare = new_waiver(&world, "csp-missing", at(0));
    for waiver in [&whole, &bare] {
        let made = create(&world, &org, &site, waiver);
        assert_eq!(made, Ok(Idempotent::Executed(waiver.clone())));
    }
    // Oldest first.
    assert_eq!(waivers(&world, &org, &site), [bare, whole]);
}

pub(crate) fn a_waiver_is_removed_once(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let site = created(&world, &org, "example.com");
    let elsewhere = created(&world, &org, "example.org");
    let waiver = new_waiver(&world, "csp-missing", at(0));
    create(&world, &org, &site, &waiver).unwrap();
    let remove = |site: &SiteId| {
        stores
            .delete_waiver(&org, site, &waiver.id, at(5), &Actor::CommandLine)
            .unwrap()
    };
    assert!(!remove(&elsewhere));
    assert!(remove(&site) && !remove(&site));
    assert_eq!(waivers(&world, &org, &site), []);
    let id = waiver.id.as_str().to_owned();
    let detail = format!("{site}, csp-missing");
    for event in ["waiver.created", "waiver.deleted"] {
        assert_eq!(world.logged(&org, event), [(id.clone(), detail.clone())]);
    }
}

pub(crate) fn a_waiver_is_ended_once(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let site = created(&world, &org, "example.com");
    let elsewhere = created(&world, &org, "example.org");
    let waiver = new_waiver(&world, "csp-missing", at(0));
    create(&world, &org, &site, &waiver).unwrap();
    let end = |site: &SiteId, now| {
        stores
            .expire_waiver(&org, site, &waiver.id, now, &Actor::CommandLine)
            .unwrap()
    };
    assert!(!end(&elsewhere, at(5)));
    assert!(end(&site, at(5)));
    // Once more changes nothing: the first time stays.
    assert!(end(&site, at(9)));
    let stored = waivers(&world, &org, &site);
    assert_eq!(stored[0].terms.expires_at, Some(at(5)));
    let line = (
        waiver.id.as_str().to_owned(),
        format!("{site}, csp-missing"),
    );
    assert_eq!(world.logged(&org, "waiver.expired"), [line]);
}

pub(crate) fn a_site_has_so_many_waivers_at_most(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let site = created(&world, &org, "example.com");
    for _ in 1..MAX_WAIVERS {
        create(
            &world,
            &org,
            &site,
            &new_waiver(&world, "csp-missing", at(0)),
        )
        .unwrap();
    }
    let made = at_once(4, |_| {
        create(
            &world,
            &org,
            &site,
            &new_waiver(&world, "csp-missing", at(0)),
        )
    });
    let refused = made.iter().filter(
        |made| matches!(made, Err(CreateWaiverError::TooMany(most)) if *most == MAX_WAIVERS),
    );
    assert_eq!(refused.count(), 3);
    assert_eq!(waivers(&world, &org, &site).len(), MAX_WAIVERS);
    let elsewhere = created(&world, &org, "example.org");
    create(
        &world,
        &org,
        &elsewhere,
        &new_waiver(&world, "csp-missing", at(0)),
    )
    .unwrap();
}

pub(crate) fn a_waiver_needs_its_site(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let site = SiteId::make(&world.ids);
    let waiver = new_waiver(&world, "csp-missing", at(0));
    assert_eq!(
        create(&world, &org, &site, &waiver),
        Err(CreateWaiverError::NoSite)
    );
    assert_eq!(stores.waivers(&org, &site).unwrap(), None);
}

pub(crate) fn waivers_go_with_their_site(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let site = created(&world, &org, "example.com");
    create(
        &world,
        &org,
        &site,
        &new_waiver(&world, "csp-missing", at(0)),
    )
    .unwrap();
    assert!(
        stores
            .delete_site(&org, &site, at(1), &Actor::CommandLine)
            .unwrap()
    );
    assert_eq!(stores.waivers(&org, &site).unwrap(), None);
}

pub(crate) fn a_waiver_is_created_once_for_a_key(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let site = created(&world, &org, "example.com");
    let call = |body: &str| IdempotentCall {
        operation: "post_waivers",
        key: IdempotencyKey::parse("once").unwrap(),
        fingerprint: Fingerprint::new("POST", "/", body.as_bytes()),
        at: at(0),
    };
    let answer = |waiver: &Waiver| StoredAnswer {
        status: 201,
        location: None,
        body: waiver.id.to_string(),
    };
    let create = |body: &str| {
        let call = call(body);
        let once = IdempotentWrite {
            call: &call,
            answer: &answer,
        };
        let waiver = new_waiver(&world, "csp-missing", at(0));
        stores.create_waiver(&org, &site, &waiver, &Actor::System, Some(&once))
    };
    let Ok(Idempotent::Executed(waiver)) = create("{}") else {
        panic!("the first call was not executed");
    };
    assert_eq!(create("{}"), Ok(Idempotent::Replayed(answer(&waiver))));
    assert!(matches!(
        create("{ }"),
        Err(CreateWaiverError::KeyReused(_))
    ));
    assert_eq!(waivers(&world, &org, &site), [waiver]);
}

/// A report shows its waivers as they were, in the legacy variant those of its issues.
pub(crate) fn a_report_keeps_its_waivers(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let mut result = sample::audit_result();
    let expires_at = at(7);
    let mut waiver = new_waiver(&world, "image-alt", at(3));
    waiver.terms.expires_at = Some(expires_at);
    let sixth = new_waiver(&world, "llms-txt", at(4));
    let applied = AuditWaivers::at([waiver.clone(), sixth], at(5));
    result.waivers = applied.with_occurrences(&[(0, 2)].into());
    let finding = result
        .findings
        .iter_mut()
        .find(|found| found.check_id == "image-alt");
    let finding = finding.unwrap();
    finding.waived = 2;
    finding.causes[0].waived = 2;
    for place in finding.causes[0].occurrences.iter_mut().take(2) {
        place.waiver = Some(waiver.id.clone());
    }
    let expected = result.waivers.clone();
    let completed = world.complete(&claim, &result, at(6));
    let read = |variant| {
        let report = stores.report(&org, &completed.report_id, variant, ReportDetail::Inline);
        report.unwrap().unwrap().report
    };
    let report = read(Variant::Current);
    assert_eq!(report.waivers, expected);
    let issue = report
        .issues
        .iter()
        .find(|issue| issue.check_id == "image-alt");
    let issue = issue.unwrap();
    assert_eq!((issue.waived, issue.causes[0].waived), (2, 2));
    let marked: Vec<_> = issue.causes[0]
        .occurrences
        .iter()
        .map(|place| place.waiver.clone())
        .collect();
    assert_eq!(
        marked[..3],
        [Some(waiver.id.clone()), Some(waiver.id), None]
    );
    assert_eq!(read(Variant::Legacy).waivers, expected[..1]);
}
