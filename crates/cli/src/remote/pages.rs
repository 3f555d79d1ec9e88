//! `assay reports pages`, `assay reports links` and `assay reports redirects`.

use anyhow::Result;
use api_types::report::{Link, LinkVerdict, Page, RedirectChain};
use client::PageFilter;
use domain::text::{grouped, size};

use super::occurrences::unkept;
use super::runs::more;
use super::session::Session;
use super::table::table;
use crate::args::{LinkKindArg, PageArgs, PageFilterArgs};
use crate::exit::Exit;

pub(super) async fn pages(
    session: &Session,
    report: &str,
    args: &PageFilterArgs,
    page: &PageArgs,
) -> Result<Exit> {
    let id = session.report_id(report).await?;
    let issue = match &args.issue {
        None => None,
        Some(named) => Some(session.issue(&id, named).await?.issue_id),
    };
    let filter = PageFilter {
        sort: args.sort.clone(),
        status: args.status.clone(),
        issue,
        text: args.text.clone(),
    };
    let client = &session.client;
    let list = client.pages(&id, &filter, page.limit, page.cursor.as_deref());
    let list = list.await?;
    session.print(&list, |list| {
        if list.pages.is_empty() {
            return "No pages.\n".to_owned();
        }
        let rows = list.pages.iter().map(visit);
        table(
            [
                "STATUS", "CLICKS", "SIZE", "WORDS", "MS", "IN", "OUT", "ISSUES", "PAGE", "TITLE",
            ],
            rows,
        )
    })?;
    more(session, list.value.next_cursor.as_ref());
    Ok(Exit::Fine)
}

fn visit(page: &Page) -> [String; 10] {
    [
        or_dash(page.status),
        or_dash(page.depth),
        or_dash(page.bytes.map(size)),
        number_or_dash(page.words),
        number_or_dash(page.response_ms),
        number_or_dash(page.links_in),
        number_or_dash(page.links_out),
        grouped(page.issue_count.into()),
        page.url.clone(),
        or_dash(page.title.as_ref()),
    ]
}

pub(super) async fn links(
    session: &Session,
    report: &str,
    kind: Option<LinkKindArg>,
    page: &PageArgs,
) -> Result<Exit> {
    let id = session.report_id(report).await?;
    let (client, kind) = (&session.client, kind.map(LinkKindArg::to_wire));
    let list = client.links(&id, kind, page.limit, page.cursor.as_deref());
    let list = list.await?;
    session.print(&list, |list| {
        if list.links.is_empty() {
            return "No links.\n".to_owned();
        }
        let rows = list.links.iter().map(link);
        table(
            ["VERDICT", "STATUS", "PAGES", "LINK", "WHY", "FIRST PAGE"],
            rows,
        )
    })?;
    let (stored, total) = (list.value.links_stored, list.value.links_total);
    unkept(session, (stored, total.unwrap_or_default()), "links");
    more(session, list.value.next_cursor.as_ref());
    Ok(Exit::Fine)
}

fn link(link: &Link) -> [String; 6] {
    let verdict = match link.verdict {
        LinkVerdict::Ok => "ok",
        LinkVerdict::Broken => "broken",
        LinkVerdict::Unverified => "unverified",
        LinkVerdict::NotRequested => "not requested",
    };
    [
        verdict.to_owned(),
        or_dash(link.status),
        grouped(link.linking_pages),
        link.url.clone(),
        or_dash(link.reason.as_ref()),
        or_dash(link.pages.first()),
    ]
}

pub(super) async fn redirects(session: &Session, report: &str, page: &PageArgs) -> Result<Exit> {
    let id = session.report_id(report).await?;
    let list = session
        .client
        .redirects(&id, page.limit, page.cursor.as_deref());
    let list = list.await?;
    session.print(&list, |list| {
        if list.redirects.is_empty() {
            return "No redirects.\n".to_owned();
        }
        let rows = list.redirects.iter().map(chain);
        table(["PAGES", "REDIRECTS", "FROM", "TO", "STATUS"], rows)
    })?;
    let (stored, total) = (list.value.redirects_stored, list.value.redirects_total);
    unkept(
        session,
        (stored, total.unwrap_or_default()),
        "redirect chains",
    );
    more(session, list.value.next_cursor.as_ref());
    Ok(Exit::Fine)
}

fn chain(chain: &RedirectChain) -> [String; 5] {
    let url = |hop: Option<&api_types::report::RedirectHop>| or_dash(hop.map(|hop| &hop.url));
    let (first, last) = (chain.hops.first(), chain.hops.last());
    let end = if chain.is_loop {
        "loop".to_owned()
    } else {
        or_dash(last.and_then(|hop| hop.status))
    };
    [
        grouped(chain.linking_pages),
        chain.hops.len().saturating_sub(1).to_string(),
        url(first),
        url(last),
        end,
    ]
}

fn number_or_dash<T: Into<u64>>(number: Option<T>) -> String {
    or_dash(number.map(|number| grouped(number.into())))
}

fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| value.to_string())
}
