//! `assay account`.

use anyhow::Result;
use api_types::account::{Account, Role};
use api_types::report::Variant;

use super::session::Session;
use super::table::sheet;
use super::times::minute;
use crate::exit::Exit;

pub(super) async fn account(session: &Session) -> Result<Exit> {
    let account = session.client.account().await?;
    session.print(&account, |account| {
        shown(account, &session.client.server().to_string())
    })?;
    Ok(Exit::Fine)
}

fn shown(account: &Account, server: &str) -> String {
    let of = |used: u64, cap: Option<u64>| match cap {
        Some(cap) => format!("{used} of {cap}"),
        None => format!("{used}, no cap"),
    };
    let (plan, key) = (&account.plan, &account.key);
    let role = match key.role {
        Role::Read => "read",
        Role::Member => "member",
        Role::Admin => "admin",
    };
    let expires = key.expires_at.as_ref();
    sheet(&[
        ("Service", server.to_owned()),
        (
            "Organization",
            format!(
                "{} ({})",
                account.organization.name, account.organization.organization_id
            ),
        ),
        ("Plan", plan.name.clone()),
        ("Sites", of(plan.usage.sites, plan.limits.sites)),
        (
            "Runs this month",
            of(plan.usage.monthly_runs, plan.limits.monthly_runs),
        ),
        ("Key", format!("{} ({}…), {role}", key.name, key.prefix)),
        (
            "Key expires",
            expires.map_or_else(
                || "never".to_owned(),
                |time| format!("{} UTC", minute(time)),
            ),
        ),
        (
            "Variant",
            match account.variant {
                Variant::Current => "current",
                Variant::Legacy => "legacy",
            }
            .to_owned(),
        ),
    ])
}
