//! Finds what a person named: by id, by the end of an id, or by the host or name of a site.

use anyhow::Result;
use api_types::report::Issue;
use api_types::run::{Run, RunStatus};
use api_types::site::Site;
use client::ActionFilter;
use domain::id::{ActionId, MemberId, ReportId, RunId, SiteId, WaiverId, WebhookId};
use report::plain::plain;

use super::id::Typed;
use super::kind::{Kind, NotFound, one_is_unknown};
use super::labels;
use super::session::Session;

/// How many runs or action items, newest or most important first, are searched for the end of an id.
const SEARCHED: usize = 1_000;
/// The entries of one response.
const PAGE: u32 = 200;

const RUN: Kind = Kind {
    noun: "run",
    prefix: RunId::PREFIX,
    list: "assay runs",
};
const REPORT: Kind = Kind {
    noun: "report",
    prefix: ReportId::PREFIX,
    list: "assay reports",
};
const SITE: Kind = Kind {
    noun: "site",
    prefix: SiteId::PREFIX,
    list: "assay sites",
};
const ACTION: Kind = Kind {
    noun: "action item",
    prefix: ActionId::PREFIX,
    list: "assay actions --status all",
};
const WEBHOOK: Kind = Kind {
    noun: "webhook",
    prefix: WebhookId::PREFIX,
    list: "assay webhooks",
};
const WAIVER: Kind = Kind {
    noun: "waiver",
    prefix: WaiverId::PREFIX,
    list: "assay waivers SITE",
};
const MEMBER: Kind = Kind {
    noun: "member",
    prefix: MemberId::PREFIX,
    list: "assay account --members",
};

impl Session {
    /// A whole id, which is not looked up: if the service does not know it, [`Self::unknown`] says so.
    fn unverified(&self, kind: Kind, id: String) -> String {
        self.unverified.borrow_mut().push((kind, id.clone()));
        id
    }

    /// Why the service answered that something does not exist: the ids of the command that were not looked up.
    pub(super) fn unknown(&self) -> Option<NotFound> {
        one_is_unknown(&self.unverified.borrow())
    }

    /// The id of the site with this id, end of an id, host or name.
    pub(super) async fn site_id(&self, named: &str) -> Result<String> {
        if let Typed::Whole(id) = SITE.typed(named) {
            return Ok(self.unverified(SITE, id));
        }
        match self.site(named).await? {
            Some(site) => Ok(site.site_id),
            None => Err(SITE.not_found(named).into()),
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
        let typed = SITE.typed(named);
        sites.retain(|site| typed.names(&site.site_id));
        Ok(SITE.only(named, sites, |site| &site.site_id)?)
    }

    /// The id of the run with this id or end of an id, or of the latest run of the site with this host.
    pub(super) async fn run_id(&self, named: &str) -> Result<String> {
        if let Typed::Whole(id) = RUN.typed(named) {
            return Ok(self.unverified(RUN, id));
        }
        Ok(self.run_named(RUN, named, &[]).await?.run_id)
    }

    /// The id of the report with this id or end of an id, of the report of the run with this id or end of an id, or
    /// of the latest report of the site with this host.
    pub(super) async fn report_id(&self, named: &str) -> Result<String> {
        if let Typed::Whole(id) = REPORT.typed(named) {
            return Ok(self.unverified(REPORT, id));
        }
        let run = if let Typed::Whole(id) = RUN.typed(named) {
            let id = self.unverified(RUN, id);
            self.client.run(&id).await?.value
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
        let ends = [RUN.typed(named), REPORT.typed(named)];
        if ends.iter().any(|it| matches!(it, Typed::End(_))) {
            let found = self.runs_with(&ends).await?;
            if let Some(run) = kind.only(named, found, |run| &run.run_id)? {
                return Ok(run);
            }
        }
        let Some(site) = self.site(named).await? else {
            return Err(kind.not_found(named).into());
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

    /// The runs with these ends of the id of the run and of its report.
    async fn runs_with(&self, [of_run, of_report]: &[Typed; 2]) -> Result<Vec<Run>> {
        let (mut found, mut searched, mut cursor) = (Vec::new(), 0, None);
        while searched < SEARCHED {
            let list = self
                .client
                .runs(None, &[], Some(PAGE), cursor.as_deref())
                .await?
                .value;
            searched += list.runs.len().max(1);
            let is_named = |run: &Run| {
                let report = run.report_id.as_ref();
                of_run.names(&run.run_id) || report.is_some_and(|it| of_report.names(it))
            };
            found.extend(list.runs.into_iter().filter(is_named));
            cursor = list.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(found)
    }

    /// The id of the action item with this id or end of an id.
    pub(super) async fn action_id(&self, named: &str) -> Result<String> {
        let typed = match ACTION.typed(named) {
            Typed::Whole(id) => return Ok(self.unverified(ACTION, id)),
            Typed::TooShort | Typed::Other => return Err(ACTION.not_found(named).into()),
            typed @ Typed::End(_) => typed,
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
            found.extend(ids.filter(|id| typed.names(id)));
            cursor = list.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        Ok(ACTION.named(named, found)?)
    }

    /// The id of the webhook with this id or end of an id.
    pub(super) async fn webhook_id(&self, named: &str) -> Result<String> {
        if let Typed::Whole(id) = WEBHOOK.typed(named) {
            return Ok(self.unverified(WEBHOOK, id));
        }
        let webhooks = self.client.webhooks().await?.value.webhooks;
        let ids = webhooks.into_iter().map(|webhook| webhook.webhook_id);
        Ok(WEBHOOK.named(named, ids)?)
    }

    /// The id of the waiver of a site with this id or end of an id.
    pub(super) async fn waiver_id(&self, site: &str, named: &str) -> Result<String> {
        if let Typed::Whole(id) = WAIVER.typed(named) {
            return Ok(self.unverified(WAIVER, id));
        }
        let waivers = self.client.waivers(site).await?.value.waivers;
        let ids = waivers.into_iter().map(|waiver| waiver.waiver_id);
        Ok(WAIVER.named(named, ids)?)
    }

    /// The id of the member with this id, end of an id or e-mail address.
    pub(super) async fn member_id(&self, named: &str) -> Result<String> {
        if let Typed::Whole(id) = MEMBER.typed(named) {
            return Ok(self.unverified(MEMBER, id));
        }
        let members = self.client.members().await?.value.members;
        if let Some(member) = members
            .iter()
            .find(|it| it.email.eq_ignore_ascii_case(named))
        {
            return Ok(member.member_id.clone());
        }
        let ids = members.into_iter().map(|it| it.member_id);
        Ok(MEMBER.named(named, ids)?)
    }

    /// The issue of a report with this id or check.
    pub(super) async fn issue(&self, report: &str, named: &str) -> Result<Issue> {
        let issues = self.client.report(report).await?.value.issues;
        let found = issues
            .into_iter()
            .find(|issue| issue.check_id == named || issue.issue_id == named);
        found.ok_or_else(|| {
            NotFound(format!(
                "the report has no issue {}; `assay reports show {report}` lists the issues",
                plain(named)
            ))
            .into()
        })
    }
}

/// The host of a URL or the text itself, without `www.`, in lower case.
pub(super) fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    host.strip_prefix("www.")
        .unwrap_or(host)
        .to_ascii_lowercase()
}
