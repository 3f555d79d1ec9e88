//! A request to a page or a form, with what is known of who sent it.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use domain::account::Token;
use domain::audit_log::Actor;
use domain::id::OrgId;
use domain::key::Role;
use domain::ports::SignedIn;
use domain::report::Variant;
use domain::usecase::{Client, OpenedSession};
use httpkit::rate_limits::Abandoned;

use crate::failure::Failure;
use crate::form::Form;
use crate::state::DashboardState;

/// A request to a page or a form.
pub(crate) struct Visit {
    pub(crate) state: DashboardState,
    /// The path as it was requested, with its query, to return to it.
    pub(crate) address: String,
    /// The parameters of the path.
    pub(crate) parameters: Vec<(String, String)>,
    pub(crate) query: Form,
    /// The form; empty for a page.
    pub(crate) form: Form,
    /// The token of the cookie, whether it opens a session or not.
    pub(crate) token: Option<Token>,
    /// Who is signed in.
    pub(crate) signed_in: Option<SignedIn>,
    pub(crate) client: IpAddr,
    pub(crate) user_agent: String,
    pub(crate) request_id: String,
    /// Whether the browser still waits; work that takes long looks at it in between.
    pub(crate) abandoned: Abandoned,
    /// Whether some form is sent to a path; the table of routes is above the pages.
    pub(crate) takes_form: fn(Variant, &str) -> bool,
}

impl Visit {
    /// Who is signed in. A route that needs a session is not called without one.
    pub(crate) fn signed_in(&self) -> Result<&SignedIn, Failure> {
        let signed_in = self.signed_in.as_ref();
        signed_in
            .ok_or_else(|| Failure::Internal("a route without a session asked for it".to_owned()))
    }

    /// The token of the session.
    pub(crate) fn token(&self) -> Result<&Token, Failure> {
        let token = self.token.as_ref();
        token.ok_or_else(|| {
            Failure::Internal("a route without a session asked for its token".to_owned())
        })
    }

    /// The organization whose pages are shown.
    pub(crate) fn org(&self) -> Result<&OrgId, Failure> {
        Ok(&self.signed_in()?.session.org_id)
    }

    /// Who does it, for the audit log.
    pub(crate) fn by(&self) -> Result<Actor, Failure> {
        Ok(Actor::Member(
            self.signed_in()?.membership.member.id.clone(),
        ))
    }

    /// Whether the person has at least this role.
    pub(crate) fn may(&self, role: Role) -> bool {
        let signed_in = self.signed_in.as_ref();
        signed_in.is_some_and(|signed_in| signed_in.membership.member.role.allows(role))
    }

    /// Whether the person lacks the second factor that the organization requires.
    pub(crate) fn lacks_second_factor(&self) -> bool {
        let signed_in = self.signed_in.as_ref();
        signed_in.is_some_and(SignedIn::lacks_second_factor)
    }

    /// Whether the configuration names the person's account as an operator's.
    pub(crate) fn is_operator(&self) -> bool {
        let accounts = &self.state.settings.operator.accounts;
        let signed_in = self.signed_in.as_ref();
        signed_in.is_some_and(|signed_in| accounts.contains(&signed_in.account.id))
    }

    /// A parameter of the path.
    pub(crate) fn parameter(&self, name: &str) -> &str {
        let mut parameters = self.parameters.iter();
        parameters
            .find(|(known, _)| known == name)
            .map_or("", |(_, value)| value.as_str())
    }

    /// The id that a parameter of the path spells.
    ///
    /// # Errors
    /// [`Failure::NotFound`] where it is none.
    pub(crate) fn id<T>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Failure> {
        parse(self.parameter(name)).ok_or(Failure::NotFound)
    }

    /// The time.
    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.state.clock.now()
    }

    /// The variant that is served.
    pub(crate) fn variant(&self) -> Variant {
        self.state.settings.variant
    }

    /// The browser, as sessions remember it.
    pub(crate) fn with_client<T>(&self, use_it: impl FnOnce(Client<'_>) -> T) -> T {
        let address = self.client.to_string();
        use_it(Client {
            user_agent: &self.user_agent,
            address: &address,
        })
    }

    /// The cookie of a session that was just opened.
    pub(crate) fn cookie(&self, opened: &OpenedSession) -> actix_web::cookie::Cookie<'static> {
        crate::cookie::set(&self.state, &opened.token)
    }
}
