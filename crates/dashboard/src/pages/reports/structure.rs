//! The structure of a site: its folders as a tree, what they weigh, pages that no page links to, and redirect chains.

use askama::Template;
use domain::id::ReportId;
use domain::report::{
    Folder, PageListing, PageOrder, PageSort, PageVisit, RedirectChain, RedirectCursor, Variant,
};
use domain::text::{count, grouped, size};
use report::view::text::shown;
use report::view::{TreemapCell, treemap_cells};

use super::head;
use super::header::Header;
use super::pages::view;
use crate::failure::Failure;
use crate::layout::{Layout, Section};
use crate::pages::evidence::{Address, MAX_TEXT};
use crate::reply::Reply;
use crate::visit::Visit;

/// Redirect chains of a page at most.
const CHAINS: u32 = 50;
/// Orphan pages that are listed, at most.
const ORPHANS: u32 = 50;

#[derive(Template)]
#[template(path = "pages/reports/structure.html")]
struct Page {
    layout: Layout,
    header: Header,
    folders: Vec<FolderRow>,
    /// That not all folders are kept.
    more_folders: String,
    cells: Vec<TreemapCell>,
    orphans: Orphans,
    chains: Vec<ChainRow>,
    /// How many chains there are and are stored.
    told: String,
    is_continued: bool,
    next: Option<String>,
}

/// A folder of the tree.
struct FolderRow {
    /// How far it is indented, as the name of a class.
    level: u32,
    name: String,
    pages: String,
    failed: String,
    bytes: String,
    issues: String,
}

/// The pages that no page links to.
enum Orphans {
    /// It is not known.
    Unknown(&'static str),
    Listed {
        rows: Vec<(String, Address)>,
        /// Whether there may be more.
        is_cut: bool,
    },
}

/// A redirect chain.
struct ChainRow {
    hops: Vec<(Address, String)>,
    is_loop: bool,
    linking_pages: String,
}

/// Why orphan pages are not known.
const UNKNOWN_LINKS: &str =
    "This report does not contain the links of all pages, so orphan pages are not known.";

/// Shows the structure.
pub(super) fn show(visit: &Visit) -> Result<Reply, Failure> {
    let id = visit.id("id", ReportId::parse)?;
    let after = after(visit)?;
    let (org, stores, variant) = (visit.org()?, &visit.state.stores, visit.variant());
    let stored = head(visit, &id)?;
    let header = Header::new(visit, &stored)?;
    let folders = stores.folders(org, &id)?.ok_or(Failure::NotFound)?;
    let redirects = stores.redirects(org, &id, after, CHAINS)?;
    let redirects = redirects.ok_or(Failure::NotFound)?;
    let orphans = match stored.report.coverage.complete {
        // Earlier versions did not store how many pages link to each page.
        true if redirects.count.is_none() => Orphans::Unknown(UNKNOWN_LINKS),
        true => orphans(visit, &id)?,
        false => Orphans::Unknown(
            "The crawl did not see the whole site, so a page that was not seen may link to any page.",
        ),
    };
    let path = format!("/reports/{id}/structure");
    let told = match redirects.count {
        None => "This report was made by a version that did not store redirect chains.".to_owned(),
        Some(found) if found.stored < found.total => format!(
            "{}, of which {} are stored: those that most pages link to.",
            count(found.total, "redirect chain", "redirect chains"),
            grouped(found.stored)
        ),
        Some(found) => format!(
            "{}.",
            count(found.total, "redirect chain", "redirect chains")
        ),
    };
    Reply::page(&Page {
        layout: Layout::new(
            visit,
            format!("Structure of {}", header.host),
            Section::Sites,
        ),
        more_folders: more_folders(&folders),
        cells: treemap_cells(weights(&folders)),
        folders: (folders.iter())
            .map(|folder| FolderRow::new(folder, variant))
            .collect(),
        orphans,
        chains: redirects.chains.iter().map(ChainRow::new).collect(),
        told,
        is_continued: after.is_some(),
        next: redirects
            .next
            .map(|next| format!("{path}?after={}#redirects", next.encode())),
        header,
    })
}

fn after(visit: &Visit) -> Result<Option<RedirectCursor>, Failure> {
    let Some(text) = visit.query.given("after") else {
        return Ok(None);
    };
    let invalid =
        "The address of this page of the list is invalid. Open the structure from its report.";
    let cursor = RedirectCursor::decode(text);
    cursor.map(Some).ok_or(Failure::BadRequest(invalid))
}

/// The audited pages, the start page excepted, that no other page links to. They are the first in the order of incoming
/// links: pages come before redirects and errors there. It reads two more than it shows: one may be the start page, and the
/// other shows whether there are more.
fn orphans(visit: &Visit, id: &ReportId) -> Result<Orphans, Failure> {
    let listing = PageListing {
        order: PageOrder {
            sort: PageSort::LinksIn,
            descending: false,
        },
        ..PageListing::all(visit.variant())
    };
    let (org, stores) = (visit.org()?, &visit.state.stores);
    let page = stores.pages(org, id, &listing, None, ORPHANS + 2)?;
    let visits = page.ok_or(Failure::NotFound)?.visits;
    Ok(orphans_of(visits, &id.to_string()))
}

fn orphans_of(visits: Vec<PageVisit>, report: &str) -> Orphans {
    let is_known = visits.iter().any(|visit| visit.details.links_in.is_some());
    if !is_known {
        return Orphans::Unknown(UNKNOWN_LINKS);
    }
    let is_orphan = |visit: &PageVisit| {
        visit.audited && visit.details.links_in == Some(0) && visit.depth != Some(0)
    };
    let found = visits.into_iter().filter(is_orphan);
    let mut rows: Vec<_> = found
        .map(|visit| (view(report, &visit.url), Address::new(&visit.url)))
        .collect();
    let most = usize::try_from(ORPHANS).unwrap_or(usize::MAX);
    let is_cut = rows.len() > most;
    rows.truncate(most);
    Orphans::Listed { rows, is_cut }
}

/// The name, the number of pages and the bytes of each folder below the root of its origin, and of what is in none.
fn weights(folders: &[Folder]) -> Vec<(String, u64, u64)> {
    let mut weights = Vec::new();
    for root in folders.iter().filter(|folder| folder.level == 0) {
        let inside = folders
            .iter()
            .filter(|folder| folder.level == 1 && folder.url.starts_with(&root.url));
        let (mut pages, mut bytes) = (root.pages, root.bytes);
        for folder in inside {
            pages = pages.saturating_sub(folder.pages);
            bytes = bytes.saturating_sub(folder.bytes);
            weights.push((folder.url.clone(), folder.pages, folder.bytes));
        }
        weights.push((format!("{} itself", root.url), pages, bytes));
    }
    weights.retain(|(_, _, bytes)| *bytes > 0);
    weights
}

fn more_folders(folders: &[Folder]) -> String {
    match folders.len() {
        domain::report::MAX_FOLDERS => {
            format!(
                "The {} folders with the most pages.",
                domain::report::MAX_FOLDERS
            )
        }
        _ => String::new(),
    }
}

impl FolderRow {
    fn new(folder: &Folder, variant: Variant) -> Self {
        let issues = match variant {
            Variant::Current => folder.issues,
            Variant::Legacy => folder.issues_legacy,
        };
        let name = match folder.level {
            0 => folder.url.as_str(),
            _ => {
                let path = folder.url.trim_end_matches('/');
                path.rfind('/')
                    .and_then(|at| folder.url.get(at + 1..))
                    .unwrap_or(&folder.url)
            }
        };
        Self {
            level: folder.level,
            name: shown(name, MAX_TEXT),
            pages: grouped(folder.pages),
            failed: grouped(folder.failed),
            bytes: size(folder.bytes),
            issues: grouped(issues),
        }
    }
}

impl ChainRow {
    fn new(chain: &RedirectChain) -> Self {
        let hops = chain.hops.iter().map(|hop| {
            let status = hop
                .status
                .map_or_else(|| "not requested".to_owned(), |status| status.to_string());
            (Address::new(&hop.url), status)
        });
        Self {
            hops: hops.collect(),
            is_loop: chain.is_loop,
            linking_pages: count(chain.linking_pages, "page", "pages"),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::report::{PageDetails, PageScores};

    use super::*;

    fn folder(url: &str, level: u32, pages: u64, bytes: u64) -> Folder {
        Folder {
            url: url.to_owned(),
            level,
            pages,
            failed: 0,
            bytes,
            issues: 0,
            issues_legacy: 0,
        }
    }

    #[test]
    fn weights_add_up_to_the_whole_site() {
        let folders = [
            folder("https://example.com/", 0, 10, 100),
            folder("https://example.com/a/", 1, 3, 30),
            folder("https://example.com/a/b/", 2, 3, 30),
            folder("https://example.com/c/", 1, 6, 60),
        ];
        let found = weights(&folders);
        let numbers: Vec<_> = found
            .iter()
            .map(|(_, pages, bytes)| (*pages, *bytes))
            .collect();
        assert_eq!(numbers, [(3, 30), (6, 60), (1, 10)]);
    }

    #[test]
    fn folders_are_named_by_their_last_part() {
        let name =
            |url: &str, level| FolderRow::new(&folder(url, level, 1, 1), Variant::Current).name;
        assert_eq!(name("https://example.com/", 0), "https://example.com/");
        assert_eq!(name("https://example.com/a/b/", 2), "b/");
    }

    #[test]
    fn orphans_are_audited_pages_without_links() {
        let visit = |audited, links_in, depth| PageVisit {
            url: "https://example.com/".to_owned(),
            status: Some(200),
            depth,
            title: None,
            bytes: None,
            audited,
            leads_to: None,
            details: PageDetails {
                links_in,
                ..PageDetails::default()
            },
            scores: PageScores::default(),
            issues: 0,
            issues_legacy: 0,
        };
        let number = |visits| match orphans_of(visits, "rep_1") {
            Orphans::Unknown(_) => None,
            Orphans::Listed { rows, is_cut } => Some((rows.len(), is_cut)),
        };
        let orphan = || visit(true, Some(0), None);
        let others = vec![
            orphan(),
            visit(true, Some(0), Some(0)),
            visit(false, Some(0), None),
            visit(true, Some(1), None),
        ];
        assert_eq!(number(others), Some((1, false)));
        assert_eq!(number(vec![visit(true, None, None)]), None);
        // The start page, which has no links either, comes first.
        let start = visit(true, Some(0), Some(0));
        let many = std::iter::once(start).chain((0..=ORPHANS).map(|_| orphan()));
        let many: Vec<_> = many.collect();
        assert_eq!(many.len(), usize::try_from(ORPHANS + 2).unwrap());
        assert_eq!(
            number(many),
            Some((usize::try_from(ORPHANS).unwrap(), true))
        );
    }
}
