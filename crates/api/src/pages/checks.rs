//! The documentation of a check, the target of an issue's `helpUrl`.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};
use domain::ports::CheckInfo;
use domain::score::penalty;
use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

use super::respond;
use crate::convert::is_shown;
use crate::state::ApiState;
use httpkit::page_cache::CachedPage;
use httpkit::problem::Problem;

/// The page's own stylesheet, and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The documentation of a check, if the variant has it: an HTML page, or with `.md` after the id the Markdown
/// source.
pub(super) async fn explanation(state: web::Data<ApiState>, request: HttpRequest) -> HttpResponse {
    let name = request
        .match_info()
        .get("id")
        .unwrap_or_default()
        .to_owned();
    let key = format!("checks/{name}");
    let (checks, variant) = (Arc::clone(&state.checks), state.settings.variant);
    let page = state.pages.page(&key, move || {
        let (id, is_markdown) = match name.strip_suffix(".md") {
            Some(id) => (id, true),
            None => (name.as_str(), false),
        };
        let check = checks.check(id).filter(|check| is_shown(check, variant));
        let check = check.ok_or_else(Problem::not_found)?;
        Ok(match is_markdown {
            true => CachedPage::new("text/markdown; charset=utf-8", None, markdown(&check)),
            false => CachedPage::new("text/html; charset=utf-8", Some(POLICY), page(&check)),
        })
    });
    respond(&state, &request, page.await)
}

/// The stylesheet of the documentation pages.
pub(super) async fn stylesheet() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/css; charset=utf-8")
        .body(include_str!("checks.css"))
}

/// URLs are relative, so that they work below any base URL.
fn page(check: &CheckInfo) -> String {
    let (id, title) = (escaped(&check.id), escaped(&check.title));
    let browser = if check.needs_browser { "yes" } else { "no" };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title} – Assay</title>\n\
         <meta name=\"description\" content=\"{title}: what the check {id} tests, why it \
         matters, and how to fix what it finds.\">\n\
         <link rel=\"stylesheet\" href=\"style.css\">\n\
         <link rel=\"alternate\" type=\"text/markdown\" href=\"{id}.md\">\n</head>\n<body>\n\
         <nav aria-label=\"Documentation\"><a href=\"../docs/\">API documentation</a></nav>\n\
         <main>\n<h1>{title}</h1>\n<dl>\n\
         <dt>Check</dt><dd><code>{id}</code></dd>\n\
         <dt>Dimension</dt><dd>{}</dd>\n\
         <dt>Severity</dt><dd>{} (up to {} points)</dd>\n\
         <dt>Scope</dt><dd>{}</dd>\n\
         <dt>Needs a browser</dt><dd>{browser}</dd>\n</dl>\n\
         {}</main>\n</body>\n</html>\n",
        check.dimension.label(),
        check.severity,
        penalty(check.severity).to_score(),
        escaped(&check.scope),
        rendered(&check.documentation),
    )
}

/// The documentation as Markdown, with the same header as the page.
fn markdown(check: &CheckInfo) -> String {
    let browser = if check.needs_browser { "yes" } else { "no" };
    format!(
        "# {}\n\n- Check: `{}`\n- Dimension: {}\n- Severity: {} (up to {} points)\n- Scope: {}\n- Needs a browser: {browser}\n\n{}\n",
        check.title,
        check.id,
        check.dimension.label(),
        check.severity,
        penalty(check.severity).to_score(),
        check.scope,
        unindented(&check.documentation).trim_end(),
    )
}

/// A doc comment's lines without the space behind the slashes that they begin with.
fn unindented(markdown: &str) -> String {
    let lines = markdown.lines();
    let text: Vec<_> = lines
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    text.join("\n")
}

/// Markdown as HTML. Tags in it are shown as they were written, and no heading is as high as the
/// page's own.
fn rendered(markdown: &str) -> String {
    let text = unindented(markdown);
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, Parser::new(&text).map(without_markup));
    html
}

fn without_markup(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Html(tags) | Event::InlineHtml(tags) => Event::Text(tags),
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        Event::Start(Tag::Heading {
            level: HeadingLevel::H1,
            id,
            classes,
            attrs,
        }) => Event::Start(Tag::Heading {
            level: HeadingLevel::H2,
            id,
            classes,
            attrs,
        }),
        Event::End(TagEnd::Heading(HeadingLevel::H1)) => {
            Event::End(TagEnd::Heading(HeadingLevel::H2))
        }
        other => other,
    }
}

fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            other => html.push(other),
        }
    }
    html
}
