//! Untrusted texts.

use domain::account::{LinkPurpose, OneTimeLink, SignInStage, Token};
use domain::action::{Author, BriefRequest, Description, NewComment};
use domain::audit_log::Actor;
use domain::id::{KeyId, OrgId};
use domain::ports::{LeaseStatus, NewOrg, ReportDetail, Stores, Taker};
use domain::report::{AuditResult, Finding, FindingCause, PageListing, Report, Variant};
use domain::run::RunError;
use domain::{FailureCode, Severity};
use testkit::sample;

use crate::contract::accounts::{invitation, member, new_account, new_session};
use crate::contract::comments::new_comment;
use crate::contract::world::{Fixture, at, pages, worker};

const HARD: &str =
    "\u{1}\t\r\n'\"`\\ %_?$1 -- ; 🦀 é e\u{301} \u{202e}rtl \u{feff} \u{10ffff} {}<b>";

/// A result with this text in every field.
fn saying(text: &str) -> AuditResult {
    let mut result = sample::audit_result();
    result.findings.truncate(1);
    for finding in &mut result.findings {
        say(finding, text);
    }
    result.coverage.skipped.push((text.to_owned(), 1));
    for check in &mut result.unjudged {
        check.why = domain::report::Unjudged::Errored(text.to_owned());
    }
    for cap in &mut result.caps {
        cap.reason = text.to_owned();
    }
    result
}

fn say(finding: &mut Finding, text: &str) {
    finding.severity = Severity::Minor;
    finding.pages.clear();
    for field in [&mut finding.title, &mut finding.why, &mut finding.fix] {
        text.clone_into(field);
    }
    finding.references = vec![text.to_owned()];
    for cause in &mut finding.causes {
        say_cause(cause, text);
    }
}

fn say_cause(cause: &mut FindingCause, text: &str) {
    text.clone_into(&mut cause.title);
    text.clone_into(&mut cause.key);
    cause.occurrences.truncate(3);
    for place in &mut cause.occurrences {
        place.url = text.to_owned();
        place.selector = Some(text.to_owned());
        place.snippet = Some(text.to_owned());
        place.message = text.to_owned();
    }
}

/// Stores the text in every possible field, and returns the stored texts.
fn round_trip(world: &Fixture<'_>, text: &str) -> (Vec<String>, Report, Report) {
    let stores = world.stores;
    let by = Actor::CommandLine;
    let org: OrgId = {
        let org = NewOrg {
            name: text.to_owned(),
            ..sample::new_org(&world.ids)
        };
        stores.create_org(&org, &by).unwrap();
        org.id
    };
    let (mut key, _) = sample::new_key(&world.ids, domain::key::Role::Read);
    text.clone_into(&mut key.name);
    assert!(stores.create_key(&org, &key, &by).unwrap());
    let mut member = sample::new_member(&world.ids, "ada");
    text.clone_into(&mut member.name);
    assert!(stores.add_member(&org, &member, &by).unwrap());

    let mut run = sample::new_run(&world.ids, "https://example.com/");
    run.options.include = vec![text.to_owned()];
    text.clone_into(&mut run.new_site.name);
    stores.start_run(&org, &run).unwrap();
    let failing = world.claim(at(0));
    let error = RunError {
        code: FailureCode::HttpError,
        message: text.to_owned(),
    };
    assert_eq!(
        stores.fail(&failing, &error, at(1)).unwrap(),
        LeaseStatus::Held
    );
    let failed = world.run(&failing);

    world.start(&org, "https://example.com/");
    let claim = world.claim(at(2));
    let mut page = pages(1).remove(0);
    text.clone_into(&mut page.visit.url);
    page.visit.title = Some(text.to_owned());
    assert_eq!(
        stores.write_pages(&claim, &[page]).unwrap(),
        LeaseStatus::Held
    );
    let completed = world.complete(&claim, &saying(text), at(3));
    let report = stores.report(
        &org,
        &completed.report_id,
        Variant::Current,
        ReportDetail::Inline,
    );
    let page = stores.pages(
        &org,
        &completed.report_id,
        &PageListing::all(Variant::Current),
        None,
        1,
    );
    let page = page.unwrap().unwrap().visits.remove(0);

    let mut texts = vec![
        stores.org(&org).unwrap().unwrap().name,
        stores.keys(&org).unwrap().remove(0).name,
        stores.members(&org).unwrap().remove(0).name,
        stores
            .sites(&org, Variant::Current)
            .unwrap()
            .remove(0)
            .site
            .name,
        failed.state.error().unwrap().message.clone(),
    ];
    texts.extend(failed.options.include);
    texts.extend(of_item(world, &org, text));
    texts.extend(of_account(world, &org, text));
    texts.extend([page.url, page.title.unwrap()]);
    (
        texts,
        completed.reports.current,
        report.unwrap().unwrap().report,
    )
}

/// Stores the text wherever one can be with an account, and gives back what is stored.
fn of_account(world: &Fixture<'_>, org: &OrgId, text: &str) -> [String; 4] {
    let stores = world.stores;
    let mut account = new_account(world, &format!("of-{org}"));
    text.clone_into(&mut account.name);
    let member = member(world, org, "bob", at(9));
    let link = invitation(world, org, &member);
    let mut session = new_session(world, &account.id, org, at(1));
    text.clone_into(&mut session.session.user_agent);
    text.clone_into(&mut session.session.address);
    let taken = stores.take_invitation(&link, &Taker::New(account), &session);
    assert_eq!(taken, Ok(Ok(SignInStage::SignedIn)));
    let found = stores.session_by_hash(&session.token).unwrap().unwrap();
    let link = OneTimeLink {
        purpose: LinkPurpose::PasswordReset,
        org_id: org.clone(),
        member_id: Some(member),
        account_id: Some(found.account.id.clone()),
        created_at: at(0),
        expires_at: at(99),
    };
    let hash = Token::generate(&world.ids).hash();
    let by = Actor::CommandLine;
    assert!(stores.create_link(&link, &hash, &by).unwrap());
    session.token = Token::generate(&world.ids).hash();
    let taken = stores.take_password_reset(&hash, "hash", &session);
    assert_eq!(taken, Ok(Ok(SignInStage::SignedIn)));
    let last = stores.audit_log(org).unwrap().pop().unwrap();
    assert_eq!(last.event, "password.reset");
    let session = found.session;
    [
        found.account.name,
        session.user_agent,
        session.address,
        last.detail,
    ]
}

/// Stores the text wherever one can be with an action item, and gives back what is stored.
fn of_item(world: &Fixture<'_>, org: &OrgId, text: &str) -> Vec<String> {
    let (stores, by) = (world.stores, Actor::CommandLine);
    let mut item = world.new_item(org, "Something");
    if let Ok(description) = Description::parse(text) {
        item.description = description;
    }
    stores.create_action(org, &item, &by).unwrap();
    let comment = NewComment {
        author: Author::Key {
            id: KeyId::make(&world.ids),
            name: text.to_owned(),
        },
        ..new_comment(world, "Said", 4)
    };
    stores.add_comment(org, &item.id, &comment, None).unwrap();
    let request = BriefRequest {
        instructions: None,
        at: at(4),
    };
    stores
        .queue_brief(org, &item.id, &request, &by, None)
        .unwrap();
    let claimed = sample::claim_brief(stores, &worker("w1"), at(5)).unwrap();
    let written = Ok(text.to_owned());
    let held = stores.finish_brief(&claimed, &written, at(6));
    assert_eq!(held, Ok(LeaseStatus::Held));

    let found = stores.action(org, &item.id, Variant::Current).unwrap();
    assert_eq!(found.unwrap().description, item.description);
    let said = stores.comments(org, &item.id, None, 1).unwrap().unwrap();
    let brief = stores.brief(org, &item.id).unwrap().unwrap();
    vec![
        said.comments[0].author.name().to_owned(),
        brief.content.unwrap(),
    ]
}

pub(crate) fn any_text_comes_back(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    for text in [HARD, "", " ", "NULL", "0", "{\"a\": [1]}"] {
        let (texts, completed, found) = round_trip(&world, text);
        assert!(texts.iter().all(|stored| stored == text), "{texts:?}");
        assert_eq!(found, completed);
    }
}

pub(crate) fn long_texts_come_back(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let long = "ä🦀\"'".repeat(12_500);
    assert_eq!(long.len(), 100_000);
    let (texts, completed, found) = round_trip(&world, &long);
    assert!(texts.iter().all(|stored| *stored == long));
    assert!(found == completed, "the report changed");
}

/// NUL may be read back as U+FFFD, as an HTML parser does.
pub(crate) fn nul_fails_nothing(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let readable = |text: String| text.replace('\0', "\u{fffd}");
    let (texts, completed, found) = round_trip(&world, "a\0b\0");
    for text in texts {
        assert_eq!(readable(text), "a\u{fffd}b\u{fffd}");
    }
    let shown = |report: &Report| format!("{report:?}").replace("\\0", "\u{fffd}");
    assert_eq!(shown(&found), shown(&completed));
}
