//! Conversion of domain and store errors to problems. No match has a `_` arm, so a new error does not compile until
//! its response is decided.

use domain::action::{FieldProblem, InvalidAction};
use domain::idempotency::KeyReused;
use domain::plan::LimitHit;
use domain::ports::{
    CancelRunError, ChangeActionError, CreateSiteError, CreateWaiverError, CreateWebhookError,
    KeepAnswerError, ListActionsError, StartRunError, StoreError, TestWebhookError,
};
use domain::run::InvalidOption;
use domain::schedule::InvalidSchedule;
use domain::target::TargetError;
use domain::text::{capitalized, sentence};
use domain::usecase::{AuthenticationError, SiteNotCreated, StartAuditError, WebhookRefused};
use domain::waiver::{InvalidWaiver, WaiverProblem};

use super::{Code, FieldCode, Problem, field_error};

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
            StartAuditError::Target(error, options) => Self::from(error).and(options.into()),
            StartAuditError::Options(wrong) => wrong.into(),
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
                let error = field_error(FieldCode::NotAllowed, "url", message);
                Self::new(Code::TargetNotAllowed, "").naming(vec![error])
            }
        }
    }
}

impl From<Vec<InvalidOption>> for Problem {
    fn from(wrong: Vec<InvalidOption>) -> Self {
        let errors = wrong.iter().map(|error| {
            let field = format!("options.{}", error.field());
            field_error(code_of_option(error), field, in_words(error))
        });
        Self::fields(errors.collect())
    }
}

const fn code_of_option(error: &InvalidOption) -> FieldCode {
    match error {
        InvalidOption::MaxPages { .. }
        | InvalidOption::TooManyPatterns { .. }
        | InvalidOption::TooManyHeaders => FieldCode::OutOfRange,
        InvalidOption::NoBrowser
        | InvalidOption::ReservedHeader { .. }
        | InvalidOption::UserAgentNotOffered
        | InvalidOption::RobotsNotOffered => FieldCode::NotAllowed,
        InvalidOption::HeaderTwice { .. } => FieldCode::Repeated,
        InvalidOption::Pattern { .. } | InvalidOption::Header { .. } | InvalidOption::UserAgent => {
            FieldCode::Invalid
        }
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
        let Some(field) = error.field() else {
            return Self::invalid(message);
        };
        let (code, allowed) = match error.problem() {
            FieldProblem::Empty | FieldProblem::NothingToChange => (FieldCode::Required, ""),
            FieldProblem::TooLong { .. } => (FieldCode::TooLong, ""),
            FieldProblem::UnknownValue { known } => (FieldCode::UnknownValue, *known),
            FieldProblem::NotADate | FieldProblem::NoSuchDate => (FieldCode::NotADate, ""),
            FieldProblem::Count { .. } => (FieldCode::OutOfRange, ""),
            FieldProblem::Repeated => (FieldCode::Repeated, ""),
            FieldProblem::ControlCharacter | FieldProblem::NotACursor | FieldProblem::NoMember => {
                (FieldCode::Invalid, "")
            }
        };
        let mut error = field_error(code, field, message);
        let allowed = allowed.split(", ").filter(|value| !value.is_empty());
        error.allowed = allowed.map(str::to_owned).collect();
        Self::fields(vec![error])
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
            CreateSiteError::KeyReused(error) => error.into(),
            CreateSiteError::Store(error) => error.into(),
        }
    }
}

impl From<InvalidSchedule> for Problem {
    fn from(error: InvalidSchedule) -> Self {
        let code = match &error {
            InvalidSchedule::Frequency => FieldCode::UnknownValue,
            InvalidSchedule::CronMissing => FieldCode::Required,
            InvalidSchedule::CronNotCustom => FieldCode::NotAllowed,
            InvalidSchedule::CronTooLong => FieldCode::TooLong,
            InvalidSchedule::CronFields(_)
            | InvalidSchedule::CronField(_)
            | InvalidSchedule::Cron
            | InvalidSchedule::CronNever
            | InvalidSchedule::TimeZone => FieldCode::Invalid,
        };
        Self::coded(code, error.field(), in_words(&error))
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
            CreateWebhookError::KeyReused(error) => error.into(),
            CreateWebhookError::Store(error) => error.into(),
        }
    }
}

impl From<TestWebhookError> for Problem {
    fn from(error: TestWebhookError) -> Self {
        match error {
            TestWebhookError::NotFound => Self::not_found(),
            TestWebhookError::KeyReused(error) => error.into(),
            TestWebhookError::Store(error) => error.into(),
        }
    }
}

impl From<CancelRunError> for Problem {
    fn from(error: CancelRunError) -> Self {
        match error {
            CancelRunError::NotFound => Self::not_found(),
            CancelRunError::Ended(_) => Self::new(Code::Conflict, in_words(&error)),
            CancelRunError::KeyReused(error) => error.into(),
            CancelRunError::Store(error) => error.into(),
        }
    }
}

impl From<KeepAnswerError> for Problem {
    fn from(error: KeepAnswerError) -> Self {
        match error {
            KeepAnswerError::KeyReused(error) => error.into(),
            KeepAnswerError::Store(error) => error.into(),
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
        let errors = wrong.into_iter().map(|wrong| {
            let message = in_words(&wrong);
            field_error(code_of(wrong.problem), wrong.field, message)
        });
        Self::fields(errors.collect())
    }
}

const fn code_of(problem: WaiverProblem) -> FieldCode {
    match problem {
        WaiverProblem::UnknownCheck => FieldCode::UnknownValue,
        WaiverProblem::NoReason => FieldCode::Required,
        WaiverProblem::ReasonTooLong => FieldCode::TooLong,
        WaiverProblem::Path
        | WaiverProblem::Cause
        | WaiverProblem::ReasonControl
        | WaiverProblem::Past => FieldCode::Invalid,
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
