//! Conversion of domain and store errors to problems. No match has a `_` arm, so a new error does not compile until
//! its response is decided.

use domain::action::{FieldProblem, InvalidAction};
use domain::idempotency::KeyReused;
use domain::plan::LimitHit;
use domain::ports::{
    ChangeActionError, CreateSiteError, CreateWaiverError, CreateWebhookError, ListActionsError,
    StartRunError, StoreError,
};
use domain::run::InvalidOption;
use domain::schedule::InvalidSchedule;
use domain::target::TargetError;
use domain::text::{capitalized, sentence};
use domain::usecase::{AuthenticationError, SiteNotCreated, StartAuditError, WebhookRefused};
use domain::waiver::InvalidWaiver;

use super::{Code, Problem};

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => Self::unavailable(error.to_string()),
            StoreError::Failed(_) => Self::internal(error.to_string()),
        }
    }
}

impl From<AuthenticationError> for Problem {
    fn from(error: AuthenticationError) -> Self {
        match error {
            AuthenticationError::NotValid => {
                Self::unauthorized("The API key is malformed, unknown, revoked or expired.")
            }
            AuthenticationError::Store(error) => error.into(),
        }
    }
}

impl From<StartAuditError> for Problem {
    fn from(error: StartAuditError) -> Self {
        match error {
            StartAuditError::Target(error) => error.into(),
            StartAuditError::Option(error) => error.into(),
            StartAuditError::Start(error) => error.into(),
        }
    }
}

impl From<TargetError> for Problem {
    fn from(error: TargetError) -> Self {
        let message = in_words(&error);
        match error {
            TargetError::Invalid { .. } => Self::field("url", message),
            TargetError::NotAllowed { .. } => {
                let message = match error.allow_flag() {
                    Some(flag) => format!("{message} The operator can allow it with `{flag}`."),
                    None => message,
                };
                Self::new(Code::TargetNotAllowed, "").naming("url".to_owned(), message)
            }
        }
    }
}

impl From<InvalidOption> for Problem {
    fn from(error: InvalidOption) -> Self {
        Self::field(format!("options.{}", error.field()), in_words(&error))
    }
}

impl From<StartRunError> for Problem {
    fn from(error: StartRunError) -> Self {
        match error {
            StartRunError::SiteNotFound => Self::not_found(),
            StartRunError::OtherHost { host } => Self::field(
                "url",
                format!("The host of the URL is not the host of the site, {host}."),
            ),
            StartRunError::LimitHit(error) => error.into(),
            StartRunError::KeyReused(error) => error.into(),
            StartRunError::Store(error) => error.into(),
        }
    }
}

impl From<InvalidAction> for Problem {
    fn from(error: InvalidAction) -> Self {
        let message = in_words(&error);
        match error.field() {
            Some(field) => Self::field(field, message),
            None => Self::invalid(message),
        }
    }
}

impl From<ListActionsError> for Problem {
    fn from(error: ListActionsError) -> Self {
        match error {
            ListActionsError::SiteNotFound => Self::not_found(),
            ListActionsError::Store(error) => error.into(),
        }
    }
}

impl From<ChangeActionError> for Problem {
    fn from(error: ChangeActionError) -> Self {
        match error {
            ChangeActionError::KeyReused(error) => error.into(),
            ChangeActionError::NotFound | ChangeActionError::SiteNotFound => Self::not_found(),
            ChangeActionError::NoMember => {
                InvalidAction::new("assigneeId", FieldProblem::NoMember).into()
            }
            ChangeActionError::Store(error) => error.into(),
        }
    }
}

impl From<SiteNotCreated> for Problem {
    fn from(error: SiteNotCreated) -> Self {
        match error {
            SiteNotCreated::Target(error) => error.into(),
            SiteNotCreated::Create(error) => error.into(),
        }
    }
}

impl From<CreateSiteError> for Problem {
    fn from(error: CreateSiteError) -> Self {
        match error {
            CreateSiteError::Exists(site) => Self::new(
                Code::Conflict,
                format!("The organization already has a site with this host: {site}."),
            ),
            CreateSiteError::LimitHit(error) => error.into(),
            CreateSiteError::Store(error) => error.into(),
        }
    }
}

impl From<InvalidSchedule> for Problem {
    fn from(error: InvalidSchedule) -> Self {
        Self::field(error.field(), in_words(&error))
    }
}

impl From<WebhookRefused> for Problem {
    fn from(error: WebhookRefused) -> Self {
        match error {
            WebhookRefused::Target(error) => error.into(),
            WebhookRefused::Create(error) => error.into(),
        }
    }
}

impl From<CreateWebhookError> for Problem {
    fn from(error: CreateWebhookError) -> Self {
        match error {
            CreateWebhookError::TooMany(_) => Self::new(Code::Conflict, in_words(&error)),
            CreateWebhookError::Store(error) => error.into(),
        }
    }
}

impl From<CreateWaiverError> for Problem {
    fn from(error: CreateWaiverError) -> Self {
        match error {
            CreateWaiverError::NoSite => Self::not_found(),
            CreateWaiverError::TooMany(_) => Self::new(Code::Conflict, in_words(&error)),
            CreateWaiverError::KeyReused(error) => error.into(),
            CreateWaiverError::Store(error) => error.into(),
        }
    }
}

impl From<Vec<InvalidWaiver>> for Problem {
    fn from(wrong: Vec<InvalidWaiver>) -> Self {
        wrong.into_iter().fold(Self::invalid(""), |problem, wrong| {
            problem.naming(wrong.field.to_owned(), in_words(&wrong))
        })
    }
}

impl From<KeyReused> for Problem {
    fn from(_: KeyReused) -> Self {
        Self::new(
            Code::IdempotencyKeyReused,
            Code::IdempotencyKeyReused.explanation(),
        )
    }
}

impl From<LimitHit> for Problem {
    fn from(error: LimitHit) -> Self {
        Self::new(Code::PlanLimitHit, in_words(&error)).with_reason(error.reason())
    }
}

fn in_words(error: &impl ToString) -> String {
    sentence(&capitalized(&error.to_string()))
}
