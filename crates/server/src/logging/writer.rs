//! Log lines, written by a thread of their own, so that nobody waits for whoever reads them.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tracing_subscriber::fmt::MakeWriter;

/// Bytes of log lines that wait to be written at most, some thousand lines. As many again may be with
/// the thread that writes. Lines beyond are dropped and counted.
const MAX_QUEUED_BYTES: usize = 1 << 20;
/// How long the end of the process waits until its last lines are written.
const CLOSE_PATIENCE: Duration = Duration::from_secs(1);
/// How long the thread waits before it tries a busy output again: a terminal or a pipe that another
/// process set to non-blocking.
const BUSY_PAUSE: Duration = Duration::from_millis(20);
/// How long the thread collects lines after it has written some. Under load it is woken once in this time, and
/// not for each line; a line after a silence is written at once.
const COLLECT: Duration = Duration::from_millis(2);
/// Bytes that an empty queue keeps allocated at most.
const KEPT_BYTES: usize = 64 << 10;

/// Takes log lines without ever waiting or failing. Clones share the queue.
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
    /// Whole lines.
    waiting: Vec<u8>,
    /// Whether the thread waits for a line.
    is_idle: bool,
    /// Whether no line comes any more.
    is_closed: bool,
    /// Whether the thread has written everything and ended.
    is_done: bool,
}

impl LogWriter {
    /// Starts the thread that writes to `output`.
    pub(super) fn start(output: impl Write + Send + 'static) -> io::Result<Self> {
        let writer = Self::default();
        let queue = Arc::clone(&writer.0);
        let thread = std::thread::Builder::new().name("log".to_owned());
        thread.spawn(move || queue.write_to(output))?;
        Ok(writer)
    }

    /// Lines that were dropped since the start.
    pub(super) fn dropped(&self) -> u64 {
        self.0.dropped.load(Ordering::Relaxed)
    }

    /// Queues a line, or drops it where too much waits already.
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

    /// Takes no lines any more, and waits until those there are are written, though no longer than
    /// [`CLOSE_PATIENCE`]: an output that nobody reads must not keep the process.
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

    /// Writes what waits, again and again, until the queue is closed and empty.
    fn write_to(&self, output: impl Write) {
        let mut output = Output {
            inner: output,
            is_torn: false,
        };
        let mut reported = 0;
        let mut is_working = true;
        while let Some(lines) = self.next() {
            let dropped = self.dropped.load(Ordering::Relaxed);
            // Only here, where the queue was emptied: this line must not be dropped as well.
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

    /// Lets lines come together, unless none comes any more.
    fn collect(&self) {
        let is_open = |state: &mut State| !state.is_closed;
        let collected = self
            .changed
            .wait_timeout_while(self.lock(), COLLECT, is_open);
        drop(collected);
    }

    /// The lines that wait, once there are any; none when the queue is closed and empty.
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

/// An output that may fail, and work again later.
struct Output<W> {
    inner: W,
    /// Whether the last line was cut off.
    is_torn: bool,
}

impl<W: Write> Output<W> {
    /// Writes lines; fails with the number of those that were not written, or not to their end.
    fn write(&mut self, lines: &[u8]) -> Result<(), u64> {
        // What comes after a line that was cut off begins on a line of its own.
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

    /// Leaves in `rest` what was not written.
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

/// A writer of one line for each event.
#[derive(Debug)]
pub(super) struct Line<'a>(&'a LogWriter);

impl Write for Line<'_> {
    /// The subscriber writes each event at once.
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

    /// An output that does what a test tells it, one step for each write, and shows what it took.
    struct Scripted {
        steps: Receiver<io::Result<usize>>,
        taken: Sender<Vec<u8>>,
    }

    impl Write for Scripted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            // Without a further step the reader stalls until the test ends.
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
    fn a_reader_that_stalls_holds_nobody_and_a_bounded_number_of_bytes() {
        let (writer, _step, _output) = scripted();
        let line = [b'x'; 1_023].iter().chain(b"\n").copied();
        let line: Vec<u8> = line.collect();
        let pushed = 5_000;
        for _ in 0..pushed {
            writer.push(&line);
        }
        let held = writer.0.lock().waiting.len();
        assert!(held <= MAX_QUEUED_BYTES, "{held}");
        // The thread has taken the beginning, at most a whole queue.
        let most_kept = u64::try_from(2 * MAX_QUEUED_BYTES / line.len()).unwrap();
        assert!(writer.dropped() >= pushed - most_kept);
        assert!(writer.dropped() < pushed);
        // It does not keep the end of the process either.
        let began = Instant::now();
        writer.close();
        assert!(began.elapsed() < CLOSE_PATIENCE * 20);
    }

    #[test]
    fn a_reader_that_went_away_costs_lines_and_nothing_else() {
        let (writer, step, output) = scripted();
        step.send(Ok(6)).unwrap();
        step.send(Err(ErrorKind::BrokenPipe.into())).unwrap();
        writer.push(b"one\ntwo\nthree\n");
        assert_eq!(output.recv().unwrap(), b"one\ntw");
        while writer.dropped() < 2 {
            std::thread::yield_now();
        }
        // An output that works again goes on with a line of its own.
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
