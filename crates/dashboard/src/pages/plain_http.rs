//! What a browser on another machine sees without TLS.

use actix_web::http::StatusCode;
use askama::Template;

use crate::failure::Failure;
use crate::layout::{self, Layout, Section};
use crate::reply::Reply;
use crate::visit::Visit;

#[derive(Template)]
#[template(path = "pages/plain_http.html")]
struct PlainHttp {
    layout: Layout,
}

/// The page that says how to put TLS in front.
pub(crate) fn page(visit: &Visit) -> Reply {
    let page = PlainHttp {
        layout: Layout::new(visit, "TLS is needed to sign in", Section::None),
    };
    Reply::with_status(StatusCode::FORBIDDEN, &page)
        .unwrap_or_else(|failure: Failure| layout::failed(visit, &failure))
}
