//! Tenant isolation: data of another organization is neither found nor changed.

use chrono::DateTime;
use domain::account::{LinkPurpose, OneTimeLink, Token};
use domain::action::{
    ActionFilter, ActionItem, ActionPatch, ActionStatus, BriefRequest, FieldPatch,
};
use domain::audit_log::Actor;
use domain::id::{MemberId, OrgId, ReportId, WaiverId};
use domain::idempotency::{IdempotentWrite, StoredAnswer};
use domain::key::{KeyHash, Role};
use domain::ports::{
    CancelRunError, Cancellation, ChangeActionError, Claim, CreateWaiverError, JobClaim, JobKind,
    LeaseStatus, LinkRefused, ListActionsError, NewKey, NewRun, ReportDetail, SiteRef,
    StartRunError, Stores, Taker,
};
use domain::report::{PageListing, Variant};
use domain::run::{AskedOptions, RunError, RunFilter};
use domain::site::{SiteHost, SiteName, SitePatch};
use testkit::sample;

use crate::contract::accounts::{Person, invitation, joined, new_session};
use crate::contract::comments::new_comment;
use crate::contract::idempotent_calls::call;
use crate::contract::waivers::new_waiver;
use crate::contract::world::{Fixture, RULES, at, causes, occurrences, pages};

/// An organization with one resource of every kind.
struct Tenant {
    org: OrgId,
    key: NewKey,
    member: MemberId,
    ended: Claim,
    report: ReportId,
    /// Created by a person, on the site, assigned to the member, with a comment and a brief.
    item: ActionItem,
    /// A waiver of the site.
    waiver: WaiverId,
    /// A member with an account, beside the member without one.
    person: Person,
    /// For the member without an account.
    invitation: KeyHash,
}

impl Tenant {
    fn new(world: &Fixture<'_>) -> Self {
        let stores = world.stores;
        let org = world.org();
        let (key, _) = sample::new_key(&world.ids, Role::Admin);
        let by = Actor::CommandLine;
        assert!(stores.create_key(&org, &key, &by).unwrap());
        let person = joined(world, &org, &format!("of-{org}").to_lowercase());
        let member = sample::new_member(&world.ids, "ada");
        assert!(stores.add_member(&org, &member, &by).unwrap());
        let invitation = invitation(world, &org, &member.id);
        world.start(&org, "https://example.com/");
        let ended = world.claim(at(0));
        assert_eq!(
            stores.write_pages(&ended, &pages(3)).unwrap(),
            LeaseStatus::Held
        );
        let completed = world.complete(&ended, &sample::audit_result(), at(0));
        let patched = stores.patch_site(&org, &ended.site_id, &patch("Shop", 7), at(0), &by);
        assert!(patched.unwrap());
        let item = ActionItem {
            site_id: Some(ended.site_id.clone()),
            assignee: Some(member.id.clone()),
            ..world.new_item(&org, "Something")
        };
        stores.create_action(&org, &item, &by).unwrap();
        let waiver = new_waiver(world, "csp-missing", at(0));
        let made = stores.create_waiver(&org, &ended.site_id, &waiver, &by, None);
        made.unwrap();
        let comment = new_comment(world, "Said", 20);
        stores.add_comment(&org, &item.id, &comment, None).unwrap();
        stores
            .queue_brief(&org, &item.id, &REQUEST, &by, None)
            .unwrap();
        Self {
            org,
            key,
            member: member.id,
            ended,
            report: completed.report_id,
            item,
            waiver: waiver.id,
            person,
            invitation,
        }
    }
}

/// A patch of every field.
fn patch(name: &str, max_pages: u32) -> SitePatch {
    SitePatch {
        name: SiteName::parse(name),
        options: Some(AskedOptions {
            max_pages: Some(max_pages),
            ..AskedOptions::default()
        }),
    }
}
const REQUEST: BriefRequest = BriefRequest {
    instructions: None,
    at: DateTime::UNIX_EPOCH,
};

/// Everything that an organization can read.
fn seen(stores: &dyn Stores, tenant: &Tenant) -> String {
    let Tenant {
        org,
        ended,
        report,
        item,
        member,
        person,
        invitation,
        ..
    } = tenant;
    let all = ActionFilter::all(Variant::Current);
    format!(
        "{:#?}",
        (
            stores.org(org).unwrap(),
            stores.members(org).unwrap(),
            stores.keys(org).unwrap(),
            stores.audit_log(org).unwrap(),
            stores
                .usage(org, domain::plan::Period::containing(at(0)))
                .unwrap(),
            stores.sites(org, Variant::Current).unwrap(),
            stores.history(org, &ended.site_id, 100).unwrap(),
            stores.runs(org, &RunFilter::default(), None, 100).unwrap(),
            stores.schedule(org, &ended.site_id).unwrap(),
            stores.run(org, &ended.run_id).unwrap(),
            (
                stores
                    .report(org, report, Variant::Current, ReportDetail::Inline)
                    .unwrap(),
                stores
                    .report(org, report, Variant::Legacy, ReportDetail::Inline)
                    .unwrap(),
                stores.site(org, &ended.site_id, Variant::Current).unwrap(),
                stores
                    .site_defaults(org, &SiteRef::Id(&ended.site_id))
                    .unwrap(),
                stores
                    .pages(org, report, &PageListing::all(Variant::Current), None, 100)
                    .unwrap(),
                stores.org_of_report(report).unwrap(),
                stores.waivers(org, &ended.site_id).unwrap(),
            ),
            (
                stores.actions(org, &all, None, 100).unwrap(),
                stores.comments(org, &item.id, None, 100).unwrap(),
                stores.brief(org, &item.id).unwrap(),
                stores.dossier(org, &item.id, Variant::Current).unwrap(),
                (
                    stores.account_of(org, &person.member).unwrap(),
                    stores.account_of(org, member).unwrap(),
                    stores.members_with_account(org).unwrap(),
                    stores.members_with_second_factor(org).unwrap(),
                    stores.memberships(&person.account).unwrap(),
                    stores.sessions(&person.account).unwrap(),
                    stores.session_by_hash(&person.session.token).unwrap(),
                    stores.link_by_hash(invitation).unwrap(),
                ),
            ),
        )
    )
}

pub(crate) fn looking_up_anothers_finds_nothing(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let [own, other] = [(); 2].map(|()| Tenant::new(&world));
    let org = &own.org;
    let site = &other.ended.site_id;
    assert_eq!(stores.run(org, &other.ended.run_id).unwrap(), None);
    assert_eq!(stores.history(org, site, 10).unwrap(), None);
    let foreign = RunFilter {
        site_id: Some(site.clone()),
        ..RunFilter::default()
    };
    assert_eq!(stores.runs(org, &foreign, None, 10).unwrap(), None);
    assert_eq!(stores.schedule(org, site).unwrap(), None);
    assert_eq!(stores.waivers(org, site).unwrap(), None);
    let by_id = SiteRef::Id(site);
    assert_eq!(stores.site_defaults(org, &by_id).unwrap(), None);
    let issue_of = |tenant: &Tenant| {
        let owner = &tenant.org;
        let found = stores.report(
            owner,
            &tenant.report,
            Variant::Current,
            ReportDetail::Glance,
        );
        found.unwrap().unwrap().issues[0].issue_id.clone()
    };
    let own_issue = issue_of(&own);
    for (report, issue) in [
        (&other.report, &issue_of(&other)),
        (&own.report, &issue_of(&other)),
        (&other.report, &own_issue),
    ] {
        let found = stores.report_of_issue(org, (report, issue), Variant::Current);
        assert_eq!(found.unwrap(), None);
    }
    let found = stores.report_of_issue(org, (&own.report, &own_issue), Variant::Current);
    let found = found.unwrap().unwrap();
    assert_eq!(found.issues.len(), 1);
    assert_eq!(found.issues[0].issue_id, own_issue);
    let pages_of = |report| {
        stores
            .pages(org, report, &PageListing::all(Variant::Current), None, 9)
            .unwrap()
    };
    assert_eq!(pages_of(&other.report), None);
    assert_eq!(pages_of(&own.report).unwrap().visits.len(), 3);
    for variant in [Variant::Current, Variant::Legacy] {
        assert_eq!(
            stores
                .report(org, &other.report, variant, ReportDetail::Inline)
                .unwrap(),
            None
        );
        assert_eq!(stores.site(org, site, variant).unwrap(), None);
        assert!(
            stores
                .report(org, &own.report, variant, ReportDetail::Inline)
                .unwrap()
                .is_some()
        );
    }
    let item = &other.item.id;
    for variant in [Variant::Current, Variant::Legacy] {
        assert_eq!(stores.action(org, item, variant).unwrap(), None);
        assert_eq!(stores.dossier(org, item, variant).unwrap(), None);
    }
    assert_eq!(stores.comments(org, item, None, 10).unwrap(), None);
    assert_eq!(stores.brief(org, item).unwrap(), None);
    let audited = (stores.actions(&other.org, &ActionFilter::all(Variant::Current), None, 100))
        .unwrap()
        .items;
    let audited = audited.iter().find(|item| item.audit.is_some()).unwrap();
    let ids = [audited.id.clone()];
    assert_eq!(stores.latest_issues(org, &ids).unwrap(), []);
    assert_eq!(stores.latest_issues(&other.org, &ids).unwrap().len(), 1);
    assert_eq!(stores.sightings(org, &audited.id, 10).unwrap(), []);
    let all = ActionFilter::all(Variant::Current);
    let on_its_site = ActionFilter {
        site: Some(site.clone()),
        ..all.clone()
    };
    let refused = stores.actions(org, &on_its_site, None, 10);
    assert_eq!(refused, Err(ListActionsError::SiteNotFound));
    let of_its_member = ActionFilter {
        assignee: Some(other.member.clone()),
        ..all.clone()
    };
    let none = stores.actions(org, &of_its_member, None, 10).unwrap();
    assert_eq!(none.items, []);
    assert_eq!(stores.account_of(org, &other.person.member).unwrap(), None);
    let session = stores.session_by_hash(&own.person.session.token).unwrap();
    assert_eq!(session.unwrap().membership.organization.id, *org);
    // Lists hold what is the organization's own.
    let lists = format!(
        "{:?}",
        (
            stores.sites(org, Variant::Current).unwrap(),
            stores.find_sites(org, "", 100).unwrap(),
            stores.find_members(org, "", 100).unwrap(),
            stores
                .names_of_sites(org, &[own.ended.site_id.clone(), site.clone()])
                .unwrap(),
            stores
                .members_of(org, &[own.member.clone(), other.member.clone()])
                .unwrap(),
            stores.keys(org).unwrap(),
            stores.members(org).unwrap(),
            (
                stores.members_with_account(org).unwrap(),
                stores.members_with_second_factor(org).unwrap(),
            ),
            stores.memberships(&own.person.account).unwrap(),
            stores.sessions(&own.person.account).unwrap(),
            stores.audit_log(org).unwrap(),
            stores.actions(org, &all, None, 100).unwrap(),
        )
    );
    for foreign in [
        other.org.as_str(),
        other.key.id.as_str(),
        other.member.as_str(),
        other.person.member.as_str(),
        other.person.account.as_str(),
        other.person.session.session.id.as_str(),
        other.ended.run_id.as_str(),
        site.as_str(),
        item.as_str(),
    ] {
        assert!(!lists.contains(foreign), "{foreign} in {lists}");
    }
}

pub(crate) fn changing_anothers_changes_nothing(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let [own, other] = [(); 2].map(|()| Tenant::new(&world));
    let before = [&own, &other].map(|tenant| seen(stores, tenant));
    let (org, by) = (&own.org, Actor::CommandLine);
    let removed = stores.remove_member(org, &other.member, at(1), &by);
    assert!(!removed.unwrap());
    let revoked = stores.revoke_key(org, &other.key.id, at(1), &by);
    assert!(!revoked.unwrap());
    stores.touch_key(org, &other.key.id, at(1)).unwrap();
    let cancelled = stores.cancel_run(org, &other.ended.run_id, at(1));
    assert_eq!(cancelled.unwrap(), None);
    let call = call("cancel_run", "k", "", at(1));
    let answer = |_: &Cancellation| -> StoredAnswer { unreachable!("nothing is cancelled") };
    let once = IdempotentWrite {
        call: &call,
        answer: &answer,
    };
    let cancelled = stores.cancel_run_once(org, &other.ended.run_id, at(1), &once);
    assert_eq!(cancelled, Err(CancelRunError::NotFound));
    assert_eq!(stores.kept_answer(org, &call), Ok(None));
    let site = &other.ended.site_id;
    let patched = stores.patch_site(org, site, &patch("Mine", 1), at(1), &by);
    assert!(!patched.unwrap());
    assert!(!stores.delete_site(org, site, at(1), &by).unwrap());
    let waiver = new_waiver(&world, "csp-missing", at(1));
    let made = stores.create_waiver(org, site, &waiver, &by, None);
    assert_eq!(made, Err(CreateWaiverError::NoSite));
    for site in [site, &own.ended.site_id] {
        let expired = stores.expire_waiver(org, site, &other.waiver, at(1), &by);
        assert!(!expired.unwrap());
        let deleted = stores.delete_waiver(org, site, &other.waiver, at(1), &by);
        assert!(!deleted.unwrap());
    }
    change_items(&world, &own, &other);
    change_people(&world, &own, &other);
    let after = [&own, &other].map(|tenant| seen(stores, tenant));
    assert_eq!(after, before);
}

/// Tries to change the people of another, and to let people of one's own in there.
fn change_people(world: &Fixture<'_>, own: &Tenant, other: &Tenant) {
    let (stores, org, by) = (world.stores, &own.org, Actor::CommandLine);
    let foreign = &other.person;
    for member in [&other.member, &foreign.member] {
        let changed = stores.set_member_role(org, member, Role::Read, at(1), &by);
        assert!(!changed.unwrap());
        for purpose in [LinkPurpose::Invitation, LinkPurpose::PasswordReset] {
            let link = OneTimeLink {
                purpose,
                org_id: org.clone(),
                member_id: Some(member.clone()),
                account_id: None,
                created_at: at(1),
                expires_at: at(99),
            };
            let hash = Token::generate(&world.ids).hash();
            assert!(!stores.create_link(&link, &hash, &by).unwrap());
            assert_eq!(stores.link_by_hash(&hash).unwrap(), None);
        }
    }
    let ended = stores.end_session(&own.person.account, &foreign.session.session.id);
    assert!(!ended.unwrap());
    // Their link, with a session that would work in one's own organization.
    let taker = Taker::Known(own.person.account.clone());
    let session = new_session(world, &own.person.account, org, at(2));
    let taken = stores.take_invitation(&other.invitation, &taker, &session);
    assert_eq!(taken, Ok(Err(LinkRefused::Gone)));
}

/// Tries to change the items of another, and to bring items of one's own together with what is
/// another's.
fn change_items(world: &Fixture<'_>, own: &Tenant, other: &Tenant) {
    let (stores, org, by) = (world.stores, &own.org, Actor::CommandLine);
    let item = &other.item.id;
    let done = ActionPatch {
        status: Some(ActionStatus::Done),
        ..ActionPatch::default()
    };
    let patched = stores.patch_action(org, item, &done, at(1), &by);
    assert_eq!(patched, Err(ChangeActionError::NotFound));
    let comment = new_comment(world, "Said by another", 1);
    let added = stores.add_comment(org, item, &comment, None);
    assert_eq!(added, Err(ChangeActionError::NotFound));
    let queued = stores.queue_brief(org, item, &REQUEST, &by, None);
    assert_eq!(queued, Err(ChangeActionError::NotFound));
    let forged = JobClaim {
        kind: JobKind::Brief,
        subject: item.to_string(),
        org_id: org.clone(),
        worker: crate::contract::world::worker("w1"),
        epoch: 1,
        due_at: at(0),
        attempt: 1,
    };
    assert_eq!(stores.begin_brief(&forged), Ok(None));
    let written = Ok("Forged".to_owned());
    let finished = stores.finish_brief(&forged, &written, at(1));
    assert_eq!(finished, Ok(LeaseStatus::Lost));

    let assign = ActionPatch {
        assignee: FieldPatch::Set(other.member.clone()),
        ..ActionPatch::default()
    };
    let assigned = stores.patch_action(org, &own.item.id, &assign, at(1), &by);
    assert_eq!(assigned, Err(ChangeActionError::NoMember));
    let new = world.new_item(org, "Something");
    let on_its_site = ActionItem {
        site_id: Some(other.ended.site_id.clone()),
        ..new.clone()
    };
    let made = stores.create_action(org, &on_its_site, &by);
    assert_eq!(made, Err(ChangeActionError::SiteNotFound));
    let of_its_member = ActionItem {
        assignee: Some(other.member.clone()),
        ..new.clone()
    };
    let made = stores.create_action(org, &of_its_member, &by);
    assert_eq!(made, Err(ChangeActionError::NoMember));
    // With the id of another organization.
    assert!(stores.create_action(&other.org, &new, &by).is_err());
}

pub(crate) fn a_run_is_not_attached_to_anothers_site(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let [own, other] = [(); 2].map(|()| Tenant::new(&world));
    let before = [&own, &other].map(|tenant| seen(stores, tenant));
    // Nothing is revealed about the site, even if the host does not match.
    for url in ["https://example.com/", "https://example.org/"] {
        let run = NewRun {
            site_id: Some(other.ended.site_id.clone()),
            ..sample::new_run(&world.ids, url)
        };
        let refused = stores.start_run(&own.org, &run);
        assert_eq!(refused, Err(StartRunError::SiteNotFound));
        assert_eq!(stores.run(&own.org, &run.id).unwrap(), None);
    }
    let after = [&own, &other].map(|tenant| seen(stores, tenant));
    assert_eq!(after, before);
    assert_eq!(world.try_claim(at(1)), None);
}

pub(crate) fn a_claim_of_another_worker_is_lost(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let [own, other] = [(); 2].map(|()| Tenant::new(&world));
    world.start(&other.org, "https://example.com/");
    let claim = world.claim(at(0));
    let before = [&own, &other].map(|tenant| seen(stores, tenant));
    let forged = Claim {
        org_id: own.org.clone(),
        ..claim.clone()
    };
    let completed = sample::completed_run(&world.ids, &sample::audit_result());
    let batch = occurrences(&completed.reports);
    let progress = completed.progress;
    let lost = [
        stores.heartbeat(&forged, &progress, &RULES, at(1)),
        stores.write_causes(&forged, &causes(&completed.reports)),
        stores.write_occurrences(&forged, &batch[..10]),
        stores.write_pages(&forged, &pages(3)),
        stores.complete(&forged, &completed, &world.ids, at(1)),
        stores.fail(&forged, &RunError::internal(), at(1)),
        stores.hand_back(&forged, domain::ports::HandBack::Stopped, at(1)),
    ];
    assert_eq!(lost, [(); 7].map(|()| Ok(LeaseStatus::Lost)));
    let after = [&own, &other].map(|tenant| seen(stores, tenant));
    assert_eq!(after, before);
    world.complete(&claim, &sample::clean_audit_result(), at(2));
}

pub(crate) fn a_host_is_a_site_of_each_organization(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let [own, other] = [(); 2].map(|()| Tenant::new(&world));
    assert_ne!(own.ended.site_id, other.ended.site_id);
    for tenant in [&own, &other] {
        let sites = stores.sites(&tenant.org, Variant::Current).unwrap();
        assert_eq!(sites.len(), 1);
        assert_eq!(sites[0].site.id, tenant.ended.site_id);
        assert_eq!(sites[0].site.host.as_str(), "example.com");
    }
    // Each site has its own name and its own defaults.
    let (by, host) = (
        Actor::CommandLine,
        SiteHost::stored("example.com".to_owned()),
    );
    let patched = stores.patch_site(&own.org, &own.ended.site_id, &patch("Mine", 1), at(1), &by);
    assert!(patched.unwrap());
    for (tenant, pages) in [(&own, 1), (&other, 7)] {
        let defaults = stores.site_defaults(&tenant.org, &SiteRef::Host(&host));
        assert_eq!(defaults.unwrap().unwrap().options.max_pages, Some(pages));
    }
}
