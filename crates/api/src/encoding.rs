//! Which answers are compressed, and how.
//!
//! The framework's middleware compresses whatever it is given, and answers 406 where the caller
//! rules everything out. So the caller's wish is put in its simplest form before, and an answer that
//! is too small to gain anything is marked.

use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{Service, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::{Error, HttpResponse};

/// Answers below this size in bytes fit in one packet anyway.
const LEAST_BYTES: u64 = 1_024;
const AS_IT_IS: HeaderValue = HeaderValue::from_static("identity");

/// Wraps the framework's middleware.
pub(crate) fn around<S, B>(
    mut request: ServiceRequest,
    service: &S,
) -> impl Future<Output = Result<ServiceResponse<B>, Error>> + use<S, B>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
{
    choose(&mut request);
    let answer = service.call(request);
    async move {
        let mut response = answer.await?;
        unmark(&mut response);
        Ok(response)
    }
}

/// Leaves the one coding that will be used in the request, or none.
fn choose(request: &mut ServiceRequest) {
    let chosen = (request.method() != Method::HEAD)
        .then(|| best(request.headers()))
        .flatten();
    let headers = request.headers_mut();
    match chosen {
        Some(coding) => {
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(coding));
        }
        None => {
            headers.remove(header::ACCEPT_ENCODING);
        }
    }
}

/// Marks an answer that is not to be compressed.
pub(crate) fn judge(mut response: HttpResponse) -> HttpResponse {
    let headers = response.headers();
    let kind = headers.get(header::CONTENT_TYPE);
    // Events are sent as they happen; a coding would hold them back.
    let is_events = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    let is_small = match response.body().size() {
        BodySize::None => true,
        BodySize::Sized(bytes) => bytes < LEAST_BYTES,
        BodySize::Stream => false,
    };
    if is_small || is_events {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_ENCODING, AS_IT_IS);
    }
    response
}

/// Takes the mark away again.
fn unmark<B>(response: &mut ServiceResponse<B>) {
    let headers = response.headers_mut();
    if headers.get(header::CONTENT_ENCODING) == Some(&AS_IT_IS) {
        headers.remove(header::CONTENT_ENCODING);
    }
}

/// The better of the two codings that the caller takes.
fn best(headers: &HeaderMap) -> Option<&'static str> {
    let wishes: Vec<(String, bool)> = headers
        .get_all(header::ACCEPT_ENCODING)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(wish)
        .collect();
    let takes = |coding: &str| {
        let named = wishes.iter().find(|(name, _)| name == coding);
        named.is_some_and(|(_, is_taken)| *is_taken)
    };
    ["br", "gzip"].into_iter().find(|coding| takes(coding))
}

/// One entry of the header: a coding, and whether its weight is above zero.
fn wish(entry: &str) -> (String, bool) {
    let (coding, weight) = entry.split_once(';').unwrap_or((entry, ""));
    let weight = weight
        .trim()
        .strip_prefix(['q', 'Q'])
        .and_then(|rest| rest.trim_start().strip_prefix('='))
        .and_then(|number| number.trim().parse::<f32>().ok())
        .unwrap_or(1.0);
    (coding.trim().to_ascii_lowercase(), weight > 0.0)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::both("gzip, br", Some("br"))]
    #[case::one("gzip", Some("gzip"))]
    #[case::weights("br;q=0, GZIP;q=0.5", Some("gzip"))]
    #[case::spaces("br ; q = 0 , gzip ; q=1", Some("gzip"))]
    #[case::others("deflate, zstd", None)]
    #[case::anything("*", None)]
    #[case::nothing("identity;q=0, *;q=0", None)]
    #[case::broken(";;q==,,", None)]
    fn codings(#[case] header: &str, #[case] expected: Option<&str>) {
        let request = TestRequest::get()
            .insert_header((header::ACCEPT_ENCODING, header))
            .to_http_request();
        assert_eq!(best(request.headers()), expected);
    }
}
