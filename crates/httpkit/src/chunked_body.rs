//! Response bodies in chunks.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;

use crate::rate_limits::HeldPermits;
use crate::request_guard::RequestGuard;

/// Maximum chunk size in bytes.
const CHUNK_BYTES: usize = 16 * 1_024;

/// The same body in chunks of at most 16 KiB. A connection copies each chunk into a buffer, of which it keeps up to
/// 128 KiB for its next response; small chunks keep that buffer small.
pub struct ChunkedBody {
    body: BoxBody,
    rest: Bytes,
    /// What the request holds until the whole body is handed over or dropped.
    held: ResponsePermits,
}

/// What a request holds until its response is sent.
#[derive(Default)]
pub struct ResponsePermits {
    _permits: Option<HeldPermits>,
    _guard: Option<RequestGuard>,
}

impl ResponsePermits {
    /// Holds the permits of a request, and its guard on the connection.
    pub const fn new(permits: Option<HeldPermits>, guard: Option<RequestGuard>) -> Self {
        Self {
            _permits: permits,
            _guard: guard,
        }
    }
}

impl ChunkedBody {
    pub fn new(body: impl MessageBody + 'static) -> Self {
        let rest = Bytes::new();
        let body = body.boxed();
        Self {
            body,
            rest,
            held: ResponsePermits::default(),
        }
    }

    /// Adds what the request holds.
    pub fn holding(mut self, held: ResponsePermits) -> Self {
        self.held = held;
        self
    }
}

impl MessageBody for ChunkedBody {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_next(context)) {
                Some(Ok(more)) => self.rest = more,
                end => {
                    self.held = ResponsePermits::default();
                    return Poll::Ready(end);
                }
            }
        }
        let length = self.rest.len().min(CHUNK_BYTES);
        Poll::Ready(Some(Ok(self.rest.split_to(length))))
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use actix_web::body::SizedStream;
    use futures_util::stream;
    use rstest::rstest;

    use super::*;

    async fn pieces(mut body: ChunkedBody) -> Vec<Bytes> {
        let mut all = Vec::new();
        while let Some(piece) = poll_fn(|context| Pin::new(&mut body).poll_next(context)).await {
            all.push(piece.unwrap());
        }
        all
    }

    #[rstest]
    #[case::nothing(0, 0)]
    #[case::one(CHUNK_BYTES, 1)]
    #[case::one_byte_more(CHUNK_BYTES + 1, 2)]
    #[case::many(5 * CHUNK_BYTES, 5)]
    #[actix_web::test]
    async fn what_is_sent_is_the_body(#[case] length: usize, #[case] expected: usize) {
        let whole: Vec<u8> = (0..=250).cycle().take(length).collect();
        let body = ChunkedBody::new(whole.clone());
        assert_eq!(
            body.size(),
            BodySize::Sized(whole.len().try_into().unwrap())
        );
        let sent = pieces(body).await;
        assert_eq!(sent.concat(), whole);
        assert_eq!(sent.len(), expected);
        assert!(sent.iter().all(|piece| piece.len() <= CHUNK_BYTES));
    }

    #[actix_web::test]
    async fn an_error_of_the_body_is_passed_on() {
        let items = [
            Ok(Bytes::from_static(b"a")),
            Err(std::io::Error::other("cut")),
        ];
        let mut body = ChunkedBody::new(SizedStream::new(2, stream::iter(items)));
        let mut next = async || poll_fn(|context| Pin::new(&mut body).poll_next(context)).await;
        assert_eq!(next().await.unwrap().unwrap(), "a");
        assert!(next().await.unwrap().is_err());
    }
}
