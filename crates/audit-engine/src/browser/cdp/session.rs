//! Calls and events over one pipe, for the browser and for each of its sessions.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};

use super::CdpError;
use super::commands::Command;
use super::events::{Event, EventQueue};
use super::wire::{Frame, Frames, leading_id};
use crate::bounds::browser::BROWSER_CALL_TIMEOUT;

/// Most time for a short answer of a page. A page that takes longer is stopped: its script does not end.
pub(crate) const HUNG: Duration = Duration::from_secs(3);

/// Calls that wait until they are written. Beyond them callers wait.
const OUTGOING: usize = 64;

/// Bytes that are read from the pipe at once.
const CHUNK: usize = 64 * 1024;

/// The event of a target whose process has ended.
pub(crate) const TARGET_CRASHED: &str = "Inspector.targetCrashed";

/// How a call ended.
#[derive(Debug)]
enum Answer {
    Result(Box<RawValue>),
    Error {
        code: i64,
        message: String,
    },
    TooLarge,
    /// Neither a result nor an error.
    Neither,
    /// None: the process of the target has ended.
    Crashed,
}

#[derive(Serialize)]
struct Call<'a, C> {
    id: u64,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    method: &'static str,
    params: &'a C,
}

/// What every message may have. Only this is read before the message is passed on.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(default)]
    id: Option<u64>,
    #[serde(default)]
    method: Option<String>,
    #[serde(default, rename = "sessionId")]
    session: Option<String>,
    #[serde(default, borrow)]
    params: Option<&'a RawValue>,
    #[serde(default, borrow)]
    result: Option<&'a RawValue>,
    #[serde(default)]
    error: Option<Refusal>,
}

#[derive(Deserialize)]
struct Refusal {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: String,
}

/// The connection to a browser. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Connection {
    shared: Arc<Shared>,
    outgoing: mpsc::Sender<Vec<u8>>,
}

#[derive(Debug, Default)]
struct Shared {
    next: AtomicU64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    calls: HashMap<u64, Waiter>,
    sessions: HashMap<String, Arc<Target>>,
    is_closed: bool,
}

/// A call that waits for its answer.
#[derive(Debug)]
struct Waiter {
    session: Option<String>,
    answer: oneshot::Sender<Answer>,
}

/// What a session is attached to.
#[derive(Debug, Default)]
struct Target {
    events: EventQueue,
    /// Whether its process has ended. The browser keeps calls for the process of a next document, so they would wait.
    has_crashed: AtomicBool,
}

impl Connection {
    /// Starts to read and to write. Both tasks end when the browser closes its side.
    pub(crate) fn start(
        from: impl AsyncRead + Send + Unpin + 'static,
        to: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        let shared = Arc::new(Shared::default());
        let (outgoing, queue) = mpsc::channel(OUTGOING);
        tokio::spawn(write(to, queue));
        tokio::spawn(read(from, Arc::clone(&shared)));
        Self { shared, outgoing }
    }

    /// The session of the browser itself, which has no id.
    pub(crate) fn browser(&self) -> Session {
        Session {
            connection: self.clone(),
            id: None,
            target: Arc::default(),
        }
    }

    /// Whether the browser still speaks.
    pub(crate) fn is_open(&self) -> bool {
        !self.shared.lock().is_closed
    }

    /// A session that the browser has opened. Its events are kept from now on.
    pub(crate) fn session(&self, id: String) -> Session {
        let target = Arc::<Target>::default();
        let mut state = self.shared.lock();
        if state.is_closed {
            target.events.close();
        } else {
            state.sessions.insert(id.clone(), Arc::clone(&target));
        }
        drop(state);
        Session {
            connection: self.clone(),
            id: Some(id),
            target,
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes a message on to the call or to the session that it belongs to.
    fn receive(&self, frame: Frame) {
        match frame {
            Frame::Whole(bytes) => match serde_json::from_slice::<Envelope<'_>>(&bytes) {
                Ok(envelope) => self.dispatch(envelope),
                Err(_) => self.answer(leading_id(&bytes), Answer::Neither),
            },
            Frame::TooLarge(head) => self.answer(leading_id(&head), Answer::TooLarge),
        }
    }

    fn dispatch(&self, envelope: Envelope<'_>) {
        if envelope.id.is_some() {
            let answer = match (envelope.result, envelope.error) {
                (_, Some(Refusal { code, message })) => Answer::Error { code, message },
                (Some(result), None) => Answer::Result(result.to_owned()),
                (None, None) => Answer::Neither,
            };
            self.answer(envelope.id, answer);
        } else if let (Some(method), Some(session)) = (envelope.method, envelope.session) {
            let target = self.lock().sessions.get(&session).map(Arc::clone);
            if let Some(target) = target {
                if method == TARGET_CRASHED {
                    self.end_calls(&session, &target);
                }
                let params = envelope.params.map(RawValue::to_owned);
                target.events.push(Event { method, params });
            }
        }
    }

    /// Ends the calls of a session whose target has crashed.
    fn end_calls(&self, session: &str, target: &Target) {
        let mut state = self.lock();
        target.has_crashed.store(true, Ordering::Relaxed);
        let is_of_target = |_: &u64, call: &mut Waiter| call.session.as_deref() == Some(session);
        for (_, call) in state.calls.extract_if(is_of_target) {
            // The caller may have stopped waiting.
            let _ = call.answer.send(Answer::Crashed);
        }
    }

    fn answer(&self, id: Option<u64>, answer: Answer) {
        let call = id.and_then(|id| self.lock().calls.remove(&id));
        if let Some(call) = call {
            // The caller may have stopped waiting.
            let _ = call.answer.send(answer);
        }
    }

    /// Ends all calls and all sessions.
    fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        state.calls.clear();
        for (_, target) in state.sessions.drain() {
            target.events.close();
        }
    }
}

async fn write(mut to: impl AsyncWrite + Unpin, mut queue: mpsc::Receiver<Vec<u8>>) {
    while let Some(message) = queue.recv().await {
        if to.write_all(&message).await.is_err() || to.flush().await.is_err() {
            return;
        }
    }
}

async fn read(mut from: impl AsyncRead + Unpin, shared: Arc<Shared>) {
    let mut frames = Frames::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        let read: io::Result<usize> = from.read(&mut chunk).await;
        match read.ok().and_then(|count| chunk.get(..count)) {
            None | Some([]) => return shared.close(),
            Some(bytes) => frames.push(bytes, |frame| shared.receive(frame)),
        }
    }
}

/// A session: the browser itself, or one of its tabs. Dropping it stops keeping its events.
#[derive(Debug)]
pub(crate) struct Session {
    connection: Connection,
    id: Option<String>,
    target: Arc<Target>,
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(id) = &self.id {
            self.connection.shared.lock().sessions.remove(id);
        }
    }
}

/// Removes a call from those that wait when its caller stops waiting.
struct Waiting<'a> {
    shared: &'a Shared,
    id: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.shared.lock().calls.remove(&self.id);
    }
}

impl Session {
    /// The connection that the session belongs to.
    pub(crate) const fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The next event of this session; none when the browser has ended. Only one task may wait at a time.
    pub(crate) async fn next_event(&self) -> Option<Event> {
        self.target.events.next().await
    }

    /// Takes the events that wait.
    pub(crate) fn take_events(&self) -> impl Iterator<Item = Event> {
        self.target.events.take().into_iter()
    }

    /// Calls a method and waits up to 10 s for its answer.
    pub(crate) async fn call<C: Command>(&self, command: &C) -> Result<C::Answer, CdpError> {
        self.call_within(command, BROWSER_CALL_TIMEOUT).await
    }

    /// Calls a method and waits for its answer.
    ///
    /// # Errors
    /// If the browser or the process of the target has ended, refuses, or does not answer in time; see [`CdpError`].
    pub(crate) async fn call_within<C: Command>(
        &self,
        command: &C,
        most: Duration,
    ) -> Result<C::Answer, CdpError> {
        let result = self.call_unread(command, most).await?;
        serde_json::from_str(result.get()).map_err(|error| CdpError::Unreadable {
            method: C::METHOD,
            reason: error.to_string(),
        })
    }

    /// As [`Self::call_within`], for a long answer that is read elsewhere: deserializing it into a [`RawValue`] would scan
    /// it once more.
    ///
    /// # Errors
    /// As [`Self::call_within`].
    pub(crate) async fn call_unread<C: Command>(
        &self,
        command: &C,
        most: Duration,
    ) -> Result<Box<RawValue>, CdpError> {
        let method = C::METHOD;
        let waiting = tokio::time::timeout(most, self.exchange(command));
        let answer = waiting.await.map_err(|_| CdpError::TimedOut {
            method,
            after: most,
        })??;
        match answer {
            Answer::Result(result) => Ok(result),
            Answer::Error { code, message } => Err(CdpError::Refused {
                method,
                code,
                message,
            }),
            Answer::TooLarge => Err(CdpError::TooLarge { method }),
            Answer::Neither => Err(CdpError::Unreadable {
                method,
                reason: "the answer has neither a result nor an error".to_owned(),
            }),
            Answer::Crashed => Err(CdpError::Crashed),
        }
    }

    async fn exchange<C: Command>(&self, command: &C) -> Result<Answer, CdpError> {
        let shared = &self.connection.shared;
        let id = shared.next.fetch_add(1, Ordering::Relaxed);
        let call = Call {
            id,
            session: self.id.as_deref(),
            method: C::METHOD,
            params: command,
        };
        let mut message = serde_json::to_vec(&call).map_err(|error| CdpError::Unreadable {
            method: C::METHOD,
            reason: error.to_string(),
        })?;
        message.push(0);
        let (sender, answer) = oneshot::channel();
        {
            let mut state = shared.lock();
            if state.is_closed {
                return Err(CdpError::Closed);
            }
            if self.target.has_crashed.load(Ordering::Relaxed) {
                return Err(CdpError::Crashed);
            }
            let call = Waiter {
                session: self.id.clone(),
                answer: sender,
            };
            state.calls.insert(id, call);
        }
        let waiting = Waiting { shared, id };
        let sent = self.connection.outgoing.send(message).await;
        sent.map_err(|_| CdpError::Closed)?;
        let answer = answer.await.map_err(|_| CdpError::Closed);
        drop(waiting);
        answer
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tokio::io::{AsyncBufReadExt, BufReader, DuplexStream, duplex, split};

    use super::*;

    #[derive(Serialize)]
    struct Ask {
        number: u32,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Told {
        twice: u32,
    }

    impl Command for Ask {
        const METHOD: &'static str = "Test.ask";
        type Answer = Told;
    }

    /// A connection, and the side of the browser.
    fn connected() -> (Connection, BufReader<DuplexStream>) {
        let (near, far) = duplex(1024 * 1024);
        let (from, to) = split(near);
        (Connection::start(from, to), BufReader::new(far))
    }

    async fn received(far: &mut BufReader<DuplexStream>) -> Value {
        let mut message = Vec::new();
        far.read_until(0, &mut message).await.unwrap();
        message.pop();
        serde_json::from_slice(&message).unwrap()
    }

    async fn send(far: &mut BufReader<DuplexStream>, message: &str) {
        far.write_all(message.as_bytes()).await.unwrap();
        far.write_all(b"\0").await.unwrap();
    }

    #[tokio::test]
    async fn answers_reach_their_calls_in_any_order() {
        let (connection, mut far) = connected();
        let session = connection.session("S".to_owned());
        let browser = async {
            let first = received(&mut far).await;
            assert_eq!(first["sessionId"], "S");
            let second = received(&mut far).await;
            for call in [second, first] {
                let twice = call["params"]["number"].as_u64().unwrap() * 2;
                let answer = json!({"id": call["id"], "sessionId": "S", "result": {"twice": twice, "new": [1]}});
                send(&mut far, &answer.to_string()).await;
            }
        };
        let asks = async {
            tokio::join!(
                session.call(&Ask { number: 3 }),
                session.call(&Ask { number: 4 })
            )
        };
        let ((three, four), ()) = tokio::join!(asks, browser);
        assert_eq!(three, Ok(Told { twice: 6 }));
        assert_eq!(four, Ok(Told { twice: 8 }));
    }

    #[tokio::test]
    async fn whatever_is_wrong_with_an_answer_fails_its_own_call_alone() {
        for (answer, expected) in [
            (
                r#"{"id":0,"error":{"code":-32000,"message":"no"}}"#,
                "refused Test.ask: no (-32000)",
            ),
            (r#"{"id":0,"result":{"twice":"many"}}"#, "cannot be read"),
            (r#"{"id":0}"#, "neither a result nor an error"),
            (r#"{"id":0,"result":{]"#, "neither a result nor an error"),
        ] {
            let (connection, mut far) = connected();
            let session = connection.browser();
            let browser = async {
                received(&mut far).await;
                send(&mut far, answer).await;
                received(&mut far).await;
                send(&mut far, r#"{"id":1,"result":{"twice":2}}"#).await;
            };
            let asks = async {
                let first = session.call(&Ask { number: 0 }).await;
                (first, session.call(&Ask { number: 1 }).await)
            };
            let ((first, second), ()) = tokio::join!(asks, browser);
            let error = first.unwrap_err().to_string();
            assert!(error.contains(expected), "{answer}: {error}");
            assert_eq!(second, Ok(Told { twice: 2 }));
        }
    }

    #[tokio::test]
    async fn an_answer_beyond_the_limit_of_a_message_fails_its_call() {
        let (connection, mut far) = connected();
        let session = connection.browser();
        let browser = async {
            received(&mut far).await;
            send(
                &mut far,
                &format!(
                    "{{\"id\":0,\"result\":\"{}\"}}",
                    "x".repeat(crate::bounds::browser::MAX_BROWSER_MESSAGE_BYTES)
                ),
            )
            .await;
        };
        let (answer, ()) = tokio::join!(
            session.call_within(&Ask { number: 0 }, Duration::from_secs(600)),
            browser
        );
        assert_eq!(answer, Err(CdpError::TooLarge { method: "Test.ask" }));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_without_an_answer_times_out_and_is_forgotten() {
        let (connection, far) = connected();
        let session = connection.browser();
        let error = session.call(&Ask { number: 1 }).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "the browser did not answer Test.ask within 10000 ms"
        );
        assert!(connection.shared.lock().calls.is_empty());
        drop(far);
    }

    #[tokio::test]
    async fn the_end_of_the_browser_ends_calls_and_sessions() {
        let (connection, mut far) = connected();
        let session = connection.session("S".to_owned());
        let browser = async {
            received(&mut far).await;
            drop(far);
        };
        let (answer, ()) = tokio::join!(session.call(&Ask { number: 1 }), browser);
        assert_eq!(answer, Err(CdpError::Closed));
        assert!(session.target.events.next().await.is_none());
        let later = connection.session("T".to_owned());
        assert!(later.target.events.next().await.is_none());
        assert_eq!(later.call(&Ask { number: 1 }).await, Err(CdpError::Closed));
    }

    #[tokio::test]
    async fn the_end_of_a_process_ends_the_calls_of_its_session_alone() {
        let (connection, mut far) = connected();
        let (crashed, other) = (
            connection.session("1".to_owned()),
            connection.session("2".to_owned()),
        );
        let browser = async {
            received(&mut far).await;
            let call = received(&mut far).await;
            send(
                &mut far,
                r#"{"method":"Inspector.targetCrashed","params":{},"sessionId":"1"}"#,
            )
            .await;
            let answer = json!({"id": call["id"], "sessionId": "2", "result": {"twice": 4}});
            send(&mut far, &answer.to_string()).await;
        };
        // Without an answer a call waits for 600 s.
        let most = Duration::from_secs(600);
        let asks = async {
            tokio::join!(
                crashed.call_within(&Ask { number: 1 }, most),
                other.call_within(&Ask { number: 2 }, most)
            )
        };
        let ((ended, answered), ()) = tokio::join!(asks, browser);
        assert_eq!(ended, Err(CdpError::Crashed));
        assert_eq!(answered, Ok(Told { twice: 4 }));
        assert_eq!(crashed.next_event().await.unwrap().method, TARGET_CRASHED);
        let later = crashed.call_within(&Ask { number: 3 }, most).await;
        assert_eq!(later, Err(CdpError::Crashed));
        assert!(connection.shared.lock().calls.is_empty());
    }

    #[tokio::test]
    async fn events_reach_their_session_alone() {
        let (connection, mut far) = connected();
        let (one, two) = (
            connection.session("1".to_owned()),
            connection.session("2".to_owned()),
        );
        for (session, method) in [("2", "Page.two"), ("3", "Page.nobody"), ("1", "Page.one")] {
            let event = json!({"method": method, "params": {"a": 1}, "sessionId": session});
            send(&mut far, &event.to_string()).await;
        }
        assert_eq!(one.target.events.next().await.unwrap().method, "Page.one");
        assert_eq!(two.target.events.next().await.unwrap().method, "Page.two");
        drop(one);
        assert_eq!(connection.shared.lock().sessions.len(), 1);
    }
}
