//! Finds what a person named: by id, by the end of an id, or by the host or name of a site.

use std::fmt;

use anyhow::{Error, Result};
use api_types::run::{Run, RunStatus};
use api_types::site::Site;
use client::ActionFilter;
use report::plain::plain;

use super::id::typed_end;
use super::labels;
use super::session::Session;

/// How many runs or action items, newest or most important first, are searched for the end of an id.
const SEARCHED: usize = 1_000;
/// The entries of one response.
const PAGE: u32 = 200;

/// Nothing has the name that a person typed, or several things have it.
#[derive(Debug)]
pub(super) struct NotFound(String);

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotFound {}

/// A kind of thing that has ids.
#[derive(Debug, Clone, Copy)]
struct Kind {
    noun: &'static str,
    /// The command that lists them.
    list: &'static str,
}

const RUN: Kind = Kind {
    noun: "run",
    list: "assay runs",
};
const REPORT: Kind = Kind {
    noun: "report",
    list: "assay runs",
};
const SITE: Kind = Kind {
    noun: "site",
    list: "assay sites",
};
const ACTION: Kind = Kind {
    noun: "action item",
    list: "assay actions --status all",
};
const WEBHOOK: Kind = Kind {
    noun: "webhook",
    list: "assay webhooks",
};
const WAIVER: Kind = Kind {
    noun: "waiver",
    list: "assay waivers SITE",
};
const MEMBER: Kind = Kind {
    noun: "member",
    list: "assay account --members",
};

impl Kind {
    fn not_found(self, named: &str) -> Error {
        let Self { noun, list } = self;
        let named = plain(named);
        NotFound(format!("there is no {noun} {named}; `{list}` lists them")).into()
    }

    /// The only one of the things whose id ends like this.
    fn only<T>(self, named: &str, found: Vec<T>) -> Result<Option<T>> {
        if found.len() > 1 {
            let Self { noun, list } = self;
            let why = format!(
                "the ids of {} {noun}s end in {}; give more characters of the id, which `{list} --json` prints whole",
                found.len(),
                plain(named)
            );
            return Err(NotFound(why).into());
        }
        Ok(found.into_iter().next())
    }
}

impl Session {
    /// The id of the site with this id, end of an id, host or name.
    pub(super) async fn site_id(&self, named: &str) -> Result<String> {
        if named.starts_with("site_") {
            return Ok(named.to_owned());
        }
        match self.site(named).await? {
            Some(site) => Ok(site.site_id),
            None => Err(SITE.not_found(named)),
        }
    }

    /// The site with this host, name or end of an id.
    async fn site(&self, named: &str) -> Result<Option<Site>> {
        let mut sites = self.client.sites().await?.value.sites;
        let found = sites
            .iter()
            .position(|site| host(&site.url) == host(named))
            .or_else(|| sites.iter().position(|site| site.name == named));
        if let Some(found) = found {
            return Ok(Some(sites.swap_remove(found)));
        }
        let Some(end) = typed_end(named) else {
            return Ok(None);
        };
        sites.retain(|site| site.site_id.ends_with(&end));
        SITE.only(named, sites)
    }

    /// The id of the run with this id or end of an id, or of the latest run of the site with this host.
    pub(super) async fn run_id(&self, named: &str) -> Result<String> {
        if named.starts_with("run_") {
            return Ok(named.to_owned());
        }
        Ok(self.run_named(RUN, named, &[]).await?.run_id)
    }

    /// The id of the report with this id or end of an id, of the report of the run with this id or end of an id, or
    /// of the latest report of the site with this host.
    pub(super) async fn report_id(&self, named: &str) -> Result<String> {
        if named.starts_with("rep_") {
            return Ok(named.to_owned());
        }
        let run = if named.starts_with("run_") {
            self.client.run(named).await?.value
        } else {
            self.run_named(REPORT, named, &[RunStatus::Completed])
                .await?
        };
        run.report_id.ok_or_else(|| {
            NotFound(format!(
                "run {} is {}; it has no report",
                run.run_id,
                labels::status(run.status)
            ))
            .into()
        })
    }

    /// A run whose id or whose report's id ends like this, or the latest run of a site with one of the statuses.
    async fn run_named(&self, kind: Kind, named: &str, of_site: &[RunStatus]) -> Result<Run> {
        if let Some(end) = typed_end(named) {
            let found = self.runs_that_end(&end).await?;
            if let Some(run) = kind.only(named, found)? {
                return Ok(run);
            }
        }
        let Some(site) = self.site(named).await? else {
            return Err(kind.not_found(named));
        };
        let latest = self
            .client
            .runs(Some(&site.site_id), of_site, Some(1), None)
            .await?;
        latest.value.runs.into_iter().next().ok_or_else(|| {
            let noun = kind.noun;
            NotFound(format!(
                "the site {} has no {noun} yet; `assay start {}` starts an audit",
                plain(named),
                plain(&site.url)
            ))
            .into()
        })
    }

    async fn runs_that_end(&self, end: &str) -> Result<Vec<Run>> {
        let (mut found, mut searched, mut cursor) = (Vec::new(), 0, None);
        while searched < SEARCHED {
            let list = self
                .client
                .runs(None, &[], Some(PAGE), cursor.as_deref())
                .await?
                .value;
            searched += list.runs.len().max(1);
            let ends = |run: &Run| {
                run.run_id.ends_with(end)
                    || run.report_id.as_ref().is_some_and(|it| it.ends_with(end))
            };
            found.extend(list.runs.into_iter().filter(ends));
            cursor = list.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(found)
    }

    /// The id of the action item with this id or end of an id.
    pub(super) async fn action_id(&self, named: &str) -> Result<String> {
        if named.starts_with("act_") {
            return Ok(named.to_owned());
        }
        let Some(end) = typed_end(named) else {
            return Err(ACTION.not_found(named));
        };
        let (mut found, mut searched, mut cursor) = (Vec::new(), 0, None);
        while searched < SEARCHED {
            let filter = ActionFilter {
                limit: Some(PAGE),
                cursor,
                ..ActionFilter::default()
            };
            let list = self.client.actions(&filter).await?.value;
            searched += list.actions.len().max(1);
            let ids = list.actions.into_iter().map(|action| action.action_id);
            found.extend(ids.filter(|id| id.ends_with(&end)));
            cursor = list.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        let found = ACTION.only(named, found)?;
        found.ok_or_else(|| ACTION.not_found(named))
    }

    /// The id of the webhook with this id or end of an id.
    pub(super) async fn webhook_id(&self, named: &str) -> Result<String> {
        if named.starts_with("whk_") {
            return Ok(named.to_owned());
        }
        let webhooks = self.client.webhooks().await?.value.webhooks;
        let ids = webhooks.into_iter().map(|webhook| webhook.webhook_id);
        ending(WEBHOOK, named, ids)
    }

    /// The id of the waiver of a site with this id or end of an id.
    pub(super) async fn waiver_id(&self, site: &str, named: &str) -> Result<String> {
        if named.starts_with("wvr_") {
            return Ok(named.to_owned());
        }
        let waivers = self.client.waivers(site).await?.value.waivers;
        let ids = waivers.into_iter().map(|waiver| waiver.waiver_id);
        ending(WAIVER, named, ids)
    }

    /// The id of the member with this id, end of an id or e-mail address.
    pub(super) async fn member_id(&self, named: &str) -> Result<String> {
        if named.starts_with("mem_") {
            return Ok(named.to_owned());
        }
        let members = self.client.members().await?.value.members;
        if let Some(member) = members
            .iter()
            .find(|it| it.email.eq_ignore_ascii_case(named))
        {
            return Ok(member.member_id.clone());
        }
        ending(MEMBER, named, members.into_iter().map(|it| it.member_id))
    }
}

/// The only id that ends like the text.
fn ending(kind: Kind, named: &str, ids: impl Iterator<Item = String>) -> Result<String> {
    let Some(end) = typed_end(named) else {
        return Err(kind.not_found(named));
    };
    let found = ids.filter(|id| id.ends_with(&end)).collect();
    let found = kind.only(named, found)?;
    found.ok_or_else(|| kind.not_found(named))
}

/// The host of a URL or the text itself, without `www.`, in lower case.
fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    host.strip_prefix("www.")
        .unwrap_or(host)
        .to_ascii_lowercase()
}
