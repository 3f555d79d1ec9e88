//! When the process is told to stop.

use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// The word to stop, from `SIGTERM` or `SIGINT`. Listened for from the moment this is made, so that
/// nothing is cut off that begins later.
#[derive(Debug)]
pub(super) struct Shutdown(oneshot::Receiver<&'static str>);

impl Shutdown {
    /// Begins to listen.
    #[cfg(unix)]
    pub(super) fn listen(runtime: &Handle) -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        let _context = runtime.enter();
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let (told, word) = oneshot::channel();
        runtime.spawn(async move {
            let name = tokio::select! {
                _ = terminate.recv() => "SIGTERM",
                _ = interrupt.recv() => "SIGINT",
            };
            // Nobody listens any more where the service has ended by itself.
            let _ = told.send(name);
        });
        Ok(Self(word))
    }

    /// Begins to listen.
    #[cfg(not(unix))]
    pub(super) fn listen(runtime: &Handle) -> std::io::Result<Self> {
        let (told, word) = oneshot::channel();
        runtime.spawn(async move {
            if tokio::signal::ctrl_c().await.is_ok() {
                let _ = told.send("Ctrl-C");
            }
        });
        Ok(Self(word))
    }

    /// Waits for the word.
    pub(super) async fn told(self) {
        match self.0.await {
            Ok(signal) => tracing::info!(signal, "stopping"),
            // The runtime that listens has gone, and the process with it.
            Err(_) => std::future::pending().await,
        }
    }
}
