//! Second factors, recovery codes, and sign-ins that wait for a code.

use chrono::TimeDelta;
use domain::account::{
    CodeProof, MAX_PENDING_SIGN_INS, PendingSignIn, RECOVERY_CODES, RecoveryCode, SessionLifetime,
    SignInStage, TimeStep, TotpSecret,
};
use domain::audit_log::Actor;
use domain::id::{AccountId, OrgId};
use domain::key::KeyHash;
use domain::ports::{EnabledFactor, NewSession, SignInNotCompleted, Stores};

use crate::contract::accounts::{Person, joined, new_session, token};
use crate::contract::world::{Fixture, at, at_once};

/// The step of the code that turned the second factor on.
const FIRST: TimeStep = TimeStep(100);

/// A person with a second factor, and the hashes of the recovery codes.
struct Protected {
    person: Person,
    codes: Vec<KeyHash>,
}

impl Protected {
    fn new(world: &Fixture<'_>, org: &OrgId, name: &str) -> Self {
        let person = joined(world, org, name);
        start(world, &person.account, 0);
        let codes = hashes(world);
        assert!(enable(world, &person, &codes, 0));
        Self { person, codes }
    }

    fn account(&self) -> &AccountId {
        &self.person.account
    }

    /// Enters the password at a second.
    fn waiting(&self, world: &Fixture<'_>, org: &OrgId, second: i64) -> NewSession {
        let session = new_session(world, self.account(), org, at(second));
        let signed_in = world
            .stores
            .sign_in(&session, None, SessionLifetime::default());
        assert_eq!(signed_in, Ok(SignInStage::CodeNeeded));
        session
    }
}

fn start(world: &Fixture<'_>, account: &AccountId, second: i64) -> TotpSecret {
    let secret = TotpSecret::generate(&world.ids);
    let started = world
        .stores
        .start_second_factor(account, &secret, at(second));
    assert_eq!(started, Ok(true));
    secret
}

fn hashes(world: &Fixture<'_>) -> Vec<KeyHash> {
    let codes = RecoveryCode::generate(&world.ids);
    codes.iter().map(RecoveryCode::hash).collect()
}

/// Turns on the secret of a second.
fn enable(world: &Fixture<'_>, person: &Person, codes: &[KeyHash], second: i64) -> bool {
    let factor = EnabledFactor {
        created_at: at(second),
        step: FIRST,
        recovery_codes: codes,
    };
    let (account, kept) = (&person.account, &person.session.session.id);
    let enabled = world
        .stores
        .enable_second_factor(account, &factor, kept, at(1));
    enabled.unwrap()
}

const fn code_of(step: i64) -> CodeProof {
    CodeProof::Totp {
        step: TimeStep(step),
        newest: TimeStep(step + 1),
    }
}

fn complete(
    world: &Fixture<'_>,
    waiting: &NewSession,
    proof: &CodeProof,
    second: i64,
) -> Result<(), SignInNotCompleted> {
    let session = new_session(
        world,
        &waiting.session.account_id,
        &waiting.session.org_id,
        at(second),
    );
    let lifetime = SessionLifetime::default();
    let completed = world
        .stores
        .complete_sign_in(&waiting.token, proof, &session, lifetime);
    completed.unwrap()
}

/// How many of an account's sign-ins with these tokens wait.
fn count(stores: &dyn Stores, waiting: &[NewSession]) -> usize {
    let exists = |session: &&NewSession| stores.pending_sign_in(&session.token).unwrap().is_some();
    waiting.iter().filter(exists).count()
}

pub(crate) fn a_second_factor_is_on_once_a_code_was_entered(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = joined(&world, &org, "ada");
    assert_eq!(stores.second_factor(&ada.account), Ok(None));
    start(&world, &ada.account, 0);
    let secret = start(&world, &ada.account, 5);
    let found = stores.second_factor(&ada.account).unwrap().unwrap();
    assert_eq!(
        (found.secret, found.created_at, found.enabled_at),
        (secret.clone(), at(5), None)
    );
    let signed_in = |token| stores.session_by_hash(token).unwrap().unwrap();
    assert!(!signed_in(&ada.session.token).has_second_factor);
    assert_eq!(stores.members_with_second_factor(&org), Ok(vec![]));
    let again = new_session(&world, &ada.account, &org, at(1));
    let stage = stores.sign_in(&again, None, SessionLifetime::default());
    assert_eq!(stage, Ok(SignInStage::SignedIn));
    let codes = hashes(&world);
    // The secret of an earlier page was replaced.
    assert!(!enable(&world, &ada, &codes, 0));
    assert!(enable(&world, &ada, &codes, 5));
    assert!(!enable(&world, &ada, &codes, 5));
    let found = stores.second_factor(&ada.account).unwrap().unwrap();
    assert_eq!(found.enabled_at, Some(at(1)));
    assert_eq!(
        (found.last_step, found.recovery_codes),
        (FIRST, RECOVERY_CODES)
    );
    assert_eq!(found.secret, secret);
    assert!(signed_in(&ada.session.token).has_second_factor);
    assert_eq!(stores.session_by_hash(&again.token), Ok(None));
    let other = TotpSecret::generate(&world.ids);
    let started = stores.start_second_factor(&ada.account, &other, at(9));
    assert_eq!(started, Ok(false));
    assert_eq!(
        stores.members_with_second_factor(&org),
        Ok(vec![ada.member])
    );
    assert_eq!(world.logged(&org, "second_factor.enabled").len(), 1);
}

pub(crate) fn an_account_that_does_not_exist_has_no_second_factor(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let nobody = AccountId::make(&world.ids);
    let secret = TotpSecret::generate(&world.ids);
    let started = stores.start_second_factor(&nobody, &secret, at(0));
    assert_eq!(started, Ok(false));
    assert_eq!(stores.second_factor(&nobody), Ok(None));
    let factor = EnabledFactor {
        created_at: at(0),
        step: FIRST,
        recovery_codes: &hashes(&world),
    };
    let session = new_session(&world, &nobody, &org, at(0));
    let kept = &session.session.id;
    let enabled = stores.enable_second_factor(&nobody, &factor, kept, at(0));
    assert_eq!(enabled, Ok(false));
    let proof = code_of(200);
    assert_eq!(
        stores.disable_second_factor(&nobody, &proof, at(0)),
        Ok(false)
    );
    let renewed = stores.renew_recovery_codes(&nobody, &proof, &[], at(0));
    assert_eq!(renewed, Ok(false));
    let reset = stores.reset_second_factor(&nobody, at(0), &Actor::CommandLine);
    assert_eq!(reset, Ok(false));
    let completed = complete(&world, &session, &proof, 0);
    assert_eq!(completed, Err(SignInNotCompleted::Gone));
}

pub(crate) fn a_password_leaves_a_sign_in_that_waits_for_the_code(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = Protected::new(&world, &org, "ada");
    let before = stores.sessions(ada.account()).unwrap();
    let waiting = ada.waiting(&world, &org, 7);
    assert_eq!(stores.session_by_hash(&waiting.token), Ok(None));
    assert_eq!(stores.sessions(ada.account()).unwrap(), before);
    let pending = PendingSignIn {
        account_id: ada.account().clone(),
        org_id: org.clone(),
        created_at: at(7),
    };
    assert_eq!(stores.pending_sign_in(&waiting.token), Ok(Some(pending)));
    // Neither a code of before, nor one of somebody else.
    let bob = Protected::new(&world, &org, "bob");
    for proof in [
        code_of(FIRST.0),
        code_of(FIRST.0 - 1),
        CodeProof::Recovery(bob.codes[0].clone()),
    ] {
        let refused = complete(&world, &waiting, &proof, 8);
        assert_eq!(refused, Err(SignInNotCompleted::CodeUsed));
    }
    let session = new_session(&world, ada.account(), &org, at(8));
    let lifetime = SessionLifetime::default();
    let other = new_session(&world, bob.account(), &org, at(8));
    // The sign-in is the account's own.
    let stolen = stores.complete_sign_in(
        &waiting.token,
        &CodeProof::Recovery(bob.codes[0].clone()),
        &other,
        lifetime,
    );
    assert_eq!(stolen, Ok(Err(SignInNotCompleted::Gone)));
    let completed = stores.complete_sign_in(&waiting.token, &code_of(101), &session, lifetime);
    assert_eq!(completed, Ok(Ok(())));
    let found = stores.session_by_hash(&session.token).unwrap().unwrap();
    assert_eq!(found.session, session.session);
    assert_eq!(stores.pending_sign_in(&waiting.token), Ok(None));
    assert_eq!(stores.session_by_hash(&waiting.token), Ok(None));
    let again = complete(&world, &waiting, &code_of(102), 9);
    assert_eq!(again, Err(SignInNotCompleted::Gone));
}

pub(crate) fn a_sign_in_that_waited_too_long_is_gone(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = Protected::new(&world, &org, "ada");
    let [early, late] = [(); 2].map(|()| ada.waiting(&world, &org, 0));
    assert_eq!(complete(&world, &early, &code_of(101), 599), Ok(()));
    let refused = complete(&world, &late, &code_of(102), 600);
    assert_eq!(refused, Err(SignInNotCompleted::Gone));
    // The code was not used up by that.
    let next = ada.waiting(&world, &org, 601);
    assert_eq!(complete(&world, &next, &code_of(102), 602), Ok(()));
}

pub(crate) fn of_sign_ins_with_one_code_at_once_one_succeeds(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = Protected::new(&world, &org, "ada");
    for round in 0..10 {
        let waiting: Vec<_> = (0..8).map(|_| ada.waiting(&world, &org, round)).collect();
        let proof = code_of(101 + round);
        let before = stores.sessions(ada.account()).unwrap().len();
        let done = at_once(8, |index| complete(&world, &waiting[index], &proof, round));
        let succeeded = done.iter().filter(|done| done.is_ok()).count();
        assert_eq!(succeeded, 1, "{done:?}");
        assert!(
            done.iter()
                .all(|done| matches!(done, Ok(()) | Err(SignInNotCompleted::CodeUsed))),
            "{done:?}"
        );
        assert_eq!(count(stores, &waiting), 7);
        assert_eq!(stores.sessions(ada.account()).unwrap().len(), before + 1);
        let ended = stores.set_password(ada.account(), "", &ada.person.session.session.id, at(0));
        ended.unwrap();
    }
}

pub(crate) fn of_sign_ins_with_one_recovery_code_at_once_one_succeeds(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = Protected::new(&world, &org, "ada");
    for (left, code) in (0..RECOVERY_CODES).rev().zip(&ada.codes) {
        let waiting: Vec<_> = (0..8).map(|_| ada.waiting(&world, &org, 0)).collect();
        let proof = CodeProof::Recovery(code.clone());
        let done = at_once(8, |index| complete(&world, &waiting[index], &proof, 1));
        let succeeded = done.iter().filter(|done| done.is_ok()).count();
        assert_eq!(succeeded, 1, "{done:?}");
        let found = stores.second_factor(ada.account()).unwrap().unwrap();
        assert_eq!(found.recovery_codes, left);
    }
}

pub(crate) fn a_sign_in_is_completed_once_whatever_the_codes(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = Protected::new(&world, &org, "ada");
    let waiting = ada.waiting(&world, &org, 0);
    let done = at_once(8, |index| {
        let proof = CodeProof::Recovery(ada.codes[index].clone());
        complete(&world, &waiting, &proof, 1)
    });
    let succeeded = done.iter().filter(|done| done.is_ok()).count();
    assert_eq!(succeeded, 1, "{done:?}");
    let gone = Err(SignInNotCompleted::Gone);
    assert!(done.iter().all(|done| *done == Ok(()) || *done == gone));
    // The codes of the others can still be used.
    let found = stores.second_factor(ada.account()).unwrap().unwrap();
    assert_eq!(found.recovery_codes, RECOVERY_CODES - 1);
}

pub(crate) fn no_session_of_a_password_alone_outlives_turning_it_on(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for round in 0..10 {
        let person = joined(&world, &org, &format!("ada-{round}"));
        start(&world, &person.account, 0);
        let codes = hashes(&world);
        let session = new_session(&world, &person.account, &org, at(1));
        at_once(2, |index| match index {
            0 => assert!(enable(&world, &person, &codes, 0)),
            _ => {
                let signed_in = stores.sign_in(&session, None, SessionLifetime::default());
                signed_in.unwrap();
            }
        });
        assert_eq!(stores.session_by_hash(&session.token), Ok(None));
        assert_eq!(stores.sessions(&person.account).unwrap().len(), 1);
    }
}

pub(crate) fn sign_ins_that_wait_are_bounded(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = Protected::new(&world, &org, "ada");
    let bob = Protected::new(&world, &org, "bob");
    let of_bob = [bob.waiting(&world, &org, 0)];
    let most = i64::try_from(MAX_PENDING_SIGN_INS).unwrap();
    let mut waiting: Vec<_> = (0..most)
        .map(|second| ada.waiting(&world, &org, second))
        .collect();
    assert_eq!(count(stores, &waiting), MAX_PENDING_SIGN_INS);
    waiting.push(ada.waiting(&world, &org, most));
    assert_eq!(count(stores, &waiting), MAX_PENDING_SIGN_INS);
    assert_eq!(count(stores, &waiting[..1]), 0, "the oldest goes");
    assert_eq!(count(stores, &of_bob), 1);
    // Those that have expired go with the next one, whosever they are.
    bob.waiting(&world, &org, 3_600);
    assert_eq!(count(stores, &waiting) + count(stores, &of_bob), 0);
}

pub(crate) fn a_sign_in_deletes_a_hundred_expired_ones_that_wait(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let people: Vec<_> = (0..11)
        .map(|number| Protected::new(&world, &org, &format!("ada-{number}")))
        .collect();
    let mut waiting = Vec::new();
    for person in &people {
        waiting.extend((0..10).map(|_| person.waiting(&world, &org, 0)));
    }
    let late = people[0].waiting(&world, &org, 3_600);
    assert_eq!(count(stores, &waiting), 10);
    people[0].waiting(&world, &org, 3_601);
    assert_eq!(count(stores, &waiting), 0);
    assert_eq!(count(stores, &[late]), 1);
}

pub(crate) fn a_sign_in_that_waits_takes_the_place_of_a_session(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = Protected::new(&world, &org, "ada");
    let lifetime = SessionLifetime::default();
    let first = new_session(&world, ada.account(), &org, at(1));
    let replaced = Some(&ada.person.session.token);
    let stage = stores.sign_in(&first, replaced, lifetime);
    assert_eq!(stage, Ok(SignInStage::CodeNeeded));
    assert_eq!(stores.sessions(ada.account()), Ok(vec![]));
    let second = new_session(&world, ada.account(), &org, at(2));
    let stage = stores.sign_in(&second, Some(&first.token), lifetime);
    assert_eq!(stage, Ok(SignInStage::CodeNeeded));
    assert_eq!(stores.pending_sign_in(&first.token), Ok(None));
    assert!(stores.pending_sign_in(&second.token).unwrap().is_some());
}

pub(crate) fn what_ends_sessions_ends_the_sign_ins_that_wait(stores: &dyn Stores) {
    type End = fn(&Fixture<'_>, &OrgId, &Protected);
    let ends: [End; 6] = [
        |world, _, ada| {
            let kept = &ada.person.session.session.id;
            let set = world.stores.set_password(ada.account(), "", kept, at(2));
            set.unwrap();
        },
        |world, _, ada| {
            let kept = &ada.person.session.session.id;
            let email = format!("{}@example.org", ada.account().as_str().to_lowercase());
            let set = (world.stores).set_account_email(ada.account(), &email, kept, at(2));
            assert_eq!(set, Ok(Ok(())));
        },
        |world, _, ada| {
            let kept = &ada.person.session.session.id;
            let ended = world.stores.end_other_sessions(ada.account(), kept);
            ended.unwrap();
        },
        |world, org, ada| {
            let by = Actor::CommandLine;
            let removed = (world.stores).remove_member(org, &ada.person.member, at(2), &by);
            assert_eq!(removed, Ok(true));
        },
        |world, _, ada| {
            let reset =
                (world.stores).reset_second_factor(ada.account(), at(2), &Actor::CommandLine);
            assert_eq!(reset, Ok(true));
        },
        |world, _, ada| {
            let proof = CodeProof::Recovery(ada.codes[0].clone());
            let disabled = (world.stores).disable_second_factor(ada.account(), &proof, at(2));
            assert_eq!(disabled, Ok(true));
        },
    ];
    let (world, org) = Fixture::with_org(stores);
    let bob = Protected::new(&world, &org, "bob");
    let of_bob = [bob.waiting(&world, &org, 0)];
    for (index, end) in ends.iter().enumerate() {
        let ada = Protected::new(&world, &org, &format!("ada-{index}"));
        let waiting = [ada.waiting(&world, &org, 1)];
        end(&world, &org, &ada);
        assert_eq!(count(stores, &waiting), 0, "{index}");
    }
    assert_eq!(count(stores, &of_bob), 1);
}

pub(crate) fn a_code_changes_a_second_factor_once(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = Protected::new(&world, &org, "ada");
    let account = ada.account();
    let new = hashes(&world);
    let renew = |proof: &CodeProof| stores.renew_recovery_codes(account, proof, &new[..4], at(3));
    assert_eq!(renew(&code_of(FIRST.0)), Ok(false));
    assert_eq!(renew(&CodeProof::Recovery(token(&world))), Ok(false));
    let done = at_once(4, |_| renew(&code_of(101)).unwrap());
    assert_eq!(done.iter().filter(|done| **done).count(), 1);
    let left = || {
        let found = stores.second_factor(account).unwrap().unwrap();
        found.recovery_codes
    };
    assert_eq!(left(), 4);
    let old = CodeProof::Recovery(ada.codes[0].clone());
    assert_eq!(
        stores.disable_second_factor(account, &old, at(4)),
        Ok(false)
    );
    assert_eq!(
        stores.disable_second_factor(account, &code_of(101), at(4)),
        Ok(false)
    );
    let session = &ada.person.session.token;
    assert!(stores.session_by_hash(session).unwrap().is_some());
    let last = CodeProof::Recovery(new[3].clone());
    assert_eq!(
        stores.disable_second_factor(account, &last, at(4)),
        Ok(true)
    );
    assert_eq!(stores.second_factor(account), Ok(None));
    let signed_in = stores.session_by_hash(session).unwrap().unwrap();
    assert!(!signed_in.has_second_factor);
    for (event, lines) in [("recovery_codes.renewed", 1), ("second_factor.disabled", 1)] {
        assert_eq!(world.logged(&org, event).len(), lines, "{event}");
    }
}

pub(crate) fn a_step_that_a_clock_was_ahead_by_does_not_count(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let ada = Protected::new(&world, &org, "ada");
    let ahead = ada.waiting(&world, &org, 0);
    assert_eq!(complete(&world, &ahead, &code_of(9_000), 0), Ok(()));
    // The clock was set back: the first code is accepted, and no code twice.
    for (step, accepted) in [(101, true), (101, false), (100, false), (102, true)] {
        let waiting = ada.waiting(&world, &org, 0);
        let done = complete(&world, &waiting, &code_of(step), 0);
        assert_eq!(done.is_ok(), accepted, "{step}");
    }
}

pub(crate) fn an_organization_requires_a_second_factor(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let by = Actor::CommandLine;
    let set = |org: &OrgId, is_required| {
        let later = at(0) + TimeDelta::seconds(1);
        let set = stores.set_second_factor_required(org, is_required, later, &by);
        set.unwrap()
    };
    let requires = |org: &OrgId| {
        let found = stores.org(org).unwrap().unwrap();
        found.requires_second_factor
    };
    let ada = joined(&world, &org, "ada");
    assert!(!requires(&org));
    assert!(set(&org, true) && set(&org, true));
    assert!(requires(&org));
    assert!(!requires(&other));
    let signed_in = stores.session_by_hash(&ada.session.token).unwrap().unwrap();
    assert!(signed_in.lacks_second_factor());
    assert!(set(&org, false));
    assert!(!requires(&org));
    let logged = world.logged(&org, "org.second_factor_changed");
    assert_eq!(logged.len(), 2);
    assert!(!set(&OrgId::make(&world.ids), true));
}
