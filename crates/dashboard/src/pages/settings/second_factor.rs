//! The page *Your second factor*: set it up, make recovery codes, turn it off.

use askama::Template;
use data_encoding::BASE64;
use domain::account::{
    RECOVERY_CODES, RecoveryCode, STEP_SECONDS, SecondFactor, Token, TotpSecret,
};
use domain::key::Role;
use domain::usecase::CodeRefused;
use qrcode::QrCode;
use qrcode::render::svg;

use super::nav::Nav;
use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::pages::sign_in_code::MAX_CODE_CHARS;
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(in crate::pages) const ROUTES: &[Route] = &[
    Route::get(PATH, Access::SignedIn(Role::Read), show).without_second_factor(),
    Route::post(
        "/settings/second-factor/start",
        Access::Recent(Role::Read),
        start,
    )
    .without_second_factor(),
    Route::get(SET_UP, Access::Recent(Role::Read), show_secret).without_second_factor(),
    Route::post(SET_UP, Access::Recent(Role::Read), enable).without_second_factor(),
    Route::post(
        "/settings/second-factor/recovery-codes",
        Access::Recent(Role::Read),
        renew_codes,
    ),
    Route::post(
        "/settings/second-factor/disable",
        Access::Recent(Role::Read),
        disable,
    ),
];

const PATH: &str = "/settings/second-factor";
const SET_UP: &str = "/settings/second-factor/set-up";

/// Pixels of a side of a module of a QR code.
const QR_MODULE_PIXELS: u32 = 4;
/// Modules beside the code on both sides together, which readers need (ISO/IEC 18004).
const QR_QUIET_MODULES: usize = 8;
/// Characters of a secret between spaces.
const GROUP: usize = 4;

#[derive(Template)]
#[template(path = "pages/settings/second_factor.html")]
struct Page {
    layout: Layout,
    nav: Nav,
    /// `None` if the person has no second factor.
    enabled: Option<Enabled>,
    /// The organization, if it requires a second factor that the person does not have.
    required_by: Option<String>,
    /// Why no new recovery codes were made.
    renew_problem: Option<String>,
    /// Why it was not turned off.
    disable_problem: Option<String>,
    /// What was changed just now.
    notice: Option<&'static str>,
    most: usize,
}

/// A second factor that is on.
struct Enabled {
    since: Time,
    recovery_codes: usize,
    of_recovery_codes: usize,
}

#[derive(Template)]
#[template(path = "pages/settings/second_factor_set_up.html")]
struct SetUp {
    layout: Layout,
    nav: Nav,
    image: QrImage,
    /// The secret in groups.
    secret: String,
    seconds: u32,
    most: usize,
    problem: Option<String>,
}

/// A QR code.
struct QrImage {
    /// The address of the image, which contains it.
    address: String,
    /// Pixels of a side.
    side: usize,
}

#[derive(Template)]
#[template(path = "pages/settings/recovery_codes.html")]
struct Codes {
    layout: Layout,
    nav: Nav,
    codes: Vec<String>,
    /// Whether the second factor was just turned on; if not, the codes replace earlier ones.
    is_new: bool,
}

/// Redirects a person who lacks the required second factor to the page that sets it up.
pub(crate) fn instead() -> Reply {
    Reply::redirect(PATH)
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    Reply::page(&page(visit, None, None)?)
}

fn page(
    visit: &Visit,
    renew_problem: Option<String>,
    disable_problem: Option<String>,
) -> Result<Page, Failure> {
    let signed_in = visit.signed_in()?;
    let factor = visit
        .state
        .sessions()
        .second_factor(&signed_in.account.id)?;
    let organization = &signed_in.membership.organization.name;
    Ok(Page {
        layout: Layout::new(visit, "Your second factor", Section::Settings),
        nav: Nav::new(visit, PATH),
        enabled: factor.and_then(|factor| {
            Some(Enabled {
                since: Time::new(factor.enabled_at?),
                recovery_codes: factor.recovery_codes,
                of_recovery_codes: RECOVERY_CODES,
            })
        }),
        required_by: signed_in
            .lacks_second_factor()
            .then(|| organization.clone()),
        renew_problem,
        disable_problem,
        notice: match visit.query.text("changed") {
            "disabled" => Some("The second factor is off. Your password alone signs you in."),
            "late" => Some("The key that was shown is no longer valid. Start again."),
            _ => None,
        },
        most: MAX_CODE_CHARS,
    })
}

fn start(visit: &Visit) -> Result<Reply, Failure> {
    let started = visit
        .state
        .sessions()
        .start_second_factor(visit.signed_in()?)?;
    Ok(Reply::redirect(if started { SET_UP } else { PATH }))
}

/// The secret that can be turned on; `None` if there is none, or it has expired.
fn waiting(visit: &Visit) -> Result<Option<SecondFactor>, Failure> {
    let account = &visit.signed_in()?.account.id;
    let factor = visit.state.sessions().second_factor(account)?;
    Ok(factor.filter(|factor| factor.can_be_enabled(visit.now())))
}

fn show_secret(visit: &Visit) -> Result<Reply, Failure> {
    match waiting(visit)? {
        Some(factor) => Reply::page(&set_up(visit, &factor.secret, None)?),
        None => Ok(Reply::redirect(PATH)),
    }
}

fn set_up(visit: &Visit, secret: &TotpSecret, problem: Option<String>) -> Result<SetUp, Failure> {
    let email = &visit.signed_in()?.account.email;
    Ok(SetUp {
        layout: Layout::new(visit, "Set up a second factor", Section::Settings),
        nav: Nav::new(visit, PATH),
        image: QrImage::new(&secret.uri(email))?,
        secret: in_groups(&secret.expose()),
        seconds: STEP_SECONDS,
        most: MAX_CODE_CHARS,
        problem,
    })
}

impl QrImage {
    /// The QR code of a text. Dark on light in every color scheme, because some apps read nothing else.
    fn new(text: &str) -> Result<Self, Failure> {
        let code = QrCode::new(text)
            .map_err(|error| Failure::Internal(format!("no QR code could be made: {error}")))?;
        let svg = code
            .render::<svg::Color<'_>>()
            .module_dimensions(QR_MODULE_PIXELS, QR_MODULE_PIXELS)
            .build();
        let pixels = usize::try_from(QR_MODULE_PIXELS).unwrap_or_default();
        Ok(Self {
            address: format!(
                "data:image/svg+xml;base64,{}",
                BASE64.encode(svg.as_bytes())
            ),
            side: (code.width() + QR_QUIET_MODULES) * pixels,
        })
    }
}

fn in_groups(text: &str) -> String {
    let mut grouped = String::new();
    for (index, c) in text.chars().enumerate() {
        if index > 0 && index.is_multiple_of(GROUP) {
            grouped.push(' ');
        }
        grouped.push(c);
    }
    grouped
}

fn enable(visit: &Visit) -> Result<Reply, Failure> {
    let signed_in = visit.signed_in()?;
    count(visit)?;
    let sessions = visit.state.sessions();
    let code = visit.form.text("code");
    match sessions.enable_second_factor(visit.token()?, signed_in, code) {
        Ok(enabled) => match enabled.session {
            Some(opened) => {
                let token = Some(&opened.token);
                let reply = codes(visit, token, &enabled.recovery_codes, true)?;
                Ok(reply.with_cookie(visit.cookie(&opened)))
            }
            // The second factor is on, but another request ended this session. The person can make new recovery codes.
            None => Ok(Reply::redirect("/sign-in")),
        },
        Err(CodeRefused::Store(error)) => Err(error.into()),
        Err(CodeRefused::Gone) => Ok(Reply::redirect(format!("{PATH}?changed=late"))),
        Err(refused @ CodeRefused::Wrong) => match waiting(visit)? {
            Some(factor) => {
                let problem = Some(refused.to_string());
                Reply::invalid(&set_up(visit, &factor.secret, problem)?)
            }
            None => Ok(Reply::redirect(PATH)),
        },
    }
}

/// The page with recovery codes, in response to the form itself: they are stored nowhere that a redirect could read
/// them from. Its forms carry the token of `session`, where the session was renewed.
fn codes(
    visit: &Visit,
    session: Option<&Token>,
    codes: &[RecoveryCode],
    is_new: bool,
) -> Result<Reply, Failure> {
    let mut layout = Layout::new(visit, "Your recovery codes", Section::Settings);
    if let (Some(person), Some(session)) = (&mut layout.person, session) {
        person.token = session.form_token();
        person.lacks_second_factor = false;
    }
    Reply::page(&Codes {
        layout,
        nav: Nav::new(visit, PATH),
        codes: codes.iter().map(RecoveryCode::expose).collect(),
        is_new,
    })
}

fn renew_codes(visit: &Visit) -> Result<Reply, Failure> {
    let signed_in = visit.signed_in()?;
    count(visit)?;
    let (sessions, code) = (visit.state.sessions(), visit.form.text("code"));
    match visit.with_client(|client| sessions.renew_recovery_codes(signed_in, code, client)) {
        Ok(renewed) => codes(visit, None, &renewed, false),
        Err(CodeRefused::Store(error)) => Err(error.into()),
        Err(CodeRefused::Gone) => Ok(Reply::redirect(PATH)),
        Err(refused @ CodeRefused::Wrong) => {
            Reply::invalid(&page(visit, Some(refused.to_string()), None)?)
        }
    }
}

fn disable(visit: &Visit) -> Result<Reply, Failure> {
    let signed_in = visit.signed_in()?;
    count(visit)?;
    let (sessions, code) = (visit.state.sessions(), visit.form.text("code"));
    match visit.with_client(|client| sessions.disable_second_factor(signed_in, code, client)) {
        Ok(()) => Ok(Reply::redirect(format!("{PATH}?changed=disabled"))),
        Err(CodeRefused::Store(error)) => Err(error.into()),
        Err(CodeRefused::Gone) => Ok(Reply::redirect(PATH)),
        Err(refused @ CodeRefused::Wrong) => {
            Reply::invalid(&page(visit, None, Some(refused.to_string()))?)
        }
    }
}

/// Counts an attempt to enter a code.
fn count(visit: &Visit) -> Result<(), Failure> {
    let account = &visit.signed_in()?.account.id;
    let throttle = &visit.state.throttle;
    throttle
        .count_code(account, visit.client)
        .map_err(Failure::TooMany)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_address_has_a_qr_code() {
        let email = format!("{}@example.com", "\u{10ffff}".repeat(188));
        assert_eq!(email.chars().count(), domain::org::MAX_NAME_CHARS);
        let secret = TotpSecret::parse(&"A".repeat(32)).unwrap();
        let image = QrImage::new(&secret.uri(&email)).unwrap();
        let svg = image
            .address
            .strip_prefix("data:image/svg+xml;base64,")
            .unwrap();
        let svg = String::from_utf8(BASE64.decode(svg.as_bytes()).unwrap()).unwrap();
        let size = format!("width=\"{0}\" height=\"{0}\"", image.side);
        assert!(svg.contains("<svg ") && svg.contains(&size), "{svg}");
        assert!(!svg.contains("style"), "{svg}");
    }

    #[test]
    fn a_secret_is_shown_in_groups() {
        assert_eq!(in_groups("ABCDEFGHIJ"), "ABCD EFGH IJ");
        assert_eq!(in_groups(""), "");
    }
}
