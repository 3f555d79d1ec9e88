//! The page model for checks: the parsed page, its styles, its accessibility tree, its structured data.

mod builder;
pub(crate) mod fragments;
pub(crate) mod script_shell;

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use url::Url;

pub use builder::PageBuilder;

use crate::address::SiteKey;
use crate::aria::{AccessFacts, AccessTree};
#[cfg(feature = "browser")]
use crate::dom::NodeId;
use crate::dom::{ElementRef, Limit};
use crate::gather::{PageEvents, TextColors};
use crate::layout::Layout;
use crate::page::{Document, ParsedPage};
use crate::painting::Painting;
use crate::snapshot::{self, ComputedStyles, Snapshot};
use crate::structured::Structured;
use crate::style::{HidingClasses, LinkedScripts, LinkedSheets, Styles};

/// A parsed page, with data that is computed when a check first requests it.
///
/// Built once by [`PageBuilder`] or the crawler; checks only read it.
#[derive(Debug)]
pub struct Page {
    parsed: ParsedPage,
    sheets: LinkedSheets,
    scripts: LinkedScripts,
    /// What a browser computed.
    computed: Option<Arc<ComputedStyles>>,
    /// What happened while a browser showed it.
    events: Option<Box<PageEvents>>,
    /// The page as the server sent it, of a page that a browser showed.
    served: Option<Box<Self>>,
    /// Where a script or a refresh of the page led a browser that was to show it.
    led_to: Option<Url>,
    styles: OnceLock<Styles>,
    access: OnceLock<AccessFacts>,
    structured: OnceLock<Structured>,
    painting: OnceLock<Painting>,
    needs_scripts: OnceLock<bool>,
}

impl Deref for Page {
    type Target = ParsedPage;

    fn deref(&self) -> &ParsedPage {
        &self.parsed
    }
}

impl Page {
    /// Starts building a page from text, as tests and embedders do.
    #[must_use]
    pub fn builder() -> PageBuilder {
        PageBuilder::default()
    }

    /// The page of which a snapshot was recorded in Chromium: its response and the answer of the browser.
    #[cfg(test)]
    pub(crate) fn recorded(html: &str, json: &str) -> Self {
        let snapshot = Snapshot::read(json).unwrap();
        Self::builder().html(html).rendered(&snapshot)
    }

    /// Builds a page from decoded text.
    #[must_use]
    pub fn new(document: Document, site: SiteKey, source: String) -> Self {
        Self::from_parsed(ParsedPage::new(document, site, source))
    }

    fn from_parsed(parsed: ParsedPage) -> Self {
        Self {
            parsed,
            sheets: LinkedSheets::new(),
            scripts: LinkedScripts::default(),
            computed: None,
            events: None,
            served: None,
            led_to: None,
            styles: OnceLock::new(),
            access: OnceLock::new(),
            structured: OnceLock::new(),
            painting: OnceLock::new(),
            needs_scripts: OnceLock::new(),
        }
    }

    /// The same page as a browser showed it: with the tree that its scripts made, and the styles that the browser
    /// computed. Source, lines and parse errors are those of the response, which stays behind [`Self::as_served`].
    #[must_use]
    pub fn rendered(self, snapshot: &Snapshot) -> Self {
        let (dom, computed) = snapshot::rendered(snapshot, self.parsed.dom());
        Self {
            sheets: self.sheets.clone(),
            scripts: self.scripts,
            computed: Some(Arc::new(computed)),
            ..Self::from_parsed(self.parsed.with_other_dom(dom))
        }
        .with_served(self)
    }

    /// Adds what happened while a browser showed the page.
    #[must_use]
    pub fn with_events(mut self, events: PageEvents) -> Self {
        self.events = Some(Box::new(events));
        self
    }

    /// What happened while a browser showed the page; none if it did not, or if that is not known.
    #[must_use]
    pub fn events(&self) -> Option<&PageEvents> {
        self.events.as_deref()
    }

    /// Adds where a script or a refresh of the page led a browser that was to show it.
    #[must_use]
    pub fn with_led_to(mut self, target: Option<Url>) -> Self {
        self.led_to = target;
        self
    }

    /// Where a script or a refresh of the page led a browser that was to show it. The page is then judged as it was served.
    #[must_use]
    pub const fn led_to(&self) -> Option<&Url> {
        self.led_to.as_ref()
    }

    /// The element with this number in the snapshot, if an event of the page is about it.
    pub(crate) fn marked(&self, number: i64) -> Option<ElementRef<'_>> {
        let id = self.computed.as_ref()?.marked(number)?;
        self.parsed.element(id)
    }

    /// The number of an element in the snapshot.
    #[cfg(feature = "browser")]
    pub(crate) fn number(&self, id: NodeId) -> Option<i64> {
        self.computed.as_ref()?.number(id)
    }

    fn with_served(mut self, served: Self) -> Self {
        self.served = Some(Box::new(served));
        self
    }

    /// The page as the server sent it: this one, unless a browser showed it.
    #[must_use]
    pub fn as_served(&self) -> &Self {
        self.served.as_deref().unwrap_or(self)
    }

    /// Whether a browser showed the page.
    #[must_use]
    pub const fn is_rendered(&self) -> bool {
        self.computed.is_some()
    }

    /// Whether an element reacts to clicks in the browser that showed the page: a script listens, or it is a link or a
    /// control. False if none showed it.
    pub(crate) fn is_clickable(&self, element: ElementRef<'_>) -> bool {
        let shown = self
            .computed
            .as_ref()
            .and_then(|computed| computed.shown(element.id()));
        shown.is_some_and(|shown| shown.is_clickable)
    }

    /// Adds the linked style sheets that are known. Called before a check reads the page.
    #[must_use]
    pub(crate) fn with_sheets(mut self, sheets: LinkedSheets) -> Self {
        self.served = (self.served).map(|served| Box::new(served.with_sheets(sheets.clone())));
        self.sheets = sheets;
        self
    }

    /// Adds the facts about the scripts that the page loads. Called before a check reads the page.
    #[must_use]
    pub(crate) fn with_scripts(mut self, scripts: LinkedScripts) -> Self {
        self.served = (self.served).map(|served| Box::new(served.with_scripts(scripts)));
        self.scripts = scripts;
        self
    }

    /// The facts about the scripts that the page loads.
    pub(crate) fn scripts(&self) -> LinkedScripts {
        let loads_none = || self.parsed.linked_scripts().next().is_none();
        LinkedScripts {
            is_complete: self.scripts.is_complete || loads_none(),
            ..self.scripts
        }
    }

    /// Whether an element has a class that commonly hides elements, so that scripts matter that name it.
    pub(crate) fn has_hiding_class(&self) -> bool {
        self.parsed.elements().any(|element| {
            let classes = element.attr("class");
            classes.is_some_and(|classes| !HidingClasses::in_attribute(classes).is_empty())
        })
    }

    /// The limits that the page reached, each once: which parts were not read or are unknown. Styles and
    /// accessible names are computed when a check requests them, so call this last.
    #[must_use]
    pub fn limits_reached(&self) -> Vec<Limit> {
        let are_styles_cut = self.styles.get().is_some_and(Styles::is_cut)
            || self.painting.get().is_some_and(|painting| painting.is_cut);
        let are_names_cut = self.access.get().is_some_and(AccessFacts::are_names_cut);
        let mut reached: Vec<Limit> = self
            .parsed
            .parse_limits()
            .chain(are_styles_cut.then_some(Limit::Styles))
            .chain(are_names_cut.then_some(Limit::AccessibleNames))
            .collect();
        let of_served = self.served.as_ref().map(|served| served.limits_reached());
        for limit in of_served.into_iter().flatten() {
            if !reached.contains(&limit) {
                reached.push(limit);
            }
        }
        reached
    }

    /// The accessibility tree.
    #[must_use]
    pub fn access_tree(&self) -> AccessTree<'_> {
        let styles = self.styles();
        let facts = self
            .access
            .get_or_init(|| AccessFacts::new(&self.parsed, styles, self.scripts()));
        AccessTree::new(&self.parsed, styles, facts)
    }

    /// The style sheets, without the properties that only text contrast depends on.
    pub(crate) fn styles(&self) -> &Styles {
        self.styles.get_or_init(|| {
            let computed = self.computed.clone();
            Styles::new(&self.parsed, &self.sheets).with_computed(computed)
        })
    }

    /// Where a browser painted the page; none if it did not, or if the snapshot has no boxes.
    pub(crate) fn layout(&self) -> Option<&Layout> {
        let layout = self.computed.as_ref()?.layout();
        (!layout.is_empty()).then_some(layout)
    }

    /// The colors of the page's texts and of what is behind them.
    pub(crate) fn painting(&self) -> &Painting {
        self.painting.get_or_init(|| {
            if let Some(layout) = self.layout() {
                let painting = Painting::of_layout(&self.parsed, &self.access_tree(), layout);
                let colors = self
                    .events()
                    .and_then(|events| events.text_colors.as_deref());
                let of_element =
                    |colors: &TextColors| Some((self.marked(colors.node)?.id(), *colors));
                return match colors {
                    None => painting,
                    Some(colors) => {
                        let colors: Vec<_> = colors.iter().filter_map(of_element).collect();
                        painting.with_colors(layout, &colors)
                    }
                };
            }
            let styles = Styles::of_paint(&self.parsed, &self.sheets);
            Painting::new(&self.parsed, &self.access_tree(), &styles)
        })
    }

    /// Whether much of the page comes from scripts: at least 20 % of its links to the site or 40 % of its words are not in the
    /// response, or that is an empty application shell.
    pub(crate) fn needs_scripts(&self) -> bool {
        *(self.needs_scripts).get_or_init(|| script_shell::needs_scripts(self))
    }

    /// The page's JSON-LD and Microdata.
    pub(crate) fn structured(&self) -> &Structured {
        self.structured
            .get_or_init(|| Structured::new(&self.parsed))
    }
}

#[cfg(test)]
mod bounds;
