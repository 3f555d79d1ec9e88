//! Recorded responses in text form, as a replacement for the network.

use std::collections::HashMap;
use std::time::Duration;

use bytes::Bytes;
use url::Url;

use super::{
    BodyPolicy, Certificate, CertificateKey, CertificatePolicy, FetchError, FetchErrorKind,
    FetchFuture, Fetcher, Headers, HttpVersion, LegacyVersion, Method, Request, Response,
    Signature, TlsFacts, TlsFuture,
};

/// A small site in text form: every response follows a line `=== URL`.
///
/// ```text
/// === https://example.com/
/// HTTP/1.1 200 OK
/// Content-Type: text/html
///
/// <!doctype html><title>Home</title>
/// === /about
/// <!doctype html><title>About</title>
/// ```
///
/// A section with `FAILS` and a kind of [`FetchErrorKind`] gives no response. A first line with `UNTRUSTED` and a
/// reason stands for a certificate that is rejected for this reason: the rest of the section is the response to
/// requests that accept any certificate. The header `:first-byte-ms` sets
/// the time to first byte, 50 ms without it. The version in the status line is that of the response, HTTP/2
/// without a status line. The header `:body-hex` has bytes in hexadecimal digits that precede the text of the
/// body.
/// A section of a URL with the scheme `tls` declares what the endpoint of that host presents, one item per
/// line: `accepts TLS 1.0`, and `certificate 2026-01-01 2026-04-01 rsa-2048 sha256`, the endpoint's own
/// certificate first.
/// A line `%repeat N text` represents the text repeated N times, so that large pages are short to write.
/// A section that does not begin with a status line is an HTML document with status 200. URLs are resolved
/// against `https://example.com/`. URLs that are not recorded return 404, unless the certificate of a recorded
/// URL of their origin is rejected: then theirs is rejected as well.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    answers: HashMap<String, Result<RecordedResponse, FetchErrorKind>>,
    endpoints: HashMap<String, TlsFacts>,
}

#[derive(Debug, Clone)]
struct RecordedResponse {
    /// Why the certificate is rejected, if it is.
    untrusted: Option<String>,
    status: u16,
    version: HttpVersion,
    first_byte: Duration,
    headers: Headers,
    body: Bytes,
}

impl RecordedResponse {
    fn html(status: u16, body: impl Into<Bytes>) -> Self {
        Self {
            untrusted: None,
            status,
            version: HttpVersion::Http2,
            first_byte: FIRST_BYTE,
            headers: Headers::from_iter([("content-type", "text/html; charset=utf-8")]),
            body: body.into(),
        }
    }
}

const FIRST_BYTE: Duration = Duration::from_millis(50);
const FIRST_BYTE_HEADER: &str = ":first-byte-ms";
const BODY_HEADER: &str = ":body-hex:";

/// The URL that sections without a scheme are resolved against.
pub const RECORDING_BASE: &str = "https://example.com/";

impl Recording {
    /// Parses the text form.
    ///
    /// # Errors
    /// If the URL of a section is invalid, a status line has no number, or a header has no colon.
    pub fn parse(text: &str) -> Result<Self, RecordingError> {
        let mut recording = Self::default();
        let mut section: Option<(Url, Vec<&str>)> = None;
        for line in text.lines() {
            if let Some(url) = line.strip_prefix("=== ") {
                if let Some((url, lines)) = section.take() {
                    recording.add_section(&url, &lines)?;
                }
                section = Some((resolve(url.trim())?, Vec::new()));
            } else if let Some((_, lines)) = &mut section {
                lines.push(line);
            } else if !line.trim().is_empty() {
                return Err(RecordingError(format!(
                    "text before the first `=== URL`: {line}"
                )));
            }
        }
        if let Some((url, lines)) = section {
            recording.add_section(&url, &lines)?;
        }
        Ok(recording)
    }

    /// Adds a response. It replaces an earlier one for the same URL.
    pub fn add(&mut self, url: &Url, status: u16, headers: Headers, body: impl Into<Bytes>) {
        let answer = RecordedResponse {
            headers,
            ..RecordedResponse::html(status, body)
        };
        self.answers.insert(key(url), Ok(answer));
    }

    fn add_section(&mut self, url: &Url, lines: &[&str]) -> Result<(), RecordingError> {
        if url.scheme() == "tls" {
            let host = url.host_str().unwrap_or_default().to_owned();
            self.endpoints.insert(host, endpoint(lines)?);
            return Ok(());
        }
        let first = lines.first().copied().unwrap_or_default();
        if let Some(reason) = first.strip_prefix("UNTRUSTED ") {
            self.add_section(url, lines.get(1..).unwrap_or_default())?;
            if let Some(Ok(answer)) = self.answers.get_mut(&key(url)) {
                answer.untrusted = Some(reason.trim().to_owned());
            }
            return Ok(());
        }
        let answer = if let Some(kind) = first.strip_prefix("FAILS ") {
            Err(failure(kind.trim())?)
        } else if first.starts_with("HTTP/") {
            Ok(whole_answer(first, lines)?)
        } else {
            Ok(RecordedResponse::html(200, body(lines)?))
        };
        self.answers.insert(key(url), answer);
        Ok(())
    }

    /// Why the certificate of the URL's origin is rejected, if it is.
    fn untrusted_origin(&self, url: &Url) -> Option<&str> {
        self.answers.iter().find_map(|(known, answer)| {
            let reason = answer.as_ref().ok()?.untrusted.as_deref()?;
            (Url::parse(known).ok()?.origin() == url.origin()).then_some(reason)
        })
    }

    /// The recorded response to a request, or 404.
    ///
    /// # Errors
    /// A URL whose host ends in `.invalid` fails as a name without an address.
    pub fn answer(&self, request: &Request) -> Result<Response, FetchError> {
        if request
            .url
            .host_str()
            .is_some_and(|host| host.ends_with(".invalid"))
        {
            return Err(FetchError::new(
                FetchErrorKind::Dns,
                "the name has no address",
            ));
        }
        let missing = || {
            RecordedResponse::html(
                404,
                "<!doctype html><title>Not found</title><h1>Not found</h1>",
            )
        };
        let answer = match self.answers.get(&key(&request.url)) {
            Some(Ok(answer)) => match &answer.untrusted {
                Some(reason) if request.certificate == CertificatePolicy::Trusted => {
                    return Err(FetchError::new(FetchErrorKind::Tls, reason.clone()));
                }
                _ => answer.clone(),
            },
            Some(Err(kind)) => return Err(FetchError::new(*kind, "recorded to fail")),
            None => match self.untrusted_origin(&request.url) {
                Some(reason) if request.certificate == CertificatePolicy::Trusted => {
                    return Err(FetchError::new(FetchErrorKind::Tls, reason));
                }
                _ => missing(),
            },
        };
        let length = u64::try_from(answer.body.len()).unwrap_or(u64::MAX);
        let mut response = Response {
            url: request.url.clone(),
            status: answer.status,
            headers: answer.headers,
            body: answer.body,
            wire_bytes: length,
            truncated: false,
            version: answer.version,
            time_to_first_byte: answer.first_byte,
            large_body_permit: None,
        };
        let limit = match (request.method, request.body) {
            (Method::Head, _) | (_, BodyPolicy::Skip) => 0,
            (_, BodyPolicy::HtmlUpTo(_)) if !response.is_html() || response.status >= 300 => 0,
            (_, BodyPolicy::HtmlUpTo(limit) | BodyPolicy::UpTo(limit)) => limit,
        };
        if length > limit {
            response.truncated = limit > 0;
            let end = usize::try_from(limit)
                .unwrap_or(usize::MAX)
                .min(response.body.len());
            response.body.truncate(end);
        }
        Ok(response)
    }
}

impl Fetcher for Recording {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        let answer = self.answer(&request);
        Box::pin(async move { answer })
    }

    fn inspect_tls(&self, url: Url) -> TlsFuture<'_> {
        let facts = url.host_str().and_then(|host| self.endpoints.get(host));
        Box::pin(std::future::ready(facts.cloned()))
    }
}

fn endpoint(lines: &[&str]) -> Result<TlsFacts, RecordingError> {
    let mut facts = TlsFacts::default();
    for line in lines.iter().filter(|line| !line.trim().is_empty()) {
        let wrong = || RecordingError(format!("not a property of an endpoint: {line}"));
        let (what, rest) = line.split_once(' ').ok_or_else(wrong)?;
        match what {
            "accepts" => {
                let version = LegacyVersion::ALL
                    .into_iter()
                    .find(|version| version.as_str() == rest.trim());
                facts.legacy.push(version.ok_or_else(wrong)?);
            }
            "certificate" => facts.chain.push(certificate(rest).ok_or_else(wrong)?),
            _ => return Err(wrong()),
        }
    }
    Ok(facts)
}

fn certificate(text: &str) -> Option<Certificate> {
    let mut words = text.split_ascii_whitespace();
    let mut day = || {
        let day: chrono::NaiveDate = words.next()?.parse().ok()?;
        Some(day.and_hms_opt(0, 0, 0)?.and_utc().timestamp())
    };
    let (not_before, not_after) = (day()?, day()?);
    let key = match words.next()?.split_once('-')? {
        ("rsa", bits) => CertificateKey::Rsa(bits.parse().ok()?),
        ("ec", bits) => CertificateKey::Ec(bits.parse().ok()?),
        _ => CertificateKey::Other,
    };
    let signature = match words.next()? {
        "md5" => Signature::Md5,
        "sha1" => Signature::Sha1,
        _ => Signature::Other,
    };
    Some(Certificate {
        not_before,
        not_after,
        key,
        signature,
        self_signed: words.next() == Some("self-signed"),
    })
}

fn failure(kind: &str) -> Result<FetchErrorKind, RecordingError> {
    use FetchErrorKind as Kind;
    [
        Kind::Dns,
        Kind::Connect,
        Kind::Tls,
        Kind::Timeout,
        Kind::Protocol,
        Kind::NotAllowed,
    ]
    .into_iter()
    .find(|known| known.as_str() == kind)
    .ok_or_else(|| RecordingError(format!("not a kind of failure: {kind}")))
}

fn whole_answer(status_line: &str, lines: &[&str]) -> Result<RecordedResponse, RecordingError> {
    let mut words = status_line.split_whitespace();
    let version = match words.next() {
        Some("HTTP/1.0") => HttpVersion::Http10,
        Some("HTTP/1.1") => HttpVersion::Http11,
        _ => HttpVersion::Http2,
    };
    let status = words
        .next()
        .and_then(|status| status.parse().ok())
        .ok_or_else(|| RecordingError(format!("no status in `{status_line}`")))?;
    let mut headers = Headers::new();
    let mut first_byte = FIRST_BYTE;
    let mut whole = Vec::new();
    let mut body_from = lines.len();
    for (index, line) in lines.iter().enumerate().skip(1) {
        if line.trim().is_empty() {
            body_from = index + 1;
            break;
        }
        if let Some(millis) = line.strip_prefix(FIRST_BYTE_HEADER) {
            let millis = millis.trim_start_matches(':').trim().parse();
            let millis = millis.map_err(|_| RecordingError(format!("no number in `{line}`")))?;
            first_byte = Duration::from_millis(millis);
            continue;
        }
        if let Some(digits) = line.strip_prefix(BODY_HEADER) {
            whole.extend(unhex(digits.trim())?);
            continue;
        }
        let (name, value) = line
            .split_once(':')
            .ok_or_else(|| RecordingError(format!("a header without a colon: {line}")))?;
        headers.push(name.trim(), value.trim());
    }
    let text = body(lines.get(body_from..).unwrap_or_default())?;
    whole.extend(text.into_bytes());
    Ok(RecordedResponse {
        version,
        first_byte,
        headers,
        ..RecordedResponse::html(status, whole)
    })
}

fn unhex(digits: &str) -> Result<Vec<u8>, RecordingError> {
    let wrong = || RecordingError(format!("no hexadecimal digits in pairs: {digits}"));
    (0..digits.len())
        .step_by(2)
        .map(|at| {
            let pair = digits.get(at..at + 2).ok_or_else(wrong)?;
            u8::from_str_radix(pair, 16).map_err(|_| wrong())
        })
        .collect()
}

fn body(lines: &[&str]) -> Result<String, RecordingError> {
    let expanded: Result<Vec<String>, RecordingError> = lines
        .iter()
        .map(|line| {
            match line
                .strip_prefix("%repeat ")
                .and_then(|rest| rest.split_once(' '))
            {
                None => Ok((*line).to_owned()),
                Some((times, text)) => match times.parse() {
                    Ok(times) if times <= 1_000_000 => Ok(text.repeat(times)),
                    _ => Err(RecordingError(format!(
                        "no number up to 1000000 in `{line}`"
                    ))),
                },
            }
        })
        .collect();
    Ok(expanded?.join("\n"))
}

fn resolve(url: &str) -> Result<Url, RecordingError> {
    Url::parse(RECORDING_BASE)
        .and_then(|base| base.join(url))
        .map_err(|error| RecordingError(format!("`{url}`: {error}")))
}

fn key(url: &Url) -> String {
    let mut url = url.clone();
    url.set_fragment(None);
    url.into()
}

/// An error in the text of a recording.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot read the recording: {0}")]
pub struct RecordingError(String);
