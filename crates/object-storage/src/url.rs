//! Where a store is.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use domain::ports::ObjectName;

/// The place of a store: a folder, or a bucket with an optional prefix.
///
/// ```
/// use object_storage::StoreUrl;
///
/// assert_eq!("s3://bucket/a/b/".parse::<StoreUrl>()?.to_string(), "s3://bucket/a/b");
/// assert_eq!("/var/backups".parse::<StoreUrl>()?.to_string(), "/var/backups");
/// # Ok::<(), object_storage::InvalidStoreUrl>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreUrl {
    /// A folder of this machine.
    Folder(PathBuf),
    /// A bucket of S3-compatible storage.
    S3 {
        /// The bucket.
        bucket: String,
        /// The prefix of all names, without slashes around it; `None` for the whole bucket.
        prefix: Option<String>,
    },
}

/// The text does not name a store. Messages do not repeat it, because it may contain credentials.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidStoreUrl {
    /// Another scheme.
    #[error("must be a folder, s3://BUCKET or s3://BUCKET/PREFIX")]
    Scheme,
    /// An invalid bucket.
    #[error(
        "the name of the bucket must consist of 3 to 63 lower-case letters, digits, dots and hyphens; set credentials in [s3], not in the URL"
    )]
    Bucket,
    /// An invalid prefix.
    #[error(
        "the prefix may only contain letters, digits, `.`, `-`, `_` and `/`, and no part of it may start with `.`"
    )]
    Prefix,
}

impl FromStr for StoreUrl {
    type Err = InvalidStoreUrl;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let Some((scheme, rest)) = text.split_once("://") else {
            return match text.is_empty() {
                true => Err(InvalidStoreUrl::Scheme),
                false => Ok(Self::Folder(text.into())),
            };
        };
        if scheme != "s3" {
            return Err(InvalidStoreUrl::Scheme);
        }
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-');
        if !(3..=63).contains(&bucket.len()) || !bucket.chars().all(fits) {
            return Err(InvalidStoreUrl::Bucket);
        }
        let prefix = prefix.trim_matches('/');
        if !prefix.is_empty() && ObjectName::new(prefix).is_err() {
            return Err(InvalidStoreUrl::Prefix);
        }
        Ok(Self::S3 {
            bucket: bucket.to_owned(),
            prefix: (!prefix.is_empty()).then(|| prefix.to_owned()),
        })
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => write!(f, "{}", path.display()),
            Self::S3 { bucket, prefix } => match prefix {
                Some(prefix) => write!(f, "s3://{bucket}/{prefix}"),
                None => write!(f, "s3://{bucket}"),
            },
        }
    }
}

/// How to reach S3-compatible storage. `Debug` hides the credentials.
#[derive(Clone, PartialEq, Eq)]
pub struct S3Access {
    /// The endpoint, such as `https://minio.example.com`; none for Amazon's of the region.
    pub endpoint: Option<String>,
    /// The region that requests are signed for.
    pub region: String,
    /// The id of the access key.
    pub access_key_id: String,
    /// The secret access key.
    pub secret_access_key: String,
    /// The token of temporary credentials.
    pub session_token: Option<String>,
}

impl fmt::Debug for S3Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("S3Access")
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_place_is_refused_without_being_repeated() {
        for (text, error) in [
            ("", InvalidStoreUrl::Scheme),
            ("https://bucket/x", InvalidStoreUrl::Scheme),
            ("s3://", InvalidStoreUrl::Bucket),
            ("s3://Bucket", InvalidStoreUrl::Bucket),
            ("s3://key:geheim@bucket/x", InvalidStoreUrl::Bucket),
            ("s3://bucket/../x", InvalidStoreUrl::Prefix),
            ("s3://bucket/a?b", InvalidStoreUrl::Prefix),
        ] {
            assert_eq!(text.parse::<StoreUrl>(), Err(error.clone()), "{text}");
            assert!(!error.to_string().contains("geheim"));
        }
    }

    #[test]
    fn credentials_are_hidden_in_debug() {
        let access = S3Access {
            endpoint: None,
            region: "eu-central-1".to_owned(),
            access_key_id: "geheim-1".to_owned(),
            secret_access_key: "geheim-2".to_owned(),
            session_token: Some("geheim-3".to_owned()),
        };
        assert!(!format!("{access:?}").contains("geheim"));
    }
}
