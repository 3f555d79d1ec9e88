//! The timeout for receiving the body of a request.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::HttpMessage;
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::http::header;
use actix_web::rt::time::{Sleep, sleep};
use actix_web::web::Bytes;
use futures_util::Stream;

use crate::request_guard::BodyGuard;

/// A body that fails when its time is over.
struct TimedBody {
    body: Payload,
    guard: Option<BodyGuard>,
    time: Pin<Box<Sleep>>,
}

/// Sets a timeout on the body of a request, starting now. `guard` records whether the body was read to its end; it is
/// `None` if the request has no connection.
pub(crate) fn limit_time(
    request: &mut ServiceRequest,
    time: Duration,
    guard: impl FnOnce() -> Option<BodyGuard>,
) {
    let headers = request.headers();
    // A request without either header has no body.
    if !headers.contains_key(header::CONTENT_LENGTH)
        && !headers.contains_key(header::TRANSFER_ENCODING)
    {
        return;
    }
    let body = TimedBody {
        body: request.take_payload(),
        guard: guard(),
        time: Box::pin(sleep(time)),
    };
    request.set_payload(Payload::Stream {
        payload: Box::pin(body),
    });
}

impl Stream for TimedBody {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = Pin::new(&mut self.body).poll_next(context);
        if next.is_pending() && self.time.as_mut().poll(context).is_ready() {
            let late = std::io::Error::from(std::io::ErrorKind::TimedOut);
            return Poll::Ready(Some(Err(PayloadError::Incomplete(Some(late)))));
        }
        if let (Poll::Ready(None), Some(guard)) = (&next, &mut self.guard) {
            guard.end();
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use futures_util::{StreamExt, stream};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_slow_body_fails_at_its_timeout() {
        let mut request = TestRequest::post()
            .insert_header((header::CONTENT_LENGTH, "1000"))
            .to_srv_request();
        let drips = stream::unfold((), |()| async {
            sleep(Duration::from_secs(7)).await;
            Some((Ok(Bytes::from_static(b" ")), ()))
        });
        request.set_payload(Payload::Stream {
            payload: Box::pin(drips),
        });
        limit_time(&mut request, Duration::from_secs(30), || None);
        let mut body = request.take_payload();
        for _ in 0..4 {
            assert!(body.next().await.unwrap().is_ok());
        }
        assert!(body.next().await.unwrap().is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_in_time_arrives_whole() {
        let mut request = TestRequest::post()
            .insert_header((header::CONTENT_LENGTH, "2"))
            .set_payload("{}")
            .to_srv_request();
        limit_time(&mut request, Duration::from_secs(30), || None);
        let mut body = request.take_payload();
        assert_eq!(body.next().await.unwrap().unwrap(), "{}");
        assert!(body.next().await.is_none());
    }
}
