//! Recorded answers, written down as text, that stand in for the network.

use std::collections::HashMap;
use std::time::Duration;

use bytes::Bytes;
use url::Url;

use super::{
    BodyPolicy, FetchError, FetchErrorKind, FetchFuture, Fetcher, Headers, HttpVersion, Method,
    Request, Response,
};

/// A small site in text form: every answer under a line `=== URL`.
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
/// A line `%repeat N text` stands for the text, N times over: large pages stay short to write.
/// A section that does not begin with a status line is an HTML document with status 200. URLs are
/// resolved against `https://example.com/`. What is not recorded answers 404.
#[derive(Debug, Clone, Default)]
pub struct Recording {
    answers: HashMap<String, Answer>,
}

#[derive(Debug, Clone)]
struct Answer {
    status: u16,
    headers: Headers,
    body: Bytes,
}

/// The URL that sections without a scheme are resolved against.
pub const RECORDING_BASE: &str = "https://example.com/";

impl Recording {
    /// Reads the text form.
    ///
    /// # Errors
    /// When a section's URL does not parse, a status line has no number, or a header has no colon.
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

    /// Adds an answer, replacing the one that was recorded for the URL.
    pub fn add(&mut self, url: &Url, status: u16, headers: Headers, body: impl Into<Bytes>) {
        self.answers.insert(
            key(url),
            Answer {
                status,
                headers,
                body: body.into(),
            },
        );
    }

    fn add_section(&mut self, url: &Url, lines: &[&str]) -> Result<(), RecordingError> {
        let Some(status_line) = lines.first().filter(|line| line.starts_with("HTTP/")) else {
            let headers = Headers::from_iter([("content-type", "text/html; charset=utf-8")]);
            self.add(url, 200, headers, body(lines)?);
            return Ok(());
        };
        let status = status_line
            .split_whitespace()
            .nth(1)
            .and_then(|status| status.parse().ok())
            .ok_or_else(|| RecordingError(format!("no status in `{status_line}`")))?;
        let mut headers = Headers::new();
        let mut body_from = lines.len();
        for (index, line) in lines.iter().enumerate().skip(1) {
            if line.trim().is_empty() {
                body_from = index + 1;
                break;
            }
            let (name, value) = line
                .split_once(':')
                .ok_or_else(|| RecordingError(format!("a header without a colon: {line}")))?;
            headers.push(name.trim(), value.trim());
        }
        let body = body(lines.get(body_from..).unwrap_or_default())?;
        self.add(url, status, headers, body);
        Ok(())
    }

    /// The recorded answer to a request, 404 where there is none.
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
        let missing = Answer {
            status: 404,
            headers: Headers::from_iter([("content-type", "text/html; charset=utf-8")]),
            body: Bytes::from_static(b"<!doctype html><title>Not found</title><h1>Not found</h1>"),
        };
        let answer = self
            .answers
            .get(&key(&request.url))
            .cloned()
            .unwrap_or(missing);
        let length = u64::try_from(answer.body.len()).unwrap_or(u64::MAX);
        let mut response = Response {
            url: request.url.clone(),
            status: answer.status,
            headers: answer.headers,
            body: answer.body,
            wire_bytes: length,
            truncated: false,
            version: HttpVersion::Http2,
            time_to_first_byte: Duration::from_millis(50),
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

/// What is wrong with the text of a recording.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot read the recording: {0}")]
pub struct RecordingError(String);
