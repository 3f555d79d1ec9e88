//! The list of all problem codes.

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
