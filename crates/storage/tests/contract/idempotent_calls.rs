//! Idempotency keys: repeated requests that are executed once.

use chrono::{DateTime, TimeDelta, Utc};
use domain::action::{ActionBrief, ActionComment, BriefRequest};
use domain::audit_log::Actor;
use domain::event::EventKind;
use domain::id::{ActionId, EventId, OrgId, RunId, SiteId, WebhookId};
use domain::idempotency::{
    Fingerprint, IdempotencyKey, Idempotent, IdempotentCall, IdempotentWrite, KEPT_FOR, KeyReused,
    StoredAnswer,
};
use domain::plan::PlanLimits;
use domain::ports::{
    CancelRunError, Cancellation, ChangeActionError, KeepAnswerError, MAX_KEPT_ANSWERS, NewRun,
    StartRunError, StartedRun, Stores, TestWebhookError,
};
use domain::report::Variant;
use domain::run::RunFilter;
use domain::webhook::Delivery;
use testkit::sample;

use crate::contract::comments::new_comment;
use crate::contract::webhooks::{hook, new_webhook};
use crate::contract::world::{Fixture, at, at_once};

/// A request to an operation with a key and a body.
pub(crate) fn call(
    operation: &'static str,
    key: &str,
    body: &str,
    at: DateTime<Utc>,
) -> IdempotentCall {
    IdempotentCall {
        operation,
        key: IdempotencyKey::parse(key).unwrap(),
        fingerprint: Fingerprint::new("POST", "/", body.as_bytes()),
        at,
    }
}

fn answer(run: &StartedRun) -> StoredAnswer {
    StoredAnswer {
        status: 202,
        location: Some(format!("/runs/{}", run.run_id)),
        body: format!("{{\"runId\": \"{}\", \"🦀\": \"\\u0000'\"}}", run.run_id),
    }
}

fn new_run(world: &Fixture<'_>, now: DateTime<Utc>) -> NewRun {
    NewRun {
        now,
        ..sample::new_run(&world.ids, "https://example.com/")
    }
}

/// Starts a run with an idempotency key.
fn start(
    world: &Fixture<'_>,
    org: &OrgId,
    call: &IdempotentCall,
) -> Result<Idempotent<StartedRun>, StartRunError> {
    let once = IdempotentWrite {
        call,
        answer: &answer,
    };
    world
        .stores
        .start_run_once(org, &new_run(world, call.at), &once)
}

fn started(world: &Fixture<'_>, org: &OrgId, call: &IdempotentCall) -> StartedRun {
    match start(world, org, call).unwrap() {
        Idempotent::Executed(run) => run,
        Idempotent::Replayed(answer) => panic!("{answer:?}"),
    }
}

fn runs(world: &Fixture<'_>, org: &OrgId) -> usize {
    let page = world.stores.runs(org, &RunFilter::default(), None, 1_000);
    page.unwrap().unwrap().runs.len()
}

/// Makes a request whose response is stored.
pub(crate) fn answered(world: &Fixture<'_>, org: &OrgId, now: DateTime<Utc>) {
    started(world, org, &call("post_start_audit", "kept", "{}", now));
}

pub(crate) fn a_repeated_request_replays_its_response(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let first = call("post_start_audit", "a", "{}", at(0));
    let run = started(&world, &org, &first);
    assert!(stores.run(&org, &run.run_id).unwrap().is_some());
    for second in [0, 1, 80_000] {
        let again = call("post_start_audit", "a", "{}", at(second));
        let told = start(&world, &org, &again);
        assert_eq!(told, Ok(Idempotent::Replayed(answer(&run))));
    }
    assert_eq!(runs(&world, &org), 1);
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 1);
    // Another key is another request.
    let other = started(&world, &org, &call("post_start_audit", "b", "{}", at(1)));
    assert_ne!(other.run_id, run.run_id);
}

pub(crate) fn a_comment_sent_again_is_added_once(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    let told = |comment: &ActionComment| StoredAnswer {
        status: 201,
        location: None,
        body: comment.id.to_string(),
    };
    let made = call("add_comment", "a", "{}", at(1));
    let once = IdempotentWrite {
        call: &made,
        answer: &told,
    };
    let say = |body| stores.add_comment(&org, &item.id, &new_comment(&world, body, 1), Some(&once));
    let Ok(Idempotent::Executed(comment)) = say("Once") else {
        panic!("it is a new request");
    };
    assert_eq!(say("Twice"), Ok(Idempotent::Replayed(told(&comment))));
    let page = stores.comments(&org, &item.id, None, 10).unwrap().unwrap();
    assert_eq!(page.comments, [comment]);
    assert_eq!(world.items(&org)[0].comment_count, 1);
}

pub(crate) fn a_site_and_an_item_sent_again_are_created_once(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let stored = |(): &()| StoredAnswer {
        status: 201,
        location: None,
        body: "{}".to_owned(),
    };
    let item = world.new_item(&org, "Something");
    let of_item = call("create_action", "k", "{}", at(0));
    let once = IdempotentWrite {
        call: &of_item,
        answer: &stored,
    };
    let create = || stores.create_action_once(&org, &item, &Actor::CommandLine, &once);
    assert_eq!(create().unwrap(), Idempotent::Executed(()));
    assert_eq!(create().unwrap(), Idempotent::Replayed(stored(&())));
    let of_site = call("create_site", "k", "{}", at(0));
    let once = IdempotentWrite {
        call: &of_site,
        answer: &stored,
    };
    let create = || {
        let site = new_run(&world, at(0)).new_site;
        let (limits, by) = (PlanLimits::default(), Actor::CommandLine);
        stores.create_site_once(&org, &site, limits, at(0), &by, &once)
    };
    assert_eq!(create().unwrap(), Idempotent::Executed(()));
    assert_eq!(create().unwrap(), Idempotent::Replayed(stored(&())));
    assert_eq!(stores.sites(&org, Variant::Current).unwrap().len(), 1);
    assert_eq!(world.items(&org).len(), 1);
}

pub(crate) fn a_repeated_brief_request_replays_its_response(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let item = world.item(&org, "Something");
    let told = |brief: &ActionBrief| StoredAnswer {
        status: 202,
        location: None,
        body: format!("{} {}", brief.status, brief.generation),
    };
    let made = call("queue_brief", "a", "{}", at(1));
    let once = IdempotentWrite {
        call: &made,
        answer: &told,
    };
    let ask = || {
        let request = BriefRequest {
            instructions: None,
            at: at(1),
        };
        stores.queue_brief(&org, &item.id, &request, &Actor::CommandLine, Some(&once))
    };
    let Ok(Idempotent::Executed(brief)) = ask() else {
        panic!("it is a new request");
    };
    let worker = crate::contract::world::worker("w1");
    assert!(sample::claim_brief(stores, &worker, at(2)).is_some());
    // A new request would queue it again; a repeated request does not.
    assert_eq!(ask(), Ok(Idempotent::Replayed(told(&brief))));
    let generation = stores.brief(&org, &item.id).unwrap().unwrap().generation;
    assert_eq!(generation, 1);
}

pub(crate) fn a_key_used_for_another_call_is_refused(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let run = started(&world, &org, &call("post_start_audit", "a", "{}", at(0)));
    let other = call("post_start_audit", "a", "{\"maxPages\": 1}", at(1));
    assert_eq!(
        start(&world, &org, &other),
        Err(StartRunError::KeyReused(KeyReused))
    );
    assert_eq!(runs(&world, &org), 1);
    // Checked before everything else, and the response of the first request is kept.
    let nowhere = NewRun {
        site_id: Some(SiteId::make(&world.ids)),
        ..new_run(&world, at(1))
    };
    let once = IdempotentWrite {
        call: &other,
        answer: &answer,
    };
    let refused = stores.start_run_once(&org, &nowhere, &once);
    assert_eq!(refused, Err(StartRunError::KeyReused(KeyReused)));
    let again = start(&world, &org, &call("post_start_audit", "a", "{}", at(2)));
    assert_eq!(again, Ok(Idempotent::Replayed(answer(&run))));
}

pub(crate) fn keys_belong_to_an_organization_and_an_operation(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    for (org, operation) in [(&org, "one"), (&other, "one"), (&org, "two")] {
        for body in ["{}", "{\"other\": 1}"] {
            let told = start(&world, org, &call(operation, "a", body, at(0)));
            assert_eq!(
                matches!(told, Ok(Idempotent::Executed(_))),
                body == "{}",
                "{told:?}"
            );
        }
    }
    assert_eq!((runs(&world, &org), runs(&world, &other)), (2, 1));
}

pub(crate) fn an_idempotent_response_expires_after_a_day(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let run = started(&world, &org, &call("op", "a", "{}", at(0)));
    let last = at(0) + KEPT_FOR - TimeDelta::milliseconds(1);
    let told = start(&world, &org, &call("op", "a", "{}", last));
    assert_eq!(told, Ok(Idempotent::Replayed(answer(&run))));
    // Then the key is free for another request, and identifies that one from then on.
    let over = at(0) + KEPT_FOR;
    let next = started(&world, &org, &call("op", "a", "{\"other\": 1}", over));
    let told = start(&world, &org, &call("op", "a", "{\"other\": 1}", over));
    assert_eq!(told, Ok(Idempotent::Replayed(answer(&next))));
    assert_eq!(runs(&world, &org), 2);
}

pub(crate) fn a_rejected_request_is_evaluated_again(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let made = call("op", "a", "{}", at(0));
    let once = IdempotentWrite {
        call: &made,
        answer: &answer,
    };
    let mut run = new_run(&world, at(0));
    run.limits.monthly_runs = Some(0);
    for _ in 0..2 {
        let refused = stores.start_run_once(&org, &run, &once);
        assert!(matches!(refused, Err(StartRunError::LimitHit(_))));
    }
    run.limits.monthly_runs = Some(1);
    let told = stores.start_run_once(&org, &run, &once);
    assert!(matches!(told, Ok(Idempotent::Executed(_))), "{told:?}");

    let told = |comment: &ActionComment| StoredAnswer {
        status: 201,
        location: None,
        body: comment.id.to_string(),
    };
    let made = call("add_comment", "a", "{}", at(1));
    let once = IdempotentWrite {
        call: &made,
        answer: &told,
    };
    let comment = new_comment(&world, "Once", 1);
    let unknown = ActionId::make(&world.ids);
    let refused = stores.add_comment(&org, &unknown, &comment, Some(&once));
    assert_eq!(refused, Err(ChangeActionError::NotFound));
    let item = world.item(&org, "Something");
    let added = stores.add_comment(&org, &item.id, &comment, Some(&once));
    assert!(matches!(added, Ok(Idempotent::Executed(_))), "{added:?}");
}

/// Counts the executed requests; all others must replay their response.
fn made(told: Vec<Result<Idempotent<StartedRun>, StartRunError>>) -> usize {
    let (mut now, mut before) = (Vec::new(), Vec::new());
    for told in told {
        match told.unwrap() {
            Idempotent::Executed(run) => now.push(answer(&run)),
            Idempotent::Replayed(answer) => before.push(answer),
        }
    }
    assert!(before.iter().all(|answer| now.contains(answer)));
    now.len()
}

pub(crate) fn only_one_concurrent_request_with_a_key_is_executed(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for round in 0..5 {
        let call = call("op", &format!("k{round}"), "{}", at(0));
        let told = at_once(12, |_| start(&world, &org, &call));
        assert_eq!(made(told), 1);
    }
    assert_eq!(runs(&world, &org), 5);
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 5);
}

pub(crate) fn all_concurrent_requests_with_a_key_at_the_cap_get_the_response(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let call = call("op", "a", "{}", at(0));
    let told = at_once(12, |_| {
        let mut run = new_run(&world, at(0));
        run.limits.monthly_runs = Some(1);
        let once = IdempotentWrite {
            call: &call,
            answer: &answer,
        };
        stores.start_run_once(&org, &run, &once)
    });
    assert_eq!(made(told), 1);
    assert_eq!(runs(&world, &org), 1);
}

pub(crate) fn forgotten_answers_make_room(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    for number in 0..130 {
        started(
            &world,
            &org,
            &call("op", &format!("k{number}"), "{}", at(number)),
        );
    }
    let of_other = started(&world, &other, &call("op", "k0", "{}", at(0)));
    // Some have expired at that time, and some have not.
    let later = at(119) + KEPT_FOR;
    started(&world, &org, &call("op", "new", "{}", later));
    for (number, is_forgotten) in [
        (0, true),
        (99, true),
        (119, true),
        (120, false),
        (129, false),
    ] {
        let told = start(
            &world,
            &org,
            &call("op", &format!("k{number}"), "{}", later),
        );
        assert_eq!(
            matches!(told, Ok(Idempotent::Executed(_))),
            is_forgotten,
            "{number}"
        );
    }
    let told = start(&world, &other, &call("op", "k0", "{}", at(1)));
    assert_eq!(told, Ok(Idempotent::Replayed(answer(&of_other))));
}

/// A stored response with this body.
fn told(body: &str) -> StoredAnswer {
    StoredAnswer {
        status: 202,
        location: None,
        body: body.to_owned(),
    }
}

pub(crate) fn a_cancellation_sent_again_replays_its_response(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let run = started(&world, &org, &call("post_start_audit", "a", "{}", at(0)));
    let answer = |_: &Cancellation| told("{}");
    let cancel = |run: &RunId, key, second| {
        let call = call("cancel_run", key, run.as_str(), at(second));
        let once = IdempotentWrite {
            call: &call,
            answer: &answer,
        };
        stores.cancel_run_once(&org, run, at(second), &once)
    };
    let unknown = RunId::make(&world.ids);
    assert_eq!(cancel(&unknown, "k", 1), Err(CancelRunError::NotFound));
    // A rejected request stores nothing, so its key is free.
    let Ok(Idempotent::Executed(Cancellation::Done(_))) = cancel(&run.run_id, "k", 2) else {
        panic!("it is a new request");
    };
    assert_eq!(
        cancel(&run.run_id, "k", 3),
        Ok(Idempotent::Replayed(told("{}")))
    );
    assert_eq!(cancel(&unknown, "k", 4), Err(KeyReused.into()));
    assert!(matches!(
        cancel(&run.run_id, "l", 5),
        Ok(Idempotent::Executed(Cancellation::Before(_)))
    ));
}

pub(crate) fn a_webhook_and_a_test_sent_again_are_stored_once(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let by = Actor::CommandLine;
    let new = new_webhook(&world, &org, &[EventKind::RunFailed]);
    let secret = new.secret.expose().to_owned();
    let answer = |(): &()| told(&secret);
    let create = |key, body| {
        let call = call("create_webhook", key, body, at(1));
        let once = IdempotentWrite {
            call: &call,
            answer: &answer,
        };
        stores.create_webhook_once(&org, &new, &by, &once)
    };
    assert_eq!(create("k", "{}"), Ok(Idempotent::Executed(())));
    assert_eq!(create("k", "{}"), Ok(Idempotent::Replayed(told(&secret))));
    assert_eq!(create("k", "[]"), Err(KeyReused.into()));
    assert_eq!(stores.webhooks(&org).unwrap().len(), 1);

    let id = hook(&world, &org, &[EventKind::RunFailed]).webhook.id;
    let answer = |sent: &Delivery| told(sent.id.as_str());
    let test = |webhook: &WebhookId, key| {
        let call = call("test_webhook", key, webhook.as_str(), at(2));
        let once = IdempotentWrite {
            call: &call,
            answer: &answer,
        };
        let event = EventId::make(&world.ids);
        stores.test_webhook_once(&org, webhook, &event, at(2), &by, &once)
    };
    let unknown = WebhookId::make(&world.ids);
    assert_eq!(test(&unknown, "k"), Err(TestWebhookError::NotFound));
    let Ok(Idempotent::Executed(sent)) = test(&id, "k") else {
        panic!("it is a new request");
    };
    assert_eq!(
        test(&id, "k"),
        Ok(Idempotent::Replayed(told(sent.id.as_str())))
    );
    assert_eq!(test(&unknown, "k"), Err(KeyReused.into()));
    assert_eq!(stores.events(&org).unwrap().len(), 1);
}

pub(crate) fn responses_that_change_nothing_are_kept_up_to_a_limit(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let keep = |org: &OrgId, number: u32| {
        let key = number.to_string();
        let call = call("handoff_actions", &key, "{}", at(i64::from(number)));
        let answer = |(): &()| told(&key);
        let once = IdempotentWrite {
            call: &call,
            answer: &answer,
        };
        stores.keep_answer(org, &once)
    };
    let kept = |org: &OrgId, number: u32, body| {
        let call = call("handoff_actions", &number.to_string(), body, at(1_000));
        stores.kept_answer(org, &call)
    };
    started(&world, &org, &call("post_start_audit", "a", "{}", at(0)));
    for number in 1..=MAX_KEPT_ANSWERS + 2 {
        assert_eq!(kept(&org, number, "{}"), Ok(None));
        assert_eq!(keep(&org, number), Ok(Idempotent::Executed(())));
    }
    let last = MAX_KEPT_ANSWERS + 2;
    for (number, answer) in [(1, None), (2, None), (3, Some("3")), (last, Some("102"))] {
        assert_eq!(kept(&org, number, "{}"), Ok(answer.map(told)), "{number}");
    }
    assert_eq!(keep(&org, last), Ok(Idempotent::Replayed(told("102"))));
    assert_eq!(
        kept(&org, last, "[]"),
        Err(KeepAnswerError::from(KeyReused))
    );
    // Neither other organizations nor other operations lose responses.
    assert_eq!(kept(&other, last, "{}"), Ok(None));
    let again = start(&world, &org, &call("post_start_audit", "a", "{}", at(200)));
    assert!(matches!(again, Ok(Idempotent::Replayed(_))));
}
