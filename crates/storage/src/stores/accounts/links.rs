//! One-time links.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use domain::account::{LinkPurpose, OneTimeLink, SignInStage};
use domain::audit_log::Actor;
use domain::id::{AccountId, MemberId, OrgId};
use domain::key::{KeyHash, Role};
use domain::ports::{LinkRefused, LinkTarget, NewMember, NewSession, Taker};

use super::{rows, sessions};
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{accounts, members, one_time_links, organizations};
use crate::database::values::{known, stored_time};
use crate::stores::audit_log::{Line, note};
use crate::stores::members::{self as member_store, MemberRow};
use crate::stores::orgs;
use crate::stores::rows::OrgRow;

/// Expired links that one new link deletes at most.
const EXPIRED_A_LINK: i64 = 100;

type Taken = Result<Result<SignInStage, LinkRefused>, StorageError>;

#[derive(Queryable, Selectable)]
#[diesel(table_name = one_time_links)]
struct LinkRow {
    purpose: String,
    org_id: String,
    member_id: Option<String>,
    account_id: Option<String>,
    created_at: NaiveDateTime,
    expires_at: NaiveDateTime,
}

impl LinkRow {
    fn read(self) -> Result<OneTimeLink, StorageError> {
        let member = self.member_id.as_deref();
        let account = self.account_id.as_deref();
        Ok(OneTimeLink {
            purpose: known("purpose", &self.purpose, LinkPurpose::named(&self.purpose))?,
            org_id: known("organization", &self.org_id, OrgId::parse(&self.org_id))?,
            member_id: member
                .map(|id| known("member", id, MemberId::parse(id)))
                .transpose()?,
            account_id: account
                .map(|id| known("account", id, AccountId::parse(id)))
                .transpose()?,
            created_at: self.created_at.and_utc(),
            expires_at: self.expires_at.and_utc(),
        })
    }
}

pub(super) fn create(
    connection: &mut AnyConnection,
    link: &OneTimeLink,
    token: &KeyHash,
    by: &Actor,
) -> Result<bool, StorageError> {
    let org = &link.org_id;
    if !orgs::lock(connection, org)? {
        return Ok(false);
    }
    if let Some(member) = &link.member_id
        && !member_store::keep(connection, org, member)?
    {
        return Ok(false);
    }
    let now = stored_time(link.created_at);
    let expired: Vec<String> = one_time_links::table
        .filter(one_time_links::expires_at.le(now))
        .limit(EXPIRED_A_LINK)
        .select(one_time_links::token_hash)
        .load(connection)?;
    diesel::delete(one_time_links::table.filter(one_time_links::token_hash.eq_any(expired)))
        .execute(connection)?;
    let member = link.member_id.as_ref().map(MemberId::as_str);
    let of_purpose = one_time_links::table
        .filter(one_time_links::org_id.eq(org.as_str()))
        .filter(one_time_links::purpose.eq(link.purpose.as_str()));
    match member {
        Some(member) => diesel::delete(of_purpose.filter(one_time_links::member_id.eq(member)))
            .execute(connection)?,
        None => diesel::delete(of_purpose.filter(one_time_links::member_id.is_null()))
            .execute(connection)?,
    };
    diesel::insert_into(one_time_links::table)
        .values((
            one_time_links::token_hash.eq(token.as_str()),
            one_time_links::purpose.eq(link.purpose.as_str()),
            one_time_links::org_id.eq(org.as_str()),
            one_time_links::member_id.eq(member),
            one_time_links::account_id.eq(link.account_id.as_ref().map(AccountId::as_str)),
            one_time_links::created_at.eq(now),
            one_time_links::expires_at.eq(stored_time(link.expires_at)),
        ))
        .execute(connection)?;
    let line = Line {
        event: "link.created",
        subject: member.unwrap_or(org.as_str()),
        detail: link.purpose.as_str().to_owned(),
    };
    note(connection, org, link.created_at, by, &line)?;
    Ok(true)
}

pub(super) fn by_hash(
    connection: &mut AnyConnection,
    token: &KeyHash,
) -> Result<Option<LinkTarget>, StorageError> {
    let found: Option<(LinkRow, OrgRow)> = one_time_links::table
        .inner_join(organizations::table.on(organizations::id.eq(one_time_links::org_id)))
        .filter(one_time_links::token_hash.eq(token.as_str()))
        .select((LinkRow::as_select(), OrgRow::as_select()))
        .get_result(connection)
        .optional()?;
    let Some((link, org)) = found else {
        return Ok(None);
    };
    let link = link.read()?;
    let member = match &link.member_id {
        None => None,
        Some(member) => members::table
            .find(member.as_str())
            .select(MemberRow::as_select())
            .get_result(connection)
            .optional()?
            .map(MemberRow::read)
            .transpose()?,
    };
    Ok(Some(LinkTarget {
        link,
        organization: org.read()?,
        member,
    }))
}

/// Finds a link that works and keeps it from others until the transaction ends. Everything that may refuse to take it
/// up comes before the first write, because a refusal does not undo what was written.
fn lock(
    connection: &mut AnyConnection,
    token: &KeyHash,
    purpose: LinkPurpose,
    session: &NewSession,
) -> Result<Option<OneTimeLink>, StorageError> {
    let query = one_time_links::table
        .filter(one_time_links::token_hash.eq(token.as_str()))
        .filter(one_time_links::purpose.eq(purpose.as_str()))
        .filter(one_time_links::expires_at.gt(stored_time(session.session.created_at)));
    let row: Option<LinkRow> = match connection {
        AnyConnection::Sqlite(sqlite) => query
            .select(LinkRow::as_select())
            .get_result(sqlite)
            .optional()?,
        AnyConnection::Postgres(postgres) => query
            .select(LinkRow::as_select())
            .for_update()
            .first(postgres)
            .optional()?,
    };
    let link = row.map(LinkRow::read).transpose()?;
    Ok(link.filter(|link| link.org_id == session.session.org_id))
}

fn delete(connection: &mut AnyConnection, token: &KeyHash) -> Result<(), StorageError> {
    diesel::delete(one_time_links::table.find(token.as_str())).execute(connection)?;
    Ok(())
}

pub(super) fn take_setup(
    connection: &mut AnyConnection,
    token: &KeyHash,
    taker: &Taker,
    member: &MemberId,
    session: &NewSession,
) -> Taken {
    // Before the link, which is the order in which a new link takes them.
    if !orgs::lock(connection, &session.session.org_id)? {
        return Ok(Err(LinkRefused::Gone));
    }
    let Some(link) = lock(connection, token, LinkPurpose::Setup, session)? else {
        return Ok(Err(LinkRefused::Gone));
    };
    let (org, now) = (&link.org_id, session.session.created_at);
    let Some((name, email)) = name_and_email(connection, taker)? else {
        return Ok(Err(LinkRefused::Gone));
    };
    let of_address = members::table
        .filter(members::org_id.eq(org.as_str()))
        .filter(members::email.eq(&email))
        .select((members::id, members::account_id));
    // The member must not be removed in the meantime.
    let known: Option<(String, Option<String>)> = match connection {
        AnyConnection::Sqlite(sqlite) => of_address.get_result(sqlite).optional()?,
        AnyConnection::Postgres(postgres) => {
            of_address.for_no_key_update().first(postgres).optional()?
        }
    };
    let has_account = matches!(known, Some((_, Some(_))));
    if has_account || is_member(connection, org, taker.id())? {
        return Ok(Err(LinkRefused::MemberExists));
    }
    if let Err(refused) = store_taker(connection, taker, &email)? {
        return Ok(Err(refused));
    }
    let member = match known {
        // Somebody added the person before.
        Some((id, _)) => {
            let known_member = known_id(&id)?;
            let by = Actor::Member(known_member.clone());
            member_store::set_role(connection, org, &known_member, Role::Admin, now, &by)?;
            known_member
        }
        None => {
            let new = NewMember {
                id: member.clone(),
                name,
                email,
                role: Role::Admin,
                created_at: now,
            };
            member_store::add(connection, org, &new, &Actor::Member(member.clone()))?;
            member.clone()
        }
    };
    delete(connection, token)?;
    join(connection, org, &member, taker, session, "setup").map(Ok)
}

pub(super) fn take_invitation(
    connection: &mut AnyConnection,
    token: &KeyHash,
    taker: &Taker,
    session: &NewSession,
) -> Taken {
    let Some(link) = lock(connection, token, LinkPurpose::Invitation, session)? else {
        return Ok(Err(LinkRefused::Gone));
    };
    let Some(member) = &link.member_id else {
        return Ok(Err(LinkRefused::Gone));
    };
    let org = &link.org_id;
    let of_member = members::table
        .filter(members::org_id.eq(org.as_str()))
        .filter(members::id.eq(member.as_str()))
        .select((members::account_id, members::email));
    // The member must neither be removed nor get an account in the meantime.
    let found: Option<(Option<String>, String)> = match connection {
        AnyConnection::Sqlite(sqlite) => of_member.get_result(sqlite).optional()?,
        AnyConnection::Postgres(postgres) => {
            of_member.for_no_key_update().first(postgres).optional()?
        }
    };
    let Some((None, email)) = found else {
        return Ok(Err(LinkRefused::Gone));
    };
    if is_member(connection, org, taker.id())? {
        return Ok(Err(LinkRefused::MemberExists));
    }
    if let Err(refused) = store_taker(connection, taker, &email)? {
        return Ok(Err(refused));
    }
    delete(connection, token)?;
    join(connection, org, member, taker, session, "invitation").map(Ok)
}

pub(super) fn take_password_reset(
    connection: &mut AnyConnection,
    token: &KeyHash,
    password_hash: &str,
    session: &NewSession,
) -> Taken {
    let Some(link) = lock(connection, token, LinkPurpose::PasswordReset, session)? else {
        return Ok(Err(LinkRefused::Gone));
    };
    let Some((member, account)) = link.member_id.as_ref().zip(link.account_id.as_ref()) else {
        return Ok(Err(LinkRefused::Gone));
    };
    if *account != session.session.account_id {
        return Ok(Err(LinkRefused::Gone));
    }
    let now = session.session.created_at;
    delete_resets(connection, account)?;
    rows::set_password(connection, account, password_hash, now)?;
    sessions::end_all(connection, account, None)?;
    let stage = sessions::open(connection, session)?;
    let line = Line {
        event: "password.reset",
        subject: member.as_str(),
        detail: session.session.address.clone(),
    };
    note(connection, &link.org_id, now, &Actor::Link, &line)?;
    Ok(Ok(stage))
}

/// Deletes the password resets of an account, whichever organization issued them.
pub(super) fn delete_resets(
    connection: &mut AnyConnection,
    account: &AccountId,
) -> Result<(), StorageError> {
    diesel::delete(one_time_links::table.filter(one_time_links::account_id.eq(account.as_str())))
        .execute(connection)?;
    Ok(())
}

/// Stores the account of a person who has none yet, and keeps the one of a person who has one. Nothing is written
/// where the address is taken, or where the account is gone or no longer has the address of the member.
fn store_taker(
    connection: &mut AnyConnection,
    taker: &Taker,
    email: &str,
) -> Result<Result<(), LinkRefused>, StorageError> {
    match taker {
        Taker::Known(account) => {
            let found = rows::keep(connection, account)?;
            Ok(match found.is_some_and(|found| found == email) {
                true => Ok(()),
                false => Err(LinkRefused::Gone),
            })
        }
        Taker::New(account) => Ok(match rows::insert(connection, account)? {
            true => Ok(()),
            false => Err(LinkRefused::EmailTaken),
        }),
    }
}

/// The name and the address of who takes up a link; none where the account is gone.
fn name_and_email(
    connection: &mut AnyConnection,
    taker: &Taker,
) -> Result<Option<(String, String)>, StorageError> {
    match taker {
        Taker::New(account) => Ok(Some((account.name.clone(), account.email.clone()))),
        Taker::Known(account) => Ok(accounts::table
            .find(account.as_str())
            .select((accounts::name, accounts::email))
            .get_result(connection)
            .optional()?),
    }
}

fn is_member(
    connection: &mut AnyConnection,
    org: &OrgId,
    account: &AccountId,
) -> Result<bool, StorageError> {
    let found: Option<String> = members::table
        .filter(members::org_id.eq(org.as_str()))
        .filter(members::account_id.eq(account.as_str()))
        .select(members::id)
        .first(connection)
        .optional()?;
    Ok(found.is_some())
}

fn known_id(id: &str) -> Result<MemberId, StorageError> {
    known("member", id, MemberId::parse(id))
}

/// Gives a member the account, and stores its session, or a sign-in that waits for a code. Password resets that were
/// issued before end: the organization that issued them could otherwise open this one, too.
fn join(
    connection: &mut AnyConnection,
    org: &OrgId,
    member: &MemberId,
    taker: &Taker,
    session: &NewSession,
    detail: &str,
) -> Result<SignInStage, StorageError> {
    diesel::update(members::table)
        .filter(members::org_id.eq(org.as_str()))
        .filter(members::id.eq(member.as_str()))
        .set(members::account_id.eq(taker.id().as_str()))
        .execute(connection)?;
    delete_resets(connection, taker.id())?;
    let stage = sessions::open(connection, session)?;
    let by = Actor::Member(member.clone());
    let line = Line {
        event: "member.joined",
        subject: member.as_str(),
        detail: detail.to_owned(),
    };
    note(connection, org, session.session.created_at, &by, &line)?;
    Ok(stage)
}
