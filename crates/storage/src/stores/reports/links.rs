//! Rows of link targets and redirect chains.

use diesel::prelude::*;
use domain::id::{OrgId, ReportId};
use domain::ports::{Claim, LinkPage, NewLink, NewRedirect, RedirectPage};
use domain::report::{
    KeptCount, LinkCounts, LinkCursor, LinkKind, LinkTarget, LinkVerdict, RedirectChain,
    RedirectCursor, RedirectHop,
};
use serde::{Deserialize, Serialize};

use super::occurrences::ROWS_A_STATEMENT;
use super::page_rows;
use super::source::Source;
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::StorageError;
use crate::database::schema::{link_targets, redirect_chains, reports};
use crate::database::values::{
    from_json, known, number, optional, storable, stored_count, to_json,
};

/// [`LinkCounts`], as they are stored: how many there are, and how many of them are stored.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredLinkCounts {
    all: (u64, u64),
    broken: (u64, u64),
    redirect: (u64, u64),
    external: (u64, u64),
    internal: (u64, u64),
    chains: (u64, u64),
}

impl StoredLinkCounts {
    pub(super) const fn new(counts: &LinkCounts) -> Self {
        const fn pair(count: KeptCount) -> (u64, u64) {
            (count.total, count.stored)
        }
        Self {
            all: pair(counts.all),
            broken: pair(counts.broken),
            redirect: pair(counts.redirect),
            external: pair(counts.external),
            internal: pair(counts.internal),
            chains: pair(counts.chains),
        }
    }

    fn read(self) -> LinkCounts {
        let count = |(total, stored)| KeptCount { total, stored };
        LinkCounts {
            all: count(self.all),
            broken: count(self.broken),
            redirect: count(self.redirect),
            external: count(self.external),
            internal: count(self.internal),
            chains: count(self.chains),
        }
    }
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = link_targets, treat_none_as_default_value = false)]
struct LinkRow {
    run_id: String,
    epoch: i64,
    position: i64,
    url: String,
    internal: bool,
    verdict: String,
    status: Option<i64>,
    reason: Option<String>,
    redirects: bool,
    leads_to: Option<String>,
    linking_pages: i64,
    first_pages: String,
}

impl LinkRow {
    fn new(claim: &Claim, new: &NewLink) -> Result<Self, StorageError> {
        let target = &new.target;
        Ok(Self {
            run_id: claim.run_id.as_str().to_owned(),
            epoch: claim.epoch.into(),
            position: new.position.into(),
            url: storable(&target.url),
            internal: target.internal,
            verdict: target.verdict.as_str().to_owned(),
            status: target.status.map(i64::from),
            reason: target.reason.as_deref().map(storable),
            redirects: target.redirects,
            leads_to: target.leads_to.as_deref().map(storable),
            linking_pages: stored_count(target.linking_pages),
            first_pages: to_json(&target.first_pages)?,
        })
    }

    fn read(self) -> Result<LinkTarget, StorageError> {
        let verdict = LinkVerdict::named(&self.verdict);
        Ok(LinkTarget {
            url: self.url,
            internal: self.internal,
            verdict: known("verdict of a link", &self.verdict, verdict)?,
            status: optional("status", self.status)?,
            reason: self.reason,
            redirects: self.redirects,
            leads_to: self.leads_to,
            linking_pages: number("number of pages", self.linking_pages)?,
            first_pages: from_json("list of pages", &self.first_pages)?,
        })
    }
}

#[derive(Insertable, Queryable, Selectable)]
#[diesel(table_name = redirect_chains, treat_none_as_default_value = false)]
struct ChainRow {
    run_id: String,
    epoch: i64,
    position: i64,
    hops: String,
    is_loop: bool,
    linking_pages: i64,
}

impl ChainRow {
    fn new(claim: &Claim, new: &NewRedirect) -> Result<Self, StorageError> {
        let hops = new.chain.hops.iter();
        let hops: Vec<_> = hops.map(|hop| (storable(&hop.url), hop.status)).collect();
        Ok(Self {
            run_id: claim.run_id.as_str().to_owned(),
            epoch: claim.epoch.into(),
            position: new.position.into(),
            hops: to_json(&hops)?,
            is_loop: new.chain.is_loop,
            linking_pages: stored_count(new.chain.linking_pages),
        })
    }

    fn read(self) -> Result<RedirectChain, StorageError> {
        let hops: Vec<(String, Option<u16>)> = from_json("redirect chain", &self.hops)?;
        let hops = hops.into_iter();
        Ok(RedirectChain {
            hops: hops
                .map(|(url, status)| RedirectHop { url, status })
                .collect(),
            is_loop: self.is_loop,
            linking_pages: number("number of pages", self.linking_pages)?,
        })
    }
}

/// Stores a batch of link targets. Existing rows are kept: the worker writes the same batch again if it does not know
/// whether the first attempt succeeded.
pub(crate) fn insert_targets(
    connection: &mut AnyConnection,
    claim: &Claim,
    batch: &[NewLink],
) -> Result<(), StorageError> {
    for part in batch.chunks(ROWS_A_STATEMENT) {
        let rows = part.iter().map(|new| LinkRow::new(claim, new));
        let rows: Vec<_> = rows.collect::<Result<_, _>>()?;
        on_either!(connection, inner => diesel::insert_into(link_targets::table)
            .values(&rows)
            .on_conflict_do_nothing()
            .execute(inner)?);
    }
    Ok(())
}

/// Stores a batch of redirect chains, as [`insert_targets`] does.
pub(crate) fn insert_chains(
    connection: &mut AnyConnection,
    claim: &Claim,
    batch: &[NewRedirect],
) -> Result<(), StorageError> {
    for part in batch.chunks(ROWS_A_STATEMENT) {
        let rows = part.iter().map(|new| ChainRow::new(claim, new));
        let rows: Vec<_> = rows.collect::<Result<_, _>>()?;
        on_either!(connection, inner => diesel::insert_into(redirect_chains::table)
            .values(&rows)
            .on_conflict_do_nothing()
            .execute(inner)?);
    }
    Ok(())
}

/// The run and epoch of a report, and its counts of links if it has any.
fn source(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
) -> Result<Option<(Source, Option<LinkCounts>)>, StorageError> {
    let found: Option<(Source, Option<String>)> = reports::table
        .filter(reports::id.eq(report.as_str()))
        .filter(reports::org_id.eq(org.as_str()))
        .select((Source::as_select(), reports::links))
        .get_result(connection)
        .optional()?;
    let Some((source, stored)) = found else {
        return Ok(None);
    };
    let counts = stored.map(|stored| from_json::<StoredLinkCounts>("number of links", &stored));
    let counts = counts.transpose()?.map(StoredLinkCounts::read);
    Ok(Some((source, counts)))
}

/// Returns a page of the link targets of a report; `None` if the organization has no such report.
pub(super) fn page(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
    kind: Option<LinkKind>,
    after: Option<LinkCursor>,
    limit: u32,
) -> Result<Option<LinkPage>, StorageError> {
    let Some((source, counts)) = source(connection, org, report)? else {
        return Ok(None);
    };
    let behind = after.map_or(-1, |cursor| i64::from(cursor.position));
    let mut query = link_targets::table
        .filter(link_targets::run_id.eq(&source.run_id))
        .filter(link_targets::epoch.eq(source.epoch))
        .filter(link_targets::position.gt(behind))
        .order(link_targets::position)
        // One extra row shows whether there is a next page.
        .limit(i64::from(limit) + 1)
        .select(LinkRow::as_select())
        .into_boxed();
    query = match kind {
        None => query,
        Some(LinkKind::Broken) => {
            query.filter(link_targets::verdict.eq(LinkVerdict::Broken.as_str()))
        }
        Some(LinkKind::Redirect) => query.filter(link_targets::redirects.eq(true)),
        Some(LinkKind::External) => query.filter(link_targets::internal.eq(false)),
        Some(LinkKind::Internal) => query.filter(link_targets::internal.eq(true)),
    };
    let mut rows: Vec<LinkRow> = query.load(connection)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().filter(|_| goes_on).map(|row| row.position);
    let next = last.map(|last| number("position", last)).transpose()?;
    let targets = rows.into_iter().map(LinkRow::read);
    let targets: Vec<LinkTarget> = targets.collect::<Result<_, _>>()?;
    let positions = targets.iter().flat_map(|target| &target.first_pages);
    let mut positions: Vec<i64> = positions.map(|position| i64::from(*position)).collect();
    positions.sort_unstable();
    positions.dedup();
    let urls = page_rows::urls(connection, &source, positions)?;
    let links = targets.into_iter().map(|target| {
        let pages = target.first_pages.iter();
        let pages = pages.filter_map(|position| urls.get(&i64::from(*position)).cloned());
        let pages = pages.collect();
        (target, pages)
    });
    Ok(Some(LinkPage {
        links: links.collect(),
        count: counts.map(|counts| counts.of(kind)),
        next: next.map(|position| LinkCursor { position }),
    }))
}

/// Returns a page of the redirect chains of a report; `None` if the organization has no such report.
pub(super) fn chains(
    connection: &mut AnyConnection,
    org: &OrgId,
    report: &ReportId,
    after: Option<RedirectCursor>,
    limit: u32,
) -> Result<Option<RedirectPage>, StorageError> {
    let Some((source, counts)) = source(connection, org, report)? else {
        return Ok(None);
    };
    let behind = after.map_or(-1, |cursor| i64::from(cursor.position));
    let mut rows: Vec<ChainRow> = redirect_chains::table
        .filter(redirect_chains::run_id.eq(&source.run_id))
        .filter(redirect_chains::epoch.eq(source.epoch))
        .filter(redirect_chains::position.gt(behind))
        .order(redirect_chains::position)
        .limit(i64::from(limit) + 1)
        .select(ChainRow::as_select())
        .load(connection)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = rows.len() > limit;
    rows.truncate(limit);
    let last = rows.last().filter(|_| goes_on).map(|row| row.position);
    let next = last.map(|last| number("position", last)).transpose()?;
    Ok(Some(RedirectPage {
        chains: rows
            .into_iter()
            .map(ChainRow::read)
            .collect::<Result<_, _>>()?,
        count: counts.map(|counts| counts.chains),
        next: next.map(|position| RedirectCursor { position }),
    }))
}
