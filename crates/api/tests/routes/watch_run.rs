//! A run as a stream of events. Time stands still unless everything waits for it.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::Service;
use actix_web::http::Method;
use actix_web::http::header::HeaderMap;
use actix_web::rt::time::Instant;
use actix_web::test::{self, TestRequest};
use api::ApiState;
use domain::audit_log::Actor;
use domain::id::{KeyId, RunId};
use domain::key::Role;
use domain::ports::{
    Claim, JobQueue, KeyStore, LeaseStatus, QueueRules, RunStore, SiteStore, StoreError, WorkerId,
};
use domain::run::{RunError, RunPhase, RunProgress};
use rstest::rstest;
use serde_json::Value;
use testkit::sample;

use crate::world::{Fixture, call};

const SECOND: Duration = Duration::from_secs(1);
const KEEP_ALIVE: &str = ": keep-alive\n\n";

/// An answer whose body is read as it comes.
struct Stream {
    status: u16,
    headers: HeaderMap,
    body: BoxBody,
}

impl Stream {
    async fn open(state: &ApiState, request: TestRequest) -> Self {
        let app = test::init_service(api::app(state)).await;
        let response = app.call(request.to_request()).await.unwrap();
        let (head, body) = response.map_into_boxed_body().into_parts().1.into_parts();
        Self {
            status: head.status().as_u16(),
            headers: head.headers().clone(),
            body,
        }
    }

    async fn watch(world: &Fixture, run: &RunId) -> Self {
        let stream = Self::open(&world.state(), request(world, run)).await;
        assert_eq!(stream.status, 200);
        stream
    }

    /// What is sent next; none at the end.
    async fn next(&mut self) -> Option<String> {
        let chunk = poll_fn(|context| Pin::new(&mut self.body).poll_next(context)).await?;
        Some(String::from_utf8(chunk.ok()?.to_vec()).unwrap())
    }

    /// The name and the data of the next event, over comments.
    async fn event(&mut self) -> Option<(String, Value)> {
        loop {
            let text = self.next().await?;
            if text == KEEP_ALIVE {
                continue;
            }
            let (name, data) = text
                .strip_prefix("event: ")
                .and_then(|rest| rest.strip_suffix("\n\n"))
                .and_then(|rest| rest.split_once("\ndata: "))
                .unwrap_or_else(|| panic!("{text:?}"));
            return Some((name.to_owned(), serde_json::from_str(data).unwrap()));
        }
    }
}

fn path(run: &RunId) -> String {
    format!("/api/mcp/runs/{run}/events")
}

fn request(world: &Fixture, run: &RunId) -> TestRequest {
    call(Method::GET, &world.reader, &path(run))
}

fn claim(world: &Fixture) -> Claim {
    let worker = WorkerId("worker".to_owned());
    let claim = world
        .stores
        .claim(&worker, &QueueRules::DEFAULT, sample::noon());
    claim.unwrap().unwrap()
}

/// The id of the key that watches.
fn watching_key(world: &Fixture) -> KeyId {
    let keys = world.stores.keys(&world.acme).unwrap();
    let reader = keys
        .iter()
        .find(|key| world.reader.starts_with(&key.prefix) && key.role == domain::key::Role::Read);
    reader.unwrap().id.clone()
}

#[actix_web::test]
async fn each_change_is_an_event_and_the_end_is_the_last() {
    tokio::time::pause();
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let mut stream = Stream::watch(&world, &run).await;
    let began = Instant::now();
    let (name, data) = stream.event().await.unwrap();
    assert_eq!(
        (name.as_str(), &data["status"]),
        ("progress", &"queued".into())
    );
    assert_eq!(began.elapsed(), Duration::ZERO);
    let path = format!("/api/mcp/runs/{run}");
    assert_eq!(data, world.get(&path).await.json());

    let claim = claim(&world);
    let (name, data) = stream.event().await.unwrap();
    assert_eq!(
        (name.as_str(), &data["status"]),
        ("progress", &"running".into())
    );
    assert_eq!(began.elapsed().as_secs(), 1);

    let progress = RunProgress {
        phase: RunPhase::Crawling,
        pages_fetched: 3,
        ..RunProgress::QUEUED
    };
    let noted = world
        .stores
        .heartbeat(&claim, &progress, &QueueRules::DEFAULT, sample::noon());
    assert_eq!(noted.unwrap(), LeaseStatus::Held);
    let (name, data) = stream.event().await.unwrap();
    assert_eq!(name, "progress");
    assert_eq!(data["progress"]["pagesFetched"], 3);

    let failed = world
        .stores
        .fail(&claim, &RunError::past_deadline(), sample::noon());
    assert_eq!(failed.unwrap(), LeaseStatus::Held);
    let (name, data) = stream.event().await.unwrap();
    assert_eq!(
        (name.as_str(), &data["status"]),
        ("failed", &"failed".into())
    );
    assert_eq!(data, world.get(&path).await.json());
    assert_eq!(stream.event().await, None);
}

#[actix_web::test]
async fn a_run_that_has_ended_has_its_last_event_alone() {
    tokio::time::pause();
    let world = Fixture::new();
    let completed = world.completed(&world.acme, "https://example.com/").run;
    let (cancelled, _) = world.queued(&world.acme, "https://example.com/");
    let done = world
        .stores
        .cancel_run(&world.acme, &cancelled, sample::noon());
    assert!(done.unwrap().is_some());
    for (run, expected) in [(completed, "completed"), (cancelled, "cancelled")] {
        let mut stream = Stream::watch(&world, &run).await;
        let (name, data) = stream.event().await.unwrap();
        assert_eq!(
            (name.as_str(), &data["status"]),
            (expected, &expected.into())
        );
        assert_eq!(stream.next().await, None);
    }
}

#[actix_web::test]
async fn silence_is_broken_every_fifteen_seconds() {
    tokio::time::pause();
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let mut stream = Stream::watch(&world, &run).await;
    stream.event().await.unwrap();
    let began = Instant::now();
    for expected in [15, 30] {
        assert_eq!(stream.next().await.unwrap(), KEEP_ALIVE);
        assert_eq!(began.elapsed().as_secs(), expected);
    }
    claim(&world);
    assert!(
        stream
            .next()
            .await
            .unwrap()
            .starts_with("event: progress\n")
    );
    let changed = began.elapsed();
    assert_eq!(stream.next().await.unwrap(), KEEP_ALIVE);
    assert_eq!((began.elapsed() - changed).as_secs(), 15);
}

#[actix_web::test]
async fn a_database_that_is_away_only_keeps_it_waiting() {
    tokio::time::pause();
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let mut stream = Stream::watch(&world, &run).await;
    stream.event().await.unwrap();
    let error = StoreError::Unavailable("away".to_owned());
    world.stores.break_with(Some(error));
    assert_eq!(stream.next().await.unwrap(), KEEP_ALIVE);
    world.stores.break_with(None);
    claim(&world);
    let (name, data) = stream.event().await.unwrap();
    assert_eq!(
        (name.as_str(), &data["status"]),
        ("progress", &"running".into())
    );
}

#[actix_web::test]
async fn a_database_that_refuses_ends_it() {
    tokio::time::pause();
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let mut stream = Stream::watch(&world, &run).await;
    stream.event().await.unwrap();
    let error = StoreError::Failed("no such table".to_owned());
    world.stores.break_with(Some(error));
    assert_eq!(stream.next().await, None);
}

#[actix_web::test]
async fn a_key_that_is_revoked_sees_no_more() {
    tokio::time::pause();
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let mut stream = Stream::watch(&world, &run).await;
    stream.event().await.unwrap();
    let began = Instant::now();
    let key = watching_key(&world);
    let by = Actor::CommandLine;
    let revoked = world
        .stores
        .revoke_key(&world.acme, &key, sample::noon(), &by);
    assert!(revoked.unwrap());
    claim(&world);
    assert_eq!(stream.next().await, None);
    assert_eq!(began.elapsed().as_secs(), 1);
}

#[actix_web::test]
async fn a_server_that_stops_ends_all_streams_at_once() {
    tokio::time::pause();
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let mut under_way = Stream::watch(&world, &run).await;
    under_way.event().await.unwrap();
    let began = Instant::now();
    world.rate_limits.stop();
    assert_eq!(under_way.next().await, None);
    let mut late = Stream::watch(&world, &run).await;
    assert!(late.event().await.is_some());
    assert_eq!(late.next().await, None);
    assert!(began.elapsed() < SECOND);
}

#[rstest]
#[case("br, gzip")]
#[case("")]
#[actix_web::test]
async fn nothing_on_the_way_holds_events_back(#[case] codings: &str) {
    let world = Fixture::new();
    let run = world.completed(&world.acme, "https://example.com/").run;
    let request = request(&world, &run).insert_header(("Accept-Encoding", codings));
    let mut stream = Stream::open(&world.state(), request).await;
    let header = |name: &str| {
        stream
            .headers
            .get(name)
            .map(|value| value.to_str().unwrap())
    };
    assert_eq!(header("Content-Type"), Some("text/event-stream"));
    assert_eq!(header("Cache-Control"), Some("no-store"));
    assert_eq!(header("X-Accel-Buffering"), Some("no"));
    assert_eq!(header("Content-Encoding"), None);
    assert_eq!(header("Content-Length"), None);
    assert!(header("X-Request-Id").is_some());
    assert_eq!(stream.event().await.unwrap().0, "completed");
}

#[actix_web::test]
async fn head_has_the_headers_alone_and_takes_no_place() {
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let client = world.client().await;
    for _ in 0..300 {
        let request = call(Method::HEAD, &world.reader, &path(&run));
        let reply = client.send(request).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        assert_eq!(reply.header("Content-Type"), Some("text/event-stream"));
        assert!(reply.body.is_empty());
    }
}

/// Opens streams until one is refused; how many there are, and the refusal.
async fn streams_until_refused(
    state: &api::ApiState,
    run: &RunId,
    keys: &[String],
) -> (Vec<Stream>, crate::world::Reply) {
    let client = crate::world::Client::new(state).await;
    let mut streams = Vec::new();
    for key in keys.iter().cycle() {
        let stream = Stream::open(state, call(Method::GET, key, &path(run))).await;
        if stream.status != 200 {
            return (streams, client.get(key, &path(run)).await);
        }
        streams.push(stream);
    }
    unreachable!("there is a key");
}

#[actix_web::test]
async fn streams_of_a_key_and_of_an_organization_are_bounded() {
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let state = world.state();
    let keys = [(); 3].map(|()| world.key(&world.acme, Role::Read));
    let (mut streams, refused) = streams_until_refused(&state, &run, &keys[..1]).await;
    assert_eq!(streams.len(), 32, "of a key");
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (429, "rate_limited")
    );
    assert_eq!(refused.header("Retry-After"), Some("5"));
    let (more, refused) = streams_until_refused(&state, &run, &keys[1..]).await;
    streams.extend(more);
    assert_eq!(
        (streams.len(), refused.status),
        (64, 429),
        "of an organization"
    );
    let client = crate::world::Client::new(&state).await;
    assert_eq!(client.get(&keys[0], "/api/mcp/sites").await.status, 200);
    let (theirs, _) = world.queued(&world.rival, "https://example.com/");
    let other = call(Method::GET, &world.rival_admin, &path(&theirs));
    assert_eq!(Stream::open(&state, other).await.status, 200);
    streams.pop();
    let stream = Stream::open(&state, request(&world, &run)).await;
    assert_eq!(stream.status, 200);
}

#[actix_web::test]
async fn streams_of_all_together_are_bounded() {
    let world = Fixture {
        rate_limits: httpkit::rate_limits::RateLimits::new(httpkit::limits::CallerLimits {
            streams: httpkit::limits::Tiers {
                key: 2,
                organization: 2,
                total: 3,
            },
            ..httpkit::limits::CallerLimits::default()
        }),
        ..Fixture::new()
    };
    let (ours, _) = world.queued(&world.acme, "https://example.com/");
    let (theirs, _) = world.queued(&world.rival, "https://example.com/");
    let state = world.state();
    let keys = [world.admin.clone()];
    let (streams, _) = streams_until_refused(&state, &ours, &keys).await;
    assert_eq!(streams.len(), 2);
    let keys = [world.rival_admin.clone()];
    let (more, refused) = streams_until_refused(&state, &theirs, &keys).await;
    assert_eq!((more.len(), refused.status), (1, 429));
}

#[actix_web::test]
async fn a_run_that_is_removed_ends_it() {
    tokio::time::pause();
    let world = Fixture::new();
    let (run, site) = world.queued(&world.acme, "https://example.com/");
    let mut stream = Stream::watch(&world, &run).await;
    stream.event().await.unwrap();
    let by = Actor::CommandLine;
    let removed = world
        .stores
        .delete_site(&world.acme, &site, sample::noon(), &by);
    assert!(removed.unwrap());
    let last = stream.next().await.unwrap();
    assert!(last.starts_with("event: cancelled\n"), "{last}");
    assert_eq!(stream.next().await, None);
}
