//! Briefs of action items.

use domain::action::{ActionBrief, ActionItem, BriefRequest, BriefStatus, Instructions};
use domain::audit_log::Actor;
use domain::id::ActionId;
use domain::idempotency::Idempotent;
use domain::ports::{ChangeActionError, JobClaim, JobKind, LeaseStatus, Stores};
use domain::report::Variant;
use testkit::sample;

use crate::contract::world::{Fixture, at, at_once, worker};

const BY: Actor = Actor::CommandLine;

fn asking(words: &str, second: i64) -> BriefRequest {
    BriefRequest {
        instructions: Instructions::parse(words).unwrap(),
        at: at(second),
    }
}

fn ask(stores: &dyn Stores, item: &ActionItem, words: &str, second: i64) -> ActionBrief {
    let asked = stores.queue_brief(&item.org_id, &item.id, &asking(words, second), &BY, None);
    let Idempotent::Executed(brief) = asked.unwrap() else {
        panic!("it is a new request");
    };
    assert_eq!(found(stores, item), brief);
    brief
}

/// Returns the brief of an item; the item must show the same status.
fn found(stores: &dyn Stores, item: &ActionItem) -> ActionBrief {
    let brief = stores.brief(&item.org_id, &item.id).unwrap().unwrap();
    let shown = stores.action(&item.org_id, &item.id, Variant::Current);
    assert_eq!(shown.unwrap().unwrap().brief_status, brief.status);
    brief
}

/// Claims a brief and marks it as being generated.
fn claim(stores: &dyn Stores, name: &str, second: i64) -> Option<JobClaim> {
    sample::claim_brief(stores, &worker(name), at(second))
}

fn finish(stores: &dyn Stores, claim: &JobClaim, text: &str, second: i64) -> LeaseStatus {
    let written = Ok(text.to_owned());
    stores.finish_brief(claim, &written, at(second)).unwrap()
}

pub(crate) fn an_item_has_no_brief_at_first(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    assert_eq!(found(stores, &item), ActionBrief::none(item.id.clone()));
    assert_eq!(claim(stores, "w1", 0), None);
}

pub(crate) fn asking_twice_queues_one_brief(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    let brief = ask(stores, &item, "Use TypeScript. 🦀", 1);
    assert_eq!((brief.status, brief.generation), (BriefStatus::Queued, 1));
    assert_eq!(ask(stores, &item, "", 2), brief);
    let other_words = ask(stores, &item, "Use Rust.", 3);
    assert_eq!(other_words.generation, 1);
    assert_eq!(other_words.instructions.unwrap().as_str(), "Use Rust.");
    let claimed = claim(stores, "w1", 4).unwrap();
    let expected = JobClaim {
        kind: JobKind::Brief,
        subject: item.id.to_string(),
        org_id: org,
        worker: worker("w1"),
        epoch: 1,
        due_at: at(1),
        attempt: 1,
    };
    assert_eq!(claimed, expected);
    assert_eq!(claim(stores, "w2", 4), None);
    assert_eq!(found(stores, &item).status, BriefStatus::Generating);
}

pub(crate) fn a_brief_request_is_logged_without_its_instructions(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    ask(stores, &item, "Secret words", 1);
    // This changes nothing.
    ask(stores, &item, "", 2);
    let line = (item.id.to_string(), "generation 1".to_owned());
    assert_eq!(world.logged(&org, "brief.queued"), [line]);
    let shown = stores.action(&org, &item.id, Variant::Current);
    assert_eq!(shown.unwrap().unwrap().updated_at, item.updated_at);
}

pub(crate) fn a_brief_is_written(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    ask(stores, &item, "Words", 1);
    let claimed = claim(stores, "w1", 2).unwrap();
    assert_eq!(finish(stores, &claimed, "# Do it\0", 3), LeaseStatus::Held);
    let brief = found(stores, &item);
    assert_eq!(brief.status, BriefStatus::Ready);
    let content = brief.content.unwrap().replace('\0', "\u{fffd}");
    assert_eq!(content, "# Do it\u{fffd}");
    assert_eq!(brief.generated_at, Some(at(3)));
    assert_eq!(brief.instructions.unwrap().as_str(), "Words");
    assert_eq!(claim(stores, "w1", 1_000), None);
    assert_eq!(finish(stores, &claimed, "twice", 4), LeaseStatus::Lost);
}

pub(crate) fn a_brief_that_cannot_be_written_says_why(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    ask(stores, &item, "", 1);
    let claimed = claim(stores, "w1", 2).unwrap();
    let why = Err("The report is gone.\0".to_owned());
    let held = stores.finish_brief(&claimed, &why, at(3)).unwrap();
    assert_eq!(held, LeaseStatus::Held);
    let brief = found(stores, &item);
    assert_eq!(brief.status, BriefStatus::Failed);
    let why = brief.error.unwrap().replace('\0', "\u{fffd}");
    assert_eq!(why, "The report is gone.\u{fffd}");
    assert_eq!((brief.content, brief.generated_at), (None, None));
    assert_eq!(claim(stores, "w1", 1_000), None);
    let anew = ask(stores, &item, "", 1_001);
    assert_eq!((anew.error, anew.generation), (None, 2));
}

pub(crate) fn a_brief_is_kept_until_a_newer_one_is_written(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    ask(stores, &item, "First", 1);
    let first = claim(stores, "w1", 2).unwrap();
    assert_eq!(finish(stores, &first, "first", 3), LeaseStatus::Held);
    let anew = ask(stores, &item, "", 4);
    assert_eq!((anew.status, anew.generation), (BriefStatus::Queued, 2));
    assert_eq!(anew.content.as_deref(), Some("first"));
    assert_eq!(anew.instructions, None);
    let second = claim(stores, "w1", 5).unwrap();
    assert_eq!(found(stores, &item).generated_at, Some(at(3)));
    assert_eq!(finish(stores, &second, "second", 6), LeaseStatus::Held);
    let brief = found(stores, &item);
    assert_eq!(brief.content.as_deref(), Some("second"));
    assert_eq!(brief.generated_at, Some(at(6)));
}

pub(crate) fn briefs_are_claimed_in_the_order_in_which_they_were_asked_for(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let [a, b, c] = [&org, &other, &org].map(|org| world.item(org, "Something"));
    for (item, second) in [(&b, 1), (&c, 2), (&a, 2)] {
        ask(stores, item, "", second);
    }
    // Changed instructions keep the position in the queue; a new request moves it.
    ask(stores, &b, "Words", 9);
    let claimed = [(); 3].map(|()| claim(stores, "w1", 10).unwrap().subject);
    assert_eq!(claimed, [b.id, a.id, c.id].map(|id| id.to_string()));
}

pub(crate) fn of_claims_at_once_each_gets_another_brief(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let items: Vec<_> = (0..4).map(|_| world.item(&org, "Something")).collect();
    at_once(8, |number| {
        let item = &items[number % 4];
        let asked = stores.queue_brief(&org, &item.id, &asking("", 1), &BY, None);
        assert!(matches!(asked, Ok(Idempotent::Executed(_))), "{asked:?}");
    });
    let claimed = at_once(8, |number| claim(stores, &format!("w{number}"), 2));
    let mut got: Vec<_> = claimed.into_iter().flatten().collect();
    // PostgreSQL skips one that another transaction is claiming.
    got.extend(std::iter::from_fn(|| claim(stores, "last", 3)));
    let mut claimed: Vec<_> = got.into_iter().map(|claim| claim.subject).collect();
    claimed.sort();
    let expected: Vec<_> = items.iter().map(|item| item.id.to_string()).collect();
    assert_eq!(claimed, expected);
}

pub(crate) fn a_brief_whose_lease_has_run_out_is_claimed_again(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    ask(stores, &item, "", 0);
    let first = claim(stores, "w1", 1).unwrap();
    assert_eq!(claim(stores, "w2", 30), None);
    let second = claim(stores, "w2", 31).unwrap();
    assert_eq!((first.attempt, second.attempt), (1, 2));
    assert_eq!(finish(stores, &first, "late", 32), LeaseStatus::Lost);
    assert_eq!(found(stores, &item).status, BriefStatus::Generating);
    // Late, but no other worker took over.
    assert_eq!(finish(stores, &second, "in time", 100), LeaseStatus::Held);
    assert_eq!(found(stores, &item).content.as_deref(), Some("in time"));
}

pub(crate) fn a_new_request_for_a_brief_ends_the_present_claim(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    ask(stores, &item, "First", 0);
    let stale = claim(stores, "w1", 1).unwrap();
    let anew = ask(stores, &item, "Second", 2);
    assert_eq!((anew.status, anew.generation), (BriefStatus::Queued, 2));
    assert_eq!(finish(stores, &stale, "of the first", 3), LeaseStatus::Lost);
    // The same worker claims it again; its earlier claim is lost nevertheless.
    let claimed = claim(stores, "w1", 4).unwrap();
    assert_eq!(claimed.attempt, 1, "the count starts again");
    assert_eq!(finish(stores, &stale, "of the first", 5), LeaseStatus::Lost);
    assert_eq!(
        finish(stores, &claimed, "of the second", 6),
        LeaseStatus::Held
    );
    let brief = found(stores, &item);
    assert_eq!(brief.content.as_deref(), Some("of the second"));
}

pub(crate) fn a_lost_claim_changes_no_brief(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let item = world.item(&org, "Something");
    ask(stores, &item, "", 0);
    let claimed = claim(stores, "w1", 1).unwrap();
    let before = found(stores, &item);
    for forged in [
        JobClaim {
            epoch: 2,
            ..claimed.clone()
        },
        JobClaim {
            kind: JobKind::Retention,
            ..claimed.clone()
        },
        JobClaim {
            org_id: other,
            ..claimed.clone()
        },
        JobClaim {
            subject: ActionId::make(&world.ids).to_string(),
            ..claimed.clone()
        },
    ] {
        assert_eq!(stores.begin_brief(&forged), Ok(None));
        assert_eq!(finish(stores, &forged, "forged", 2), LeaseStatus::Lost);
        assert_eq!(found(stores, &item), before);
    }
    assert_eq!(finish(stores, &claimed, "own", 3), LeaseStatus::Held);
}

pub(crate) fn a_brief_that_was_asked_for_again_is_lost_to_an_earlier_claim_of_the_same_number(
    stores: &dyn Stores,
) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    ask(stores, &item, "First", 0);
    let paused = claim(stores, "w1", 1).unwrap();
    let second = claim(stores, "w2", 40).unwrap();
    assert_eq!(finish(stores, &second, "first", 41), LeaseStatus::Held);
    ask(stores, &item, "Second", 42);
    let third = claim(stores, "w3", 43).unwrap();
    assert_eq!(third.epoch, paused.epoch, "the job is a new one");
    assert_eq!(finish(stores, &paused, "late", 44), LeaseStatus::Lost);
    assert_eq!(finish(stores, &third, "second", 45), LeaseStatus::Held);
    assert_eq!(found(stores, &item).content.as_deref(), Some("second"));
}

pub(crate) fn a_brief_needs_its_item(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let unknown = ActionId::make(&world.ids);
    assert_eq!(stores.brief(&org, &unknown), Ok(None));
    let refused = stores.queue_brief(&org, &unknown, &asking("", 1), &BY, None);
    assert_eq!(refused, Err(ChangeActionError::NotFound));
    assert_eq!(claim(stores, "w1", 2), None);
    assert_eq!(world.logged(&org, "brief.queued"), []);
}
