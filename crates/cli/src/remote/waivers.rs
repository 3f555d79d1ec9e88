//! `assay waivers`.

use anyhow::Result;
use api_types::waiver::{CreateWaiverRequest, Waiver, WaiverState};
use chrono::SecondsFormat;

use super::session::Session;
use super::table::{sheet, table};
use super::times::{minute, minute_or_dash};
use crate::args::{AddWaiverArgs, WaiversArgs, WaiversCommand};
use crate::exit::Exit;
use crate::output::write_note;

pub(super) async fn waivers(session: &Session, args: &WaiversArgs) -> Result<Exit> {
    match &args.command {
        // Without a command, the site is there.
        None => list(session, args.site.as_deref().unwrap_or_default()).await?,
        Some(WaiversCommand::List { site, .. }) => list(session, site).await?,
        Some(WaiversCommand::Add(args)) => add(session, args).await?,
        Some(WaiversCommand::Remove { site, waiver, .. }) => {
            let site = session.site_id(site).await?;
            let waiver = session.waiver_id(&site, waiver).await?;
            session.client.delete_waiver(&site, &waiver).await?;
            write_note(&format!("Deleted {waiver}"));
        }
    }
    Ok(Exit::Fine)
}

async fn list(session: &Session, site: &str) -> Result<()> {
    let site = session.site_id(site).await?;
    let list = session.client.waivers(&site).await?;
    session.print(&list, |list| {
        if list.waivers.is_empty() {
            return "No waivers.\n".to_owned();
        }
        table(
            [
                "CHECK",
                "ONLY",
                "STATE",
                "EXPIRES (UTC)",
                "BY",
                "REASON",
                "WAIVER",
            ],
            list.waivers.iter().map(row),
        )
    })
}

async fn add(session: &Session, args: &AddWaiverArgs) -> Result<()> {
    let site = session.site_id(&args.site).await?;
    let request = CreateWaiverRequest {
        check_id: args.check.clone(),
        path: args.path.clone(),
        cause: args.cause.clone(),
        reason: args.reason.clone(),
        expires_at: args
            .expires
            .map(|at| at.to_rfc3339_opts(SecondsFormat::Millis, true)),
    };
    let waiver = session.client.create_waiver(&site, &request).await?;
    session.print(&waiver, shown)?;
    if !session.json {
        write_note("The waiver applies from the next run on.");
    }
    Ok(())
}

fn row(waiver: &Waiver) -> [String; 7] {
    [
        waiver.check_id.clone(),
        only(waiver),
        state(waiver.state).to_owned(),
        minute_or_dash(waiver.expires_at.as_ref()),
        waiver.author.name.clone(),
        waiver.reason.clone(),
        waiver.waiver_id.clone(),
    ]
}

fn shown(waiver: &Waiver) -> String {
    let mut rows = vec![
        ("Waiver", waiver.waiver_id.clone()),
        ("Site", waiver.site_id.clone()),
        ("Check", waiver.check_id.clone()),
        ("Reason", waiver.reason.clone()),
    ];
    rows.extend(waiver.path.iter().map(|path| ("Path", path.clone())));
    rows.extend(waiver.cause.iter().map(|cause| ("Cause", cause.clone())));
    let expires = waiver.expires_at.iter();
    rows.extend(expires.map(|at| ("Expires", format!("{} UTC", minute(at)))));
    sheet(&rows)
}

/// What it is limited to.
fn only(waiver: &Waiver) -> String {
    let parts: Vec<_> = [&waiver.path, &waiver.cause]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    match parts.is_empty() {
        true => "–".to_owned(),
        false => parts.join(", "),
    }
}

const fn state(state: WaiverState) -> &'static str {
    match state {
        WaiverState::Active => "active",
        WaiverState::Expired => "expired",
    }
}
