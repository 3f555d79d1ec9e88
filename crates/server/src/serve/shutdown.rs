//! Process signals: stop, reload, and ignored signals.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::mpsc;

/// The stop signals: `SIGTERM`, `SIGINT` or `SIGQUIT`. They are caught from the creation of this value on, so that
/// nothing that begins later is cut off.
#[derive(Debug)]
pub(super) struct Shutdown(mpsc::Receiver<&'static str>);

/// Stop signals that are kept until somebody waits for them: the first, and one that cuts the drain short.
const KEPT_SIGNALS: usize = 2;

/// Reload requests by `SIGHUP`. Requests before the receiver listens are not lost.
#[derive(Debug)]
pub(super) struct Reloads {
    #[cfg(unix)]
    hangup: tokio::signal::unix::Signal,
}

/// Starts to catch all signals that the process handles.
#[cfg(unix)]
pub(super) fn listen(runtime: &Handle) -> std::io::Result<(Shutdown, Reloads)> {
    use tokio::signal::unix::{SignalKind, signal};

    let _context = runtime.enter();
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut quit = signal(SignalKind::quit())?;
    let (sender, receiver) = mpsc::channel(KEPT_SIGNALS);
    runtime.spawn(async move {
        loop {
            let name = tokio::select! {
                _ = terminate.recv() => "SIGTERM",
                _ = interrupt.recv() => "SIGINT",
                _ = quit.recv() => "SIGQUIT",
            };
            // Further signals change nothing, and the receiver is gone if the service has already ended.
            let _ = sender.try_send(name);
        }
    });
    for (kind, name) in [
        (SignalKind::user_defined1(), "SIGUSR1"),
        (SignalKind::user_defined2(), "SIGUSR2"),
    ] {
        let mut ignored = signal(kind)?;
        runtime.spawn(async move {
            while ignored.recv().await.is_some() {
                tracing::info!(signal = name, "signal ignored");
            }
        });
    }
    let hangup = signal(SignalKind::hangup())?;
    Ok((Shutdown(receiver), Reloads { hangup }))
}

/// Starts to catch signals.
#[cfg(not(unix))]
pub(super) fn listen(runtime: &Handle) -> std::io::Result<(Shutdown, Reloads)> {
    let (sender, receiver) = mpsc::channel(KEPT_SIGNALS);
    runtime.spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            let _ = sender.try_send("Ctrl-C");
        }
    });
    Ok((Shutdown(receiver), Reloads {}))
}

impl Shutdown {
    /// Waits for a stop signal.
    pub(super) async fn received(&mut self) {
        match self.0.recv().await {
            Some(signal) => tracing::info!(signal, "stopping"),
            // The runtime of the signal handler has ended, and the process is ending.
            None => std::future::pending().await,
        }
    }

    /// Waits for a time, or for another stop signal.
    pub(super) async fn received_again_within(&mut self, time: Duration) {
        // Either end is fine.
        let _ = tokio::time::timeout(time, self.0.recv()).await;
    }
}

impl Reloads {
    /// Runs `reload` for each request, one after the other, on a blocking thread.
    #[cfg(unix)]
    pub(super) fn run(mut self, runtime: &Handle, reload: impl Fn() + Clone + Send + 'static) {
        runtime.spawn(async move {
            while self.hangup.recv().await.is_some() {
                let reload = reload.clone();
                // It logs its own errors; the panic hook logs panics.
                let _ = tokio::task::spawn_blocking(reload).await;
            }
        });
    }

    /// Never receives a request.
    #[cfg(not(unix))]
    pub(super) fn run(self, _runtime: &Handle, _reload: impl Fn() + Clone + Send + 'static) {}
}
