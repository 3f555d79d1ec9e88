//! Finds what an operator named on the command line: by id, by the end of an id, or by another name.

use anyhow::{Result, bail};
use cli::{Kind, Typed};
use domain::id::{KeyId, MemberId, OrgId};
use domain::usecase::Administration;

const ORG: Kind = Kind {
    noun: "organization",
    prefix: OrgId::PREFIX,
    list: "assay orgs",
};
const KEY: Kind = Kind {
    noun: "key",
    prefix: KeyId::PREFIX,
    list: "assay keys --org ORG",
};
const MEMBER: Kind = Kind {
    noun: "member",
    prefix: MemberId::PREFIX,
    list: "assay members --org ORG",
};

/// The organization with this id, end of an id or name.
pub(super) fn org(administration: &Administration<'_>, named: &str) -> Result<OrgId> {
    let orgs = administration.stores.orgs()?;
    let found = ORG.find(named, orgs, |org| org.id.as_str(), |org| org.name == named)?;
    Ok(found.id)
}

/// Like [`org`]; without a name, the only organization.
pub(super) fn org_or_only(
    administration: &Administration<'_>,
    named: Option<&str>,
) -> Result<OrgId> {
    if let Some(named) = named {
        return org(administration, named);
    }
    match administration.stores.orgs()?.as_slice() {
        [only] => Ok(only.id.clone()),
        [] => bail!("there is no organization yet: start the service once with `assay serve`"),
        _ => bail!("there are several organizations: pass --org ORG; `assay orgs` lists them"),
    }
}

/// The id of the key with this id or end of an id, in any organization.
pub(super) fn key(administration: &Administration<'_>, named: &str) -> Result<String> {
    let mut ids = Vec::new();
    if matches!(KEY.typed(named), Typed::Whole(_) | Typed::End(_)) {
        for org in administration.stores.orgs()? {
            let keys = administration.stores.keys(&org.id)?;
            ids.extend(keys.into_iter().map(|key| key.id.to_string()));
        }
    }
    Ok(KEY.named(named, ids)?)
}

/// The member of an organization with this id, end of an id or e-mail address.
pub(super) fn member(
    administration: &Administration<'_>,
    org: &OrgId,
    named: &str,
) -> Result<MemberId> {
    let members = administration.stores.members(org)?;
    let found = MEMBER.find(
        named,
        members,
        |member| member.id.as_str(),
        |member| member.email.eq_ignore_ascii_case(named),
    )?;
    Ok(found.id)
}
