//! Which rules of the style sheets of a page match an element.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::cdp::commands::{
    DisableCss, DisableDom, EnableCss, EnableDom, RuleUsage, StartRuleUsage, TakeRuleUsage,
};
use super::cdp::events::Event;
use super::cdp::{CdpError, HUNG, Session, optional};
use crate::gather::{FileCoverage, MAX_COVERED_FILES};

/// Begins to note which rules match. Called before the page is loaded.
pub(super) async fn begin(tab: &Session) -> Result<(), CdpError> {
    tab.call(&EnableDom {}).await?;
    tab.call(&EnableCss {}).await?;
    tab.call(&StartRuleUsage {}).await.map(|_| ())
}

/// Ends what [`begin`] began.
pub(super) async fn end(tab: &Session) {
    // The tab may have ended.
    let _ = tab.call_within(&DisableCss {}, HUNG).await;
    let _ = tab.call_within(&DisableDom {}, HUNG).await;
}

/// The style sheets of a page that are files of their own, by their ids in the protocol.
#[derive(Debug, Default)]
pub(super) struct SheetLog {
    sheets: HashMap<String, Sheet>,
}

/// A style sheet.
#[derive(Debug)]
struct Sheet {
    url: String,
    chars: u32,
}

#[derive(Deserialize)]
struct Added {
    header: Header,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Header {
    style_sheet_id: String,
    #[serde(rename = "sourceURL", default)]
    source_url: String,
    #[serde(default)]
    is_inline: bool,
    #[serde(default)]
    is_mutable: bool,
    #[serde(default)]
    is_constructed: bool,
    #[serde(default)]
    length: f64,
}

impl SheetLog {
    /// Adds a style sheet that the browser reports; other events are ignored. A sheet that a script changed or made has
    /// no file with the same text.
    pub(super) fn note(&mut self, event: &Event) {
        if event.method != "CSS.styleSheetAdded" || self.sheets.len() >= MAX_COVERED_FILES {
            return;
        }
        let Some(Added { header }) = event.read() else {
            return;
        };
        let is_file =
            header.source_url.starts_with("http:") || header.source_url.starts_with("https:");
        if is_file && !header.is_inline && !header.is_mutable && !header.is_constructed {
            let sheet = Sheet {
                url: header.source_url,
                chars: offset(header.length),
            };
            self.sheets.insert(header.style_sheet_id, sheet);
        }
    }

    /// Forgets the sheets of a document that another one replaced.
    pub(super) fn begin_document(&mut self) {
        self.sheets.clear();
    }

    /// What the page uses of its sheets; none if it does not answer in time, or if the answer is too large. Fails if the process of
    /// the page ends.
    pub(super) async fn take(&self, tab: &Session) -> Result<Option<Vec<FileCoverage>>, CdpError> {
        let taken = tab.call_within(&TakeRuleUsage {}, HUNG).await;
        Ok(optional(taken)?.map(|taken| self.read(&taken.coverage)))
    }

    fn read(&self, rules: &[RuleUsage]) -> Vec<FileCoverage> {
        let mut used: HashMap<&str, Vec<(u32, u32)>> = HashMap::new();
        for rule in rules.iter().filter(|rule| rule.used) {
            let range = (offset(rule.start_offset), offset(rule.end_offset));
            used.entry(&rule.style_sheet_id).or_default().push(range);
        }
        let mut files: BTreeMap<&str, FileCoverage> = BTreeMap::new();
        for (id, sheet) in &self.sheets {
            let used = used.remove(id.as_str()).unwrap_or_default();
            let unused = complement(used, sheet.chars);
            let file = FileCoverage::new(sheet.url.clone(), sheet.chars, unused);
            match files.get_mut(sheet.url.as_str()) {
                // A sheet that is linked twice is one file.
                Some(known) => known.also(&file),
                None => {
                    files.insert(&sheet.url, file);
                }
            }
        }
        files.into_values().collect()
    }
}

/// The parts of a text of this length that no range has.
fn complement(mut ranges: Vec<(u32, u32)>, chars: u32) -> Vec<(u32, u32)> {
    ranges.sort_unstable();
    let mut at = 0;
    let mut free = Vec::new();
    for (start, end) in ranges {
        if start > at {
            free.push((at, start.min(chars)));
        }
        at = at.max(end);
    }
    if at < chars {
        free.push((at, chars));
    }
    free
}

/// An offset, which the protocol has as a number with decimals.
fn offset(number: f64) -> u32 {
    let seconds = std::time::Duration::try_from_secs_f64(number).unwrap_or_default();
    u32::try_from(seconds.as_secs()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::{json, value::RawValue};

    use super::*;

    fn added(id: &str, more: &serde_json::Value) -> Event {
        let mut header = json!({
            "styleSheetId": id, "sourceURL": format!("https://example.com/{id}.css"), "isInline": false,
            "isMutable": false, "isConstructed": false, "length": 100.0,
        });
        for (name, value) in more.as_object().unwrap() {
            header[name] = value.clone();
        }
        Event {
            method: "CSS.styleSheetAdded".to_owned(),
            params: RawValue::from_string(json!({"header": header}).to_string()).ok(),
        }
    }

    fn rule(id: &str, start: u32, end: u32) -> RuleUsage {
        RuleUsage {
            style_sheet_id: id.to_owned(),
            start_offset: start.into(),
            end_offset: end.into(),
            used: true,
        }
    }

    #[test]
    fn what_no_used_rule_has_is_unused() {
        let mut log = SheetLog::default();
        log.note(&added("a", &json!({})));
        log.note(&added("b", &json!({})));
        let rules = [
            rule("a", 50, 70),
            rule("a", 0, 20),
            rule("a", 60, 65),
            rule("other", 0, 100),
        ];
        let read = log.read(&rules);
        assert_eq!(read[0].unused, [(20, 50), (70, 100)]);
        assert_eq!(read[1].unused, [(0, 100)]);
    }

    #[test]
    fn a_file_that_is_linked_twice_is_one() {
        let mut log = SheetLog::default();
        let same = json!({"sourceURL": "https://example.com/a.css"});
        log.note(&added("a", &same));
        log.note(&added("b", &same));
        let read = log.read(&[rule("a", 0, 50), rule("b", 40, 80)]);
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].unused, [(80, 100)]);
    }

    #[test]
    fn sheets_that_are_no_files_and_those_of_an_earlier_document_are_left_out() {
        let mut log = SheetLog::default();
        for more in [
            json!({"isInline": true}),
            json!({"isMutable": true}),
            json!({"isConstructed": true}),
            json!({"sourceURL": ""}),
            json!({"sourceURL": "blob:https://example.com/1"}),
        ] {
            log.note(&added("a", &more));
        }
        assert!(log.read(&[]).is_empty());
        log.note(&added("b", &json!({})));
        log.begin_document();
        assert!(log.read(&[]).is_empty());
    }

    #[test]
    fn the_number_of_sheets_is_bounded() {
        let mut log = SheetLog::default();
        for number in 0..=MAX_COVERED_FILES {
            log.note(&added(&number.to_string(), &json!({})));
        }
        assert_eq!(log.read(&[]).len(), MAX_COVERED_FILES);
    }
}
