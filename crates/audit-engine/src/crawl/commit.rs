//! Commits the results of visits.

use url::Url;

use super::Crawl;
use super::enqueue::Discovery;
use super::frontier::Entry;
use super::rendering::Rendering;
use super::visit::Visit;
use super::visited_page::VisitedPage;
use crate::gather::{FetchError, FetchErrorKind};
use crate::site::{LinkFact, ResourceUse, SkipReason, UrlId, UrlResponse, UrlState};

impl Crawl<'_> {
    /// Commits the result of a visit. Results are committed in the order of the queue.
    pub(super) fn commit(&mut self, entry: &Entry, visit: Visit) {
        let (state, is_other) = match visit {
            Visit::Page(visited) if entry.link_only => {
                self.blocks.record_page();
                return self.commit_links(entry, &visited);
            }
            Visit::Page(visited) => {
                self.blocks.record_page();
                self.progress.record_fetch();
                return self.commit_page(entry, *visited);
            }
            Visit::Other {
                status,
                media_type,
                location,
            } => {
                let answer = UrlResponse {
                    status,
                    media_type: media_type.into_boxed_str(),
                    location: location.map(|target| self.commit_redirect(entry, &target)),
                };
                (UrlState::Responded(answer), true)
            }
            Visit::Refused {
                refusal,
                media_type,
            } => {
                let answer = UrlResponse {
                    status: refusal.status,
                    media_type: media_type.into_boxed_str(),
                    location: None,
                };
                if let Ok(url) = Url::parse(self.urls.url(entry.id)) {
                    self.blocks.record_refusal(url, refusal);
                }
                (UrlState::Responded(answer), true)
            }
            Visit::RouteNotShown => {
                self.skipped.record_cut_links();
                (UrlState::Skipped(SkipReason::Budget), false)
            }
            Visit::Forbidden => (UrlState::Skipped(SkipReason::RobotsDisallowed), false),
            Visit::Failed(FetchError {
                kind: FetchErrorKind::NotAllowed,
                ..
            }) => (UrlState::Skipped(SkipReason::NotAllowed), false),
            Visit::Failed(error) => {
                let message = error.message.into_boxed_str();
                (UrlState::Failed(error.kind, message), true)
            }
        };
        // A URL that patterns exclude stays skipped, regardless of its response.
        if entry.link_only {
            return;
        }
        self.urls.set(entry.id, state);
        if is_other {
            self.progress.record_fetch();
            self.visited.add_other(entry.id, entry.depth);
        }
    }

    fn commit_redirect(&mut self, entry: &Entry, target: &Url) -> UrlId {
        let internal = self.rules.key.contains(target);
        let id = self.urls.intern(target, internal);
        if internal {
            let from = Url::parse(self.urls.url(entry.id)).ok();
            let discovery = Discovery {
                on: from.as_ref(),
                depth: entry.depth,
                parent: entry.parent,
                hops: entry.hops + 1,
                on_copy: false,
            };
            self.enqueue(id, target, discovery);
        }
        id
    }

    /// Whether the text and the links of the page equal those of many earlier pages.
    fn is_copy(&mut self, visited: &VisitedPage) -> bool {
        let hrefs = visited.links.iter().map(|link| visited.href(link));
        self.traps
            .repeats(visited.title.as_deref(), visited.text_hash, hrefs)
    }

    /// Commits the links of a page that patterns exclude.
    fn commit_links(&mut self, entry: &Entry, visited: &VisitedPage) {
        let discovery = Discovery {
            on: Some(&visited.url),
            depth: entry.depth.map(|depth| depth.saturating_add(1)),
            parent: None,
            hops: 0,
            on_copy: self.is_copy(visited),
        };
        self.follow_rendering(&visited.rendering, discovery);
        self.count_too_long(&visited.too_long);
        for target in visited.targets.iter().filter(|target| target.internal) {
            self.discover_target(target, discovery);
        }
        self.count_cut(visited);
    }

    /// Follows a page that leads to another one by script, and records that links may be missing if a browser did not
    /// show the page.
    fn follow_rendering(&mut self, rendering: &Rendering, discovery: Discovery<'_>) {
        match rendering {
            Rendering::LedTo { target, .. } => {
                let internal = self.rules.key.contains(target);
                self.discover(target, internal, discovery);
            }
            Rendering::Failed => self.skipped.record_cut_links(),
            // Links that only scripts make are not found any more.
            Rendering::OverLimit if self.choice.shows_all() => self.skipped.record_cut_links(),
            Rendering::NotAsked | Rendering::Shown | Rendering::OverLimit => {}
        }
    }

    /// Records that links of a page are not followed, and counts the links to unknown URLs.
    fn count_cut(&mut self, visited: &VisitedPage) {
        if visited.links_cut {
            self.skipped.record_cut_links();
        }
        for url in &visited.surplus {
            if self.urls.find(url).is_none() {
                let new = self.skipped.count(url, SkipReason::Budget);
                self.progress.record_discovery(new);
            }
        }
    }

    fn commit_page(&mut self, entry: &Entry, visited: VisitedPage) {
        let number = self.visited.next_number();
        let answer = UrlResponse {
            status: visited.status,
            media_type: Box::from("text/html"),
            location: None,
        };
        self.urls.set(entry.id, UrlState::Responded(answer));
        let discovery = Discovery {
            on: Some(&visited.url),
            depth: entry.depth.map(|depth| depth.saturating_add(1)),
            parent: Some(number),
            hops: 0,
            on_copy: self.is_copy(&visited),
        };
        self.choice.learn(&visited.rendering, visited.needs_scripts);
        // Visitors are led there before they can follow a link.
        self.follow_rendering(&visited.rendering, discovery);
        self.count_too_long(&visited.too_long);
        // The number of links is limited here, so that a site with endless links does not exhaust the memory.
        let targets: Vec<Option<UrlId>> = (visited.targets.iter())
            .map(|target| self.discover_target(target, discovery))
            .collect();
        let mut links = Vec::with_capacity(visited.links.len());
        for link in &visited.links {
            let Some(target) = targets.get(link.target).copied().flatten() else {
                continue;
            };
            links.push(LinkFact {
                target,
                href: self.urls.intern_href(visited.href(link)),
                line: link.line,
                count: link.count,
                nofollow: link.nofollow || visited.nofollow,
                place: link.place,
            });
        }
        self.count_cut(&visited);
        if let (0, Some(refresh)) = (number, &self.rules.refresh) {
            self.discover(refresh, true, discovery);
        }
        let resources = visited
            .resources
            .iter()
            .filter_map(|resource| {
                Some(ResourceUse {
                    target: self.intern_resource(&resource.url, resource.internal)?,
                    kind: resource.kind,
                    line: resource.line,
                    eager: resource.eager,
                })
            })
            .collect();
        self.visited.add_page(entry, visited, links, resources);
    }
}
