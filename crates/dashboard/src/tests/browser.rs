//! A browser: sends requests to the pages, with or without a session.

use std::rc::Rc;

use actix_web::App;
use actix_web::body::to_bytes;
use actix_web::dev::Service;
use actix_web::http::Method;
use actix_web::http::header::HeaderMap;
use actix_web::test::{self, TestRequest};
use domain::account::Token;
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use httpkit::context::{HttpContext, PathRules};
use httpkit::middleware;

use super::world::Fixture;
use crate::state::DashboardState;

/// Sends requests to one app.
pub(super) struct Browser {
    base_url: String,
    send: Box<dyn Fn(TestRequest) -> LocalBoxFuture<'static, Reply>>,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) text: String,
}

impl Fixture {
    /// A browser for the pages, behind the middleware of the service.
    pub(super) async fn browser(&self) -> Browser {
        Browser::new(&self.state).await
    }
}

impl Browser {
    pub(super) async fn new(state: &DashboardState) -> Self {
        let http = http(state);
        let pages = state.clone();
        let app = App::new()
            .wrap_fn(move |request, service| middleware::around(&http, request, service))
            .configure(move |config| crate::configure(config, &pages));
        let app = Rc::new(test::init_service(app).await);
        Self {
            base_url: state.settings.base_url.clone(),
            send: Box::new(move |request| {
                let app = Rc::clone(&app);
                async move {
                    let response = match app.call(request.to_request()).await {
                        Ok(response) => response.map_into_boxed_body().into_parts().1,
                        Err(error) => error.as_response_error().error_response(),
                    };
                    let (head, body) = response.into_parts();
                    let body = to_bytes(body).await.map_err(|_| "the body breaks off");
                    Reply {
                        status: head.status().as_u16(),
                        headers: head.headers().clone(),
                        text: String::from_utf8_lossy(&body.unwrap()).into_owned(),
                    }
                }
                .boxed_local()
            }),
        }
    }

    pub(super) async fn send(&self, request: TestRequest) -> Reply {
        (self.send)(request).await
    }

    /// A request with nothing but its address.
    pub(super) fn bare(&self, method: Method, path: &str) -> TestRequest {
        let host = self.base_url.split_once("://").unwrap().1;
        TestRequest::with_uri(path)
            .method(method)
            .peer_addr("203.0.113.7:40000".parse().unwrap())
            .insert_header(("Host", host))
    }

    /// A request for a page.
    pub(super) fn page(&self, session: Option<&Token>, path: &str) -> TestRequest {
        self.with_session(self.bare(Method::GET, path), session)
    }

    /// A form as a page of the service sends it, without the token of a session.
    pub(super) fn form<V: AsRef<str>>(
        &self,
        session: Option<&Token>,
        path: &str,
        fields: &[(&str, V)],
    ) -> TestRequest {
        let request = self
            .bare(Method::POST, path)
            .insert_header(("Origin", self.base_url.as_str()))
            .insert_header(("Sec-Fetch-Site", "same-origin"))
            .insert_header(("Content-Type", "application/x-www-form-urlencoded"))
            .set_payload(encoded(fields));
        self.with_session(request, session)
    }

    pub(super) fn with_session(
        &self,
        request: TestRequest,
        session: Option<&Token>,
    ) -> TestRequest {
        let name = match self.base_url.starts_with("https://") {
            true => "__Host-assay_session",
            false => "assay_session",
        };
        match session {
            Some(token) => request.insert_header(("Cookie", format!("{name}={}", token.expose()))),
            None => request,
        }
    }

    /// Opens a page.
    pub(super) async fn get(&self, session: Option<&Token>, path: &str) -> Reply {
        self.send(self.page(session, path)).await
    }

    /// Sends a form with the token of the session.
    pub(super) async fn post<V: AsRef<str>>(
        &self,
        session: Option<&Token>,
        path: &str,
        fields: &[(&str, V)],
    ) -> Reply {
        let token = session.map(Token::form_token);
        let fields = fields.iter().map(|(name, value)| (*name, value.as_ref()));
        let fields: Vec<_> = token
            .as_deref()
            .map(|token| ("token", token))
            .into_iter()
            .chain(fields)
            .collect();
        self.send(self.form(session, path, &fields)).await
    }
}

impl Reply {
    /// A header; empty where it is missing.
    pub(super) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }

    /// The session that the response opens.
    pub(super) fn session(&self) -> Option<Token> {
        let value = self.header("Set-Cookie").split(';').next()?;
        Token::parse(value.split_once('=')?.1)
    }

    /// Whether it sends the browser to this path.
    pub(super) fn leads_to(&self, path: &str) -> bool {
        self.status == 303 && self.header("Location") == path
    }
}

/// Fields as a browser encodes them.
pub(super) fn encoded<V: AsRef<str>>(fields: &[(&str, V)]) -> String {
    let mut text = url::form_urlencoded::Serializer::new(String::new());
    text.extend_pairs(fields);
    text.finish()
}

fn http(state: &DashboardState) -> HttpContext {
    HttpContext {
        clock: state.clock.clone(),
        ids: state.ids.clone(),
        base_url: state.settings.base_url.as_str().into(),
        rate_limit: None,
        meter: None,
        error_page: Some(crate::error_page(
            &state.settings.base_url,
            state.settings.has_sign_in,
        )),
        rate_limits: state.rate_limits.clone(),
        paths: PathRules {
            exempt: &[],
            operations: "/api/mcp",
            agents: "/mcp",
            downloads: "/dl",
        },
    }
}
