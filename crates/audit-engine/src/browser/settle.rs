//! When a page has settled: loaded, and no longer changing.
//!
//! A pure state machine over the events of a visit. It never decides by a single sign: a page that polls for ever,
//! animates for ever or loads for ever ends at a cap, and says so.

use std::collections::HashMap;
use std::time::Duration;

/// A page loads at most this long before it is taken as it is.
const LOAD_CAP: Duration = Duration::from_secs(15);

/// After `DOMContentLoaded` the load event is awaited this long: an image that never arrives must not hold the
/// page.
const LOAD_AFTER_CONTENT: Duration = Duration::from_secs(5);

/// After the load a page may change this long before it is taken as it is.
const SETTLE_CAP: Duration = Duration::from_secs(6);

/// How long there is no request and no change of the tree before a page counts as settled (decision 20).
const QUIET: Duration = Duration::from_millis(200);

/// How long there is no request and no change until a snapshot is taken that counts if nothing changes any more. It then
/// takes no time besides [`QUIET`].
const CALM: Duration = Duration::from_millis(100);

/// A page is not asked again earlier.
const SOON: Duration = Duration::from_millis(10);

/// As [`QUIET`], for a page with hardly any text whose scripts have begun to load.
const QUIET_WHILE_EMPTY: Duration = Duration::from_millis(1_000);

/// After the load a script that is busy is awaited this long. A machine that is busy itself makes every page look so.
const BUSY_CAP: Duration = Duration::from_secs(2);

/// Words below which a page has hardly any text.
const FEW_WORDS: u32 = 50;

/// A request that takes longer counts no more: a long poll, or a beacon that nobody answers.
const LONG_REQUEST: Duration = Duration::from_secs(4);

/// As [`QUIET`], for a page that is measured: how long there is no request, and timers run on time.
pub(super) const QUIET_WHILE_MEASURED: Duration = Duration::from_millis(400);

/// As [`LONG_REQUEST`], for a page that is measured over a slow connection.
const LONG_MEASURED_REQUEST: Duration = Duration::from_secs(10);

/// A page is measured at most this long.
pub(super) const MEASURE_CAP: Duration = Duration::from_secs(25);

/// Requests that are followed at the same time. Further ones do not delay the page.
const MAX_OPEN_REQUESTS: usize = 1_000;

/// What a page is loaded for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Purpose {
    /// Its snapshot: it is settled when it no longer changes.
    #[default]
    Snapshot,
    /// Pictures of it: it is settled as for a snapshot, and none is taken.
    Pictures,
    /// Its metrics: it is settled when it has painted and no script was busy for this time. A page that moves for ever is
    /// measured as well as others.
    Metrics {
        /// [`QUIET_WHILE_MEASURED`], or longer if the page changes later.
        quiet: Duration,
        /// [`MEASURE_CAP`], or less if the page did not settle when it was shown.
        most: Duration,
    },
}

impl Purpose {
    /// The metrics of a page of which nothing is known.
    pub(super) const METRICS: Self = Self::Metrics {
        quiet: QUIET_WHILE_MEASURED,
        most: MEASURE_CAP,
    };
}

/// What happens during a visit. Times are since its beginning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Signal {
    /// The parser has read the whole document.
    ContentLoaded,
    /// The document and its resources have loaded.
    Loaded,
    /// A request began whose result may change the page.
    RequestBegan(String),
    /// A request ended.
    RequestEnded(String),
    /// What the page itself says.
    Observed(Observed),
    /// What a page says that is measured.
    Painting(Painting),
}

/// What the observer in a page says that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Painting {
    /// Whether it has painted text or an image.
    pub(super) has_painted: bool,
    /// How long timers have run on time.
    pub(super) steady: Duration,
}

/// What the observer in the page says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Observed {
    /// How long the tree has not changed.
    pub(super) tree_quiet: Duration,
    /// Words of the text.
    pub(super) words: u32,
    /// Whether all fonts that are in use have loaded.
    pub(super) are_fonts_ready: bool,
    /// Whether scripts let other work run: a script that has just begun may still change everything.
    pub(super) is_responsive: bool,
    /// How often the tree or an attribute has changed.
    pub(super) changes: u64,
    /// Whether nothing is animated.
    pub(super) is_still: bool,
}

/// What a document has been through. A snapshot shows the document as long as this stays equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Version {
    /// Requests that began, and those that ended.
    requests: u64,
    changes: u64,
}

/// Whether a page has settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// Not yet.
    Wait,
    /// Yes.
    Settled,
    /// No, and it is taken as it is.
    GaveUp,
}

/// The state of a visit.
#[derive(Debug, Default)]
pub(super) struct Settling {
    content_at: Option<Duration>,
    loaded_at: Option<Duration>,
    open: HashMap<String, Duration>,
    /// Requests that began, and those that ended.
    requests: u64,
    last_request: Duration,
    /// Whether a snapshot is taken when the page is calm.
    is_calm_awaited: bool,
    observed: Option<Observed>,
    observed_at: Duration,
    painting: Painting,
    painting_at: Duration,
    /// How long a page that is measured is quiet before it has settled, and how long it is measured at most. None for a page
    /// that is not.
    measured: Option<(Duration, Duration)>,
}

impl Settling {
    pub(super) fn new(purpose: Purpose) -> Self {
        Self {
            measured: match purpose {
                Purpose::Snapshot | Purpose::Pictures => None,
                Purpose::Metrics { quiet, most } => Some((quiet, most)),
            },
            ..Self::default()
        }
    }

    /// The same, but it is also asked whether the page is [calm](Self::calm), until it is.
    pub(super) const fn awaiting_calm(mut self, is_awaited: bool) -> Self {
        self.is_calm_awaited = is_awaited;
        self
    }

    pub(super) fn note(&mut self, signal: Signal, now: Duration) {
        match signal {
            Signal::ContentLoaded => self.content_at = self.content_at.or(Some(now)),
            Signal::Loaded => self.loaded_at = self.loaded_at.or(Some(now)),
            Signal::RequestBegan(id) => {
                self.requests += 1;
                self.last_request = now;
                if self.open.len() < MAX_OPEN_REQUESTS {
                    self.open.insert(id, now);
                }
            }
            Signal::RequestEnded(id) => {
                if self.open.remove(&id).is_some() {
                    self.requests += 1;
                    self.last_request = now;
                }
            }
            Signal::Observed(observed) => {
                self.observed = Some(observed);
                self.observed_at = now;
            }
            Signal::Painting(painting) => {
                self.painting = painting;
                self.painting_at = now;
            }
        }
    }

    /// Whether the page has loaded as far as it is awaited, so that it is worth asking the page itself.
    pub(super) fn has_loaded(&self, now: Duration) -> bool {
        self.loaded_by(now).is_some()
    }

    fn loaded_by(&self, now: Duration) -> Option<Duration> {
        let without_load = self
            .content_at
            .map(|content| content + LOAD_AFTER_CONTENT)
            .filter(|at| *at <= now);
        let capped = Some(LOAD_CAP).filter(|cap| *cap <= now);
        self.loaded_at.or(without_load).or(capped)
    }

    pub(super) fn decide(&self, now: Duration) -> Decision {
        if let Some((quiet, most)) = self.measured {
            return if self.is_measured(quiet, now) {
                Decision::Settled
            } else if now >= most {
                Decision::GaveUp
            } else {
                Decision::Wait
            };
        }
        let Some(loaded) = self.loaded_by(now) else {
            return Decision::Wait;
        };
        if self.is_quiet(now, loaded) {
            return Decision::Settled;
        }
        if now >= loaded + SETTLE_CAP {
            return Decision::GaveUp;
        }
        Decision::Wait
    }

    /// When the page is asked next: when it may have been quiet for long enough, and at the latest after `most`.
    pub(super) fn ask_after(&self, now: Duration, most: Duration) -> Duration {
        let soonest = SOON.min(most);
        if let Some((quiet, _)) = self.measured {
            // Every question takes some of the processor whose work is measured.
            return self.measured_in(quiet, now).clamp(soonest, most);
        }
        let quiet = if self.is_calm_awaited { CALM } else { QUIET };
        let of_requests = (self.last_request + quiet).saturating_sub(now);
        let of_tree = match self.observed {
            None => SOON,
            Some(observed) => (self.observed_at + self.quiet_for(observed, quiet))
                .saturating_sub(now + observed.tree_quiet),
        };
        match of_requests.max(of_tree) {
            // What it waits for is not a matter of time.
            Duration::ZERO => most,
            left => left.clamp(soonest, most),
        }
    }

    /// After which time a page that is measured may have been quiet for long enough.
    fn measured_in(&self, quiet: Duration, now: Duration) -> Duration {
        // What it waits for is not a matter of time.
        let Some(loaded) = self.loaded_at else {
            return Duration::MAX;
        };
        let is_asked = self.painting_at > Duration::ZERO;
        if self.is_loading(now, LONG_MEASURED_REQUEST) || (is_asked && !self.painting.has_painted) {
            return Duration::MAX;
        }
        let steady_since = self.painting_at.saturating_sub(self.painting.steady);
        let last = loaded.max(self.last_request).max(steady_since);
        (last + quiet).saturating_sub(now)
    }

    fn is_measured(&self, quiet: Duration, now: Duration) -> bool {
        let since = |at: Duration| now.saturating_sub(at);
        self.loaded_at.is_some_and(|loaded| since(loaded) >= quiet)
            && self.painting.has_painted
            && self.painting.steady >= quiet
            && since(self.last_request) >= quiet
            && !self.is_loading(now, LONG_MEASURED_REQUEST)
    }

    /// Whether a request is open that does not take longer than `most`.
    fn is_loading(&self, now: Duration, most: Duration) -> bool {
        self.open
            .values()
            .any(|began| now.saturating_sub(*began) < most)
    }

    /// How long the tree of a page does not change before it counts as settled, if that is `usual` for pages with text.
    const fn quiet_for(&self, observed: Observed, usual: Duration) -> Duration {
        let is_empty = observed.words < FEW_WORDS && self.requests > 0;
        if is_empty { QUIET_WHILE_EMPTY } else { usual }
    }

    /// Says once that the page is calm: then an early snapshot is taken, which shows the document in this version.
    pub(super) fn calm(&mut self, now: Duration) -> Option<Version> {
        let observed = self.observed.filter(|_| self.is_calm_awaited)?;
        let is_calm = self.loaded_by(now).is_some()
            && self.open.is_empty()
            && now.saturating_sub(self.last_request) >= CALM
            && observed.tree_quiet >= self.quiet_for(observed, CALM)
            && observed.are_fonts_ready
            && observed.is_responsive;
        if !is_calm {
            return None;
        }
        self.is_calm_awaited = false;
        self.version()
    }

    /// What the document has been through. None while something is animated, which no snapshot shows as it is.
    pub(super) fn version(&self) -> Option<Version> {
        let observed = self.observed.filter(|observed| observed.is_still)?;
        Some(Version {
            requests: self.requests,
            changes: observed.changes,
        })
    }

    fn is_quiet(&self, now: Duration, loaded: Duration) -> bool {
        let Some(observed) = self.observed else {
            return false;
        };
        let quiet = self.quiet_for(observed, QUIET);
        !self.is_loading(now, LONG_REQUEST)
            && now.saturating_sub(self.last_request) >= QUIET
            && observed.tree_quiet >= quiet
            && observed.are_fonts_ready
            && (observed.is_responsive || now >= loaded + BUSY_CAP)
    }
}

/// Whether a request of this type can change the page, by its name in the protocol.
pub(super) fn counts(resource_type: &str) -> bool {
    !matches!(
        resource_type,
        "WebSocket"
            | "EventSource"
            | "Media"
            | "Ping"
            | "Prefetch"
            | "CSPViolationReport"
            | "Preflight"
    )
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn quiet(tree_ms: u64, words: u32) -> Signal {
        Signal::Observed(Observed {
            tree_quiet: ms(tree_ms),
            words,
            are_fonts_ready: true,
            is_responsive: true,
            changes: 7,
            is_still: true,
        })
    }

    fn began(id: &str) -> Signal {
        Signal::RequestBegan(id.to_owned())
    }

    fn ended(id: &str) -> Signal {
        Signal::RequestEnded(id.to_owned())
    }

    fn decided(log: &[(u64, Signal)], at: u64) -> Decision {
        let mut settling = Settling::default();
        for (at, signal) in log {
            settling.note(signal.clone(), ms(*at));
        }
        settling.decide(ms(at))
    }

    use Signal::{ContentLoaded, Loaded};

    #[rstest]
    #[case::before_the_load(&[(10, quiet(5_000, 100))], 3_000, Decision::Wait)]
    #[case::loaded_and_quiet(&[(100, Loaded), (500, quiet(200, 100))], 500, Decision::Settled)]
    #[case::loaded_and_not_asked_yet(&[(100, Loaded)], 500, Decision::Wait)]
    #[case::the_tree_changes(&[(100, Loaded), (500, quiet(199, 100))], 500, Decision::Wait)]
    #[case::a_request_is_open(&[(100, Loaded), (400, began("a")), (900, quiet(800, 100))], 900, Decision::Wait)]
    #[case::a_request_just_ended(&[(100, Loaded), (400, began("a")), (701, ended("a")), (900, quiet(800, 100))], 900, Decision::Wait)]
    #[case::a_request_ended(&[(100, Loaded), (400, began("a")), (700, ended("a")), (900, quiet(800, 100))], 900, Decision::Settled)]
    #[case::a_long_poll(&[(100, Loaded), (400, began("a")), (4_400, quiet(4_000, 100))], 4_400, Decision::Settled)]
    #[case::hardly_any_text_and_scripts(&[(50, began("a")), (90, ended("a")), (100, Loaded), (900, quiet(800, 3))], 900, Decision::Wait)]
    #[case::hardly_any_text_for_long(&[(50, began("a")), (90, ended("a")), (100, Loaded), (1_200, quiet(1_000, 3))], 1_200, Decision::Settled)]
    #[case::hardly_any_text_and_no_scripts(&[(100, Loaded), (500, quiet(400, 3))], 500, Decision::Settled)]
    #[case::content_without_load(&[(100, ContentLoaded), (5_100, quiet(4_000, 100))], 5_100, Decision::Settled)]
    #[case::content_shortly_without_load(&[(100, ContentLoaded), (5_000, quiet(4_000, 100))], 5_000, Decision::Wait)]
    #[case::nothing_at_all(&[], 15_000, Decision::Wait)]
    #[case::nothing_at_all_for_long(&[], 21_000, Decision::GaveUp)]
    #[case::changes_for_ever(&[(100, Loaded), (6_100, quiet(10, 100))], 6_100, Decision::GaveUp)]
    #[case::changes_not_yet_for_ever(&[(100, Loaded), (6_000, quiet(10, 100))], 6_000, Decision::Wait)]
    fn a_page_settles(#[case] log: &[(u64, Signal)], #[case] at: u64, #[case] expected: Decision) {
        assert_eq!(decided(log, at), expected);
    }

    #[rstest]
    #[case::nothing_is_known(&[(100, Loaded)], 400, 10)]
    #[case::a_request_just_ended(&[(50, began("a")), (90, ended("a")), (100, Loaded)], 150, 100)]
    #[case::a_request_ended(&[(50, began("a")), (90, ended("a")), (100, Loaded)], 250, 40)]
    #[case::the_tree_changed(&[(100, Loaded), (400, quiet(150, 100))], 400, 50)]
    #[case::the_tree_changed_some_time_ago(&[(100, Loaded), (400, quiet(150, 100))], 430, 20)]
    #[case::the_tree_is_quiet_and_fonts_load(&[(100, Loaded), (400, quiet(300, 100))], 400, 100)]
    #[case::hardly_any_text(&[(10, began("a")), (20, ended("a")), (400, quiet(930, 3))], 400, 70)]
    fn a_page_is_asked_when_it_may_have_settled(
        #[case] log: &[(u64, Signal)],
        #[case] at: u64,
        #[case] expected: u64,
    ) {
        let mut settling = Settling::default();
        for (at, signal) in log {
            settling.note(signal.clone(), ms(*at));
        }
        assert_eq!(settling.ask_after(ms(at), ms(100)), ms(expected));
    }

    #[rstest]
    #[case::fonts_load(false, true, 6_000, Decision::Wait)]
    #[case::fonts_load_for_ever(false, true, 6_100, Decision::GaveUp)]
    #[case::a_script_is_busy(true, false, 2_000, Decision::Wait)]
    #[case::a_script_is_busy_for_long(true, false, 2_100, Decision::Settled)]
    fn fonts_and_busy_scripts_delay_a_page(
        #[case] are_fonts_ready: bool,
        #[case] is_responsive: bool,
        #[case] at: u64,
        #[case] expected: Decision,
    ) {
        let observed = Signal::Observed(Observed {
            tree_quiet: ms(5_000),
            words: 100,
            are_fonts_ready,
            is_responsive,
            changes: 0,
            is_still: true,
        });
        assert_eq!(decided(&[(100, Loaded), (900, observed)], at), expected);
    }

    fn calm(log: &[(u64, Signal)], at: u64) -> (Settling, Option<Version>) {
        let mut settling = Settling::default().awaiting_calm(true);
        for (at, signal) in log {
            settling.note(signal.clone(), ms(*at));
        }
        let calm = settling.calm(ms(at));
        (settling, calm)
    }

    #[rstest]
    #[case::loaded_and_calm(&[(100, Loaded), (200, quiet(100, 100))], 200, true)]
    #[case::not_loaded(&[(200, quiet(100, 100))], 200, false)]
    #[case::not_asked(&[(100, Loaded)], 200, false)]
    #[case::the_tree_changed(&[(100, Loaded), (200, quiet(99, 100))], 200, false)]
    #[case::a_request_just_ended(&[(50, began("a")), (100, Loaded), (150, ended("a")), (200, quiet(100, 100))], 200, false)]
    #[case::a_request_ended(&[(50, began("a")), (100, Loaded), (100, ended("a")), (200, quiet(100, 100))], 200, true)]
    #[case::a_long_poll(&[(50, began("a")), (100, Loaded), (9_000, quiet(8_000, 100))], 9_000, false)]
    #[case::hardly_any_text(&[(10, began("a")), (20, ended("a")), (100, Loaded), (200, quiet(100, 3))], 200, false)]
    fn a_page_is_calm_before_it_has_settled(
        #[case] log: &[(u64, Signal)],
        #[case] at: u64,
        #[case] expected: bool,
    ) {
        let (mut settling, calm) = calm(log, at);
        assert_eq!(calm.is_some(), expected);
        assert!(
            !expected || settling.calm(ms(at)).is_none(),
            "it is said once"
        );
    }

    #[test]
    fn a_page_is_in_the_state_of_its_early_snapshot_until_something_changes() {
        let log = [(100, Loaded), (200, quiet(100, 100))];
        let (mut settling, early) = calm(&log, 200);
        settling.note(quiet(300, 100), ms(400));
        assert_eq!(settling.version(), early);
        let observed = |changes, is_still| {
            Signal::Observed(Observed {
                tree_quiet: ms(300),
                words: 100,
                are_fonts_ready: true,
                is_responsive: true,
                changes,
                is_still,
            })
        };
        settling.note(observed(8, true), ms(400));
        assert_ne!(settling.version(), early, "an attribute has changed");
        settling.note(observed(7, false), ms(400));
        assert_eq!(settling.version(), None, "an animation began");
        settling.note(observed(7, true), ms(400));
        assert_eq!(settling.version(), early);
        settling.note(began("a"), ms(410));
        assert_ne!(settling.version(), early, "a request began");
    }

    #[test]
    fn a_page_is_asked_earlier_while_calm_is_awaited() {
        let mut settling = Settling::default().awaiting_calm(true);
        settling.note(Loaded, ms(100));
        settling.note(quiet(20, 100), ms(110));
        assert_eq!(settling.ask_after(ms(110), ms(100)), ms(80));
        settling.note(quiet(100, 100), ms(190));
        assert!(settling.calm(ms(190)).is_some());
        assert_eq!(settling.ask_after(ms(190), ms(500)), ms(100));
    }

    fn painted(has_painted: bool, steady_ms: u64) -> Signal {
        Signal::Painting(Painting {
            has_painted,
            steady: ms(steady_ms),
        })
    }

    #[rstest]
    #[case::loaded_painted_and_steady(&[(100, Loaded), (500, painted(true, 400))], 500, Decision::Settled)]
    #[case::not_painted(&[(100, Loaded), (500, painted(false, 400))], 500, Decision::Wait)]
    #[case::a_script_was_busy(&[(100, Loaded), (500, painted(true, 399))], 500, Decision::Wait)]
    #[case::loaded_just_now(&[(101, Loaded), (500, painted(true, 400))], 500, Decision::Wait)]
    #[case::not_loaded(&[(500, painted(true, 400))], 9_000, Decision::Wait)]
    #[case::a_request_just_ended(&[(50, began("a")), (100, Loaded), (900, ended("a")), (1_299, painted(true, 1_100))], 1_299, Decision::Wait)]
    #[case::a_request_is_open(&[(50, began("a")), (100, Loaded), (9_000, painted(true, 5_000))], 9_000, Decision::Wait)]
    #[case::a_long_poll(&[(50, began("a")), (100, Loaded), (10_050, painted(true, 5_000))], 10_050, Decision::Settled)]
    #[case::never_paints(&[(100, Loaded), (25_000, painted(false, 20_000))], 25_000, Decision::GaveUp)]
    #[case::the_tree_changes_for_ever(&[(100, Loaded), (500, quiet(0, 100)), (500, painted(true, 400))], 500, Decision::Settled)]
    fn a_page_is_measured_until_it_has_painted_and_is_steady(
        #[case] log: &[(u64, Signal)],
        #[case] at: u64,
        #[case] expected: Decision,
    ) {
        assert_eq!(measured(log).decide(ms(at)), expected);
    }

    fn measured(log: &[(u64, Signal)]) -> Settling {
        let mut settling = Settling::new(Purpose::METRICS);
        for (at, signal) in log {
            settling.note(signal.clone(), ms(*at));
        }
        settling
    }

    #[rstest]
    #[case::not_loaded(&[], 100, 100)]
    #[case::a_request_is_open(&[(50, began("a")), (100, Loaded)], 700, 100)]
    #[case::loaded_just_now(&[(100, Loaded)], 100, 100)]
    #[case::soon_quiet(&[(100, Loaded)], 460, 40)]
    #[case::a_script_was_busy_until_300(&[(100, Loaded), (500, painted(true, 200))], 640, 60)]
    #[case::has_not_painted(&[(100, Loaded), (500, painted(false, 400))], 500, 100)]
    fn a_page_that_is_measured_is_asked_when_it_may_have_been_quiet(
        #[case] log: &[(u64, Signal)],
        #[case] now: u64,
        #[case] expected: u64,
    ) {
        assert_eq!(measured(log).ask_after(ms(now), ms(100)), ms(expected));
    }

    #[test]
    fn the_number_of_requests_that_are_followed_is_limited() {
        let mut settling = Settling::default();
        for number in 0..3 * MAX_OPEN_REQUESTS {
            settling.note(began(&number.to_string()), ms(1));
        }
        assert_eq!(settling.open.len(), MAX_OPEN_REQUESTS);
    }

    #[test]
    fn streams_and_beacons_do_not_count() {
        for (kind, expected) in [
            ("Document", true),
            ("XHR", true),
            ("Other", true),
            ("WebSocket", false),
            ("Ping", false),
        ] {
            assert_eq!(counts(kind), expected, "{kind}");
        }
    }
}
