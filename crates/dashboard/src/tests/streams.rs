//! The events of a run under way, for a page that stays open.

use domain::report::Variant;
use futures_util::future::join;
use httpkit::rate_limits::StreamHolder;

use super::world::{Fixture, PLAIN};

/// More streams than a session may have.
const MANY: usize = 1_000;

#[actix_web::test]
async fn a_stream_ends_with_its_session() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let path = format!("/runs/{}/events", world.acme.queued);
    for person in [&world.acme.admin, &world.acme.member, &world.acme.reader] {
        let session = Some(&person.token);
        // The run waits, so the stream would last.
        let streamed = browser.get(session, &path);
        let signed_out = browser.post::<&str>(session, "/sign-out", &[]);
        let (streamed, signed_out) = join(streamed, signed_out).await;
        assert_eq!(signed_out.status, 303);
        let refused = browser.get(session, &path).await;
        assert_ne!(refused.status, 200);
        // Rarely the session ends before the stream begins.
        if streamed.status == 200 {
            assert!(
                streamed.text.starts_with("event: progress\n"),
                "{streamed:?}"
            );
            assert_eq!(streamed.text.matches("event: ").count(), 1);
            return;
        }
    }
    panic!("no stream began");
}

#[actix_web::test]
async fn a_session_has_a_few_streams_at_once() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let (org, admin) = (&world.acme.id, &world.acme.admin);
    let holder = StreamHolder::Session(admin.session.id.clone());
    let held = (0..MANY).map_while(|_| world.state.rate_limits.stream(org, &holder));
    let held: Vec<_> = held.collect();
    assert!(held.len() < MANY, "{}", held.len());
    let path = format!("/runs/{}/events", world.acme.run);
    let refused = browser.get(Some(&admin.token), &path).await;
    assert_eq!(refused.status, 429, "{refused:?}");
    assert_eq!(refused.header("Retry-After"), "5");
    // Other people watch their audits all the same.
    let watched = browser.get(Some(&world.acme.reader.token), &path).await;
    assert_eq!(watched.status, 200, "{watched:?}");
    drop(held);
    let watched = browser.get(Some(&admin.token), &path).await;
    assert_eq!(watched.status, 200, "{watched:?}");
}
