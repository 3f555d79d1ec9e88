//! A connection with limits on what its client may leave undone.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_http::Extensions;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::deadline::Deadline;
use crate::rate_limits::ConnectionPermit;
use crate::request_guard::Requests;

/// Bytes of a request's head that are read before the request is known. The parser alone would hold 128 KiB of
/// every connection.
const MAX_HEAD_BYTES: usize = 32 * 1_024;
/// How long the head of a request may take, from its first byte. The server has the same limit for the first
/// request of a connection alone.
const MAX_HEAD_TIME: Duration = Duration::from_secs(20);
/// Bytes that are read after an answer where the body of its request was not read to its end. A connection that is
/// closed with bytes unread is reset, and the client may lose the answer (RFC 9112, section 9.6).
const MAX_UNREAD_BYTES: usize = 8 * 1_024 * 1_024;

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
        self.requests.under_way() == 0
    }

    /// Begins anew with the limits of a head where a request is under way, or began and ended since bytes were last
    /// asked for.
    fn forget_heads_that_were_whole(&mut self) {
        let begun = self.requests.begun();
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
        match self.requests.has_unread_body() {
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
