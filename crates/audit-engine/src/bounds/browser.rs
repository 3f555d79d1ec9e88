//! Limits of what a browser may send to the engine, and of what a page may load through it.

use std::time::Duration;

/// Bytes of one message of the browser. The largest is the snapshot of a page, at some 300 bytes an element. A
/// longer message is dropped, and the call that it answers fails.
pub(crate) const MAX_BROWSER_MESSAGE_BYTES: usize = 64 * 1024 * 1024;

/// Events of one session that wait until they are read. Beyond them the oldest network events are dropped first.
pub(crate) const MAX_QUEUED_EVENTS: usize = 1_000;

/// Bytes of the browser's standard error that are kept: the last ones, which contain the reason why it ended.
pub(crate) const MAX_BROWSER_STDERR_BYTES: usize = 16 * 1024;

/// How long a call waits for its response. A page whose script never ends does not respond.
pub(crate) const BROWSER_CALL_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a browser may take to start. A busy machine of two cores took 2 s.
pub(crate) const BROWSER_START_TIMEOUT: Duration = Duration::from_secs(20);

/// How long a browser may take to end before its processes are killed.
pub(crate) const BROWSER_CLOSE_TIMEOUT: Duration = Duration::from_secs(3);

/// Bytes of memory of a browser's processes together, unless the operator sets others. Two tabs with ordinary pages take
/// 500 to 850 MB.
pub(crate) const BROWSER_MEMORY_BYTES: u64 = 1_500_000_000;

/// Bytes of the head of a request that a browser sends to its proxy. Chromium itself accepts 256 KiB of response
/// headers; a request has a URL of at most some KiB and its cookies.
pub(crate) const MAX_TUNNEL_HEAD_BYTES: usize = 64 * 1024;

/// Header fields of such a request.
pub(crate) const MAX_TUNNEL_HEADERS: usize = 128;

/// Connections of one tunnel at the same time. Beyond them the browser waits.
pub(crate) const MAX_TUNNEL_CONNECTIONS: usize = 128;

/// Bytes of one page, in both directions together. Beyond them its connections end.
pub(crate) const MAX_RENDERED_PAGE_BYTES: u64 = 64 * 1024 * 1024;

/// Bytes that all pages of a run may load through one tunnel.
pub(crate) const MAX_RENDERED_RUN_BYTES: u64 = 1024 * 1024 * 1024;

/// How long a browser may take to send the head of a request.
pub(crate) const TUNNEL_HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a connection may be without a byte in either direction.
pub(crate) const TUNNEL_IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// Pictures of the window that are kept of a page that is measured. A page that loads in 3 s changes some 30 times.
pub(crate) const MAX_FRAMES: usize = 120;

/// Bytes of such a picture in base64. One of 206 × 412 pixels takes some 10 KiB.
pub(crate) const MAX_FRAME_BYTES: usize = 256 * 1024;

/// Bytes of a picture of a page for people. One of 412 × 823 pixels takes 20 to 45 kB.
pub(crate) const MAX_PHOTO_BYTES: usize = domain::artifact::MAX_ARTIFACT_BYTES;

/// Width of such a picture in pixels. That of a phone has 412.
pub(crate) const MAX_PHOTO_WIDTH: u32 = 640;

/// Elements of one page that are pictured.
pub(crate) const MAX_PHOTOGRAPHED_ELEMENTS: usize = 40;
