use chrono::TimeDelta;
use domain::account::{
    CodeProof, EnteredCode, RECOVERY_CODES, RecoveryCode, SignInStage, TimeStep, Token, TotpSecret,
};
use domain::audit_log::Actor;
use domain::ports::{Clock, SecondFactorStore, SignedIn};
use domain::usecase::{
    AdminError, CodeRefused, EnabledSecondFactor, Issuer, OpenedSession, SecondFactorNotRequired,
};

use crate::people::{CLIENT, PASSWORD, People, Person};

const EMAIL: &str = "ada@example.com";

/// A person with a second factor.
struct Protected {
    people: People,
    ada: Person,
    secret: TotpSecret,
    codes: Vec<RecoveryCode>,
    token: Token,
}

impl Protected {
    fn new() -> Self {
        let people = People::new();
        let ada = people.joined(&people.world.org, "ada");
        let (secret, enabled) = enable(&people, &ada.opened.token);
        // The code that turned it on is used.
        people.world.clock.advance(TimeDelta::seconds(30));
        Self {
            token: enabled.session.unwrap().token,
            codes: enabled.recovery_codes,
            people,
            ada,
            secret,
        }
    }

    fn signed_in(&self) -> SignedIn {
        self.people.with(&self.token).unwrap()
    }

    fn code(&self) -> String {
        self.secret.code_at(now(&self.people))
    }

    /// Enters the password.
    fn password(&self) -> OpenedSession {
        let sessions = self.people.sessions();
        sessions.sign_in(EMAIL, PASSWORD, CLIENT, None).unwrap()
    }

    fn enter(&self, token: &Token, code: &str) -> Result<OpenedSession, CodeRefused> {
        self.people.sessions().complete_sign_in(token, code, CLIENT)
    }
}

fn now(people: &People) -> TimeStep {
    TimeStep::containing(people.world.clock.now())
}

fn enable(people: &People, token: &Token) -> (TotpSecret, EnabledSecondFactor) {
    let (sessions, signed_in) = (people.sessions(), people.with(token).unwrap());
    assert_eq!(sessions.start_second_factor(&signed_in), Ok(true));
    let factor = sessions.second_factor(&signed_in.account.id);
    let secret = factor.unwrap().unwrap().secret;
    let code = secret.code_at(now(people));
    let enabled = sessions.enable_second_factor(token, &signed_in, &code);
    (secret, enabled.unwrap())
}

/// A code that no step near the current one has.
fn wrong_code(secret: &TotpSecret, current: TimeStep) -> String {
    let near: Vec<_> = (-3..=3)
        .map(|offset| secret.code_at(TimeStep(current.0 + offset)))
        .collect();
    let mut codes = (0..10).map(|digit| digit.to_string().repeat(6));
    codes.find(|code| !near.contains(code)).unwrap()
}

#[test]
fn the_password_alone_opens_no_session() {
    let world = Protected::new();
    let lines = world.people.lines(&world.people.world.org);
    let opened = world.password();
    assert_eq!(opened.stage, SignInStage::CodeNeeded);
    assert_eq!(world.people.with(&opened.token), None);
    assert_eq!(world.people.lines(&world.people.world.org), lines);
    let session = world.enter(&opened.token, &world.code()).unwrap();
    assert_ne!(session.token, opened.token);
    let found = world.people.with(&session.token).unwrap();
    assert_eq!(found.account.id, world.ada.account);
    assert!(found.has_second_factor);
    let member = world.ada.member.as_str();
    let detail = "ada@example.com, from 192.0.2.1, with a code";
    let line = [member, "sign_in.succeeded", member, detail].map(str::to_owned);
    let log = world.people.logged_after(&world.people.world.org, lines);
    assert_eq!(log, [line]);
    // The sign-in is over.
    world.people.world.clock.advance(TimeDelta::seconds(30));
    let again = world.enter(&opened.token, &world.code());
    assert_eq!(again, Err(CodeRefused::Gone));
}

#[test]
fn wrong_used_and_malformed_codes_are_refused_in_the_same_words() {
    let world = Protected::new();
    let opened = world.password();
    let org = &world.people.world.org;
    let lines = world.people.lines(org);
    let used = world.secret.code_at(TimeStep(now(&world.people).0 - 1));
    let wrong = wrong_code(&world.secret, now(&world.people));
    let unknown = "aaaa-bbbb-cccc-dddd";
    let codes = [used.as_str(), &wrong, unknown, "", "12345"];
    for code in codes {
        let refused = world.enter(&opened.token, code);
        assert_eq!(refused, Err(CodeRefused::Wrong), "{code}");
    }
    let member = world.ada.member.as_str();
    let detail = "ada@example.com, from 192.0.2.1";
    let line = [member, "sign_in.code_failed", member, detail].map(str::to_owned);
    let log = world.people.logged_after(org, lines);
    assert_eq!(log, vec![line; codes.len()]);
    // The sign-in waits still.
    assert!(world.enter(&opened.token, &world.code()).is_ok());
}

#[test]
fn a_code_signs_in_once() {
    let world = Protected::new();
    let [first, second] = [(); 2].map(|()| world.password());
    let code = world.code();
    assert!(world.enter(&first.token, &code).is_ok());
    let refused = world.enter(&second.token, &code);
    assert_eq!(refused, Err(CodeRefused::Wrong));
    // Nor does the code of the step before, which is within the window.
    world.people.world.clock.advance(TimeDelta::seconds(30));
    let refused = world.enter(&second.token, &code);
    assert_eq!(refused, Err(CodeRefused::Wrong));
    assert!(world.enter(&second.token, &world.code()).is_ok());
}

#[test]
fn a_recovery_code_signs_in_once_and_the_number_left_is_known() {
    let world = Protected::new();
    let left = || {
        let factor = world.people.sessions().second_factor(&world.ada.account);
        factor.unwrap().unwrap().recovery_codes
    };
    assert_eq!(left(), RECOVERY_CODES);
    for (index, code) in world.codes.iter().enumerate() {
        let opened = world.password();
        let typed = code.expose().to_uppercase();
        assert!(world.enter(&opened.token, &typed).is_ok());
        assert_eq!(left(), RECOVERY_CODES - index - 1);
        let again = world.password();
        let refused = world.enter(&again.token, &typed);
        assert_eq!(refused, Err(CodeRefused::Wrong));
    }
}

#[test]
fn a_sign_in_waits_ten_minutes_and_keeps_the_time_of_the_password() {
    let world = Protected::new();
    let entered = world.people.world.clock.now();
    let [early, late] = [(); 2].map(|()| world.password());
    world.people.world.clock.advance(TimeDelta::seconds(599));
    let session = world.enter(&early.token, &world.code()).unwrap();
    let found = world.people.with(&session.token).unwrap().session;
    assert_eq!(found.password_entered_at, entered);
    assert_eq!(found.created_at, entered + TimeDelta::seconds(599));
    world.people.world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(world.people.sessions().pending(&late.token), Ok(None));
    let refused = world.enter(&late.token, &world.codes[0].expose());
    assert_eq!(refused, Err(CodeRefused::Gone));
}

#[test]
fn a_password_reset_does_not_get_round_the_second_factor() {
    let world = Protected::new();
    let waiting = world.password();
    let sessions = world.people.sessions();
    let (org, by) = (&world.people.world.org, Actor::CommandLine);
    let link = sessions.one_time_links().issue_password_reset(
        org,
        &world.ada.member,
        Issuer::Operator,
        &by,
    );
    let other = "another long passphrase";
    let opened = sessions
        .take_password_reset(&link.unwrap(), other, CLIENT)
        .unwrap();
    assert_eq!(opened.stage, SignInStage::CodeNeeded);
    assert_eq!(world.people.with(&opened.token), None);
    // What waited with the old password has ended.
    assert_eq!(sessions.pending(&waiting.token), Ok(None));
    assert!(world.enter(&opened.token, &world.code()).is_ok());
}

#[test]
fn an_invitation_and_a_setup_link_ask_a_known_person_for_the_code() {
    let world = Protected::new();
    let sessions = world.people.sessions();
    let by = Actor::CommandLine;
    let [joined, set_up] = [(); 2].map(|()| world.people.another_org());
    let member = world.people.member(&joined, "ada");
    let links = sessions.one_time_links();
    let link = links.issue_invitation(&joined, &member, &by).unwrap();
    let invited = sessions
        .take_invitation(&link, ("ada", PASSWORD), CLIENT)
        .unwrap();
    let link = links.issue_setup_link(&set_up, &by).unwrap();
    let set_up_by = sessions
        .take_setup_link(&link, ("ada", EMAIL, PASSWORD), CLIENT)
        .unwrap();
    for (opened, org) in [(invited, joined), (set_up_by, set_up)] {
        assert_eq!(opened.stage, SignInStage::CodeNeeded);
        assert_eq!(world.people.with(&opened.token), None);
        world.people.world.clock.advance(TimeDelta::seconds(30));
        let session = world.enter(&opened.token, &world.code()).unwrap();
        let found = world.people.with(&session.token).unwrap();
        assert_eq!(found.membership.organization.id, org);
    }
}

#[test]
fn another_password_ends_the_sign_ins_that_wait() {
    let world = Protected::new();
    let waiting = world.password();
    let sessions = world.people.sessions();
    let passwords = (PASSWORD, "another long passphrase");
    let changed = sessions.change_password(&world.token, &world.signed_in(), passwords);
    assert!(changed.unwrap().is_some());
    assert_eq!(sessions.pending(&waiting.token), Ok(None));
}

#[test]
fn turning_it_on_renews_the_session_ends_the_others_and_needs_a_right_code() {
    let people = People::new();
    let org = people.world.org.clone();
    let ada = people.joined(&org, "ada");
    let sessions = people.sessions();
    let other = sessions.sign_in(EMAIL, PASSWORD, CLIENT, None).unwrap();
    let signed_in = people.with(&ada.opened.token).unwrap();
    let enable_with =
        |code: &str| sessions.enable_second_factor(&ada.opened.token, &signed_in, code);
    assert_eq!(enable_with("123456").unwrap_err(), CodeRefused::Gone);
    let lines = people.lines(&org);
    assert_eq!(sessions.start_second_factor(&signed_in), Ok(true));
    let first = sessions.second_factor(&ada.account).unwrap().unwrap();
    // A secret is shown as long as it is not turned on; another one replaces it.
    people.world.clock.advance(TimeDelta::seconds(1));
    assert_eq!(sessions.start_second_factor(&signed_in), Ok(true));
    let second = sessions.second_factor(&ada.account).unwrap().unwrap();
    assert_ne!(first.secret, second.secret);
    let step = now(&people);
    for code in [wrong_code(&second.secret, step), first.secret.code_at(step)] {
        assert_eq!(enable_with(&code).unwrap_err(), CodeRefused::Wrong);
    }
    assert_eq!(people.lines(&org), lines);
    assert!(!people.with(&ada.opened.token).unwrap().has_second_factor);
    let enabled = enable_with(&second.secret.code_at(step)).unwrap();
    assert_eq!(enabled.recovery_codes.len(), RECOVERY_CODES);
    for ended in [&ada.opened.token, &other.token] {
        assert_eq!(people.with(ended), None);
    }
    let session = enabled.session.unwrap();
    assert!(people.with(&session.token).unwrap().has_second_factor);
    assert_eq!(sessions.start_second_factor(&signed_in), Ok(false));
    let member = ada.member.as_str();
    let line = [member, "second_factor.enabled", member, EMAIL].map(str::to_owned);
    assert_eq!(people.logged_after(&org, lines), [line]);
}

#[test]
fn a_secret_that_was_not_turned_on_is_worth_nothing_after_an_hour() {
    let people = People::new();
    let ada = people.joined(&people.world.org, "ada");
    let sessions = people.sessions();
    let signed_in = people.with(&ada.opened.token).unwrap();
    assert_eq!(sessions.start_second_factor(&signed_in), Ok(true));
    let factor = sessions.second_factor(&ada.account).unwrap().unwrap();
    people.world.clock.advance(TimeDelta::hours(1));
    let code = factor.secret.code_at(now(&people));
    let refused = sessions.enable_second_factor(&ada.opened.token, &signed_in, &code);
    assert_eq!(refused, Err(CodeRefused::Gone));
    // Nor does a sign-in ask for its codes.
    let opened = sessions.sign_in(EMAIL, PASSWORD, CLIENT, None).unwrap();
    assert_eq!(opened.stage, SignInStage::SignedIn);
}

#[test]
fn turning_it_off_needs_a_code_and_leaves_nothing() {
    let world = Protected::new();
    let sessions = world.people.sessions();
    let org = &world.people.world.org;
    let disable = |code: &str| sessions.disable_second_factor(&world.signed_in(), code, CLIENT);
    let wrong = wrong_code(&world.secret, now(&world.people));
    let lines = world.people.lines(org);
    for code in [wrong.as_str(), "", "aaaa-bbbb-cccc-dddd"] {
        assert_eq!(disable(code), Err(CodeRefused::Wrong));
    }
    let failures = world.people.logged_after(org, lines);
    let events: Vec<_> = failures.iter().map(|line| line[1].as_str()).collect();
    assert_eq!(events, ["second_factor.code_failed"; 3]);
    let waiting = world.password();
    let lines = world.people.lines(org);
    assert_eq!(disable(&world.codes[3].expose()), Ok(()));
    assert_eq!(sessions.second_factor(&world.ada.account), Ok(None));
    assert_eq!(disable(&world.code()), Err(CodeRefused::Gone));
    assert_eq!(sessions.pending(&waiting.token), Ok(None));
    assert_eq!(world.password().stage, SignInStage::SignedIn);
    let log = world.people.logged_after(org, lines);
    assert_eq!(log[0][1], "second_factor.disabled");
}

#[test]
fn new_recovery_codes_need_a_code_and_replace_the_earlier_ones() {
    let world = Protected::new();
    let sessions = world.people.sessions();
    let renew = |code: &str| sessions.renew_recovery_codes(&world.signed_in(), code, CLIENT);
    assert_eq!(renew("aaaa-bbbb-cccc-dddd"), Err(CodeRefused::Wrong));
    let new = renew(&world.codes[0].expose()).unwrap();
    assert_eq!(new.len(), RECOVERY_CODES);
    let opened = world.password();
    for earlier in &world.codes {
        let refused = world.enter(&opened.token, &earlier.expose());
        assert_eq!(refused, Err(CodeRefused::Wrong));
    }
    assert!(world.enter(&opened.token, &new[9].expose()).is_ok());
}

#[test]
fn an_organization_requires_one_if_its_administrator_has_one() {
    let people = People::new();
    let org = people.world.org.clone();
    let ada = people.joined(&org, "ada");
    let bob = people.joined(&org, "bob");
    let sessions = people.sessions();
    let signed_in = people.with(&ada.opened.token).unwrap();
    let refused = sessions.require_second_factor(&signed_in, true);
    assert_eq!(refused, Err(SecondFactorNotRequired::NoneOfOneself));
    let (_, enabled) = enable(&people, &ada.opened.token);
    let token = enabled.session.unwrap().token;
    let signed_in = people.with(&token).unwrap();
    let lines = people.lines(&org);
    for _ in 0..2 {
        assert_eq!(sessions.require_second_factor(&signed_in, true), Ok(()));
    }
    assert!(!people.with(&token).unwrap().lacks_second_factor());
    assert!(
        people
            .with(&bob.opened.token)
            .unwrap()
            .lacks_second_factor()
    );
    assert_eq!(sessions.require_second_factor(&signed_in, false), Ok(()));
    assert!(
        !people
            .with(&bob.opened.token)
            .unwrap()
            .lacks_second_factor()
    );
    let log = people.logged_after(&org, lines);
    let line = |detail| {
        let member = ada.member.as_str();
        [member, "org.second_factor_changed", org.as_str(), detail].map(str::to_owned)
    };
    assert_eq!(log, [line("required"), line("optional")]);
}

#[test]
fn the_operator_removes_one_and_every_organization_is_told() {
    let world = Protected::new();
    let people = &world.people;
    let org = people.world.org.clone();
    let other = people.another_org();
    let elsewhere = people.member(&other, "ada");
    let by = Actor::CommandLine;
    let links = people.sessions();
    let link = links
        .one_time_links()
        .issue_invitation(&other, &elsewhere, &by)
        .unwrap();
    links
        .take_invitation(&link, ("ada", PASSWORD), CLIENT)
        .unwrap();
    let before = [&org, &other].map(|org| people.lines(org));
    let administration = people.world.administration();
    let reset = |member: &str| administration.reset_second_factor(org.as_str(), member);
    let without = people.member(&org, "cleo").to_string();
    assert_eq!(
        reset(&without),
        Err(AdminError::NoSecondFactor(without.clone()))
    );
    for unknown in ["mem_x", elsewhere.as_str()] {
        assert_eq!(
            reset(unknown),
            Err(AdminError::NoMember(unknown.to_owned()))
        );
    }
    assert_eq!(reset(world.ada.member.as_str()), Ok(()));
    assert_eq!(people.with(&world.token), None);
    assert_eq!(
        people.sessions().second_factor(&world.ada.account),
        Ok(None)
    );
    assert_eq!(world.password().stage, SignInStage::SignedIn);
    let members = [world.ada.member.as_str(), elsewhere.as_str()];
    for ((org, member), lines) in [&org, &other].into_iter().zip(members).zip(before) {
        let line = ["command_line", "second_factor.reset", member, EMAIL].map(str::to_owned);
        assert!(people.logged_after(org, lines).contains(&line), "{org}");
    }
    let again = reset(world.ada.member.as_str());
    assert!(matches!(again, Err(AdminError::NoSecondFactor(_))));
}

#[test]
fn a_clock_that_was_set_back_locks_nobody_out() {
    let world = Protected::new();
    let stores = &world.people.world.stores;
    let now = world.people.world.clock.now();
    // Somebody signed in while the clock was a year ahead.
    let ahead = now + TimeDelta::days(365);
    let proof = |at| {
        let factor = stores.second_factor(&world.ada.account).unwrap().unwrap();
        let code = world.secret.code_at(TimeStep::containing(at));
        CodeProof::new(&factor, &EnteredCode::Totp(code), at)
    };
    let renewed = stores.renew_recovery_codes(&world.ada.account, &proof(ahead).unwrap(), &[], now);
    assert_eq!(renewed, Ok(true));
    let opened = world.password();
    let code = world.code();
    assert!(world.enter(&opened.token, &code).is_ok());
    let again = world.password();
    assert_eq!(world.enter(&again.token, &code), Err(CodeRefused::Wrong));
}
