//! Action items, their comments and briefs, and the handoff.

mod brief;
mod comments;
mod create;
mod get;
mod handoff;
mod list;
mod prompts;
mod update;

use actix_web::http::Method;
use domain::id::ActionId;

use crate::world::{Client, Reply, call};

const PATH: &str = "/api/mcp/actions";

/// The path of an item, with more behind it.
fn path_of(id: &ActionId, more: &str) -> String {
    format!("{PATH}/{id}{more}")
}

/// Sends a text as JSON.
async fn send_text(client: &Client, to: (Method, &str), key: &str, body: &str) -> Reply {
    let request = call(to.0, key, to.1)
        .insert_header(("Content-Type", "application/json"))
        .set_payload(body.to_owned());
    client.send(request).await
}

/// A body that is refused, with the field that is named; none where it is the whole body.
type Row = (String, Option<&'static str>);

fn row(body: impl Into<String>, field: &'static str) -> Row {
    (body.into(), Some(field))
}

/// Bodies that are no request at all.
fn shapes() -> Vec<Row> {
    let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
    [
        " ", "{", "null", "true", "1", "\"open\"", "[]", "[{}]", "{}{}", "{'a':1}", &deep,
    ]
    .map(|body| (body.to_owned(), None))
    .to_vec()
}

/// Judges that each body is refused for what is wrong with it, before the id in the path is.
async fn assert_refused(client: &Client, to: (Method, &str), key: &str, rows: &[Row]) {
    for (body, field) in rows {
        let reply = send_text(client, (to.0.clone(), to.1), key, body).await;
        let shown: String = body.chars().take(120).collect();
        let context = format!("{} {}\n{shown}\n{}", to.0, to.1, reply.text());
        assert_eq!(reply.status, 400, "{context}");
        assert_eq!(reply.code(), "invalid_request", "{context}");
        assert_eq!(reply.field().as_deref(), *field, "{context}");
        for word in ["u32", "struct ", "enum ", "Option", "variant"] {
            assert!(!reply.text().contains(word), "{context}");
        }
    }
}

/// A title or any other text of so many characters of two bytes each.
fn text_of(characters: usize) -> String {
    "é".repeat(characters)
}

/// Days that are none, as JSON.
const NO_DAYS: [&str; 18] = [
    "\"\"",
    "\"2026-02-29\"",
    "\"2026-13-01\"",
    "\"2026-00-10\"",
    "\"2026-04-31\"",
    "\"2026-04-00\"",
    "\"0000-01-01\"",
    "\"10000-01-01\"",
    "\"-2026-01-01\"",
    "\"2026-4-1\"",
    "\"26-04-01\"",
    "\"2026/04/01\"",
    "\"01.04.2026\"",
    "\" 2026-04-01\"",
    "\"2026-04-01T00:00:00Z\"",
    "\"tomorrow\"",
    "\"２０２６-04-01\"",
    "20260401",
];
