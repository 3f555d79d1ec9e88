//! The first start: creates an organization and a key, and prints the next steps.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use domain::account::LinkPurpose;
use domain::id::OrgId;
use domain::key::KeySecret;
use domain::plan::SELF_HOSTED;
use domain::usecase::Administration;

use crate::admin::one_time_links;

/// The name of the first organization.
const FIRST_ORG: &str = "My organization";

/// Creates the first organization and its key if there is none, and hands the key over: in a file if one is named,
/// otherwise on standard output.
pub(super) fn bootstrap(
    administration: &Administration<'_>,
    key_file: Option<&Path>,
    base_url: &str,
    has_pages: bool,
) -> Result<()> {
    let Some(first) = administration.prepare_bootstrap(FIRST_ORG, SELF_HOSTED)? else {
        return Ok(());
    };
    let secret = &first.created.secret;
    // The key is written to disk before it becomes valid, and gets its file name afterwards.
    let waiting = match key_file {
        Some(path) => Some(write_aside(path, secret).with_context(|| {
            format!(
                "{}: the first API key cannot be written to this file",
                path.display()
            )
        })?),
        None => None,
    };
    if !administration.bootstrap(&first)? {
        // Another process was faster, and hands over its own key.
        if let Some((aside, _)) = waiting {
            let _ = std::fs::remove_file(aside);
        }
        return Ok(());
    }
    let lost = || {
        format!(
            "the first API key was created, but could not be written; create another: assay keys create --org {} --name admin --role admin",
            first.organization()
        )
    };
    let setup = match has_pages {
        true => setup(&setup_link(administration, first.organization(), base_url)?),
        false => String::new(),
    };
    match waiting {
        None => {
            // The service works even if the key could not be printed; another key is easily created.
            if let Err(error) = cli::hand_over(&welcome(secret.expose(), base_url, &setup)) {
                tracing::error!(%error, "{}", lost());
            }
        }
        Some((aside, path)) => {
            std::fs::rename(&aside, path).with_context(lost)?;
            if let Err(error) = cli::write_data(&welcome_with_file(path, base_url, &setup)) {
                tracing::warn!(%error, "standard output not writable");
            }
        }
    }
    Ok(())
}

/// Writes the key beside its final file, readable only by its owner. Returns both paths.
fn write_aside<'a>(path: &'a Path, secret: &KeySecret) -> std::io::Result<(PathBuf, &'a Path)> {
    if path.try_exists()? {
        return Err(std::io::Error::new(
            std::io::ErrorKind::AlreadyExists,
            "the file already exists, and may contain another key",
        ));
    }
    let mut options = OpenOptions::new();
    options.create_new(true).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut aside = path.as_os_str().to_owned();
    aside.push(format!(".{}", std::process::id()));
    let aside = PathBuf::from(aside);
    // A leftover of an interrupted start with the same process id.
    let _ = std::fs::remove_file(&aside);
    let mut file = options.open(&aside)?;
    writeln!(file, "{}", secret.expose())?;
    file.sync_all()?;
    Ok((aside, path))
}

/// A one-time link that creates the first administrator.
fn setup_link(administration: &Administration<'_>, org: &OrgId, base_url: &str) -> Result<String> {
    let token = one_time_links(administration).issue_setup_link(org, administration.actor)?;
    Ok(format!(
        "{base_url}{}",
        dashboard::link_path(LinkPurpose::Setup, &token)
    ))
}

fn setup(link: &str) -> String {
    format!(
        "\
Open this link to create your administrator account. It works once, for one hour; `assay members setup-link`
prints another one:

  {link}

"
    )
}

fn welcome(key: &str, base_url: &str, setup: &str) -> String {
    format!(
        "\
Assay is ready at {base_url}

{setup}This is the API key of your organization. It is shown only once; Assay stores its hash.

  {key}

Audit a site with it:

  export ASSAY_URL={base_url} ASSAY_API_KEY={key}
{}",
        steps()
    )
}

fn welcome_with_file(path: &Path, base_url: &str, setup: &str) -> String {
    let path = path.display();
    format!(
        "\
Assay is ready at {base_url}

{setup}The API key of your organization is in {path}. Assay stores only its hash.
Audit a site with it:

  export ASSAY_URL={base_url} ASSAY_API_KEY=\"$(cat {path})\"
{}",
        steps()
    )
}

fn steps() -> &'static str {
    r#"  curl -H "Authorization: Bearer $ASSAY_API_KEY" -H 'Content-Type: application/json' \
    -d '{"url":"https://example.com"}' "$ASSAY_URL/api/mcp/start-audit"

Then poll the run until it is completed, and fetch its report:

  curl -H "Authorization: Bearer $ASSAY_API_KEY" "$ASSAY_URL/api/mcp/runs/RUN_ID"
  curl -H "Authorization: Bearer $ASSAY_API_KEY" "$ASSAY_URL/api/mcp/reports/REPORT_ID"

The API is documented at $ASSAY_URL/docs; more keys: `assay keys create --help`.

"#
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_key_file_is_readable_only_by_its_owner_and_replaces_nothing() {
        use std::os::unix::fs::PermissionsExt;

        let folder = std::env::temp_dir().join(format!("assay-key-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("key");
        let secret = KeySecret::generate(&crate::sources::SystemIds::default());
        let (aside, place) = write_aside(&path, &secret).unwrap();
        std::fs::rename(aside, place).unwrap();
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            format!("{}\n", secret.expose())
        );
        assert!(write_aside(&path, &secret).is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
