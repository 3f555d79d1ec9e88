//! What can go wrong on a page, and what the person sees then.

use std::time::Duration;

use actix_web::http::StatusCode;
use domain::key::Role;
use domain::ports::StoreError;
use domain::text::count;
use httpkit::problem::{Code, Problem};

/// Why a page is not shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// There is nothing at this address, or it belongs to another organization.
    NotFound,
    /// The person's role does not allow it.
    Forbidden(Role),
    /// The form comes from another site, or carries no token of the session.
    ForeignForm,
    /// The request is not one of ours; the sentence says why.
    BadRequest(&'static str),
    /// What was asked for cannot be done now; the sentence says why.
    Conflict(String),
    /// The form is too large.
    TooLarge,
    /// Too many attempts.
    TooMany(Duration),
    /// The organization or the service makes as many pages and files at once as it may.
    Busy,
    /// The service is busy or its database is away.
    Unavailable,
    /// A fault of ours; the text goes to the log alone.
    Internal(String),
}

impl Failure {
    /// The status of the page.
    pub(crate) const fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Forbidden(_) | Self::ForeignForm => StatusCode::FORBIDDEN,
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooMany(_) | Self::Busy => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// How long to wait before trying again, where that is known.
    pub(crate) const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::TooMany(wait) => Some(*wait),
            _ => None,
        }
    }

    /// What happened and what to do, in one line beside a form.
    pub(crate) fn beside_form(&self) -> String {
        format!("{}. {}", self.title(), self.advice())
    }

    /// What happened, as a heading.
    pub(crate) const fn title(&self) -> &'static str {
        match self {
            Self::NotFound => "Page not found",
            Self::Forbidden(_) => "Not allowed",
            Self::ForeignForm => "The form was not accepted",
            Self::BadRequest(_) => "Invalid request",
            Self::Conflict(_) => "Not possible now",
            Self::TooLarge => "The form is too large",
            Self::TooMany(_) => "Too many attempts",
            Self::Busy => "Too many requests at once",
            Self::Unavailable => "Not available at the moment",
            Self::Internal(_) => "Something went wrong",
        }
    }

    /// What it means and what to do, in one or two sentences.
    pub(crate) fn advice(&self) -> String {
        match self {
            Self::NotFound => "The address is wrong, or what was here has been deleted.".to_owned(),
            Self::Forbidden(role) => {
                format!("This needs the role {role} in the organization. Ask an administrator.")
            }
            Self::ForeignForm => {
                "Nothing was changed. Go back, reload the page and send the form again.".to_owned()
            }
            Self::BadRequest(why) => (*why).to_owned(),
            Self::Conflict(why) => why.clone(),
            Self::TooLarge => "Shorten the texts and send the form again.".to_owned(),
            Self::TooMany(wait) => format!("Wait {}, then try again.", count(wait.as_secs().max(1), "second", "seconds")),
            Self::Busy => "Too many requests are being processed. Wait a few seconds, then reload the page.".to_owned(),
            Self::Unavailable => "The service is busy or its database does not respond. Reload the page in a few seconds.".to_owned(),
            Self::Internal(_) => "The error was logged. Reload the page; if it happens again, give the request id to the operator.".to_owned(),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(cause) => {
                tracing::warn!(error = %cause, "database not available");
                Self::Unavailable
            }
            StoreError::Failed(cause) => Self::Internal(cause),
        }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        let cause = problem.cause().unwrap_or_default();
        match problem.code() {
            Code::RateLimited => Self::Busy,
            Code::Internal => Self::Internal(cause.to_owned()),
            _ => {
                tracing::warn!(error = cause, "dashboard page not available");
                Self::Unavailable
            }
        }
    }
}

impl From<askama::Error> for Failure {
    fn from(error: askama::Error) -> Self {
        Self::Internal(error.to_string())
    }
}
