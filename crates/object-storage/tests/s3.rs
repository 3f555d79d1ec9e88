//! The S3 client against a server on loopback that has faults. `scripts/backup-test` runs it against `s3s-fs`.

#![cfg(feature = "s3")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a failed expectation ends the test"
)]

#[path = "shared/run_pictures.rs"]
mod run_pictures;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::ports::{ObjectError, ObjectName, ObjectStore};
use object_storage::{S3Access, S3Store, S3Timeouts, as_object_error};
use testkit::{LoopbackServer, TestRequest, TestResponse};

/// Larger than a part of an upload, which has 16 MiB.
const LARGE: usize = (16 << 20) + 12_345;

/// What a server does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// It refuses the credentials.
    Denied,
    /// It has no space left, from the first request of an upload on.
    Full,
    /// It has no space left from the second part on.
    FullLater,
    /// It never answers an upload.
    Hangs,
    /// It closes the connection in the middle of an upload in parts.
    Closes,
    /// It does not complete uploads in parts.
    NeverCompletes,
    /// It ends downloads in the middle.
    CutsDownloads,
}

#[derive(Default)]
struct Bucket {
    objects: BTreeMap<String, Vec<u8>>,
    uploads: BTreeMap<String, BTreeMap<u32, Vec<u8>>>,
    aborted: usize,
}

/// As much of S3 as the client uses, for one bucket.
fn answer(bucket: &mut Bucket, fault: Fault, request: &TestRequest) -> TestResponse {
    let key = request
        .path()
        .trim_start_matches("/bucket")
        .trim_start_matches('/')
        .to_owned();
    let query: BTreeMap<&str, &str> = request
        .query()
        .unwrap_or_default()
        .split('&')
        .filter(|text| !text.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .collect();
    let error = |status, code: &str| {
        let body = format!(
            "<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>told by the server</Message><AWSAccessKeyId>the-key-id</AWSAccessKeyId></Error>"
        );
        TestResponse::new(status, body)
    };
    if fault == Fault::Denied {
        return error(403, "InvalidAccessKeyId");
    }
    match (
        request.method.as_str(),
        query.contains_key("uploads"),
        query.get("uploadId"),
    ) {
        ("POST", true, _) => match fault {
            Fault::Full => error(507, "InsufficientStorage"),
            _ => {
                let id = format!("u{}", bucket.uploads.len());
                bucket.uploads.insert(id.clone(), BTreeMap::new());
                TestResponse::new(
                    200,
                    format!(
                        "<InitiateMultipartUploadResult><Bucket>bucket</Bucket><Key>{key}</Key><UploadId>{id}</UploadId></InitiateMultipartUploadResult>"
                    ),
                )
            }
        },
        ("PUT", _, Some(id)) => {
            let number: u32 = query["partNumber"].parse().unwrap();
            match fault {
                Fault::Hangs => return TestResponse::hang(),
                Fault::Closes => return TestResponse::close(),
                Fault::FullLater if number > 1 => return error(507, "InsufficientStorage"),
                _ => {}
            }
            let parts = bucket.uploads.get_mut(*id).unwrap();
            parts.insert(number, request.body.clone());
            TestResponse::new(200, "").header("ETag", "\"part\"")
        }
        ("POST", _, Some(id)) => match fault {
            Fault::NeverCompletes => error(500, "InternalError"),
            _ => {
                let parts = bucket.uploads.remove(*id).unwrap();
                let whole = parts.into_values().flatten().collect();
                bucket.objects.insert(key.clone(), whole);
                TestResponse::new(
                    200,
                    format!(
                        "<CompleteMultipartUploadResult><Bucket>bucket</Bucket><Key>{key}</Key><ETag>\"whole\"</ETag></CompleteMultipartUploadResult>"
                    ),
                )
            }
        },
        ("DELETE", _, Some(id)) => {
            bucket.uploads.remove(*id);
            bucket.aborted += 1;
            TestResponse::status(204)
        }
        ("PUT", ..) => match fault {
            Fault::Full => error(507, "InsufficientStorage"),
            Fault::Hangs => TestResponse::hang(),
            _ => {
                bucket.objects.insert(key, request.body.clone());
                TestResponse::new(200, "").header("ETag", "\"whole\"")
            }
        },
        ("DELETE", ..) => {
            bucket.objects.remove(&key);
            TestResponse::status(204)
        }
        ("GET", ..) if query.contains_key("list-type") => listing(bucket, &query),
        ("GET" | "HEAD", ..) => download(bucket, fault, request, &key),
        other => panic!("{other:?}"),
    }
}

fn listing(bucket: &Bucket, query: &BTreeMap<&str, &str>) -> TestResponse {
    let prefix = query
        .get("prefix")
        .copied()
        .unwrap_or_default()
        .replace("%2F", "/");
    let objects: String = bucket
        .objects
        .iter()
        .filter(|(key, _)| key.starts_with(&prefix))
        .map(|(key, bytes)| format!(
            "<Contents><Key>{key}</Key><Size>{}</Size><LastModified>2026-11-26T03:20:00.000Z</LastModified><ETag>\"whole\"</ETag></Contents>",
            bytes.len()
        ))
        .collect();
    TestResponse::new(
        200,
        format!(
            "<ListBucketResult><Name>bucket</Name><IsTruncated>false</IsTruncated>{objects}</ListBucketResult>"
        ),
    )
}

fn download(bucket: &Bucket, fault: Fault, request: &TestRequest, key: &str) -> TestResponse {
    let Some(bytes) = bucket.objects.get(key) else {
        return TestResponse::new(404, "<Error><Code>NoSuchKey</Code></Error>");
    };
    let head = |response: TestResponse| {
        response
            .header("ETag", "\"whole\"")
            .header("Last-Modified", "Thu, 26 Nov 2026 03:20:00 GMT")
    };
    if request.method == "HEAD" {
        // The server sends no body for it, and the length as the client will get it.
        return head(TestResponse::raw(format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nETag: \"whole\"\r\nLast-Modified: Thu, 26 Nov 2026 03:20:00 GMT\r\nConnection: close\r\n\r\n",
            bytes.len()
        )));
    }
    let range = request.header("range").and_then(|range| {
        let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
        Some((first.parse::<usize>().ok()?, last.parse::<usize>().ok()?))
    });
    let (first, last) = range.unwrap_or((0, bytes.len() - 1));
    let part = bytes[first..=last].to_vec();
    let content_range = format!("bytes {first}-{last}/{}", bytes.len());
    if fault == Fault::CutsDownloads {
        let mut raw = format!(
            "HTTP/1.1 206 Partial Content\r\nContent-Length: {}\r\nContent-Range: {content_range}\r\nETag: \"whole\"\r\nLast-Modified: Thu, 26 Nov 2026 03:20:00 GMT\r\n\r\n",
            part.len()
        )
        .into_bytes();
        raw.extend_from_slice(&part[..part.len() / 2]);
        return TestResponse::raw(raw);
    }
    head(TestResponse::new(206, part)).header("Content-Range", &content_range)
}

struct Home {
    server: LoopbackServer,
    bucket: Arc<Mutex<Bucket>>,
    fault: Arc<Mutex<Fault>>,
    store: S3Store,
}

fn home(fault: Fault) -> Home {
    let bucket = Arc::new(Mutex::new(Bucket::default()));
    let fault = Arc::new(Mutex::new(fault));
    let server = LoopbackServer::start({
        let (bucket, fault) = (Arc::clone(&bucket), Arc::clone(&fault));
        move |request| {
            let fault = *fault.lock().unwrap();
            answer(&mut bucket.lock().unwrap(), fault, request)
        }
    });
    let server = server.unwrap();
    let store = store_at(&format!("http://{}", server.address()));
    Home {
        server,
        bucket,
        fault,
        store,
    }
}

fn store_at(endpoint: &str) -> S3Store {
    let access = S3Access {
        endpoint: Some(endpoint.to_owned()),
        region: "eu-central-1".to_owned(),
        access_key_id: "the-key-id".to_owned(),
        secret_access_key: "the-secret-key".to_owned(),
        session_token: None,
    };
    let timeouts = S3Timeouts {
        connect: Duration::from_millis(500),
        request: Duration::from_secs(20),
        retries: Duration::from_secs(1),
        max_retries: 1,
    };
    S3Store::new("bucket", Some("a/b"), &access, timeouts).unwrap()
}

fn impatient_store_at(endpoint: &str) -> S3Store {
    let access = S3Access {
        endpoint: Some(endpoint.to_owned()),
        region: "r".to_owned(),
        access_key_id: "i".to_owned(),
        secret_access_key: "s".to_owned(),
        session_token: None,
    };
    let timeouts = S3Timeouts {
        connect: Duration::from_millis(500),
        request: Duration::from_millis(300),
        retries: Duration::from_millis(300),
        max_retries: 0,
    };
    S3Store::new("bucket", None, &access, timeouts).unwrap()
}

fn name(text: &str) -> ObjectName {
    ObjectName::new(text).unwrap()
}

fn bytes(length: usize) -> Vec<u8> {
    (0_u8..251).cycle().take(length).collect()
}

fn put(store: &dyn ObjectStore, object: &str, bytes: &[u8]) -> Result<u64, ObjectError> {
    let mut writer = store.create(&name(object))?;
    // In pieces, as a stream comes.
    for piece in bytes.chunks(1 << 20) {
        writer
            .write_all(piece)
            .map_err(|error| as_object_error(&error))?;
    }
    writer.finish()
}

fn get(store: &dyn ObjectStore, object: &str) -> Result<Vec<u8>, ObjectError> {
    let mut read = Vec::new();
    let mut reader = store.open(&name(object))?;
    reader
        .read_to_end(&mut read)
        .map_err(|error| as_object_error(&error))?;
    Ok(read)
}

#[test]
fn objects_are_written_listed_read_and_deleted() {
    let home = home(Fault::None);
    for length in [1, 1_000, 16 << 20, LARGE] {
        let object = format!("object-{length}");
        let written = put(&home.store, &object, &bytes(length)).unwrap();
        assert_eq!(written, u64::try_from(length).unwrap());
        assert!(
            get(&home.store, &object).unwrap() == bytes(length),
            "{length}"
        );
    }
    home.bucket
        .lock()
        .unwrap()
        .objects
        .insert("other".to_owned(), Vec::new());
    let listed = home.store.list().unwrap();
    let names: Vec<_> = listed.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "object-1",
            "object-1000",
            "object-16777216",
            "object-16789561"
        ]
    );
    assert_eq!(listed[3].size_bytes, u64::try_from(LARGE).unwrap());
    home.store.delete(&name("object-1")).unwrap();
    home.store.delete(&name("object-1")).unwrap();
    assert!(matches!(
        get(&home.store, "object-1"),
        Err(ObjectError::NotFound(_))
    ));
    // Objects larger than a part came in parts, and the prefix is part of every key.
    let log = home.server.log();
    assert!(
        log.iter().any(|line| line.contains("partNumber=2")),
        "{log:?}"
    );
    assert!(
        log.iter()
            .all(|line| line.contains("/bucket/a/b") || line.contains("list-type"))
    );
}

#[test]
fn requests_are_signed_and_the_secret_is_never_sent() {
    let home = home(Fault::None);
    put(&home.store, "object", b"x").unwrap();
    let requests = home.server.requests();
    let signed = requests[0].header("authorization").unwrap();
    assert!(
        signed.starts_with("AWS4-HMAC-SHA256 Credential=the-key-id/"),
        "{signed}"
    );
    assert!(signed.contains("/eu-central-1/s3/aws4_request"));
    let all = format!("{requests:?}");
    assert!(!all.contains("the-secret-key"));
}

#[test]
fn every_fault_of_an_upload_is_an_error_with_its_reason_and_leaves_no_object() {
    for (fault, length) in [
        (Fault::Denied, 1_000),
        (Fault::Denied, LARGE),
        (Fault::Full, 1_000),
        (Fault::Full, LARGE),
        (Fault::FullLater, LARGE),
        (Fault::Closes, LARGE),
        (Fault::NeverCompletes, LARGE),
    ] {
        let home = home(fault);
        let error = put(&home.store, "object", &bytes(length)).unwrap_err();
        let text = error.to_string();
        assert!(text.starts_with("s3://bucket/a/b: "), "{fault:?}: {text}");
        assert!(
            !text.contains("the-key-id") && !text.contains("the-secret-key"),
            "{text}"
        );
        let fits = match fault {
            Fault::Denied => {
                matches!(error, ObjectError::Denied(_))
                    && text.contains("InvalidAccessKeyId: told by the server")
            }
            Fault::Full | Fault::FullLater => {
                matches!(error, ObjectError::Full(_)) && text.contains("InsufficientStorage")
            }
            _ => matches!(error, ObjectError::Unavailable(_)),
        };
        assert!(fits, "{fault:?}: {error:?}");
        let bucket = home.bucket.lock().unwrap();
        assert!(bucket.objects.is_empty(), "{fault:?}");
        // What was uploaded is given back, so that it takes no space.
        let began = matches!(
            fault,
            Fault::FullLater | Fault::Closes | Fault::NeverCompletes
        );
        assert_eq!(bucket.aborted, usize::from(began), "{fault:?}");
        assert!(bucket.uploads.is_empty(), "{fault:?}");
        drop(bucket);
        *home.fault.lock().unwrap() = Fault::None;
        assert_eq!(home.store.list().unwrap(), []);
    }
}

#[test]
fn a_writer_that_is_dropped_leaves_no_object() {
    let home = home(Fault::None);
    let mut writer = home.store.create(&name("object")).unwrap();
    writer.write_all(&bytes(LARGE)).unwrap();
    drop(writer);
    let bucket = home.bucket.lock().unwrap();
    assert!(bucket.objects.is_empty() && bucket.uploads.is_empty());
}

#[test]
fn a_refused_download_has_the_reason() {
    let home = home(Fault::Denied);
    let error = get(&home.store, "a").unwrap_err();
    assert!(matches!(error, ObjectError::Denied(_)), "{error:?}");
    assert!(
        error
            .to_string()
            .contains("InvalidAccessKeyId: told by the server"),
        "{error}"
    );
}

#[test]
fn a_download_that_is_cut_is_an_error() {
    let home = home(Fault::None);
    put(&home.store, "object", &bytes(100_000)).unwrap();
    *home.fault.lock().unwrap() = Fault::CutsDownloads;
    let error = get(&home.store, "object").unwrap_err();
    assert!(matches!(error, ObjectError::Unavailable(_)), "{error:?}");
}

#[test]
fn a_server_that_does_not_answer_ends_in_a_timeout() {
    let home = home(Fault::Hangs);
    let store = impatient_store_at(&format!("http://{}", home.server.address()));
    let error = put(&store, "object", b"x").unwrap_err();
    assert!(matches!(error, ObjectError::Unavailable(_)), "{error:?}");
}

#[test]
fn a_server_that_is_gone_is_unavailable() {
    let home = home(Fault::None);
    let address = home.server.address();
    drop(home);
    let store = store_at(&format!("http://{address}"));
    let error = store.list().unwrap_err();
    assert!(matches!(error, ObjectError::Unavailable(_)), "{error:?}");
    let error = put(&store, "object", b"x").unwrap_err();
    assert!(matches!(error, ObjectError::Unavailable(_)), "{error:?}");
}

#[test]
fn pictures_of_runs_are_kept() {
    run_pictures::pictures_are_written_read_and_deleted(&home(Fault::None).store);
}

#[test]
fn a_run_completes_without_pictures_whatever_is_wrong_with_the_store() {
    run_pictures::a_run_completes_without_pictures(&home(Fault::Denied).store, |error| {
        matches!(error, ObjectError::Denied(_))
    });
    run_pictures::a_run_completes_without_pictures(&home(Fault::Full).store, |error| {
        matches!(error, ObjectError::Full(_))
    });
    let gone = home(Fault::None);
    let address = gone.server.address();
    drop(gone);
    let store = store_at(&format!("http://{address}"));
    run_pictures::a_run_completes_without_pictures(&store, |error| {
        matches!(error, ObjectError::Unavailable(_))
    });
    let slow = home(Fault::Hangs);
    let store = impatient_store_at(&format!("http://{}", slow.server.address()));
    run_pictures::a_run_completes_without_pictures(&store, |error| {
        matches!(error, ObjectError::Unavailable(_))
    });
}
