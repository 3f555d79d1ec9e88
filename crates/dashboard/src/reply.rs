//! What a handler returns.

use std::fmt;
use std::time::Duration;

use actix_web::cookie::Cookie;
use actix_web::http::StatusCode;
use askama::Template;
use httpkit::run_events::RunWatch;

use crate::failure::Failure;

/// What a handler returns.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) content: Content,
    pub(crate) cookie: Option<Cookie<'static>>,
    /// How long to wait before trying again (`Retry-After`).
    pub(crate) retry_after: Option<Duration>,
    /// What is done after the response, on a thread that may block.
    pub(crate) afterwards: Option<Afterwards>,
}

/// Work that a response does not wait for, so that its duration tells nothing.
pub(crate) struct Afterwards(pub(crate) Box<dyn FnOnce() + Send>);

impl fmt::Debug for Afterwards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Afterwards")
    }
}

/// The content of a reply.
#[derive(Debug)]
pub(crate) enum Content {
    /// A page.
    Page { status: StatusCode, html: String },
    /// The path to go to with GET.
    Redirect(String),
    /// A text that browsers show.
    Text {
        media_type: &'static str,
        text: String,
    },
    /// A file to be saved.
    File {
        media_type: String,
        name: String,
        bytes: Vec<u8>,
    },
    /// A JPEG file that pages show.
    Picture(Vec<u8>),
    /// The events of a run, as they happen.
    Events(Box<RunWatch>),
}

impl Reply {
    /// A page.
    pub(crate) fn page(template: &impl Template) -> Result<Self, Failure> {
        Self::with_status(StatusCode::OK, template)
    }

    /// A page whose form was not accepted: it shows what is wrong.
    pub(crate) fn invalid(template: &impl Template) -> Result<Self, Failure> {
        Self::with_status(StatusCode::UNPROCESSABLE_ENTITY, template)
    }

    /// A page whose form may be sent again after this time: it keeps what was entered.
    pub(crate) fn too_many(wait: Duration, template: &impl Template) -> Result<Self, Failure> {
        let reply = Self::with_status(Failure::TooMany(wait).status(), template)?;
        Ok(reply.with_retry_after(Some(wait)))
    }

    /// A page with a status.
    pub(crate) fn with_status(
        status: StatusCode,
        template: &impl Template,
    ) -> Result<Self, Failure> {
        let html = template.render()?;
        Ok(Self {
            content: Content::Page { status, html },
            cookie: None,
            retry_after: None,
            afterwards: None,
        })
    }

    /// A redirect after a form, to a path of this service (303 See Other).
    pub(crate) fn redirect(path: impl Into<String>) -> Self {
        Self {
            content: Content::Redirect(path.into()),
            cookie: None,
            retry_after: None,
            afterwards: None,
        }
    }

    /// A text that browsers show.
    pub(crate) fn text(media_type: &'static str, text: String) -> Self {
        Self {
            content: Content::Text { media_type, text },
            cookie: None,
            retry_after: None,
            afterwards: None,
        }
    }

    /// A JPEG file that pages show.
    pub(crate) const fn picture(jpeg: Vec<u8>) -> Self {
        Self {
            content: Content::Picture(jpeg),
            cookie: None,
            retry_after: None,
            afterwards: None,
        }
    }

    /// A file to be saved under this name.
    pub(crate) fn file(
        media_type: impl Into<String>,
        name: impl Into<String>,
        bytes: Vec<u8>,
    ) -> Self {
        Self {
            content: Content::File {
                media_type: media_type.into(),
                name: name.into(),
                bytes,
            },
            cookie: None,
            retry_after: None,
            afterwards: None,
        }
    }

    /// The events of a run, as they happen.
    pub(crate) fn events(watch: RunWatch) -> Self {
        Self {
            content: Content::Events(Box::new(watch)),
            cookie: None,
            retry_after: None,
            afterwards: None,
        }
    }

    /// The same, not to be tried again before this time has passed.
    pub(crate) const fn with_retry_after(mut self, wait: Option<Duration>) -> Self {
        self.retry_after = wait;
        self
    }

    /// The same, followed by work that it does not wait for.
    pub(crate) fn with_afterwards(mut self, work: impl FnOnce() + Send + 'static) -> Self {
        self.afterwards = Some(Afterwards(Box::new(work)));
        self
    }

    /// The same with a cookie.
    pub(crate) fn with_cookie(mut self, cookie: Cookie<'static>) -> Self {
        self.cookie = Some(cookie);
        self
    }
}
