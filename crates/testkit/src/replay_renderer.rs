//! A renderer that replays pages: no browser is needed.

use std::collections::HashMap;

use audit_engine::dom::{Dom, NodeData};
use audit_engine::gather::{Headers, RenderError, RenderFuture, RenderedPage, Renderer};
use audit_engine::snapshot::Snapshot;
use serde_json::{Value, json};
use url::Url;

/// Shows pages as they were given: markup as it is after the scripts, of which every element is visible, or an error.
/// Any other page is [`RenderError::Timeout`].
#[derive(Debug, Default)]
pub struct ReplayRenderer {
    pages: HashMap<Url, Replayed>,
}

#[derive(Debug)]
enum Replayed {
    Shown {
        markup: String,
        url: Url,
        status: u16,
    },
    Failed(RenderError),
}

impl ReplayRenderer {
    /// A renderer without pages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Shows this markup at the URL.
    #[must_use]
    pub fn shows(self, url: &Url, markup: &str) -> Self {
        self.with(url, markup, url.clone(), 200)
    }

    /// Shows this markup at the URL, to which the page led from another one.
    #[must_use]
    pub fn leads(self, from: &Url, to: &Url, markup: &str) -> Self {
        self.with(from, markup, to.clone(), 200)
    }

    /// The server answers the browser with this status code.
    #[must_use]
    pub fn answers(self, url: &Url, status: u16) -> Self {
        self.with(url, "<h1>Error</h1>", url.clone(), status)
    }

    /// The page is not shown.
    #[must_use]
    pub fn fails(mut self, url: &Url, error: RenderError) -> Self {
        self.pages.insert(url.clone(), Replayed::Failed(error));
        self
    }

    fn with(mut self, at: &Url, markup: &str, url: Url, status: u16) -> Self {
        let markup = markup.to_owned();
        let shown = Replayed::Shown {
            markup,
            url,
            status,
        };
        self.pages.insert(at.clone(), shown);
        self
    }

    fn replay(&self, url: &Url) -> Result<RenderedPage, RenderError> {
        match self.pages.get(url) {
            None => Err(RenderError::Timeout),
            Some(Replayed::Failed(error)) => Err(error.clone()),
            Some(Replayed::Shown {
                markup,
                url,
                status,
            }) => Ok(RenderedPage {
                url: url.clone(),
                status: *status,
                headers: Headers::new(),
                is_settled: true,
                snapshot: snapshot_of(markup)?,
            }),
        }
    }
}

impl Renderer for ReplayRenderer {
    fn render(&self, url: Url) -> RenderFuture<'_> {
        Box::pin(async move { self.replay(&url) })
    }
}

/// The strings of a snapshot, which refers to them by their place.
#[derive(Default)]
struct Strings(Vec<String>);

impl Strings {
    fn add(&mut self, text: &str) -> usize {
        self.0.push(text.to_owned());
        self.0.len() - 1
    }
}

/// The answer of `DOMSnapshot.captureSnapshot` for this markup, in which every element has a box.
fn snapshot_of(markup: &str) -> Result<Snapshot, RenderError> {
    let dom = Dom::parse(markup);
    let mut strings = Strings::default();
    let document = strings.add("#document");
    let (mut parents, mut kinds, mut names) = (vec![-1_i64], vec![9], vec![document]);
    let (mut values, mut attributes) = (vec![-1_i64], vec![Vec::<usize>::new()]);
    let (mut boxes, mut texts) = (Vec::new(), Vec::new());
    let mut places = HashMap::from([(dom.document(), 0_i64)]);
    for id in dom.descendants(dom.document()) {
        let parent = dom
            .parent(id)
            .and_then(|parent| places.get(&parent))
            .copied();
        let place = kinds.len();
        let (kind, name, value, own) = match dom.data(id) {
            Some(NodeData::Element(element)) => {
                let pairs = element
                    .attrs()
                    .map(|own| [own.name.to_owned(), own.value.to_owned()]);
                let pairs = pairs.flatten().collect::<Vec<_>>();
                boxes.push(place);
                texts.push(-1_i64);
                (1, element.name().to_ascii_uppercase(), None, pairs)
            }
            Some(NodeData::Text(text)) => {
                (3, "#text".to_owned(), Some(text.to_owned()), Vec::new())
            }
            _ => continue,
        };
        places.insert(id, i64::try_from(place).unwrap_or(-1));
        parents.push(parent.unwrap_or(0));
        kinds.push(kind);
        names.push(strings.add(&name));
        let value = value.map(|value| strings.add(&value));
        values.push(
            value
                .and_then(|value| i64::try_from(value).ok())
                .unwrap_or(-1),
        );
        attributes.push(own.iter().map(|text| strings.add(text)).collect());
    }
    let styles: Vec<Value> = boxes.iter().map(|_| json!([])).collect();
    let answer = json!({
        "documents": [{
            "nodes": {
                "parentIndex": parents,
                "nodeType": kinds,
                "nodeName": names,
                "nodeValue": values,
                "attributes": attributes,
            },
            "layout": { "nodeIndex": boxes, "styles": styles, "text": texts },
        }],
        "strings": strings.0,
    });
    Snapshot::read(&answer.to_string()).map_err(|error| RenderError::Browser(error.to_string()))
}
