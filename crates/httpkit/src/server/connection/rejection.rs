//! Responses to bytes that are no request. The HTTP parser answers them with a status alone.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::server::deadline::Deadline;

/// How long a rejected client may take to read the response, and how long its remaining bytes are read.
const TIMEOUT: Duration = Duration::from_secs(1);
/// The maximum bytes read from a rejected client.
const MAX_READ: usize = 256 * 1_024;

/// Why the head of a request is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeadError {
    /// It is not HTTP/1.1.
    Malformed,
    /// Its first line is too long.
    LongLine,
    /// All of it is too long.
    TooLong,
    /// It did not arrive in time.
    Late,
}

impl HeadError {
    /// The detail for the client.
    pub(crate) const fn detail(self) -> &'static str {
        match self {
            Self::Malformed => {
                "The request is not valid HTTP/1.1. Check the request line and the headers."
            }
            Self::LongLine => "The request line has more than 32 KiB. Shorten the URL.",
            Self::TooLong => {
                "The request line and the headers have more than 32 KiB. Shorten the URL or send fewer headers."
            }
            Self::Late => {
                "The request line and the headers did not arrive within 20 seconds. Send the request again."
            }
        }
    }
}

/// How a response of the parser begins.
const OF_PARSER: [(&[u8], HeadError); 3] = [
    (b"HTTP/1.1 400 ", HeadError::Malformed),
    (b"HTTP/1.1 408 ", HeadError::Late),
    (b"HTTP/1.1 431 ", HeadError::TooLong),
];
/// The maximum size of such a response.
const MAX_BYTES_OF_PARSER: usize = 512;

/// The error that the parser responds to with these bytes; `None` if they are another response or a part of one. All
/// other responses have a request id.
pub(super) fn of_parser(bytes: &[u8]) -> Option<HeadError> {
    let mut known = OF_PARSER.iter();
    let (_, error) = known.find(|(start, _)| bytes.starts_with(start))?;
    if bytes.len() > MAX_BYTES_OF_PARSER {
        return None;
    }
    let text = str::from_utf8(bytes).ok()?.to_ascii_lowercase();
    let head = text.strip_suffix("\r\n\r\n")?;
    let is_bare = head.contains("\r\ncontent-length: 0")
        && !head.contains("\r\n\r\n")
        && !head.contains("\r\nx-request-id:");
    is_bare.then_some(*error)
}

/// A response that is being written.
#[derive(Debug)]
pub(super) struct Response {
    bytes: Vec<u8>,
    written: usize,
}

impl Response {
    pub(super) const fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, written: 0 }
    }

    /// Writes the rest of the response.
    pub(super) fn poll_write<S: AsyncWrite + Unpin>(
        &mut self,
        stream: &mut S,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        while let Some(rest) = self
            .bytes
            .get(self.written..)
            .filter(|rest| !rest.is_empty())
        {
            let written = ready!(Pin::new(&mut *stream).poll_write(context, rest))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.written += written;
        }
        Poll::Ready(Ok(()))
    }
}

/// A client whose head is rejected: it gets the response, and what it still sends is read for a while. Closing a
/// connection with unread bytes resets it, and the client loses the response.
#[derive(Debug)]
pub(super) struct Rejection {
    response: Response,
    is_answered: bool,
    read: usize,
    deadline: Deadline,
    kind: io::ErrorKind,
}

impl Rejection {
    /// Rejects a head with this response; the connection then fails with this kind of error.
    pub(super) const fn new(response: Vec<u8>, kind: io::ErrorKind) -> Self {
        Self {
            response: Response::new(response),
            is_answered: false,
            read: 0,
            deadline: Deadline::new(TIMEOUT),
            kind,
        }
    }

    /// Answers the client and reads the rest; then the connection fails.
    pub(super) fn poll<S: AsyncRead + AsyncWrite + Unpin>(
        &mut self,
        stream: &mut S,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        match self.poll_exchange(stream, context) {
            Poll::Pending if !self.deadline.is_over(context) => Poll::Pending,
            _ => Poll::Ready(Err(self.kind.into())),
        }
    }

    fn poll_exchange<S: AsyncRead + AsyncWrite + Unpin>(
        &mut self,
        stream: &mut S,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.is_answered {
            ready!(self.response.poll_write(stream, context))?;
            ready!(Pin::new(&mut *stream).poll_shutdown(context))?;
            self.is_answered = true;
        }
        let mut bytes = [0; 1_024];
        while self.read < MAX_READ {
            let mut buffer = ReadBuf::new(&mut bytes);
            ready!(Pin::new(&mut *stream).poll_read(context, &mut buffer))?;
            if buffer.filled().is_empty() {
                break;
            }
            self.read += buffer.filled().len();
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const BARE: &str = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\ndate: Thu, 26 Nov 2026 06:00:00 GMT\r\n\r\n";

    #[test]
    fn responses_of_the_parser_are_recognized() {
        assert_eq!(of_parser(BARE.as_bytes()), Some(HeadError::Malformed));
        let large = BARE.replace("400 Bad Request", "431 Request Header Fields Too Large");
        assert_eq!(of_parser(large.as_bytes()), Some(HeadError::TooLong));
        let late = BARE.replace("400 Bad Request", "408 Request Timeout");
        assert_eq!(of_parser(late.as_bytes()), Some(HeadError::Late));
    }

    #[rstest]
    #[case::with_a_request_id(
        "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nx-request-id: 01\r\n\r\n"
    )]
    #[case::with_a_body("HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}")]
    #[case::a_success("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")]
    #[case::two_responses(
        "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\nHTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n"
    )]
    #[case::a_part("HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n")]
    #[case::nothing("")]
    fn other_bytes_are_not(#[case] bytes: &str) {
        assert_eq!(of_parser(bytes.as_bytes()), None);
    }
}
