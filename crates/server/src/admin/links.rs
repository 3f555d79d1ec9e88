//! `assay members setup-link`, `invite` and `reset-password`: one-time links, printed for the operator to pass on.

use anyhow::{Result, bail};
use cli::{Exit, ListArgs};
use domain::account::{LinkPurpose, Token};
use domain::id::{MemberId, OrgId};
use domain::usecase::{Administration, Issuer, OneTimeLinks};
use serde_json::json;

use super::{administer, print_json, print_value};
use crate::config::Settings;

pub(super) fn setup(org: Option<&str>, list: &ListArgs) -> Exit {
    administer(&list.database, |administration, settings| {
        let org = match org {
            Some(org) => administration.existing_org(org)?,
            None => only_org(administration)?,
        };
        let token = one_time_links(administration).issue_setup_link(&org, administration.actor)?;
        print(settings, LinkPurpose::Setup, &token, list)
    })
}

pub(super) fn invite(org: &str, member: &str, list: &ListArgs) -> Exit {
    administer(&list.database, |administration, settings| {
        let (org, member) = known(administration, org, member)?;
        let links = one_time_links(administration);
        let token = links.issue_invitation(&org, &member, administration.actor)?;
        print(settings, LinkPurpose::Invitation, &token, list)
    })
}

pub(super) fn reset_password(org: &str, member: &str, list: &ListArgs) -> Exit {
    administer(&list.database, |administration, settings| {
        let (org, member) = known(administration, org, member)?;
        let links = one_time_links(administration);
        let by = administration.actor;
        let token = links.issue_password_reset(&org, &member, Issuer::Operator, by)?;
        print(settings, LinkPurpose::PasswordReset, &token, list)
    })
}

fn only_org(administration: &Administration<'_>) -> Result<OrgId> {
    match administration.stores.orgs()?.as_slice() {
        [only] => Ok(only.id.clone()),
        [] => bail!("there is no organization yet: start the service once with `assay serve`"),
        _ => bail!("there are several organizations: pass --org ORG; `assay orgs list` lists them"),
    }
}

fn known(
    administration: &Administration<'_>,
    org: &str,
    member: &str,
) -> Result<(OrgId, MemberId)> {
    let org = administration.existing_org(org)?;
    let member = MemberId::parse(member)
        .ok_or_else(|| anyhow::anyhow!("there is no member {member} in the organization; `assay members list --org ORG` lists all"))?;
    Ok((org, member))
}

/// Issues one-time links.
pub(crate) const fn one_time_links<'a>(administration: &Administration<'a>) -> OneTimeLinks<'a> {
    OneTimeLinks {
        stores: administration.stores,
        clock: administration.clock,
        ids: administration.ids,
    }
}

fn print(
    settings: &Settings,
    purpose: LinkPurpose,
    token: &Token,
    list: &ListArgs,
) -> Result<Exit> {
    let service = &settings.service;
    let url = format!(
        "{}{}",
        service.base_url_at(service.listen),
        dashboard::link_path(purpose, token)
    );
    match list.json {
        true => print_json(&json!({ "url": url })),
        false => print_value(&url),
    }
}
