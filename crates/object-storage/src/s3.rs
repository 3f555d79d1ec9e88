//! A bucket of S3-compatible storage.

use std::error::Error as _;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use domain::ports::{
    MAX_LISTED_OBJECTS, ObjectError, ObjectInfo, ObjectName, ObjectStore, ObjectWriter,
};
use futures_util::StreamExt;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::client::ClientOptions;
use object_store::path::Path;
use object_store::{
    GetOptions, MultipartUpload, ObjectMeta, ObjectStore as _, ObjectStoreExt as _, PutPayload,
    RetryConfig,
};
use tokio::runtime::Runtime;

use crate::folder::too_many;
use crate::url::S3Access;

/// Bytes of a part of an upload, and of a range of a download. Each takes this much memory. S3 requires parts of at
/// least 5 MiB.
const PART_BYTES: usize = 16 << 20;
/// The most parts of an upload that S3 allows. So an object has at most 156 GiB.
const MAX_PARTS: usize = 10_000;
/// The most characters of a server's response in an error.
const MAX_ANSWER_CHARS: usize = 300;

/// Timeouts and retries of requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct S3Timeouts {
    /// Connecting.
    pub connect: Duration,
    /// One attempt at a request, with at most 16 MiB of a body.
    pub request: Duration,
    /// All attempts at a request. A request is retried after errors of the connection and of the server (5xx).
    pub retries: Duration,
    /// The most retries of a request.
    pub max_retries: usize,
}

impl Default for S3Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            request: Duration::from_secs(120),
            retries: Duration::from_secs(180),
            max_retries: 5,
        }
    }
}

/// Objects in a bucket, below a prefix. Requests are addressed by path (`https://HOST/BUCKET/KEY`), which all servers
/// understand.
pub struct S3Store {
    shared: Arc<Shared>,
    prefix: Option<String>,
}

struct Shared {
    client: AmazonS3,
    /// Drives requests while a call waits for them.
    runtime: Runtime,
    location: String,
    /// Texts that messages hide: servers repeat the id of the key.
    credentials: Vec<String>,
}

impl S3Store {
    /// The store in a bucket. Sends no request.
    ///
    /// # Errors
    /// If the endpoint is not a URL.
    pub fn new(
        bucket: &str,
        prefix: Option<&str>,
        access: &S3Access,
        timeouts: S3Timeouts,
    ) -> Result<Self, ObjectError> {
        // The client uses the process's default provider. Another caller may have installed the same one before.
        drop(rustls::crypto::ring::default_provider().install_default());
        let location = match prefix {
            Some(prefix) => format!("s3://{bucket}/{prefix}"),
            None => format!("s3://{bucket}"),
        };
        let is_plain = (access.endpoint.as_deref()).is_some_and(|url| url.starts_with("http://"));
        let options = ClientOptions::new()
            .with_allow_http(is_plain)
            .with_connect_timeout(timeouts.connect)
            .with_timeout(timeouts.request);
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(bucket)
            .with_region(&access.region)
            .with_access_key_id(&access.access_key_id)
            .with_secret_access_key(&access.secret_access_key)
            .with_virtual_hosted_style_request(false)
            // Not all servers support it, and its response reports errors in another way.
            .with_disable_bulk_delete(true)
            .with_client_options(options)
            .with_retry(RetryConfig {
                max_retries: timeouts.max_retries,
                retry_timeout: timeouts.retries,
                ..RetryConfig::default()
            });
        if let Some(endpoint) = &access.endpoint {
            builder = builder.with_endpoint(endpoint);
        }
        if let Some(token) = &access.session_token {
            builder = builder.with_token(token);
        }
        let credentials: Vec<String> = [&access.secret_access_key, &access.access_key_id]
            .into_iter()
            .chain(&access.session_token)
            .filter(|text| !text.is_empty())
            .cloned()
            .collect();
        let failed = |error: String| ObjectError::Failed(format!("{location}: {error}"));
        let client = builder.build().map_err(|error| failed(error.to_string()))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build()
            .map_err(|error| failed(error.to_string()))?;
        Ok(Self {
            shared: Arc::new(Shared {
                client,
                runtime,
                location,
                credentials,
            }),
            prefix: prefix.map(str::to_owned),
        })
    }

    fn path(&self, name: &ObjectName) -> Path {
        match &self.prefix {
            Some(prefix) => Path::from(format!("{prefix}/{name}")),
            None => Path::from(name.as_str()),
        }
    }
}

impl Shared {
    fn wait<T>(
        &self,
        request: impl Future<Output = Result<T, object_store::Error>>,
    ) -> Result<T, ObjectError> {
        let result = self.runtime.block_on(request);
        result.map_err(|error| self.translate(&error))
    }

    async fn meta(&self, path: &Path) -> Result<ObjectMeta, object_store::Error> {
        match self.client.head(path).await {
            // The response to HEAD has no body, which would say why: wrong credentials, a clock that is off, or a
            // missing permission.
            Err(
                object_store::Error::PermissionDenied { .. }
                | object_store::Error::Unauthenticated { .. },
            ) => self.client.get(path).await.map(|object| object.meta),
            answered => answered,
        }
    }

    fn translate(&self, error: &object_store::Error) -> ObjectError {
        // The innermost errors have the reason; the outer ones repeat the URL and their inner ones.
        let mut texts = vec![error.to_string()];
        let mut source = error.source();
        while let Some(inner) = source {
            texts.push(inner.to_string());
            source = inner.source();
        }
        let all = texts.join(" ");
        let reason = match answer(&all) {
            Some(answer) => answer,
            None => texts.pop().unwrap_or_default(),
        };
        let text = self.hide(&format!("{}: {reason}", self.location));
        let has = |words: &[&str]| words.iter().any(|word| all.contains(word));
        match error {
            object_store::Error::NotFound { .. } => ObjectError::NotFound(text),
            object_store::Error::PermissionDenied { .. }
            | object_store::Error::Unauthenticated { .. } => ObjectError::Denied(text),
            _ if has(&[
                "507 Insufficient",
                "StorageFull",
                "InsufficientStorage",
                "QuotaExceeded",
            ]) =>
            {
                ObjectError::Full(text)
            }
            _ if has(&["InvalidAccessKeyId", "SignatureDoesNotMatch"]) => ObjectError::Denied(text),
            _ if has(&["HTTP error", "status code: 5", "timed out"]) => {
                ObjectError::Unavailable(text)
            }
            _ => ObjectError::Failed(text),
        }
    }

    fn hide(&self, text: &str) -> String {
        let hidden = self.credentials.iter().fold(text.to_owned(), |text, word| {
            text.replace(word.as_str(), "***")
        });
        hidden.chars().take(2 * MAX_ANSWER_CHARS).collect()
    }
}

/// The code and message in a server's response, which is XML.
fn answer(text: &str) -> Option<String> {
    let element = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        let (inner, _) = rest.split_once(&format!("</{name}>"))?;
        Some(inner.chars().take(MAX_ANSWER_CHARS).collect::<String>())
    };
    let code = element("Code")?;
    Some(match element("Message") {
        Some(message) => format!("{code}: {message}"),
        None => code,
    })
}

impl ObjectStore for S3Store {
    fn location(&self) -> String {
        self.shared.location.clone()
    }

    fn create(&self, name: &ObjectName) -> Result<Box<dyn ObjectWriter>, ObjectError> {
        Ok(Box::new(S3Writer {
            shared: Arc::clone(&self.shared),
            path: self.path(name),
            buffer: Vec::new(),
            upload: None,
            parts: 0,
            bytes: 0,
        }))
    }

    fn open(&self, name: &ObjectName) -> Result<Box<dyn Read + Send>, ObjectError> {
        let path = self.path(name);
        let meta = self.shared.wait(self.shared.meta(&path))?;
        Ok(Box::new(S3Reader {
            shared: Arc::clone(&self.shared),
            path,
            size: meta.size,
            etag: meta.e_tag,
            next: 0,
            range: Bytes::new(),
        }))
    }

    fn list(&self) -> Result<Vec<ObjectInfo>, ObjectError> {
        let prefix = self.prefix.as_deref().map(Path::from);
        let strip = |path: &Path| {
            let text = path.as_ref();
            match &self.prefix {
                Some(prefix) => (text.strip_prefix(prefix.as_str()))
                    .and_then(|rest| rest.strip_prefix('/'))
                    .map(str::to_owned),
                None => Some(text.to_owned()),
            }
        };
        let mut found = self.shared.wait(async {
            let mut found = Vec::new();
            let mut listed = self.shared.client.list(prefix.as_ref());
            while let Some(meta) = listed.next().await {
                let meta = meta?;
                // Objects of others, with other names.
                let Some(Ok(name)) = strip(&meta.location).map(ObjectName::new) else {
                    continue;
                };
                found.push(ObjectInfo {
                    name,
                    size_bytes: meta.size,
                    written_at: meta.last_modified,
                });
                if found.len() > MAX_LISTED_OBJECTS {
                    break;
                }
            }
            Ok(found)
        })?;
        if found.len() > MAX_LISTED_OBJECTS {
            return Err(too_many(&self.location()));
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    fn delete(&self, name: &ObjectName) -> Result<(), ObjectError> {
        let path = self.path(name);
        match self.shared.wait(self.shared.client.delete(&path)) {
            Ok(()) | Err(ObjectError::NotFound(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Does nothing: an upload in parts that was never completed is not listed. A lifecycle rule of the bucket
    /// (`AbortIncompleteMultipartUpload`) removes its parts.
    fn remove_unfinished(&self) -> Result<(), ObjectError> {
        Ok(())
    }
}

/// Uploads in parts; an object of less than one part with a single request.
struct S3Writer {
    shared: Arc<Shared>,
    path: Path,
    buffer: Vec<u8>,
    upload: Option<Box<dyn MultipartUpload>>,
    parts: usize,
    bytes: u64,
}

impl S3Writer {
    fn send_part(&mut self) -> Result<(), ObjectError> {
        if self.parts >= MAX_PARTS {
            return Err(ObjectError::Failed(format!(
                "{}: the object has more than {MAX_PARTS} parts",
                self.shared.location
            )));
        }
        let upload = match &mut self.upload {
            Some(upload) => upload,
            none => {
                let begun = self.shared.client.put_multipart(&self.path);
                none.insert(self.shared.wait(begun)?)
            }
        };
        let part = PutPayload::from(std::mem::take(&mut self.buffer));
        self.shared.wait(upload.put_part(part))?;
        self.parts += 1;
        Ok(())
    }
}

impl Write for S3Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.buffer.len() >= PART_BYTES {
            self.send_part().map_err(io::Error::other)?;
        }
        let room = PART_BYTES - self.buffer.len();
        let taken = bytes.get(..room.min(bytes.len())).unwrap_or(bytes);
        self.buffer.extend_from_slice(taken);
        self.bytes += u64::try_from(taken.len()).unwrap_or(u64::MAX);
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ObjectWriter for S3Writer {
    fn finish(mut self: Box<Self>) -> Result<u64, ObjectError> {
        if self.upload.is_none() {
            let whole = PutPayload::from(std::mem::take(&mut self.buffer));
            self.shared
                .wait(self.shared.client.put(&self.path, whole))?;
            return Ok(self.bytes);
        }
        if !self.buffer.is_empty() {
            self.send_part()?;
        }
        if let Some(mut upload) = self.upload.take() {
            let completed = self.shared.wait(upload.complete());
            if let Err(error) = completed {
                self.upload = Some(upload);
                return Err(error);
            }
        }
        Ok(self.bytes)
    }
}

impl Drop for S3Writer {
    fn drop(&mut self) {
        // Frees the space of the parts. Without it they stay until the bucket's lifecycle rule removes them.
        if let Some(mut upload) = self.upload.take() {
            drop(self.shared.wait(upload.abort()));
        }
    }
}

/// Downloads in ranges, so that each request is short and may be repeated.
struct S3Reader {
    shared: Arc<Shared>,
    path: Path,
    size: u64,
    etag: Option<String>,
    next: u64,
    range: Bytes,
}

impl Read for S3Reader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.range.is_empty() && self.next < self.size {
            self.fetch().map_err(io::Error::other)?;
        }
        let taken = self.range.split_to(self.range.len().min(out.len()));
        if let Some(place) = out.get_mut(..taken.len()) {
            place.copy_from_slice(&taken);
        }
        Ok(taken.len())
    }
}

impl S3Reader {
    fn fetch(&mut self) -> Result<(), ObjectError> {
        let end = (self.next + u64::try_from(PART_BYTES).unwrap_or(u64::MAX)).min(self.size);
        let options = GetOptions::new()
            .with_range(Some(self.next..end))
            .with_if_match(self.etag.clone());
        let range = self.shared.wait(async {
            let result = self.shared.client.get_opts(&self.path, options).await?;
            result.bytes().await
        })?;
        let expected = usize::try_from(end - self.next).unwrap_or(usize::MAX);
        if range.len() != expected {
            return Err(ObjectError::Unavailable(format!(
                "{}: the response has {} bytes instead of {expected}",
                self.shared.location,
                range.len()
            )));
        }
        self.next = end;
        self.range = range;
        Ok(())
    }
}
