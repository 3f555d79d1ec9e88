//! The list of all problem codes, the target of a problem's `type`.

use actix_web::HttpResponse;
use actix_web::http::header;

use httpkit::problem::{Code, MEDIA_TYPE};

/// The published list of codes, as Markdown.
#[must_use]
pub fn error_list() -> String {
    let rows: String = Code::ALL
        .into_iter()
        .map(|code| {
            let (status, name) = (code.status().as_u16(), code.as_str());
            format!("| {status} | `{name}` | {} |\n", code.explanation())
        })
        .collect();
    format!(
        "# Errors of the HTTP API\n\n\
         Every error is a problem document (RFC 9457) with the media type `{MEDIA_TYPE}`: `type`, `title`, \
         `status`, `detail`, `code`, `requestId` and, where they apply, `reason` and `errors`. Match on \
         `code`: the list is closed, and a code never changes its meaning. `GET /docs/errors` shows the same \
         list.\n\n| Status | Code | Meaning |\n|---|---|---|\n{rows}"
    )
}

/// The list, as a page.
pub(super) async fn list() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        ))
        .body(page())
}

/// All texts are ours and contain no HTML special characters.
fn page() -> String {
    let entries: String = Code::ALL.into_iter().map(entry).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Errors of the Assay API</title>\n</head>\n<body>\n<main>\n\
         <h1>Errors of the Assay API</h1>\n\
         <p>Every error is a problem document (RFC 9457). Match on its <code>code</code>.</p>\n\
         {entries}</main>\n</body>\n</html>\n"
    )
}

fn entry(code: Code) -> String {
    let (name, status) = (code.as_str(), code.status().as_u16());
    let text = code.explanation().replace('<', "&lt;").replace('>', "&gt;");
    format!("<h2 id=\"{name}\"><code>{name}</code> ({status})</h2>\n<p>{text}</p>\n",)
}
