//! The default options for runs of a site.

use diesel::prelude::*;
use domain::id::{OrgId, SiteId};
use domain::ports::SiteRef;
use domain::run::AskedOptions;
use domain::site::SiteDefaults;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::sites;
use crate::database::secret::{SealContext, SecretKey, open};
use crate::database::values::known;
use crate::stores::options::defaults_from_json;

/// Id, URL, options and sealed headers of a site.
type Row = (String, String, Option<String>, Option<String>);

pub(crate) fn load(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
    org: &OrgId,
    site: &SiteRef<'_>,
) -> Result<Option<SiteDefaults>, StorageError> {
    let of_org = sites::table.filter(sites::org_id.eq(org.as_str())).select((
        sites::id,
        sites::url,
        sites::options,
        sites::sealed_headers,
    ));
    let found: Option<Row> = match site {
        SiteRef::Id(id) => of_org
            .filter(sites::id.eq(id.as_str()))
            .get_result(connection),
        SiteRef::Host(host) => of_org
            .filter(sites::host.eq(host.as_str()))
            .get_result(connection),
    }
    .optional()?;
    let Some((id, url, options, sealed)) = found else {
        return Ok(None);
    };
    let Some(options) = options else {
        let options = AskedOptions::default();
        return Ok(Some(SiteDefaults { url, options }));
    };
    let mut options = defaults_from_json(&options)?;
    if let Some(headers) = &mut options.headers
        && !headers.is_empty()
    {
        let site = known("site", &id, SiteId::parse(&id))?;
        let sealed = known("site without its headers", &id, sealed)?;
        *headers = open(key, SealContext::Site(org, &site), &sealed)?;
    }
    Ok(Some(SiteDefaults { url, options }))
}
