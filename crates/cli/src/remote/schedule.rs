//! `assay schedule`.

use anyhow::Result;
use api_types::schedule::{Frequency, Schedule, SetScheduleRequest};
use client::Reply;

use super::labels;
use super::lookup::host;
use super::session::Session;
use super::table::sheet;
use super::times::minute;
use crate::args::{ScheduleArgs, ScheduleCommand, SetScheduleArgs};
use crate::exit::Exit;

pub(super) async fn schedule(session: &Session, args: &ScheduleArgs) -> Result<Exit> {
    let site = args.site.as_deref().unwrap_or_default();
    let schedule = match &args.command {
        None => shown_of(session, site).await?,
        Some(ScheduleCommand::Show { site, .. }) => shown_of(session, site).await?,
        Some(ScheduleCommand::Set(args)) => {
            let id = session.site_id(&args.site).await?;
            let before = session.client.schedule(&id).await?.value;
            session
                .client
                .set_schedule(&id, &wanted(args, before))
                .await?
        }
    };
    let site = match session.json {
        true => String::new(),
        false => {
            let site = session.client.site(&schedule.value.site_id).await?;
            host(&site.value.url)
        }
    };
    session.print(&schedule, |schedule| shown(schedule, &site))?;
    Ok(Exit::Fine)
}

async fn shown_of(session: &Session, site: &str) -> Result<Reply<Schedule>> {
    let id = session.site_id(site).await?;
    Ok(session.client.schedule(&id).await?)
}

/// The requested settings; the others stay unchanged.
fn wanted(args: &SetScheduleArgs, before: Schedule) -> SetScheduleRequest {
    let timezone = args.timezone.clone().or(before.timezone);
    let (frequency, cron) = match (&args.cron, args.frequency) {
        (Some(cron), _) => (Frequency::Custom, Some(cron.clone())),
        (None, Some(frequency)) => (frequency.into(), None),
        (None, None) => (before.frequency.unwrap_or(Frequency::Weekly), before.cron),
    };
    SetScheduleRequest {
        enabled: !args.off,
        frequency,
        cron,
        timezone: timezone.unwrap_or_else(|| "UTC".to_owned()),
    }
}

fn shown(schedule: &Schedule, site: &str) -> String {
    let dash = || "–".to_owned();
    let time = |time: &Option<String>| {
        time.as_ref()
            .map_or_else(dash, |time| format!("{} UTC", minute(time)))
    };
    let often = match (schedule.frequency, &schedule.cron) {
        (Some(Frequency::Custom), Some(cron)) => format!("cron: {cron}"),
        (Some(frequency), _) => labels::frequency(frequency).to_owned(),
        (None, _) => "never".to_owned(),
    };
    sheet(&[
        ("Site", site.to_owned()),
        (
            "Enabled",
            if schedule.enabled { "yes" } else { "no" }.to_owned(),
        ),
        ("How often", often),
        ("Time zone", schedule.timezone.clone().unwrap_or_else(dash)),
        ("Next run", time(&schedule.next_run_at)),
        ("Last run", time(&schedule.last_run_at)),
    ])
}
