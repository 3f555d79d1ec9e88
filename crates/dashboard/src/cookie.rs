//! The cookie that holds the token of a session (RFC 6265bis).

use actix_web::HttpRequest;
use actix_web::cookie::time::Duration;
use actix_web::cookie::{Cookie, SameSite};
use domain::account::Token;

use crate::state::DashboardState;

/// With this prefix browsers accept the cookie over TLS alone, for this host alone.
const SECURE_NAME: &str = "__Host-assay_session";
/// The name over plain http, where the prefix is refused.
const PLAIN_NAME: &str = "assay_session";

const fn name(is_https: bool) -> &'static str {
    if is_https { SECURE_NAME } else { PLAIN_NAME }
}

/// The token that a request carries, if it has the form of one.
pub(crate) fn token(state: &DashboardState, request: &HttpRequest) -> Option<Token> {
    let cookie = request.cookie(name(state.is_https()))?;
    Token::parse(cookie.value())
}

/// The cookie that signs a browser in.
pub(crate) fn set(state: &DashboardState, token: &Token) -> Cookie<'static> {
    let absolute = state.settings.lifetime.absolute.as_secs();
    let mut cookie = with_attributes(state, token.expose().to_owned());
    cookie.set_max_age(Duration::seconds(
        i64::try_from(absolute).unwrap_or(i64::MAX),
    ));
    cookie
}

/// The cookie that signs a browser out.
pub(crate) fn removal(state: &DashboardState) -> Cookie<'static> {
    let mut cookie = with_attributes(state, String::new());
    cookie.set_max_age(Duration::ZERO);
    cookie
}

fn with_attributes(state: &DashboardState, value: String) -> Cookie<'static> {
    Cookie::build(name(state.is_https()), value)
        .path("/")
        .secure(state.is_https())
        .http_only(true)
        .same_site(SameSite::Lax)
        .finish()
}
