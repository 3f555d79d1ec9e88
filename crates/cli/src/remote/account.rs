//! `assay account`.

use anyhow::Result;
use api_types::account::{Account, Role};
use api_types::report::Variant;
use domain::text::{grouped, size};

use super::session::Session;
use super::table::{sheet, table};
use super::times::minute;
use crate::exit::Exit;

pub(super) async fn account(session: &Session) -> Result<Exit> {
    let account = session.client.account().await?;
    session.print(&account, |account| {
        shown(account, &session.client.server().to_string())
    })?;
    Ok(Exit::Fine)
}

pub(super) async fn members(session: &Session) -> Result<Exit> {
    let members = session.client.members().await?;
    session.print(&members, |list| {
        if list.members.is_empty() {
            return "No members.\n".to_owned();
        }
        table(
            ["ROLE", "E-MAIL", "NAME", "MEMBER"],
            list.members.iter().map(|member| {
                [
                    role(member.role).to_owned(),
                    member.email.clone(),
                    member.name.clone(),
                    member.member_id.clone(),
                ]
            }),
        )
    })?;
    Ok(Exit::Fine)
}

const fn role(role: Role) -> &'static str {
    match role {
        Role::Read => "read",
        Role::Member => "member",
        Role::Admin => "admin",
    }
}

fn shown(account: &Account, server: &str) -> String {
    let of = |used: u64, cap: Option<u64>, text: fn(u64) -> String| match cap {
        Some(cap) => format!("{} of {}", text(used), text(cap)),
        None => format!("{}, no limit", text(used)),
    };
    let (plan, key) = (&account.plan, &account.key);
    let role = role(key.role);
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
        ("Sites", of(plan.usage.sites, plan.limits.sites, grouped)),
        (
            "Runs this month",
            of(plan.usage.monthly_runs, plan.limits.monthly_runs, grouped),
        ),
        (
            "Stored data",
            of(plan.usage.storage_bytes, plan.limits.storage_bytes, size),
        ),
        (
            "Rendered pages this month",
            of(
                plan.usage.monthly_rendered_pages,
                plan.limits.monthly_rendered_pages,
                grouped,
            ),
        ),
        (
            "Rendered pages a run",
            (plan.limits.rendered_pages_per_run).map_or_else(
                || "no limit".to_owned(),
                |most| format!("at most {}", grouped(most)),
            ),
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
