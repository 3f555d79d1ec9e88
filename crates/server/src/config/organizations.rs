//! How reports of an organization present it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use domain::id::OrgId;
use report::brand::{Brand, BrandError, Color, LOGO_BYTES, Logo};
use serde::{Deserialize, Serialize};

use super::{ConfigError, value};

/// The key whose settings apply to organizations without settings of their own.
const DEFAULT: &str = "default";
const KEY: &str = "organizations";

#[derive(Debug, Default, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawOrganization {
    pub(super) name: Option<String>,
    pub(super) logo: Option<PathBuf>,
    pub(super) color: Option<String>,
}

/// The brands of the organizations; their logos are not read yet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Organizations {
    own: BTreeMap<OrgId, Unread>,
    default: Option<Unread>,
}

#[derive(Debug, Clone)]
struct Unread {
    key: String,
    brand: Brand,
    logo: Option<PathBuf>,
}

/// The brands of the organizations. A build without PDF reads them, so that it accepts and judges the same
/// configuration, and shows them nowhere.
#[derive(Debug, Clone, Default)]
#[cfg_attr(
    not(any(feature = "pdf", test)),
    expect(dead_code, reason = "only the PDF shows brands")
)]
pub(crate) struct Brands {
    own: BTreeMap<OrgId, Brand>,
    default: Option<Brand>,
}

impl Brands {
    /// The brand of an organization.
    #[cfg(any(feature = "pdf", test))]
    pub(crate) fn of(&self, org: &OrgId) -> Option<&Brand> {
        self.own.get(org).or(self.default.as_ref())
    }
}

pub(super) fn organizations(
    raw: &BTreeMap<String, RawOrganization>,
) -> Result<Organizations, ConfigError> {
    let mut organizations = Organizations::default();
    for (key, raw) in raw {
        let unread = unread(key, raw)?;
        if key == DEFAULT {
            organizations.default = Some(unread);
            continue;
        }
        let id = OrgId::parse(key).ok_or_else(|| {
            let message = format!(
                "{key:?} is neither {DEFAULT:?} nor the id of an organization: `assay orgs list` lists the ids"
            );
            value(KEY, &message)
        })?;
        organizations.own.insert(id, unread);
    }
    Ok(organizations)
}

fn unread(key: &str, raw: &RawOrganization) -> Result<Unread, ConfigError> {
    let refused = |error: BrandError| value(KEY, &format!("{key}: {error}"));
    let name = raw.name.as_deref().unwrap_or_default();
    let mut brand = Brand::new(name).map_err(refused)?;
    let color = raw.color.as_deref().map(Color::parse);
    brand.color = color.transpose().map_err(refused)?;
    Ok(Unread {
        key: key.to_owned(),
        brand,
        logo: raw.logo.clone(),
    })
}

impl Organizations {
    /// Reads the logos.
    ///
    /// # Errors
    /// If a file cannot be read, or is not a logo that is safe to show.
    pub(crate) fn read(self) -> Result<Brands, ConfigError> {
        let own = self.own.into_iter();
        Ok(Brands {
            own: own
                .map(|(id, unread)| Ok((id, unread.read()?)))
                .collect::<Result<_, ConfigError>>()?,
            default: self.default.map(Unread::read).transpose()?,
        })
    }
}

impl Unread {
    fn read(self) -> Result<Brand, ConfigError> {
        let Self {
            key,
            mut brand,
            logo,
        } = self;
        if let Some(path) = logo {
            brand.logo = Some(read_logo(&key, &path)?);
        }
        Ok(brand)
    }
}

fn read_logo(key: &str, path: &Path) -> Result<Logo, ConfigError> {
    let refused =
        |error: &dyn std::fmt::Display| value(KEY, &format!("{key}: {}: {error}", path.display()));
    let size = std::fs::metadata(path)
        .map_err(|error| refused(&error))?
        .len();
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    if size > LOGO_BYTES {
        return Err(refused(&BrandError::TooLarge(size)));
    }
    let bytes = std::fs::read(path).map_err(|error| refused(&error))?;
    Logo::parse(bytes).map_err(|error| refused(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Brands, String> {
        let raw = toml::from_str(text).unwrap();
        let organizations = organizations(&raw).map_err(|error| error.to_string())?;
        organizations.read().map_err(|error| error.to_string())
    }

    fn logo_file(name: &str) -> std::path::PathBuf {
        std::env::temp_dir().join(format!("assay-logo-{name}-{}.svg", std::process::id()))
    }

    #[test]
    fn an_organization_has_its_own_brand_or_the_default() {
        let logo = logo_file("good");
        std::fs::write(&logo, "<svg><path d='M0 0'/></svg>").unwrap();
        let id = "org_01KXZZ9Q80000000000000000C";
        let brands = read(&format!(
            "[default]\nname = 'Every one'\n[{id}]\nname = 'Ferry'\ncolor = '#1f5fbf'\nlogo = {logo:?}"
        ));
        let brands = brands.unwrap();
        let own = brands.of(&OrgId::parse(id).unwrap()).unwrap();
        assert_eq!(
            (&*own.name, own.color),
            ("Ferry", Some(Color([31, 95, 191])))
        );
        assert_eq!(own.logo.as_ref().unwrap().format(), "svg");
        let other = OrgId::parse("org_01KXZZ9Q80000000000000000D").unwrap();
        assert_eq!(brands.of(&other).unwrap().name, "Every one");
        assert_eq!(Brands::default().of(&other), None);
        std::fs::remove_file(&logo).unwrap();
    }

    #[test]
    fn what_is_wrong_is_named() {
        let logo = logo_file("bad");
        std::fs::write(&logo, "<svg><script/></svg>").unwrap();
        for (text, part) in [
            ("[acme]\nname = 'a'".to_owned(), "assay orgs list"),
            ("[default]".to_owned(), "default: the name"),
            ("[default]\nname = 'a'\ncolor = 'red'".to_owned(), "#1f5fbf"),
            (
                "[default]\nname = 'a'\nlogo = '/nowhere/logo.svg'".to_owned(),
                "/nowhere/logo.svg",
            ),
            (
                format!("[default]\nname = 'a'\nlogo = {logo:?}"),
                "the element \"script\"",
            ),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        std::fs::write(&logo, vec![b' '; LOGO_BYTES + 1]).unwrap();
        let error = read(&format!("[default]\nname = 'a'\nlogo = {logo:?}")).unwrap_err();
        assert!(error.contains("at most 262144"), "{error}");
        std::fs::remove_file(&logo).unwrap();
    }
}
