//! The signals of the process: what stops it, what reloads its configuration, and what is ignored.

use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// The word to stop, from `SIGTERM`, `SIGINT` or `SIGQUIT`. Listened for from the moment this is made,
/// so that nothing is cut off that begins later.
#[derive(Debug)]
pub(super) struct Shutdown(oneshot::Receiver<&'static str>);

/// Requests to reload the configuration, from `SIGHUP`. Those that come before somebody listens are not
/// lost.
#[derive(Debug)]
pub(super) struct Reloads {
    #[cfg(unix)]
    hangup: tokio::signal::unix::Signal,
}

/// Begins to listen to all signals that would end the process otherwise and that it handles.
#[cfg(unix)]
pub(super) fn listen(runtime: &Handle) -> std::io::Result<(Shutdown, Reloads)> {
    use tokio::signal::unix::{SignalKind, signal};

    let _context = runtime.enter();
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut quit = signal(SignalKind::quit())?;
    let (told, word) = oneshot::channel();
    runtime.spawn(async move {
        let name = tokio::select! {
            _ = terminate.recv() => "SIGTERM",
            _ = interrupt.recv() => "SIGINT",
            _ = quit.recv() => "SIGQUIT",
        };
        // Nobody listens any more where the service has ended by itself.
        let _ = told.send(name);
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
    Ok((Shutdown(word), Reloads { hangup }))
}

/// Begins to listen.
#[cfg(not(unix))]
pub(super) fn listen(runtime: &Handle) -> std::io::Result<(Shutdown, Reloads)> {
    let (told, word) = oneshot::channel();
    runtime.spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            let _ = told.send("Ctrl-C");
        }
    });
    Ok((Shutdown(word), Reloads {}))
}

impl Shutdown {
    /// Waits for the word.
    pub(super) async fn told(self) {
        match self.0.await {
            Ok(signal) => tracing::info!(signal, "stopping"),
            // The runtime that listens has gone, and the process with it.
            Err(_) => std::future::pending().await,
        }
    }
}

impl Reloads {
    /// Runs `reload` for each request, one after the other, on a thread where it may block.
    #[cfg(unix)]
    pub(super) fn run(mut self, runtime: &Handle, reload: impl Fn() + Clone + Send + 'static) {
        runtime.spawn(async move {
            while self.hangup.recv().await.is_some() {
                let reload = reload.clone();
                // It logs what goes wrong itself; a panic is logged by its hook.
                let _ = tokio::task::spawn_blocking(reload).await;
            }
        });
    }

    /// No request ever comes.
    #[cfg(not(unix))]
    pub(super) fn run(self, _runtime: &Handle, _reload: impl Fn() + Clone + Send + 'static) {}
}
