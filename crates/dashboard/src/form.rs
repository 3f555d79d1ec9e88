//! The fields of a form or a query (`application/x-www-form-urlencoded`).

use std::time::Duration;

use actix_web::http::header::{self, HeaderMap};
use actix_web::web::{BytesMut, Payload};
use futures_util::StreamExt;

use crate::failure::Failure;

/// The name of the field with the token of the session.
pub(crate) const FORM_TOKEN: &str = "token";

/// Bytes of a form at most.
const MAX_FORM_BYTES: usize = 64 * 1024;
/// Fields of a form or a query at most.
const MAX_FIELDS: usize = 1_000;
/// How long a form may take to arrive.
const MAX_FORM_TIME: Duration = Duration::from_secs(30);

/// The fields of a form or a query, in their order.
#[derive(Debug, Default, Clone)]
pub(crate) struct Form(Vec<(String, String)>);

impl Form {
    /// The fields that a text spells; those beyond [`MAX_FIELDS`] are left out. NUL, which PostgreSQL does not store,
    /// is removed.
    pub(crate) fn parse(text: &[u8]) -> Self {
        let fields = url::form_urlencoded::parse(text).take(MAX_FIELDS);
        Self(
            fields
                .map(|(name, value)| (name.into_owned(), value.replace('\0', "")))
                .collect(),
        )
    }

    /// Reads the body of a request as a form.
    pub(crate) async fn read(headers: &HeaderMap, payload: Payload) -> Result<Self, Failure> {
        let kind = headers.get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        let is_form = kind.eq_ignore_ascii_case("application/x-www-form-urlencoded");
        if !is_form {
            return Err(Failure::BadRequest("The request is not a form."));
        }
        let read = actix_web::rt::time::timeout(MAX_FORM_TIME, collect(payload)).await;
        read.unwrap_or(Err(Failure::BadRequest(
            "The form did not arrive in time. Send it again.",
        )))
    }

    /// The value of a field, without the white space around it; empty where the field is missing.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// The value of a field as it is, for passwords.
    pub(crate) fn raw(&self, name: &str) -> &str {
        let mut fields = self.0.iter();
        fields
            .find(|(known, _)| known == name)
            .map_or("", |(_, value)| value.as_str())
    }

    /// The value of a field that is filled in.
    pub(crate) fn given(&self, name: &str) -> Option<&str> {
        Some(self.text(name)).filter(|text| !text.is_empty())
    }

    /// All values of a field.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let fields = self.0.iter();
        fields
            .filter(move |(known, _)| known == name)
            .map(|(_, value)| value.trim())
            .filter(|text| !text.is_empty())
    }

    /// Whether a box is ticked.
    pub(crate) fn is_ticked(&self, name: &str) -> bool {
        self.given(name).is_some()
    }

    /// All fields.
    pub(crate) fn fields(&self) -> &[(String, String)] {
        &self.0
    }
}

async fn collect(mut payload: Payload) -> Result<Form, Failure> {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk
            .map_err(|_| Failure::BadRequest("The form arrived incomplete. Send it again."))?;
        if bytes.len() + chunk.len() > MAX_FORM_BYTES {
            return Err(Failure::TooLarge);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Form::parse(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_name() {
        let form = Form::parse(b"a=+1+&b=%C3%A4&a=2&c=&d=x%00y");
        assert_eq!(form.text("a"), "1");
        assert_eq!(form.raw("a"), " 1 ");
        assert_eq!(form.text("b"), "\u{e4}");
        assert_eq!(form.all("a").collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!((form.given("c"), form.text("missing")), (None, ""));
        assert_eq!(form.text("d"), "xy");
    }

    #[test]
    fn fields_are_bounded() {
        let text = "a=1&".repeat(MAX_FIELDS + 1);
        assert_eq!(Form::parse(text.as_bytes()).fields().len(), MAX_FIELDS);
    }
}
