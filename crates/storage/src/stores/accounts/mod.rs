//! Accounts, their second factors, sessions and one-time links.

mod links;
mod locked;
mod own;
mod pending;
mod rows;
mod second_factors;
mod sessions;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::account::{
    Account, CodeProof, MemberChange, MemberNotChanged, OneTimeLink, PendingSignIn, SecondFactor,
    Session, SessionLifetime, SignInStage, TotpSecret,
};
use domain::audit_log::Actor;
use domain::id::{AccountId, MemberId, OrgId, SessionId};
use domain::key::{KeyHash, Role};
use domain::ports::{
    AccountStore, Credentials, EmailInUse, EnabledFactor, LinkRefused, LinkTarget, Membership,
    NewSession, SecondFactorStore, SignInNotCompleted, SignedIn, StoreError, Taker,
};

use crate::database::Database;
use crate::database::schema::{accounts, members, organizations};
use crate::database::values::known;
use crate::stores::members::MemberRow;
use crate::stores::rows::OrgRow;
use crate::stores::{account_access, orgs};
use rows::AccountRow;

/// The most memberships of an account that are listed.
const MAX_MEMBERSHIPS: i64 = 100;

impl AccountStore for Database {
    fn create_link(
        &self,
        link: &OneTimeLink,
        token: &KeyHash,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| links::create(connection, link, token, by))?)
    }

    fn link_by_hash(&self, token: &KeyHash) -> Result<Option<LinkTarget>, StoreError> {
        Ok(self.read(|connection| links::by_hash(connection, token))?)
    }

    fn take_setup_link(
        &self,
        token: &KeyHash,
        taker: &Taker,
        member: &MemberId,
        session: &NewSession,
    ) -> Result<Result<SignInStage, LinkRefused>, StoreError> {
        Ok(self.write(|connection| links::take_setup(connection, token, taker, member, session))?)
    }

    fn take_invitation(
        &self,
        token: &KeyHash,
        taker: &Taker,
        session: &NewSession,
    ) -> Result<Result<SignInStage, LinkRefused>, StoreError> {
        Ok(self.write(|connection| links::take_invitation(connection, token, taker, session))?)
    }

    fn take_password_reset(
        &self,
        token: &KeyHash,
        password_hash: &str,
        session: &NewSession,
    ) -> Result<Result<SignInStage, LinkRefused>, StoreError> {
        Ok(self.write(|connection| {
            links::take_password_reset(connection, token, password_hash, session)
        })?)
    }

    fn credentials(&self, email: &str) -> Result<Option<Credentials>, StoreError> {
        Ok(self.read(|connection| {
            let row: Option<AccountRow> = accounts::table
                .filter(accounts::email.eq(email))
                .select(AccountRow::as_select())
                .get_result(connection)
                .optional()?;
            row.map(AccountRow::with_password).transpose()
        })?)
    }

    fn memberships(&self, account: &AccountId) -> Result<Vec<Membership>, StoreError> {
        Ok(self.read(|connection| {
            let rows: Vec<(MemberRow, OrgRow)> = members::table
                .inner_join(organizations::table.on(organizations::id.eq(members::org_id)))
                .filter(members::account_id.eq(account.as_str()))
                .order((members::created_at, members::id))
                .limit(MAX_MEMBERSHIPS)
                .select((MemberRow::as_select(), OrgRow::as_select()))
                .load(connection)?;
            rows.into_iter().map(rows::membership).collect()
        })?)
    }

    fn account_of(&self, org: &OrgId, member: &MemberId) -> Result<Option<Account>, StoreError> {
        Ok(self.read(|connection| {
            let row: Option<AccountRow> = accounts::table
                .inner_join(members::table.on(members::account_id.eq(accounts::id.nullable())))
                .filter(members::org_id.eq(org.as_str()))
                .filter(members::id.eq(member.as_str()))
                .select(AccountRow::as_select())
                .get_result(connection)
                .optional()?;
            row.map(AccountRow::read).transpose()
        })?)
    }

    fn members_with_account(&self, org: &OrgId) -> Result<Vec<MemberId>, StoreError> {
        Ok(self.read(|connection| {
            let ids: Vec<String> = members::table
                .filter(members::org_id.eq(org.as_str()))
                .filter(members::account_id.is_not_null())
                .order((members::created_at, members::id))
                .select(members::id)
                .load(connection)?;
            ids.iter()
                .map(|id| known("member", id, MemberId::parse(id)))
                .collect()
        })?)
    }

    fn sign_in(
        &self,
        session: &NewSession,
        replaced: Option<&KeyHash>,
        lifetime: SessionLifetime,
    ) -> Result<SignInStage, StoreError> {
        Ok(self.write(|connection| sessions::sign_in(connection, session, replaced, lifetime))?)
    }

    fn rotate_session(&self, old: &KeyHash, session: &NewSession) -> Result<bool, StoreError> {
        Ok(self.write(|connection| sessions::rotate(connection, old, session))?)
    }

    fn session_by_hash(&self, token: &KeyHash) -> Result<Option<SignedIn>, StoreError> {
        Ok(self.read(|connection| sessions::by_hash(connection, token))?)
    }

    fn touch_session(&self, token: &KeyHash, at: DateTime<Utc>) -> Result<(), StoreError> {
        let noted = self.write_if_free(|connection| sessions::touch(connection, token, at));
        // Where others write, the next use notes it.
        Ok(noted.map(|_| ())?)
    }

    fn sessions(&self, account: &AccountId) -> Result<Vec<Session>, StoreError> {
        Ok(self.read(|connection| sessions::all(connection, account))?)
    }

    fn end_session(&self, account: &AccountId, session: &SessionId) -> Result<bool, StoreError> {
        Ok(self.write(|connection| sessions::end(connection, account, session))?)
    }

    fn set_password(
        &self,
        account: &AccountId,
        password_hash: &str,
        kept: &SessionId,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        Ok(self.write(|connection| {
            rows::set_password(connection, account, password_hash, at)?;
            links::delete_resets(connection, account)?;
            sessions::end_all(connection, account, Some(kept))
        })?)
    }

    fn set_account_name(
        &self,
        account: &AccountId,
        name: &str,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        Ok(self.write(|connection| own::set_name(connection, account, name, at))?)
    }

    fn set_account_email(
        &self,
        account: &AccountId,
        email: &str,
        kept: &SessionId,
        at: DateTime<Utc>,
    ) -> Result<Result<(), EmailInUse>, StoreError> {
        Ok(self.write(|connection| own::set_email(connection, account, email, kept, at))?)
    }

    fn set_member_role(
        &self,
        org: &OrgId,
        member: &MemberId,
        role: Role,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| {
            let Some(account) =
                crate::stores::members::set_role(connection, org, member, role, at, by)?
            else {
                return Ok(false);
            };
            if let Some(account) = account {
                account_access::end_sessions(connection, org, &account)?;
            }
            Ok(true)
        })?)
    }

    fn end_other_sessions(&self, account: &AccountId, kept: &SessionId) -> Result<(), StoreError> {
        Ok(self.write(|connection| sessions::end_all(connection, account, Some(kept)))?)
    }

    fn change_member(
        &self,
        org: &OrgId,
        member: &MemberId,
        change: MemberChange,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<Result<(), MemberNotChanged>, StoreError> {
        Ok(self.write(|connection| {
            crate::stores::members::change(connection, (org, member), change, at, by)
        })?)
    }
}

impl SecondFactorStore for Database {
    fn start_second_factor(
        &self,
        account: &AccountId,
        secret: &TotpSecret,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let sealed = second_factors::seal(self.secret(), account, secret)?;
        Ok(self.write(|connection| second_factors::start(connection, account, &sealed, at))?)
    }

    fn second_factor(&self, account: &AccountId) -> Result<Option<SecondFactor>, StoreError> {
        Ok(self.read(|connection| second_factors::find(connection, self.secret(), account))?)
    }

    fn enable_second_factor(
        &self,
        account: &AccountId,
        factor: &EnabledFactor<'_>,
        kept: &SessionId,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| second_factors::enable(connection, account, factor, kept, at))?)
    }

    fn disable_second_factor(
        &self,
        account: &AccountId,
        proof: &CodeProof,
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| second_factors::disable(connection, account, proof, at))?)
    }

    fn renew_recovery_codes(
        &self,
        account: &AccountId,
        proof: &CodeProof,
        codes: &[KeyHash],
        at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| {
            second_factors::renew_codes(connection, account, proof, codes, at)
        })?)
    }

    fn reset_second_factor(
        &self,
        account: &AccountId,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| second_factors::reset(connection, account, at, by))?)
    }

    fn pending_sign_in(&self, token: &KeyHash) -> Result<Option<PendingSignIn>, StoreError> {
        Ok(self.read(|connection| pending::find(connection, token))?)
    }

    fn complete_sign_in(
        &self,
        pending: &KeyHash,
        proof: &CodeProof,
        session: &NewSession,
        lifetime: SessionLifetime,
    ) -> Result<Result<(), SignInNotCompleted>, StoreError> {
        Ok(self
            .write(|connection| pending::complete(connection, pending, proof, session, lifetime))?)
    }

    fn members_with_second_factor(&self, org: &OrgId) -> Result<Vec<MemberId>, StoreError> {
        Ok(self.read(|connection| second_factors::members_with(connection, org))?)
    }

    fn set_second_factor_required(
        &self,
        org: &OrgId,
        is_required: bool,
        at: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| {
            orgs::set_second_factor_required(connection, org, is_required, at, by)
        })?)
    }
}
