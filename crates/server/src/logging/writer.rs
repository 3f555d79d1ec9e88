//! A non-blocking log writer: a dedicated thread writes the lines, so that no other thread waits for their reader.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// Maximum queued bytes of log lines, some thousand lines. The writer thread may hold as many again. Further lines are
/// dropped and counted.
const MAX_QUEUED_BYTES: usize = 1 << 20;
/// How long the end of the process waits until its last lines are written.
const CLOSE_PATIENCE: Duration = Duration::from_secs(1);
/// Pause before the thread retries a busy output: a terminal or a pipe that another process set to non-blocking.
const BUSY_PAUSE: Duration = Duration::from_millis(20);
/// How long the thread collects lines after a write. Under load it is woken once in this time instead of for each line;
/// a line after a pause is written immediately.
const COLLECT: Duration = Duration::from_millis(2);
/// Maximum capacity that an empty queue keeps, in bytes.
const KEPT_BYTES: usize = 64 << 10;

/// Accepts log lines without ever waiting or failing. Clones share the queue.
#[derive(Debug, Clone, Default)]
pub(super) struct LogWriter(Arc<Queue>);

#[derive(Debug, Default)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    dropped: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    /// Complete lines.
    waiting: Vec<u8>,
    /// Whether the thread waits for a line.
    is_idle: bool,
    /// Whether the queue accepts no more lines.
    is_closed: bool,
    /// Whether the thread has written everything and ended.
    is_done: bool,
}

impl LogWriter {
    /// Starts the writer thread for `output`.
    pub(super) fn start(output: impl Write + Send + 'static) -> io::Result<Self> {
        let writer = Self::default();
        let queue = Arc::clone(&writer.0);
        let thread = std::thread::Builder::new().name("log".to_owned());
        thread.spawn(move || queue.write_to(output))?;
        Ok(writer)
    }

    /// Returns the number of dropped lines since the start.
    pub(super) fn dropped(&self) -> u64 {
        self.0.dropped.load(Ordering::Relaxed)
    }

    /// Queues a line, or drops it if the queue is full.
    pub(super) fn push(&self, line: &[u8]) {
        let mut state = self.0.lock();
        if state.is_closed || state.waiting.len().saturating_add(line.len()) > MAX_QUEUED_BYTES {
            self.0.dropped.fetch_add(1, Ordering::Relaxed);
            return;
        }
        state.waiting.extend_from_slice(line);
        let is_idle = std::mem::take(&mut state.is_idle);
        drop(state);
        if is_idle {
            self.0.changed.notify_all();
        }
    }

    /// Closes the queue, and waits at most [`CLOSE_PATIENCE`] until its lines are written: an output that is not
    /// read must not block the process.
    pub(super) fn close(&self) {
        let mut state = self.0.lock();
        state.is_closed = true;
        self.0.changed.notify_all();
        let done = self
            .0
            .changed
            .wait_timeout_while(state, CLOSE_PATIENCE, |state| !state.is_done);
        drop(done.unwrap_or_else(PoisonError::into_inner));
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes queued lines until the queue is closed and empty.
    fn write_to(&self, output: impl Write) {
        let mut output = Output {
            inner: output,
            is_torn: false,
        };
        let mut reported = 0;
        let mut is_working = true;
        while let Some(lines) = self.next() {
            let dropped = self.dropped.load(Ordering::Relaxed);
            // Only after the queue was emptied: this line must not be dropped as well.
            if is_working && dropped > reported {
                tracing::warn!(lines = dropped - reported, "log lines dropped");
                reported = dropped;
            }
            let written = output.write(&lines);
            is_working = written.is_ok();
            if let Err(lost) = written {
                self.dropped.fetch_add(lost, Ordering::Relaxed);
            }
            self.collect();
        }
        self.lock().is_done = true;
        self.changed.notify_all();
    }

    /// Waits briefly to collect lines, unless the queue is closed.
    fn collect(&self) {
        let is_open = |state: &mut State| !state.is_closed;
        let collected = self
            .changed
            .wait_timeout_while(self.lock(), COLLECT, is_open);
        drop(collected);
    }

    /// Waits for queued lines and returns them; `None` if the queue is closed and empty.
    fn next(&self) -> Option<Vec<u8>> {
        let is_idle = |state: &mut State| {
            state.is_idle = state.waiting.is_empty() && !state.is_closed;
            state.is_idle
        };
        let state = self.changed.wait_while(self.lock(), is_idle);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.waiting.is_empty() {
            return None;
        }
        let room = state.waiting.len().min(KEPT_BYTES);
        Some(std::mem::replace(
            &mut state.waiting,
            Vec::with_capacity(room),
        ))
    }
}

/// An output that may fail temporarily.
struct Output<W> {
    inner: W,
    /// Whether the last line was truncated.
    is_torn: bool,
}

impl<W: Write> Output<W> {
    /// Writes lines; the error is the number of lines that were not written completely.
    fn write(&mut self, lines: &[u8]) -> Result<(), u64> {
        // After a truncated line, the next one begins on a new line.
        if self.is_torn && self.write_all(&mut &b"\n"[..]).is_err() {
            return Err(count(lines));
        }
        self.is_torn = false;
        let mut rest = lines;
        if self.write_all(&mut rest).is_ok() && self.inner.flush().is_ok() {
            return Ok(());
        }
        let written = lines.len().saturating_sub(rest.len());
        let last = written.checked_sub(1).and_then(|last| lines.get(last));
        self.is_torn = last.is_some_and(|byte| *byte != b'\n');
        Err(count(rest))
    }

    /// Leaves unwritten bytes in `rest`.
    fn write_all(&mut self, rest: &mut &[u8]) -> io::Result<()> {
        while !rest.is_empty() {
            match self.inner.write(rest) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(written) => *rest = rest.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => pause(),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn pause() {
    std::thread::park_timeout(BUSY_PAUSE);
}

fn count(lines: &[u8]) -> u64 {
    let lines = lines.iter().filter(|byte| **byte == b'\n').count();
    u64::try_from(lines).unwrap_or(u64::MAX)
}

/// A writer for one event.
#[derive(Debug)]
pub(super) struct Line<'a>(&'a LogWriter);

impl Write for Line<'_> {
    /// The subscriber writes each event with one call.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.push(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for LogWriter {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Line<'a> {
        Line(self)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Instant;

    use super::*;

    /// An output scripted by a test, one step for each write; records what it received.
    struct Scripted {
        steps: Receiver<io::Result<usize>>,
        taken: Sender<Vec<u8>>,
    }

    impl Write for Scripted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            // Without a further step the reader blocks until the test ends.
            let most = self.steps.recv().unwrap_or(Ok(usize::MAX))?;
            let taken = bytes.len().min(most);
            let _ = self.taken.send(bytes[..taken].to_vec());
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    type Steps = Sender<io::Result<usize>>;

    fn scripted() -> (LogWriter, Steps, Receiver<Vec<u8>>) {
        let (step, steps) = channel();
        let (taken, output) = channel();
        let writer = LogWriter::start(Scripted { steps, taken }).unwrap();
        (writer, step, output)
    }

    #[test]
    fn lines_are_written_in_order_and_whole() {
        let (writer, step, output) = scripted();
        writer.push(b"one\n");
        step.send(Ok(2)).unwrap();
        step.send(Err(ErrorKind::Interrupted.into())).unwrap();
        step.send(Err(ErrorKind::WouldBlock.into())).unwrap();
        step.send(Ok(usize::MAX)).unwrap();
        assert_eq!(output.recv().unwrap(), b"on");
        assert_eq!(output.recv().unwrap(), b"e\n");
        writer.push(b"two\n");
        drop(step);
        writer.close();
        assert_eq!(output.recv().unwrap(), b"two\n");
        assert_eq!(writer.dropped(), 0);
    }

    #[test]
    fn a_stalled_reader_blocks_no_thread_and_memory_is_bounded() {
        let (writer, _step, _output) = scripted();
        let line = [b'x'; 1_023].iter().chain(b"\n").copied();
        let line: Vec<u8> = line.collect();
        let pushed = 5_000;
        for _ in 0..pushed {
            writer.push(&line);
        }
        let held = writer.0.lock().waiting.len();
        assert!(held <= MAX_QUEUED_BYTES, "{held}");
        // The thread has taken the first lines, at most a full queue.
        let most_kept = u64::try_from(2 * MAX_QUEUED_BYTES / line.len()).unwrap();
        assert!(writer.dropped() >= pushed - most_kept);
        assert!(writer.dropped() < pushed);
        // The stalled reader does not block the end of the process either.
        let began = Instant::now();
        writer.close();
        assert!(began.elapsed() < CLOSE_PATIENCE * 20);
    }

    #[test]
    fn a_closed_output_loses_only_log_lines() {
        let (writer, step, output) = scripted();
        step.send(Ok(6)).unwrap();
        step.send(Err(ErrorKind::BrokenPipe.into())).unwrap();
        writer.push(b"one\ntwo\nthree\n");
        assert_eq!(output.recv().unwrap(), b"one\ntw");
        while writer.dropped() < 2 {
            std::thread::yield_now();
        }
        // After the output works again, output starts on a new line.
        step.send(Ok(usize::MAX)).unwrap();
        step.send(Ok(usize::MAX)).unwrap();
        writer.push(b"four\n");
        assert_eq!(output.recv().unwrap(), b"\n");
        assert_eq!(output.recv().unwrap(), b"four\n");
        assert_eq!(writer.dropped(), 2);
    }

    #[test]
    fn lines_after_the_end_are_dropped() {
        let (writer, step, _output) = scripted();
        drop(step);
        writer.close();
        writer.push(b"late\n");
        assert_eq!(writer.dropped(), 1);
    }
}
