//! What the log says.

use std::io;
use std::sync::{Arc, LazyLock, Mutex};

use tracing_subscriber::fmt::MakeWriter;

/// Everything that this process has logged since the first call of [`everything`].
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

static LINES: LazyLock<Lines> = LazyLock::new(|| {
    let lines = Lines::default();
    // Handlers run on other threads than the test, so the log of all threads is read.
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(lines.clone())
        .finish();
    tracing::subscriber::set_global_default(subscriber).unwrap();
    lines
});

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Everything that was logged since the first call, by all tests of this process.
pub(super) fn everything() -> String {
    String::from_utf8(LINES.0.lock().unwrap().clone()).unwrap()
}
