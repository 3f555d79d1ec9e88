//! Reads the colors of texts from pictures of the window, where styles do not tell them.
//!
//! While the scripts of the page are stopped, the window is scrolled to the texts. In each window one picture is taken as
//! it is, and one in which the texts are transparent: that shows what is behind each letter.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use super::cdp::commands::{CallFunctionOn, Command, Evaluate, ObjectArgument, ResolveNode};
use super::cdp::{CdpError, HUNG, Session};
use super::letters::{Line, Pictures};
use super::picture::Picture;
use super::world::World;
use crate::gather::{MAX_PICTURED_TEXTS, TextColors};
use crate::snapshot::Snapshot;
use crate::style::Color;
use crate::view::Page;

/// Windows of one page that are looked at. Texts further down are not judged by their pixels.
const MAX_WINDOWS: usize = 10;

/// How long the pictures of a page may take. On a machine with nothing else to do they take less than half of that.
const MOST_TIME: Duration = Duration::from_secs(6);

/// How long images may take to arrive that scrolling requests.
const IMAGES: Duration = Duration::from_millis(500);
const POLL: Duration = Duration::from_millis(50);

/// How far around a letter a reader compares it with what is behind it, in pixels of a picture.
const REACH: usize = 3;

const SCRIPT: &str = include_str!("text_colors.js");

/// A text whose colors are asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wanted {
    /// The number of its element in the snapshot.
    node: i64,
    color: Color,
    /// Its group; see [`OpenText`](crate::painting::OpenText).
    group: Option<usize>,
}

/// The texts of a page whose colors its styles do not tell.
pub(super) fn wanted(snapshot: &Snapshot) -> Vec<Wanted> {
    let page = Page::builder().html("").rendered(snapshot);
    let texts = page.painting().open.iter().filter_map(|text| {
        Some(Wanted {
            node: page.number(text.node)?,
            color: text.color,
            group: text.group,
        })
    });
    texts.take(MAX_PICTURED_TEXTS).collect()
}

/// The colors of the texts that can be told, in their order, within this time. The page's scripts must be stopped. The page is as
/// before after [`end`].
pub(super) async fn text_colors(
    tab: &Session,
    frame: &str,
    wanted: &[Wanted],
    most: Duration,
) -> Result<Vec<TextColors>, CdpError> {
    let most = most.min(MOST_TIME);
    if wanted.is_empty() || most.is_zero() {
        return Ok(Vec::new());
    }
    let world = World::enter(tab, frame).await?;
    let mut looking = Looking {
        tab,
        world,
        until: Instant::now() + most,
        texts: Vec::new(),
        found: HashMap::new(),
    };
    let looked = tokio::time::timeout(most + HUNG, looking.look(wanted)).await;
    // What was seen until the time was over counts.
    looked.unwrap_or(Ok(()))?;
    let found = &looking.found;
    Ok(wanted
        .iter()
        .filter_map(|text| found.get(&text.node).copied())
        .collect())
}

/// Undoes what was changed in the page to read the colors of its texts, if anything was.
pub(super) async fn end(tab: &Session, frame: &str) -> Result<(), CdpError> {
    let world = World::enter(tab, frame).await?;
    world
        .evaluate("globalThis.assayTexts?.end()")
        .await
        .map(|_| ())
}

struct Looking<'a> {
    tab: &'a Session,
    world: World<'a>,
    until: Instant,
    /// In the order in which the script has them.
    texts: Vec<Text>,
    found: HashMap<i64, TextColors>,
}

struct Text {
    wanted: Wanted,
    /// Whether it was in the middle of a window, or in one in which no text was seen: something hides it.
    is_tried: bool,
}

/// The left, top, right and bottom of a line, in pixels of a picture.
type Place = [i64; 4];

/// What the script says of a window.
#[derive(Debug, Deserialize)]
struct View {
    /// The width and the height of a picture.
    size: (usize, usize),
    /// The lines of each text.
    texts: Vec<Vec<Place>>,
}

impl Looking<'_> {
    /// Gives the elements of the texts to the script.
    async fn begin(&mut self, wanted: &[Wanted]) -> Result<(), CdpError> {
        let mut objects = Vec::new();
        for wanted in wanted {
            let resolve = ResolveNode {
                backend_node_id: wanted.node,
                execution_context_id: self.world.id(),
            };
            let resolved = match self.tab.call_within(&resolve, HUNG).await {
                Ok(resolved) => resolved.object.object_id,
                Err(CdpError::Refused { .. }) => None,
                Err(error) => return Err(error),
            };
            if let Some(object_id) = resolved {
                objects.push(ObjectArgument { object_id });
                self.texts.push(Text {
                    wanted: *wanted,
                    is_tried: false,
                });
            }
        }
        self.evaluate::<()>(SCRIPT).await?;
        let give = CallFunctionOn {
            function_declaration: "function (...elements) { assayTexts.begin(...elements); }",
            execution_context_id: self.world.id(),
            arguments: &objects,
            return_by_value: true,
        };
        self.tab.call_within(&give, HUNG).await.map(|_| ())
    }

    /// Looks at one window after the other: first as it is, then scrolled to what was not seen yet.
    async fn look(&mut self, wanted: &[Wanted]) -> Result<(), CdpError> {
        self.begin(wanted).await?;
        let mut windows = 0;
        if self.images_arrive().await? {
            windows += usize::from(self.look_at_window(None).await?);
        }
        while windows < MAX_WINDOWS && Instant::now() < self.until {
            let Some(next) = self.seek().await? else {
                break;
            };
            if self.images_arrive().await? {
                windows += usize::from(self.look_at_window(Some(next)).await?);
            }
        }
        Ok(())
    }

    /// Scrolls to the first text that was neither seen nor scrolled to, and can be. Those up to it count as scrolled to.
    async fn seek(&mut self) -> Result<Option<usize>, CdpError> {
        let is_open = |text: &Text| !text.is_tried && !self.found.contains_key(&text.wanted.node);
        let texts = self.texts.iter().enumerate();
        let open: Vec<usize> = texts
            .filter_map(|(number, text)| is_open(text).then_some(number))
            .collect();
        if open.is_empty() {
            return Ok(None);
        }
        let sought = format!("assayTexts.seek({open:?})");
        let place: usize = self.evaluate(&sought).await?;
        for number in open.iter().take(place.saturating_add(1)) {
            if let Some(text) = self.texts.get_mut(*number) {
                text.is_tried = true;
            }
        }
        Ok(open.get(place).copied())
    }

    /// Waits for the images of the window. Returns whether they are there.
    async fn images_arrive(&self) -> Result<bool, CdpError> {
        let until = self.until.min(Instant::now() + IMAGES);
        while !self.evaluate::<bool>("assayTexts.ready()").await? {
            if Instant::now() >= until {
                return Ok(false);
            }
            tokio::time::sleep(POLL).await;
        }
        Ok(true)
    }

    /// Reads the colors of the texts in the window that were not seen yet. Returns whether there are any, or whether the one
    /// that the window was scrolled to is in it: what is beside the page is not scrolled to.
    async fn look_at_window(&mut self, shown: Option<usize>) -> Result<bool, CdpError> {
        let view: View = self.evaluate("assayTexts.view()").await?;
        let (mut open, mut numbers, mut in_middle) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_shown = shown.is_none();
        for (number, (text, places)) in self.texts.iter_mut().zip(view.texts).enumerate() {
            let is_next = shown == Some(number);
            if (text.is_tried && !is_next) || self.found.contains_key(&text.wanted.node) {
                continue;
            }
            if let Some(lines) = lines(&places, view.size) {
                is_shown |= is_next;
                if is_in_middle(&lines, view.size) {
                    in_middle.push(number);
                }
                open.push((text.wanted, lines));
                numbers.push(number);
            }
        }
        if open.is_empty() || !is_shown {
            return Ok(false);
        }
        let nodes: HashSet<i64> = open.iter().map(|(text, _)| text.node).collect();
        let (with_texts, behind) = self.pictures(&numbers).await?;
        // Reading takes some tens of milliseconds of the processor.
        let read = tokio::task::spawn_blocking(move || read(&with_texts, &behind, &open)).await;
        let read = read.unwrap_or_default();
        let is_unseen = read.is_empty();
        for (number, text) in self.texts.iter_mut().enumerate() {
            text.is_tried |=
                in_middle.contains(&number) || is_unseen && nodes.contains(&text.wanted.node);
        }
        self.found
            .extend(read.into_iter().map(|colors| (colors.node, colors)));
        copy_to_groups(&self.texts, &mut self.found);
        Ok(true)
    }

    /// Takes a picture of the window as it is, and one in which these texts are transparent.
    async fn pictures(&self, numbers: &[usize]) -> Result<(Picture, Picture), CdpError> {
        self.evaluate::<()>("assayTexts.hide([])").await?;
        let shown = Picture::take(self.tab).await?;
        self.evaluate::<()>(&format!("assayTexts.hide({numbers:?})"))
            .await?;
        let behind = Picture::take(self.tab).await?;
        Ok((shown, behind))
    }

    async fn evaluate<T: DeserializeOwned>(&self, expression: &str) -> Result<T, CdpError> {
        let value = self.world.evaluate(expression).await?;
        serde_json::from_value(value).map_err(|error| CdpError::Unreadable {
            method: Evaluate::METHOD,
            reason: error.to_string(),
        })
    }
}

/// Copies the colors that were found of a text to the others of its group.
fn copy_to_groups(texts: &[Text], found: &mut HashMap<i64, TextColors>) {
    let mut of_groups: HashMap<usize, TextColors> = HashMap::new();
    for wanted in texts.iter().map(|text| text.wanted) {
        if let (Some(group), Some(colors)) = (wanted.group, found.get(&wanted.node)) {
            of_groups.entry(group).or_insert(*colors);
        }
    }
    for wanted in texts.iter().map(|text| text.wanted) {
        if let Some(colors) = wanted.group.and_then(|group| of_groups.get(&group)) {
            let node = wanted.node;
            found.entry(node).or_insert(TextColors { node, ..*colors });
        }
    }
}

/// What two pictures tell of texts, which have these lines in them.
fn read(shown: &Picture, behind: &Picture, texts: &[(Wanted, Vec<Line>)]) -> Vec<TextColors> {
    let Some((shown, behind)) = shown.pixels().zip(behind.pixels()) else {
        return Vec::new();
    };
    let pictures = Pictures { shown, behind };
    let read =
        |(text, lines): &(Wanted, Vec<Line>)| pictures.read(text.color, lines, REACH).of(text.node);
    texts.iter().filter_map(read).collect()
}

/// Whether lines are far from the edges of a picture, where bars often stay that are over the text.
fn is_in_middle(lines: &[Line], (_, height): (usize, usize)) -> bool {
    let edge = height / 5;
    lines
        .iter()
        .all(|line| line.top >= edge && line.bottom <= height - edge)
}

/// The lines of a text in a picture; none if one of them is above or below it, unless the text is higher than the picture.
/// What is left or right of the picture is cut off, or scrolled to.
fn lines(places: &[Place], (width, height): (usize, usize)) -> Option<Vec<Line>> {
    let mut lines = Vec::new();
    let mut is_whole = true;
    for [left, top, right, bottom] in places {
        let rows = usize::try_from(*top)
            .ok()
            .zip(usize::try_from(*bottom).ok());
        let Some((top, bottom)) = rows.filter(|(_, bottom)| *bottom <= height + 1) else {
            is_whole = false;
            continue;
        };
        let left = usize::try_from(*left).unwrap_or_default();
        let right = usize::try_from(*right).unwrap_or_default().min(width);
        if left < right {
            lines.push(Line {
                left,
                top,
                right,
                bottom,
            });
        }
    }
    let top = places.iter().map(|[_, top, ..]| *top).min()?;
    let bottom = places.iter().map(|[.., bottom]| *bottom).max()?;
    let is_high = usize::try_from(bottom - top).is_ok_and(|own| own > height);
    (!lines.is_empty() && (is_whole || is_high)).then_some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::ColorPair;

    #[test]
    fn the_colors_of_a_text_are_those_of_its_group() {
        let text = |node, group| Text {
            wanted: Wanted {
                node,
                color: Color::WHITE,
                group,
            },
            is_tried: false,
        };
        let texts = [
            text(1, Some(0)),
            text(2, Some(1)),
            text(3, Some(0)),
            text(4, None),
            text(5, Some(1)),
        ];
        let pair = |gray| ColorPair {
            text: [255; 3],
            behind: [gray; 3],
        };
        let colors = |node, gray| TextColors {
            node,
            least: pair(gray),
            most: pair(gray),
        };
        let mut found = HashMap::from([(3, colors(3, 10)), (4, colors(4, 20))]);
        copy_to_groups(&texts, &mut found);
        let mut found: Vec<TextColors> = found.into_values().collect();
        found.sort_by_key(|colors| colors.node);
        assert_eq!(found, [colors(1, 10), colors(3, 10), colors(4, 20)]);
    }

    #[test]
    fn a_text_counts_if_all_of_it_is_in_the_picture() {
        let size = (100, 200);
        let line = |top, bottom| [10, top, 90, bottom];
        let many = |places: &[Place]| lines(places, size).map(|lines| lines.len());
        assert_eq!(many(&[line(10, 30), line(30, 50)]), Some(2));
        assert_eq!(many(&[line(-10, 10), line(10, 30)]), None);
        assert_eq!(many(&[line(180, 202)]), None);
        assert_eq!(many(&[[-50, 10, 0, 30]]), None);
        assert_eq!(many(&[[100, 10, 150, 30]]), None);
        assert_eq!(many(&[]), None);
        // The part that is beside the picture does not count.
        let cut = lines(&[[-5, 10, 150, 30]], size).unwrap();
        assert_eq!((cut[0].left, cut[0].right), (0, 100));
        // It never is if it is higher.
        assert_eq!(
            many(&[line(-60, -40), line(10, 30), line(180, 210)]),
            Some(1)
        );
    }

    #[test]
    fn the_texts_that_styles_do_not_tell_are_wanted() {
        let json = include_str!("../snapshot/recorded/colors.json");
        let snapshot = Snapshot::read(json).unwrap();
        let page = Page::builder().html("").rendered(&snapshot);
        let ids = [
            "on-photo",
            "under-sibling",
            "underlined",
            "shadow",
            "below-next",
        ];
        let mut expected: Vec<i64> = (ids.iter())
            .map(|id| page.number(page.by_id(id).unwrap().id()).unwrap())
            .collect();
        expected.sort_unstable();
        let mut found: Vec<i64> = wanted(&snapshot).iter().map(|text| text.node).collect();
        found.sort_unstable();
        assert_eq!(found, expected);
    }
}
