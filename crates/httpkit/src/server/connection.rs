//! A connection with limits against slow clients, whose errors are problem documents.

mod rejection;

use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_http::Extensions;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::deadline::Deadline;
use crate::rate_limits::ConnectionPermit;
use crate::request_guard::Requests;
pub(super) use rejection::HeadError;
use rejection::{Rejection, Response};

/// Maximum bytes read of a request's head. The parser alone would buffer 128 KiB for every connection.
const MAX_HEAD_BYTES: usize = 32 * 1_024;
/// Timeout for the head of a request, from its first byte. The server's own timeout covers only the first request of a
/// connection.
const MAX_HEAD_TIME: Duration = Duration::from_secs(20);
/// Maximum bytes read after a response if the body of its request was not read to its end. Closing a connection with
/// unread bytes resets it, and the client may lose the response (RFC 9112, section 9.6).
const MAX_UNREAD_BYTES: usize = 8 * 1_024 * 1_024;

/// Makes the complete response to a head that is rejected.
pub(super) type Answer = Rc<dyn Fn(HeadError) -> Vec<u8>>;

/// A byte stream that fails if the client does not read a response or does not finish a head in time, or sends too
/// long a head. Heads that are rejected get a problem document, also those that the parser rejects.
pub(crate) struct Connection<S> {
    stream: S,
    requests: Requests,
    /// Runs while nothing can be written.
    stalled: Deadline,
    /// Runs while a head is incomplete.
    head: Deadline,
    head_bytes: usize,
    /// Whether the head has a complete line.
    has_line: bool,
    /// Requests that had begun at the last read. If there are more now, the head is a new one.
    begun_before: u64,
    /// Whether the parser had a chance to see that the head is complete.
    is_paused: bool,
    answer: Answer,
    /// The response to the parser's error that is being written instead of its own.
    instead: Option<Response>,
    rejection: Option<Rejection>,
    _permit: ConnectionPermit,
}

impl<S> Connection<S> {
    pub(super) fn new(
        stream: S,
        stall_time: Duration,
        permit: ConnectionPermit,
        answer: Answer,
    ) -> Self {
        Self {
            stream,
            requests: Requests::default(),
            stalled: Deadline::new(stall_time),
            head: Deadline::new(MAX_HEAD_TIME),
            head_bytes: 0,
            has_line: false,
            begun_before: 0,
            is_paused: false,
            answer,
            instead: None,
            rejection: None,
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
        self.has_line = false;
        self.is_paused = false;
        self.head.stop();
    }

    /// Rejects the head, which the client is told by a response. If it still sends the body of the request before, to
    /// which it has a response, the connection fails at once.
    fn reject(
        &mut self,
        context: &mut Context<'_>,
        error: HeadError,
        kind: io::ErrorKind,
    ) -> Poll<io::Result<()>> {
        if self.requests.has_unread_body() {
            return Poll::Ready(Err(kind.into()));
        }
        self.rejection = Some(Rejection::new((self.answer)(error), kind));
        context.waker().wake_by_ref();
        Poll::Pending
    }

    /// Returns how many bytes may be read before the head of the next request is complete.
    fn max_bytes_before_head(&self) -> usize {
        match self.requests.has_unread_body() {
            true => MAX_UNREAD_BYTES + MAX_HEAD_BYTES,
            false => MAX_HEAD_BYTES,
        }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Connection<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if let Some(rejection) = &mut this.rejection {
            return rejection.poll(&mut this.stream, context);
        }
        this.reset_head_limits();
        if !this.is_between_requests() {
            return Pin::new(&mut this.stream).poll_read(context, buffer);
        }
        if this.head_bytes >= this.max_bytes_before_head() {
            if this.is_paused {
                let error = match this.has_line {
                    true => HeadError::TooLong,
                    false => HeadError::LongLine,
                };
                return this.reject(context, error, io::ErrorKind::InvalidData);
            }
            // The head may be complete, and the following bytes its body.
            this.is_paused = true;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        let polled = Pin::new(&mut this.stream).poll_read(context, buffer);
        let read = buffer.filled().get(before..).unwrap_or_default();
        this.head_bytes += read.len();
        this.has_line |= read.contains(&b'\n');
        if polled.is_pending() && this.head_bytes > 0 && this.head.is_over(context) {
            return this.reject(context, HeadError::Late, io::ErrorKind::TimedOut);
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
        let this = &mut *self;
        // The parser responds between requests, to bytes that it read since the last one.
        if this.instead.is_none()
            && this.head_bytes > 0
            && this.is_between_requests()
            && let Some(error) = rejection::of_parser(bytes)
        {
            this.instead = Some(Response::new((this.answer)(error)));
        }
        let polled = match &mut this.instead {
            None => Pin::new(&mut this.stream).poll_write(context, bytes),
            Some(response) => {
                let polled = response.poll_write(&mut this.stream, context);
                polled.map_ok(|()| bytes.len())
            }
        };
        if polled.is_ready() {
            this.instead = None;
        }
        this.watch(context, polled)
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
