//! Sites and members by their names, a few at a time.

use diesel::prelude::*;
use domain::id::{MemberId, OrgId, SiteId};
use domain::org::Member;
use domain::ports::NamedSite;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{members, sites};
use crate::database::values::known;
use crate::stores::contains::{ESCAPE, containing, lower};
use crate::stores::members::MemberRow;

/// Names of sites, for a list.
type SiteNames = Vec<(String, String)>;

/// The names of these sites.
pub(super) fn sites_of(
    connection: &mut AnyConnection,
    org: &OrgId,
    wanted: &[SiteId],
) -> Result<Vec<NamedSite>, StorageError> {
    let wanted: Vec<_> = wanted.iter().map(SiteId::as_str).collect();
    let rows: SiteNames = sites::table
        .filter(sites::org_id.eq(org.as_str()))
        .filter(sites::id.eq_any(wanted))
        .select((sites::id, sites::name))
        .load(connection)?;
    named(rows)
}

/// The first sites whose name or host contains a text.
pub(super) fn sites(
    connection: &mut AnyConnection,
    org: &OrgId,
    text: &str,
    limit: u32,
) -> Result<Vec<NamedSite>, StorageError> {
    let mut query = sites::table
        .filter(sites::org_id.eq(org.as_str()))
        .order((sites::created_at, sites::id))
        .limit(limit.into())
        .select((sites::id, sites::name))
        .into_boxed();
    if !text.is_empty() {
        let pattern = containing(text);
        let in_name = lower(sites::name)
            .like(lower(pattern.clone()))
            .escape(ESCAPE);
        let in_host = lower(sites::host).like(lower(pattern)).escape(ESCAPE);
        query = query.filter(in_name.or(in_host));
    }
    let rows: SiteNames = query.load(connection)?;
    named(rows)
}

fn named(rows: SiteNames) -> Result<Vec<NamedSite>, StorageError> {
    let sites = rows.into_iter().map(|(id, name)| {
        let id = known("site", &id, SiteId::parse(&id))?;
        Ok(NamedSite { id, name })
    });
    sites.collect()
}

/// These members.
pub(super) fn members_of(
    connection: &mut AnyConnection,
    org: &OrgId,
    wanted: &[MemberId],
) -> Result<Vec<Member>, StorageError> {
    let wanted: Vec<_> = wanted.iter().map(MemberId::as_str).collect();
    let rows: Vec<MemberRow> = members::table
        .filter(members::org_id.eq(org.as_str()))
        .filter(members::id.eq_any(wanted))
        .select(MemberRow::as_select())
        .load(connection)?;
    rows.into_iter().map(MemberRow::read).collect()
}

/// The first members whose name or e-mail address contains a text.
pub(super) fn members(
    connection: &mut AnyConnection,
    org: &OrgId,
    text: &str,
    limit: u32,
) -> Result<Vec<Member>, StorageError> {
    let mut query = members::table
        .filter(members::org_id.eq(org.as_str()))
        .order((members::created_at, members::id))
        .limit(limit.into())
        .select(MemberRow::as_select())
        .into_boxed();
    if !text.is_empty() {
        let pattern = containing(text);
        let in_name = lower(members::name)
            .like(lower(pattern.clone()))
            .escape(ESCAPE);
        let in_email = lower(members::email).like(lower(pattern)).escape(ESCAPE);
        query = query.filter(in_name.or(in_email));
    }
    let rows: Vec<MemberRow> = query.load(connection)?;
    rows.into_iter().map(MemberRow::read).collect()
}
