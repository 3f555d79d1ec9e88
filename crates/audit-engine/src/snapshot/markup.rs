//! Snapshots of markup, for tests without a browser.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::dom::{Dom, NodeData};

/// The strings of a snapshot, which refers to them by their place.
#[derive(Default)]
struct Strings(Vec<String>);

impl Strings {
    fn add(&mut self, text: &str) -> usize {
        self.0.push(text.to_owned());
        self.0.len() - 1
    }
}

/// The answer of `DOMSnapshot.captureSnapshot` for this markup, in which elements with `onclick` react to clicks.
pub(super) fn answer(markup: &str) -> String {
    let dom = Dom::parse(markup);
    let mut strings = Strings::default();
    let document = strings.add("#document");
    let (mut parents, mut kinds, mut names) = (vec![-1_i64], vec![9], vec![document]);
    let (mut values, mut attributes) = (vec![-1_i64], vec![Vec::<usize>::new()]);
    let (mut boxes, mut texts, mut clickable) = (Vec::new(), Vec::new(), Vec::new());
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
                if element.has_attr("onclick") {
                    clickable.push(place);
                }
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
    json!({
        "documents": [{
            "nodes": {
                "parentIndex": parents,
                "nodeType": kinds,
                "nodeName": names,
                "nodeValue": values,
                "attributes": attributes,
                "isClickable": { "index": clickable },
            },
            "layout": { "nodeIndex": boxes, "styles": styles, "text": texts },
        }],
        "strings": strings.0,
    })
    .to_string()
}
