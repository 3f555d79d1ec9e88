use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

use super::*;
use crate::limits::CallerLimits;
use crate::rate_limits::Connections;

fn connection() -> (Connection<DuplexStream>, DuplexStream) {
    let limits = CallerLimits::default();
    let connections = Connections::new(&limits);
    let permit = connections.try_acquire([192, 0, 2, 1].into(), &limits);
    let (ours, theirs) = duplex(64 * 1_024);
    let answer: Answer = Rc::new(|error| format!("{error:?}").into_bytes());
    let connection = Connection::new(ours, limits.stall_time, permit.unwrap(), answer);
    (connection, theirs)
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_nothing_is_cut_off() {
    let (mut connection, _client) = connection();
    let error = connection.write_all(&[0; 1_000_000]).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_reads_slowly_is_not_cut_off() {
    let (mut connection, mut client) = connection();
    let reading = tokio::spawn(async move {
        let (mut read, mut bytes) = (0, vec![0; 32 * 1_024]);
        while read < 1_000_000 {
            tokio::time::sleep(Duration::from_secs(10)).await;
            read += client.read(&mut bytes).await.unwrap();
        }
        read
    });
    connection.write_all(&[0; 1_000_000]).await.unwrap();
    assert_eq!(reading.await.unwrap(), 1_000_000);
}

#[tokio::test(start_paused = true)]
async fn an_endless_head_is_cut_off_at_its_timeout() {
    let (mut connection, mut client) = connection();
    client.write_all(b"GET / HT").await.unwrap();
    let mut bytes = [0; 64];
    assert_eq!(connection.read(&mut bytes).await.unwrap(), 8);
    let error = connection.read(&mut bytes).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    assert_eq!(answered(&mut client).await, "Late");
}

#[tokio::test(start_paused = true)]
async fn an_idle_connection_is_not_cut_off_here() {
    let (mut connection, _client) = connection();
    let mut bytes = [0; 64];
    let silent = tokio::time::timeout(Duration::from_secs(3_600), connection.read(&mut bytes));
    assert!(silent.await.is_err(), "the server's keep-alive ends it");
}

#[tokio::test]
async fn a_head_is_bounded_and_a_body_is_not() {
    let (mut connection, mut client) = connection();
    // The pipe between client and server has room for all of it.
    client.write_all(&[b'a'; 48 * 1_024]).await.unwrap();
    let (mut read, mut bytes) = (0, vec![0; 8 * 1_024]);
    let error = loop {
        match connection.read(&mut bytes).await {
            Ok(length) => read += length,
            Err(error) => break error.kind(),
        }
    };
    assert_eq!((read, error), (MAX_HEAD_BYTES, io::ErrorKind::InvalidData));
    assert_eq!(answered(&mut client).await, "LongLine");
}

/// What the client receives until the connection ends.
async fn answered(client: &mut DuplexStream) -> String {
    let mut text = String::new();
    client.read_to_string(&mut text).await.unwrap();
    text
}

#[tokio::test]
async fn many_headers_are_too_long_a_head() {
    let (mut connection, mut client) = connection();
    client.write_all(b"GET / HTTP/1.1\r\n").await.unwrap();
    client.write_all(&[b'a'; 33 * 1_024]).await.unwrap();
    let mut all = Vec::new();
    connection.read_to_end(&mut all).await.unwrap_err();
    assert_eq!(answered(&mut client).await, "TooLong");
}

#[tokio::test]
async fn what_follows_a_complete_head_is_a_body() {
    let (mut connection, mut client) = connection();
    client.write_all(&[b'a'; 48 * 1_024]).await.unwrap();
    let mut bytes = vec![0; MAX_HEAD_BYTES];
    connection.read_exact(&mut bytes).await.unwrap();
    let _request = connection.requests.begin();
    let mut bytes = vec![0; 16 * 1_024];
    assert!(connection.read_exact(&mut bytes).await.is_ok());
}

const BARE: &[u8] = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

#[tokio::test]
async fn a_response_of_the_parser_is_replaced() {
    let (mut connection, mut client) = connection();
    client.write_all(b"nonsense\r\n").await.unwrap();
    let mut bytes = [0; 64];
    assert_eq!(connection.read(&mut bytes).await.unwrap(), 10);
    connection.write_all(BARE).await.unwrap();
    drop(connection);
    assert_eq!(answered(&mut client).await, "Malformed");
}

#[tokio::test]
async fn a_response_to_a_request_is_not() {
    let (mut connection, mut client) = connection();
    let _request = connection.requests.begin();
    connection.write_all(BARE).await.unwrap();
    drop(connection);
    assert_eq!(answered(&mut client).await.as_bytes(), BARE);
}

#[tokio::test]
async fn an_immediately_answered_request_ends_its_head() {
    let (mut connection, mut client) = connection();
    let mut bytes = vec![0; MAX_HEAD_BYTES];
    for _ in 0..3 {
        client.write_all(&bytes).await.unwrap();
        assert!(connection.read_exact(&mut bytes).await.is_ok());
        drop(connection.requests.begin());
    }
}

#[tokio::test(start_paused = true)]
async fn after_an_immediately_answered_request_the_head_timeout_restarts() {
    let (mut connection, mut client) = connection();
    let mut bytes = [0; 64];
    client.write_all(b"GET / HT").await.unwrap();
    assert_eq!(connection.read(&mut bytes).await.unwrap(), 8);
    let more = tokio::time::timeout(MAX_HEAD_TIME * 3 / 4, connection.read(&mut bytes));
    assert!(more.await.is_err(), "the head is incomplete");
    drop(connection.requests.begin());
    client.write_all(b"GET / HT").await.unwrap();
    assert_eq!(connection.read(&mut bytes).await.unwrap(), 8);
    let more = tokio::time::timeout(MAX_HEAD_TIME * 3 / 4, connection.read(&mut bytes));
    assert!(more.await.is_err(), "the time of the first head is over");
    let error = connection.read(&mut bytes).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
}

#[tokio::test]
async fn the_rest_of_an_unread_body_is_read_up_to_a_limit() {
    let (mut connection, mut client) = connection();
    drop(connection.requests.begin().body());
    let sending = tokio::spawn(async move {
        let mut sent = 0;
        while let Ok(length) = client.write(&[b'a'; 64 * 1_024]).await {
            sent += length;
        }
        sent
    });
    let (mut read, mut bytes) = (0, vec![0; 64 * 1_024]);
    let error = loop {
        match connection.read(&mut bytes).await {
            Ok(length) => read += length,
            Err(error) => break error.kind(),
        }
    };
    assert!((MAX_UNREAD_BYTES..MAX_UNREAD_BYTES + 2 * bytes.len()).contains(&read));
    assert_eq!(error, io::ErrorKind::InvalidData);
    drop(connection);
    assert!(sending.await.unwrap() >= read);
}

#[tokio::test]
async fn after_a_body_that_was_read_a_head_is_bounded() {
    let (connection, _client) = connection();
    let mut body = connection.requests.begin().body();
    body.end();
    drop(body);
    assert_eq!(connection.max_bytes_before_head(), MAX_HEAD_BYTES);
}
