//! The answer of `DOMSnapshot.captureSnapshot`, with the fields that the engine reads.

use std::collections::BTreeMap;
#[cfg(any(feature = "browser", test))]
use std::collections::HashSet;

use serde::{Deserialize, Serialize};

#[cfg(any(feature = "browser", test))]
use crate::layout::single_url;

/// Elements of a page that are read. A snapshot has some 300 bytes for each.
pub const MAX_RENDERED_ELEMENTS: usize = 60_000;

/// The computed properties that a snapshot has of each box, in this order.
pub(crate) const STYLES: &[&str] = &[
    "display",
    "visibility",
    "opacity",
    "position",
    "color",
    "-webkit-text-fill-color",
    "background-color",
    "background-image",
    "background-clip",
    "font-size",
    "font-weight",
    "line-height",
    "letter-spacing",
    "word-spacing",
    "text-decoration-line",
    "text-shadow",
    "overflow-x",
    "overflow-y",
    "clip-path",
    "transform",
    "rotate",
    "filter",
    "mix-blend-mode",
    "cursor",
    "background-size",
    "background-repeat",
    "font-style",
    "font-family",
    "border-bottom",
    "box-shadow",
    "pointer-events",
    "background-position",
    "background-attachment",
];

/// Images whose sizes are read. Texts on others are looked at in pictures.
#[cfg(any(feature = "browser", test))]
const MAX_SIZED_IMAGES: usize = 50;

/// Longer URLs are not asked for: they have the image in themselves.
#[cfg(any(feature = "browser", test))]
const MAX_IMAGE_URL_BYTES: usize = 2048;

/// Why a snapshot cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It has another form.
    #[error("the snapshot of the page cannot be read: {0}")]
    Form(String),
    /// It has more than [`MAX_RENDERED_ELEMENTS`] elements.
    #[error("the page has more than {MAX_RENDERED_ELEMENTS} elements")]
    TooLarge,
}

/// A page as the browser had it at one moment: its tree, and the styles of its boxes. Frames are not read.
#[derive(Debug)]
pub struct Snapshot {
    pub(super) document: DocumentSnapshot,
    strings: Vec<String>,
    /// The numbers of the elements that are modal dialogs.
    pub(super) modal: Vec<i64>,
    /// The numbers of elements that events of the page are about.
    pub(super) marked: Vec<i64>,
    /// The width and the height of background images, by their URLs.
    images: BTreeMap<String, (f32, f32)>,
}

/// The answer as it stands. Documents after the first are those of frames.
#[derive(Deserialize)]
struct Answer {
    documents: Vec<DocumentSnapshot>,
    strings: Vec<String>,
    /// Only in recordings, as the next.
    #[serde(default)]
    modal: Vec<i64>,
    #[serde(default)]
    images: BTreeMap<String, (f32, f32)>,
}

/// One document. The vectors of `nodes` have an entry for each node, and a parent comes before its children.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DocumentSnapshot {
    #[serde(default = "missing")]
    pub(super) public_id: i64,
    #[serde(default = "missing")]
    pub(super) system_id: i64,
    pub(super) nodes: Nodes,
    pub(super) layout: Boxes,
    /// Missing in recordings of earlier versions.
    #[serde(default)]
    pub(super) text_boxes: TextBoxes,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Nodes {
    pub(super) parent_index: Vec<i64>,
    pub(super) node_type: Vec<u8>,
    pub(super) node_name: Vec<i64>,
    pub(super) node_value: Vec<i64>,
    /// Names and values in turns.
    pub(super) attributes: Vec<Vec<i64>>,
    /// The numbers of the nodes in the protocol.
    #[serde(default)]
    pub(super) backend_node_id: Vec<i64>,
    #[serde(default)]
    pub(super) shadow_root_type: Sparse,
    #[serde(default)]
    pub(super) pseudo_type: Sparse,
    /// The texts in fields.
    #[serde(default)]
    pub(super) input_value: Sparse,
    /// The nodes that react to clicks: links, controls, and those with a listener.
    #[serde(default)]
    pub(super) is_clickable: Marked,
}

/// Boxes, each with the node that it shows.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Boxes {
    pub(super) node_index: Vec<usize>,
    pub(super) styles: Vec<Vec<i64>>,
    /// The text that is shown; of a generated box the text that it generates.
    pub(super) text: Vec<i64>,
    /// Left, top, width and height. Missing in recordings of earlier versions, as is the next.
    #[serde(default)]
    pub(super) bounds: Vec<[f32; 4]>,
    /// Boxes with a higher number are painted later.
    #[serde(default)]
    pub(super) paint_orders: Vec<u32>,
}

/// The lines of texts, each with the place of its box in the vectors of [`Boxes`].
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextBoxes {
    pub(super) layout_index: Vec<usize>,
    pub(super) bounds: Vec<[f32; 4]>,
}

/// A string for some of the nodes.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Sparse {
    pub(super) index: Vec<usize>,
    pub(super) value: Vec<i64>,
}

/// Some of the nodes.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct Marked {
    pub(super) index: Vec<usize>,
}

const fn missing() -> i64 {
    -1
}

/// A node of type 1 (DOM Standard, section 4.4).
pub(super) const ELEMENT: u8 = 1;
pub(super) const TEXT: u8 = 3;
pub(super) const CDATA: u8 = 4;
pub(super) const COMMENT: u8 = 8;
pub(super) const DOCTYPE: u8 = 10;

impl Snapshot {
    /// Reads the result of the call. Fields that this version does not know are ignored.
    ///
    /// # Errors
    /// If it has another form, or too many elements.
    pub fn read(json: &str) -> Result<Self, ReadError> {
        let answer: Answer =
            serde_json::from_str(json).map_err(|error| ReadError::Form(error.to_string()))?;
        let Some(document) = answer.documents.into_iter().next() else {
            return Err(ReadError::Form("it has no document".to_owned()));
        };
        let types = document.nodes.node_type.iter();
        if types.filter(|kind| **kind == ELEMENT).count() > MAX_RENDERED_ELEMENTS {
            return Err(ReadError::TooLarge);
        }
        Ok(Self {
            document,
            strings: answer.strings,
            modal: answer.modal,
            marked: Vec::new(),
            images: answer.images,
        })
    }

    /// A page that has this markup after its scripts, and in which every element is shown. For tests, which need no
    /// browser then.
    ///
    /// # Errors
    /// If it has too many elements.
    pub fn of_markup(markup: &str) -> Result<Self, ReadError> {
        Self::read(&super::markup::answer(markup))
    }

    /// The same page with these modal dialogs, by the numbers of their elements.
    #[cfg(any(feature = "browser", test))]
    #[must_use]
    pub(crate) fn with_modal(mut self, modal: Vec<i64>) -> Self {
        self.modal = modal;
        self
    }

    /// The same page, in whose tree the elements with these numbers can be found.
    #[cfg(any(feature = "browser", test))]
    #[must_use]
    pub(crate) fn with_marked(mut self, marked: Vec<i64>) -> Self {
        self.marked = marked;
        self
    }

    /// The same page with the sizes of background images, by their URLs.
    #[cfg(any(feature = "browser", test))]
    #[must_use]
    pub(crate) fn with_image_sizes(mut self, images: BTreeMap<String, (f32, f32)>) -> Self {
        self.images = images;
        self
    }

    /// The URLs of background images that are painted once and in a size of their own, in the order of the boxes.
    #[cfg(any(feature = "browser", test))]
    pub(crate) fn single_images(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        let images = self.document.layout.styles.iter().filter_map(|styles| {
            // Most boxes have none.
            let url = single_url(self.style(styles, "background-image"))?;
            let is_single = self.style(styles, "background-repeat") == "no-repeat"
                && self.style(styles, "background-size").contains("auto");
            (is_single && url.len() <= MAX_IMAGE_URL_BYTES && seen.insert(url)).then_some(url)
        });
        images.take(MAX_SIZED_IMAGES).collect()
    }

    /// What the engine read, in the same form: a recording for tests.
    #[must_use]
    pub fn to_json(&self) -> String {
        let answer = serde_json::json!({
            "documents": [self.document],
            "strings": self.strings,
            "modal": self.modal,
            "images": self.images,
        });
        answer.to_string()
    }

    /// The width and the height of a background image, if the browser said them.
    pub(super) fn image_size(&self, url: &str) -> Option<(f32, f32)> {
        self.images.get(url).copied()
    }

    /// The value of a property among the styles of a box; empty if they do not have it.
    pub(super) fn style(&self, styles: &[i64], name: &str) -> &str {
        let column = STYLES.iter().position(|known| *known == name);
        let value = column.and_then(|column| styles.get(column));
        value.map_or("", |value| self.string(*value))
    }

    /// The string at this place of the table; empty if there is none.
    pub(super) fn string(&self, place: i64) -> &str {
        let place = usize::try_from(place).ok();
        place
            .and_then(|place| self.strings.get(place))
            .map_or("", String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_snapshot_of_another_form_is_an_error() {
        for (json, expected) in [
            ("[]", "cannot be read"),
            (r#"{"documents":[],"strings":[]}"#, "it has no document"),
            (r#"{"documents":[{}],"strings":[]}"#, "missing field"),
        ] {
            let error = Snapshot::read(json).unwrap_err().to_string();
            assert!(error.contains(expected), "{json}: {error}");
        }
    }

    #[test]
    fn a_recording_reads_as_the_same_snapshot() {
        let read = Snapshot::read(include_str!("recorded/widgets.json")).unwrap();
        let again = Snapshot::read(&read.to_json()).unwrap();
        assert_eq!(read.to_json(), again.to_json());
    }

    #[test]
    fn a_page_of_too_many_elements_is_not_read() {
        let with = |elements: usize| {
            let all = vec![0; elements];
            let json = json!({
                "documents": [{
                    "nodes": {
                        "parentIndex": all, "nodeType": vec![1; elements], "nodeName": all, "nodeValue": all,
                        "attributes": vec![[0; 0]; elements],
                    },
                    "layout": {"nodeIndex": [], "styles": [], "text": []},
                    "added": "later",
                }],
                "strings": ["P"],
            });
            Snapshot::read(&json.to_string())
        };
        assert!(with(MAX_RENDERED_ELEMENTS).is_ok());
        assert_eq!(
            with(MAX_RENDERED_ELEMENTS + 1).unwrap_err(),
            ReadError::TooLarge
        );
    }

    /// A page with boxes that have these images.
    fn with_images(images: &[String]) -> Snapshot {
        let names = ["background-image", "background-repeat", "background-size"];
        let styles: Vec<Vec<usize>> = (0..images.len())
            .map(|number| {
                let value = |name: &&str| names.iter().position(|known| known == name);
                (STYLES.iter().map(value))
                    .map(|place| {
                        place.map_or(0, |place| if place == 0 { 3 + number } else { place })
                    })
                    .collect()
            })
            .collect();
        let own = ["", "no-repeat", "auto"].map(str::to_owned);
        let strings: Vec<&String> = own.iter().chain(images).collect();
        let json = json!({
            "documents": [{
                "nodes": {"parentIndex": [], "nodeType": [], "nodeName": [], "nodeValue": [], "attributes": []},
                "layout": {"nodeIndex": vec![0; images.len()], "styles": styles, "text": vec![0; images.len()]},
            }],
            "strings": strings,
        });
        Snapshot::read(&json.to_string()).unwrap()
    }

    #[test]
    fn the_images_whose_sizes_are_read_are_bounded() {
        let url = |number: usize| format!("url(\"http://a.test/{number}\")");
        let images: Vec<String> = (0..=MAX_SIZED_IMAGES).map(url).collect();
        let snapshot = with_images(&images);
        let found = snapshot.single_images();
        assert_eq!(found.len(), MAX_SIZED_IMAGES);
        assert_eq!(found[0], "http://a.test/0");
        let long = |bytes: usize| format!("url(\"{}\")", "a".repeat(bytes));
        let lengths = [MAX_IMAGE_URL_BYTES, MAX_IMAGE_URL_BYTES + 1].map(long);
        assert_eq!(with_images(&lengths).single_images().len(), 1);
        // Each once, and no gradients.
        let same = [url(1), url(1), "linear-gradient(red, blue)".to_owned()];
        assert_eq!(with_images(&same).single_images(), ["http://a.test/1"]);
    }
}
