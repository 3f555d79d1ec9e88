//! Opens the object store that the configuration names.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use domain::ports::ObjectStore;
use object_storage::{FolderStore, S3Access, StoreUrl};

/// What a store is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Large objects, for which nobody waits.
    Backups,
    /// Small objects, for which runs and readers wait: no request takes longer than this.
    Pictures(Duration),
}

/// Opens a store. Sends no request.
pub(crate) fn open(
    url: &StoreUrl,
    s3: Option<&S3Access>,
    purpose: Purpose,
) -> Result<Arc<dyn ObjectStore>> {
    match url {
        StoreUrl::Folder(folder) => Ok(Arc::new(FolderStore::new(folder))),
        StoreUrl::S3 { bucket, prefix } => {
            let Some(access) = s3 else {
                bail!(
                    "{url} needs credentials: set s3.access_key_id and s3.secret_access_key, or the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
                );
            };
            open_bucket(bucket, prefix.as_deref(), access, purpose)
        }
    }
}

#[cfg(feature = "s3")]
fn open_bucket(
    bucket: &str,
    prefix: Option<&str>,
    access: &S3Access,
    purpose: Purpose,
) -> Result<Arc<dyn ObjectStore>> {
    use object_storage::{S3Store, S3Timeouts};

    let timeouts = match purpose {
        Purpose::Backups => S3Timeouts::default(),
        // A request that fails at the end of the time for retries is tried once more.
        Purpose::Pictures(most) => S3Timeouts {
            connect: most / 4,
            request: most / 2,
            retries: most / 2,
            max_retries: 1,
        },
    };
    Ok(Arc::new(S3Store::new(bucket, prefix, access, timeouts)?))
}

#[cfg(not(feature = "s3"))]
fn open_bucket(_: &str, _: Option<&str>, _: &S3Access, _: Purpose) -> Result<Arc<dyn ObjectStore>> {
    bail!("this build does not support S3-compatible storage: build it with the feature `s3`")
}
