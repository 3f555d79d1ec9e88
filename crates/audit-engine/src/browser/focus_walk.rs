//! Presses the Tab key until every element had the focus, and finds out whether that can be seen.
//!
//! Most pages leave the outline of the browser or draw their own: a comparison of styles sees that. Only where no style
//! changes, pictures of the window with and without the focus are compared.

use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::cdp::commands::{DispatchKey, SetFocusEmulation};
use super::cdp::{CdpError, HUNG, Session};
use super::picture::Picture;
use super::world::World;
use crate::gather::{FocusChange, FocusStop, FocusWalk, WalkEnd};

/// Elements that get the focus. A page that has more is judged by these.
pub(super) const MAX_STOPS: usize = 60;

/// A walk ends after this number of elements whose styles the focus does not change. Pictures of each take some 250 ms. A page has
/// the same fault in all of them, as a rule.
const MAX_COMPARED: usize = 8;

/// How long a walk takes at most.
pub(super) const MOST_TIME: Duration = Duration::from_secs(5);

/// How long pictures are taken until two are equal: what libraries of scripts move takes up to 600 ms.
const MOST_CHANGE: Duration = Duration::from_millis(700);

/// Keys within frames, of which the page itself sees nothing.
const MAX_IN_FRAMES: usize = 30;

const WALK: &str = include_str!("focus_walk.js");

/// A walk, which has its stops so far also if it is dropped before its end.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    tab: &'a Session,
    frame: &'a str,
    most: Duration,
    stops: Vec<FocusStop>,
    /// How many of them were compared in pictures.
    compared: usize,
}

/// Pictures of the window while an element has the focus, then without it, and with it again.
#[derive(Debug)]
struct Compared {
    with: Picture,
    without: Picture,
    again: Picture,
}

impl Compared {
    fn are_equal(&self) -> bool {
        self.with == self.without && self.again == self.without
    }

    /// Whether the picture changed while the focus did not: something moves, or was not painted yet.
    fn is_unsteady(&self) -> bool {
        self.with != self.again
    }
}

/// What a key did, in the words of the script.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    /// The focus left the document.
    Left,
    /// An element had the focus before: its number among the stops.
    Again(usize),
    MovedByScript,
    /// The frame that had the focus still has it: something in it may have got it.
    Frame,
    /// An element has the focus for the first time.
    Stop(Seen),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Changed,
    Unknown,
    /// No style changes that can be seen, and the element is in the window or has no size.
    Unchanged,
    /// The element is outside of the window.
    Outside,
}

/// What the steps so far say about the end of the walk: a pure rule.
#[derive(Debug, Default)]
struct Round {
    stops: usize,
    left: usize,
    in_frames: usize,
}

/// Whether to press the key again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Key,
    /// Every element had the focus.
    Complete,
    Ends(WalkEnd),
}

impl Round {
    fn after(&mut self, step: &Step) -> Next {
        match step {
            Step::MovedByScript => return Next::Ends(WalkEnd::MovedByScript),
            Step::Left => {
                self.left += 1;
                // It leaves at the end of the document and comes back at its beginning.
                if self.left > 1 {
                    return Next::Complete;
                }
            }
            // Back at the first element, or at one before that: the walk may have begun in the middle.
            Step::Again(number) if *number == 0 || self.left > 0 => return Next::Complete,
            // It goes around within some elements, or stays.
            Step::Again(_) => return Next::Ends(WalkEnd::MovedByScript),
            Step::Frame => {
                self.in_frames += 1;
                if self.in_frames >= MAX_IN_FRAMES {
                    return Next::Ends(WalkEnd::TooMany);
                }
            }
            Step::Stop(_) => {
                self.stops += 1;
                if self.stops > MAX_STOPS {
                    return Next::Ends(WalkEnd::TooMany);
                }
            }
        }
        Next::Key
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(tab: &'a Session, frame: &'a str, most: Duration) -> Self {
        Self {
            tab,
            frame,
            most,
            stops: Vec::new(),
            compared: 0,
        }
    }

    /// What was seen, if the walk ended for this reason.
    pub(super) fn finish(self, ended_early: Option<WalkEnd>) -> FocusWalk {
        FocusWalk {
            stops: self.stops,
            ended_early,
        }
    }

    /// Walks once around the page. Returns why it ended early, if it did. It may be dropped at any time.
    pub(super) async fn run(&mut self) -> Result<Option<WalkEnd>, CdpError> {
        let until = Instant::now() + self.most;
        self.tab.call(&SetFocusEmulation { enabled: true }).await?;
        let world = World::enter(self.tab, self.frame).await?;
        world.promised(WALK).await?;
        world.promised("assayFocus.begin()").await?;
        let mut round = Round::default();
        loop {
            if Instant::now() >= until {
                return Ok(Some(WalkEnd::Timeout));
            }
            let step = self.step(world).await?;
            match round.after(&step) {
                Next::Key => {}
                Next::Complete => return Ok(None),
                Next::Ends(reason) => return Ok(Some(reason)),
            }
            if let Step::Stop(seen) = step
                && !self.stop(world, seen).await?
            {
                return Ok(Some(WalkEnd::MovedByScript));
            }
            if self.compared >= MAX_COMPARED {
                return Ok(Some(WalkEnd::TooMany));
            }
        }
    }

    /// Presses the key, and asks what it did while it is let go.
    async fn step(&self, world: World<'_>) -> Result<Step, CdpError> {
        self.tab.call_within(&tab_key("rawKeyDown"), HUNG).await?;
        let up = tab_key("keyUp");
        let (_, said) = tokio::try_join!(
            self.tab.call_within(&up, HUNG),
            world.promised("assayFocus.step()")
        )?;
        Ok(read_step(&said))
    }

    /// Ends what [`Self::run`] began, so that the next page does not begin with the focus.
    pub(super) async fn end(tab: &Session) {
        // The tab may have ended.
        let _ = tab
            .call_within(&SetFocusEmulation { enabled: false }, HUNG)
            .await;
    }

    /// Keeps what the focus changed at the current element. Returns whether the element still has the focus.
    async fn stop(&mut self, world: World<'_>, seen: Seen) -> Result<bool, CdpError> {
        match seen {
            Seen::Changed => self.push(None, FocusChange::Visible),
            Seen::Unknown => self.push(None, FocusChange::Unknown),
            Seen::Unchanged | Seen::Outside => {
                self.compared += 1;
                let first = Picture::take(self.tab).await?;
                let Some(mut pictures) = self.compare(world, first).await? else {
                    return Ok(false);
                };
                if pictures.is_unsteady() {
                    let first = self.steady_picture(world).await?;
                    let Some(again) = self.compare(world, first).await? else {
                        return Ok(false);
                    };
                    pictures = again;
                }
                if pictures.are_equal() {
                    let node = world.node("assayFocus.current()").await?;
                    let change = match seen {
                        Seen::Outside => FocusChange::Outside,
                        _ => FocusChange::Nothing,
                    };
                    self.push(node, change);
                } else {
                    self.push(None, FocusChange::Visible);
                }
            }
        }
        Ok(true)
    }

    /// Pictures with the focus, without it, and with it again. None if the element does not get it back.
    async fn compare(&self, world: World<'_>, with: Picture) -> Result<Option<Compared>, CdpError> {
        let has_left = world.promised("assayFocus.leave()").await?;
        let without = Picture::take(self.tab).await?;
        let is_back = world.promised("assayFocus.enter()").await?;
        if has_left != Value::Bool(true) || is_back != Value::Bool(true) {
            return Ok(None);
        }
        let again = Picture::take(self.tab).await?;
        Ok(Some(Compared {
            with,
            without,
            again,
        }))
    }

    fn push(&mut self, node: Option<i64>, change: FocusChange) {
        self.stops.push(FocusStop { node, change });
    }

    /// A picture after what a page does for some tenths of a second, such as a button that appears when it is scrolled. Of
    /// a page that always moves it is the last of some.
    async fn steady_picture(&self, world: World<'_>) -> Result<Picture, CdpError> {
        let mut last = Picture::take(self.tab).await?;
        let until = Instant::now() + MOST_CHANGE;
        while Instant::now() < until {
            world.promised("assayFocus.frames()").await?;
            let next = Picture::take(self.tab).await?;
            if next == last {
                break;
            }
            last = next;
        }
        Ok(last)
    }
}

/// What the script says. Anything else is a page that changed the focus while it was asked.
fn read_step(value: &Value) -> Step {
    let part = |place: usize| value.get(place);
    let name = |place| part(place).and_then(Value::as_str).unwrap_or_default();
    match (name(0), name(1)) {
        ("left", _) => Step::Left,
        ("frame", _) => Step::Frame,
        ("again", _) => {
            let number = part(1).and_then(Value::as_u64);
            number.map_or(Step::MovedByScript, |number| {
                Step::Again(usize::try_from(number).unwrap_or(usize::MAX))
            })
        }
        ("stop", "visible") => Step::Stop(Seen::Changed),
        ("stop", "unknown") => Step::Stop(Seen::Unknown),
        ("stop", "unchanged") => Step::Stop(Seen::Unchanged),
        ("stop", "outside") => Step::Stop(Seen::Outside),
        _ => Step::MovedByScript,
    }
}

/// Presses the Tab key once.
pub(super) async fn press_tab(tab: &Session) -> Result<(), CdpError> {
    tab.call_within(&tab_key("rawKeyDown"), HUNG).await?;
    tab.call_within(&tab_key("keyUp"), HUNG).await?;
    Ok(())
}

const fn tab_key(kind: &'static str) -> DispatchKey {
    DispatchKey {
        kind,
        key: "Tab",
        code: "Tab",
        windows_virtual_key_code: 9,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const STOP: Step = Step::Stop(Seen::Changed);

    fn walked(steps: impl IntoIterator<Item = Step>) -> Next {
        let mut round = Round::default();
        let mut last = Next::Key;
        for step in steps {
            assert_eq!(last, Next::Key, "it has ended before {step:?}");
            last = round.after(&step);
        }
        last
    }

    #[test]
    fn a_walk_ends_when_every_element_had_the_focus() {
        assert_eq!(walked([STOP, STOP]), Next::Key);
        assert_eq!(
            walked([STOP, STOP, Step::Left, Step::Again(0)]),
            Next::Complete
        );
        assert_eq!(walked([STOP, STOP, Step::Again(0)]), Next::Complete);
        assert_eq!(walked([Step::Left, Step::Left]), Next::Complete);
        // It began after the first element.
        assert_eq!(
            walked([STOP, Step::Left, STOP, Step::Again(0)]),
            Next::Complete
        );
    }

    #[test]
    fn a_walk_ends_early_where_the_focus_does_not_go_on() {
        let moved = Next::Ends(WalkEnd::MovedByScript);
        assert_eq!(walked([STOP, Step::MovedByScript]), moved);
        assert_eq!(walked([STOP, STOP, Step::Again(1)]), moved);
    }

    #[test]
    fn stops_and_keys_in_frames_are_bounded() {
        let many = Next::Ends(WalkEnd::TooMany);
        assert_eq!(walked(vec![STOP; MAX_STOPS]), Next::Key);
        assert_eq!(walked(vec![STOP; MAX_STOPS + 1]), many);
        assert_eq!(walked(vec![Step::Frame; MAX_IN_FRAMES]), many);
    }

    #[test]
    fn what_the_script_says_is_read() {
        for (said, expected) in [
            (json!(["left"]), Step::Left),
            (json!(["again", 3]), Step::Again(3)),
            (json!(["stop", "visible"]), STOP),
            (json!(["stop", "unknown"]), Step::Stop(Seen::Unknown)),
            (json!(["stop", "unchanged"]), Step::Stop(Seen::Unchanged)),
            (json!(["stop", "outside"]), Step::Stop(Seen::Outside)),
            (json!(["frame"]), Step::Frame),
            (json!(["moved"]), Step::MovedByScript),
            (json!(null), Step::MovedByScript),
        ] {
            assert_eq!(read_step(&said), expected, "{said}");
        }
    }
}
