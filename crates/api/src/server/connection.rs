//! A connection with limits on what its client may leave undone.

use std::cell::Cell;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_http::Extensions;
use actix_web::dev::ServiceRequest;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::deadline::Deadline;
use crate::limits::CallerLimits;
use crate::traffic::{KeyedPermit, KeyedPermits, is_trusted, network};

/// Bytes of a request's head that are read before the request is known. The parser alone would hold 128 KiB of
/// every connection.
const MAX_HEAD_BYTES: usize = 32 * 1_024;
/// How long the head of a request may take, from its first byte. The server has the same limit for the first
/// request of a connection alone.
const MAX_HEAD_TIME: Duration = Duration::from_secs(20);
/// Bytes that are read after an answer where the body of its request was not read to its end. A connection that is
/// closed with bytes unread is reset, and the client may lose the answer (RFC 9112, section 9.6).
const MAX_UNREAD_BYTES: usize = 8 * 1_024 * 1_024;

/// Open connections.
pub(crate) struct Connections {
    addresses: Arc<KeyedPermits<IpAddr>>,
    total: Arc<Semaphore>,
    /// Connections that are answered 429 at once.
    pub(super) refusals: Semaphore,
}

/// Refusals written at once; beyond that a connection is closed without a word.
const MAX_REFUSALS: usize = 64;

/// A permit for a connection; it is free again when this is dropped.
pub(crate) struct ConnectionPermit {
    _address: Option<KeyedPermit<IpAddr>>,
    _total: OwnedSemaphorePermit,
}

impl Connections {
    pub(crate) fn new(limits: &CallerLimits) -> Self {
        Self {
            addresses: KeyedPermits::new(limits.connections_per_address),
            total: Arc::new(Semaphore::new(limits.connections)),
            refusals: Semaphore::new(MAX_REFUSALS),
        }
    }

    /// A permit for a connection from that address.
    pub(super) fn try_acquire(
        &self,
        peer: IpAddr,
        limits: &CallerLimits,
    ) -> Option<ConnectionPermit> {
        let address = match is_trusted(peer, &limits.trusted_proxies) {
            true => None,
            false => Some(self.addresses.try_acquire(&network(peer))?),
        };
        Some(ConnectionPermit {
            _address: address,
            _total: Arc::clone(&self.total).try_acquire_owned().ok()?,
        })
    }
}

/// What the requests of a connection tell about what is read from it.
#[derive(Debug, Clone, Default)]
struct Requests(Rc<RequestsState>);

#[derive(Debug, Default)]
struct RequestsState {
    /// How many requests are under way: from when the head of one is read until its answer is handed to the
    /// connection.
    under_way: Cell<usize>,
    /// How many requests began so far. One that is answered at once is never seen under way.
    begun: Cell<u64>,
    /// Whether the body of the last request was dropped before its end.
    has_unread_body: Cell<bool>,
}

impl Requests {
    /// Counts a request, whose head was read.
    fn begin(&self) -> RequestGuard {
        let state = &self.0;
        state.under_way.set(state.under_way.get() + 1);
        state.begun.set(state.begun.get().wrapping_add(1));
        state.has_unread_body.set(false);
        RequestGuard(self.clone())
    }
}

/// A request of a connection under way.
#[derive(Debug)]
pub(crate) struct RequestGuard(Requests);

impl RequestGuard {
    /// Counts a request; none where its connection is none of [`super::server`].
    pub(crate) fn new(request: &ServiceRequest) -> Option<Self> {
        Some(request.conn_data::<Requests>()?.begin())
    }

    /// To be kept with the body of the request.
    pub(crate) fn body(&self) -> BodyGuard {
        BodyGuard {
            requests: self.0.clone(),
            is_at_end: false,
        }
    }
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let under_way = &self.0.0.under_way;
        under_way.set(under_way.get().saturating_sub(1));
    }
}

/// The body of a request. Dropped before the end, it has its connection read what remains.
#[derive(Debug)]
pub(crate) struct BodyGuard {
    requests: Requests,
    is_at_end: bool,
}

impl BodyGuard {
    /// Says that the body was read to its end.
    pub(crate) fn end(&mut self) {
        self.is_at_end = true;
    }
}

impl Drop for BodyGuard {
    fn drop(&mut self) {
        if !self.is_at_end {
            self.requests.0.has_unread_body.set(true);
        }
    }
}

/// A stream of bytes that fails where the client leaves an answer unread or a head unfinished for too long, or
/// sends too long a head.
pub(crate) struct Connection<S> {
    stream: S,
    requests: Requests,
    /// While nothing can be written.
    stalled: Deadline,
    /// While a head is not whole.
    head: Deadline,
    head_bytes: usize,
    /// How many requests had begun when bytes were last asked for: with another the head is a new one.
    begun_before: u64,
    /// Whether the parser was given the chance to see that the head is whole.
    is_paused: bool,
    _permit: ConnectionPermit,
}

impl<S> Connection<S> {
    pub(super) fn new(stream: S, stall_time: Duration, permit: ConnectionPermit) -> Self {
        Self {
            stream,
            requests: Requests::default(),
            stalled: Deadline::new(stall_time),
            head: Deadline::new(MAX_HEAD_TIME),
            head_bytes: 0,
            begun_before: 0,
            is_paused: false,
            _permit: permit,
        }
    }

    /// Has the requests of the connection tell it about themselves.
    pub(super) fn share_state(&self, extensions: &mut Extensions) {
        extensions.insert(self.requests.clone());
    }

    fn is_between_requests(&self) -> bool {
        self.requests.0.under_way.get() == 0
    }

    /// Begins anew with the limits of a head where a request is under way, or began and ended since bytes were last
    /// asked for.
    fn forget_heads_that_were_whole(&mut self) {
        let begun = self.requests.0.begun.get();
        if self.is_between_requests() && begun == self.begun_before {
            return;
        }
        self.begun_before = begun;
        self.head_bytes = 0;
        self.is_paused = false;
        self.head.stop();
    }

    /// How many bytes are read before the head of the next request is known.
    fn most_bytes_before_head(&self) -> usize {
        match self.requests.0.has_unread_body.get() {
            true => MAX_UNREAD_BYTES + MAX_HEAD_BYTES,
            false => MAX_HEAD_BYTES,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        this.forget_heads_that_were_whole();
        if !this.is_between_requests() {
            return Pin::new(&mut this.stream).poll_read(context, buffer);
        }
        if this.head_bytes >= this.most_bytes_before_head() {
            if this.is_paused {
                return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
            }
            // The head may be whole, and what follows its body.
            this.is_paused = true;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        let polled = Pin::new(&mut this.stream).poll_read(context, buffer);
        this.head_bytes += buffer.filled().len().saturating_sub(before);
        if polled.is_pending() && this.head_bytes > 0 && this.head.is_over(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        polled
    }
}

impl<S: AsyncWrite + Unpin> Connection<S> {
    /// Fails where nothing could be written for too long.
    fn watch<T>(
        &mut self,
        context: &mut Context<'_>,
        polled: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.stalled.stop();
        } else if self.stalled.is_over(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Connection<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(context, polled)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests;
