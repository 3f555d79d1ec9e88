//! A connection with limits against slow clients.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_http::Extensions;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::deadline::Deadline;
use crate::rate_limits::ConnectionPermit;
use crate::request_guard::Requests;

/// Maximum bytes read of a request's head. The parser alone would buffer 128 KiB for every connection.
const MAX_HEAD_BYTES: usize = 32 * 1_024;
/// Timeout for the head of a request, from its first byte. The server's own timeout covers only the first request of a
/// connection.
const MAX_HEAD_TIME: Duration = Duration::from_secs(20);
/// Maximum bytes read after a response if the body of its request was not read to its end. Closing a connection with
/// unread bytes resets it, and the client may lose the response (RFC 9112, section 9.6).
const MAX_UNREAD_BYTES: usize = 8 * 1_024 * 1_024;

/// A byte stream that fails if the client does not read a response or does not finish a head in time, or sends too
/// long a head.
pub(crate) struct Connection<S> {
    stream: S,
    requests: Requests,
    /// Runs while nothing can be written.
    stalled: Deadline,
    /// Runs while a head is incomplete.
    head: Deadline,
    head_bytes: usize,
    /// Requests that had begun at the last read. If there are more now, the head is a new one.
    begun_before: u64,
    /// Whether the parser had a chance to see that the head is complete.
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

    /// Shares the request state with the requests of the connection.
    pub(super) fn share_state(&self, extensions: &mut Extensions) {
        extensions.insert(self.requests.clone());
    }

    fn is_between_requests(&self) -> bool {
        self.requests.under_way() == 0
    }

    /// Resets the limits of the head if a request is active, or began and ended since the last read.
    fn reset_head_limits(&mut self) {
        let begun = self.requests.begun();
        if self.is_between_requests() && begun == self.begun_before {
            return;
        }
        self.begun_before = begun;
        self.head_bytes = 0;
        self.is_paused = false;
        self.head.stop();
    }

    /// Returns how many bytes may be read before the head of the next request is complete.
    fn max_bytes_before_head(&self) -> usize {
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
        this.reset_head_limits();
        if !this.is_between_requests() {
            return Pin::new(&mut this.stream).poll_read(context, buffer);
        }
        if this.head_bytes >= this.max_bytes_before_head() {
            if this.is_paused {
                return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
            }
            // The head may be complete, and the following bytes its body.
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
    /// Fails if nothing could be written for too long.
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
