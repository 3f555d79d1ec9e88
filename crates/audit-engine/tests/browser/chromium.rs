//! The browser of this machine, and sites on loopback that it shows.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use audit_engine::browser::{
    BrowserOptions, ChromiumRenderer, FoundBrowser, RendererOptions, Sandbox, SharedBrowser,
    SiteHeaders, VISIT_TIMEOUT,
};
use audit_engine::egress::{EgressOptions, GuardedFetcher, Limiter, TunnelLimits};
use domain::run::Device;

/// A browser of this machine: the headless shell, or the full one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    HeadlessShell,
    Full,
}

/// Options for a browser of this kind, with a folder for its profiles; none where it is not installed and this is
/// no CI.
pub(crate) fn options(kind: Kind) -> Option<(BrowserOptions, Folder)> {
    let known = match kind {
        Kind::HeadlessShell => "/usr/lib/chromium/chromium-headless-shell",
        Kind::Full => "/usr/lib/chromium/chromium",
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let configured = Path::new(known);
    // Other systems have other places, and often only one of the two.
    let found = if configured.is_file() {
        FoundBrowser::find(Some(configured), &path)
    } else {
        FoundBrowser::find(None, &path)
    };
    let found = found
        .ok()
        .filter(|found| found.is_headless_shell() == (kind == Kind::HeadlessShell));
    let Some(found) = found else {
        // Debian has both; on other systems the full browser is enough.
        assert!(
            std::env::var_os("CI").is_none() || kind == Kind::HeadlessShell,
            "Chromium is missing: scripts/test installs it"
        );
        eprintln!("NOT RUN: there is no Chromium of this kind ({kind:?})");
        return None;
    };
    let folder = Folder::new();
    let mut options = BrowserOptions::new(found, folder.0.clone(), path);
    // The sandbox needs another user than root.
    let is_root = std::process::Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|answer| answer.stdout.trim_ascii() == b"0");
    let has_namespaces = std::process::Command::new("unshare")
        .args(["-Ur", "true"])
        .status()
        .is_ok_and(|status| status.success());
    if is_root || !has_namespaces {
        options.sandbox = Sandbox::Off;
    }
    Some((options, folder))
}

/// Any browser, the wanted one first.
pub(crate) fn any() -> Option<(BrowserOptions, Folder)> {
    let shell = Path::new("/usr/lib/chromium/chromium-headless-shell").is_file();
    options(if shell {
        Kind::HeadlessShell
    } else {
        Kind::Full
    })
}

/// A folder for profiles, removed at the end.
#[derive(Debug)]
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // Short, because the browser makes a socket in it.
        let path = Path::new("/tmp").join(format!("ab-{}-{number}", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }

    /// The profiles in it.
    pub(crate) fn profiles(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A renderer that may reach these targets.
pub(crate) fn renderer(browser: BrowserOptions, allow: &[&str]) -> ChromiumRenderer {
    renderer_with(browser, allow, |_| {}, |_| {})
}

pub(crate) fn renderer_with(
    browser: BrowserOptions,
    allow: &[&str],
    settings: impl FnOnce(&mut EgressOptions),
    rendering: impl FnOnce(&mut RendererOptions),
) -> ChromiumRenderer {
    renderer_of(SharedBrowser::new(browser, 1), allow, settings, rendering)
}

/// A renderer of a browser that others use, too.
pub(crate) fn renderer_of(
    browser: Arc<SharedBrowser>,
    allow: &[&str],
    settings: impl FnOnce(&mut EgressOptions),
    rendering: impl FnOnce(&mut RendererOptions),
) -> ChromiumRenderer {
    let allow = allow.iter().map(|target| target.parse().unwrap()).collect();
    let mut egress = EgressOptions::new(allow, "test".to_owned());
    settings(&mut egress);
    let mut options = RendererOptions {
        device: Device::Mobile,
        product: "AssayBot/test; +https://example.com/bot".to_owned(),
        headers: SiteHeaders::default(),
        limits: TunnelLimits::default(),
        visit_timeout: VISIT_TIMEOUT,
    };
    rendering(&mut options);
    let fetcher = Arc::new(GuardedFetcher::new(egress).unwrap());
    ChromiumRenderer::new(browser, options, fetcher, Arc::new(Limiter::default()))
}

/// Kills the processes whose command line names the folder, as a crash does, and waits until they have ended. None may start meanwhile.
pub(crate) fn kill_browsers_of(folder: &Path) {
    while kill_running_browsers_of(folder) {}
}

/// Kills the processes whose command line names the folder now. Returns whether there were any.
pub(crate) fn kill_running_browsers_of(folder: &Path) -> bool {
    kill(&browsers_of(folder))
}

/// Kills the processes in which the tabs of these browsers run. Returns whether there were any.
pub(crate) fn kill_running_tabs_of(folder: &Path) -> bool {
    kill(&tabs_of(folder))
}

/// The processes in which the tabs of these browsers run, as folders below `/proc`.
pub(crate) fn tabs_of(folder: &Path) -> Vec<PathBuf> {
    let folder = folder.to_string_lossy();
    processes(|process| {
        let mut ancestors = std::iter::successors(parent(process), |process| parent(process));
        command_line(process).contains("--type=renderer")
            && ancestors.any(|process| command_line(&process).contains(&*folder))
    })
}

/// The processes whose command line names the folder, as folders below `/proc`.
pub(crate) fn browsers_of(folder: &Path) -> Vec<PathBuf> {
    let folder = folder.to_string_lossy();
    processes(|process| command_line(process).contains(&*folder))
}

fn processes(is_wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let folders = entries.map(|entry| entry.path());
    folders.filter(|process| is_wanted(process)).collect()
}

fn command_line(process: &Path) -> String {
    let line = std::fs::read(process.join("cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&line).into_owned()
}

fn parent(process: &Path) -> Option<PathBuf> {
    let status = std::fs::read_to_string(process.join("status")).ok()?;
    let mut lines = status.lines();
    let number = lines.find_map(|line| line.strip_prefix("PPid:"))?.trim();
    (number != "0").then(|| Path::new("/proc").join(number))
}

/// Returns whether there were any.
fn kill(processes: &[PathBuf]) -> bool {
    let numbers = processes.iter().filter_map(|process| process.file_name());
    let mut kill = std::process::Command::new("kill");
    if !processes.is_empty() {
        kill.arg("-9").args(numbers).output().unwrap();
    }
    !processes.is_empty()
}
