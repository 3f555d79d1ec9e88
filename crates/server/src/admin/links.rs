//! `assay members setup-link`, `invite` and `reset-password`: one-time links, printed for the operator to pass on.

use anyhow::Result;
use cli::{Exit, ListArgs};
use domain::account::{LinkPurpose, Token};
use domain::id::{MemberId, OrgId};
use domain::usecase::{Administration, Issuer, OneTimeLinks};
use serde_json::json;

use super::{administer, named, print_json, print_value};
use crate::config::Settings;

pub(super) fn setup(org: Option<&str>, list: &ListArgs) -> Exit {
    administer(&list.database, |administration, settings| {
        let org = named::org_or_only(administration, org)?;
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

fn known(
    administration: &Administration<'_>,
    org: &str,
    member: &str,
) -> Result<(OrgId, MemberId)> {
    let org = named::org(administration, org)?;
    let member = named::member(administration, &org, member)?;
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
