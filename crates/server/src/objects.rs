//! Opens the object store that the configuration names.

use std::sync::Arc;

use anyhow::{Result, bail};
use domain::ports::ObjectStore;
use object_storage::{FolderStore, S3Access, StoreUrl};

/// Opens a store. Sends no request.
pub(crate) fn open(url: &StoreUrl, s3: Option<&S3Access>) -> Result<Arc<dyn ObjectStore>> {
    match url {
        StoreUrl::Folder(folder) => Ok(Arc::new(FolderStore::new(folder))),
        StoreUrl::S3 { bucket, prefix } => {
            let Some(access) = s3 else {
                bail!(
                    "{url} needs credentials: set s3.access_key_id and s3.secret_access_key, or the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
                );
            };
            open_bucket(bucket, prefix.as_deref(), access)
        }
    }
}

#[cfg(feature = "s3")]
fn open_bucket(
    bucket: &str,
    prefix: Option<&str>,
    access: &S3Access,
) -> Result<Arc<dyn ObjectStore>> {
    let timeouts = object_storage::S3Timeouts::default();
    Ok(Arc::new(object_storage::S3Store::new(
        bucket, prefix, access, timeouts,
    )?))
}

#[cfg(not(feature = "s3"))]
fn open_bucket(_: &str, _: Option<&str>, _: &S3Access) -> Result<Arc<dyn ObjectStore>> {
    bail!("this build does not support S3-compatible storage: build it with the feature `s3`")
}
