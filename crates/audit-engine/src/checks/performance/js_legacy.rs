//! Scripts with polyfills for features that all current browsers have.

use std::collections::{BTreeSet, HashMap};

use domain::score::Share;

use crate::check::{Evidence, Outcome, Verdicts};
use crate::common::documents::page_load::wasted_by_visit;
use crate::common::measures::bytes::size;
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::page::ResourceKind;
use crate::site::Site;

declare_check! {
    /// ## What it checks
    /// Less than 5,000 bytes of the transfer size of a script are polyfills of core-js for features that all current
    /// browsers have.
    ///
    /// ## Why it matters
    /// Every visitor downloads and parses code that only browsers from before 2018 need.
    ///
    /// ## How to fix it
    /// Set the browsers that the build supports to current ones, for example `"browserslist": "baseline widely available"`,
    /// so that Babel and the bundler leave polyfills and transforms out. Update libraries that bundle their own.
    ///
    /// ## Example
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><script src="/app.js" defer></script><p>Open from nine to five.</p></html>
    /// === /app.js
    /// HTTP/1.1 200 OK
    /// Content-Type: text/javascript
    ///
    /// const $ = (options, methods) => { (window.known ||= []).push(options, methods); };
    /// %repeat 40 $({target:"Array",proto:!0,forced:!1},{find:function(test){for(var at=0;at<this.length;at++)if(test(this[at],at,this))return this[at]}});
    /// %repeat 40 $({target:"Object",stat:!0,forced:!1},{entries:function(of){var all=[];for(var key in of)if(of.hasOwnProperty(key))all.push([key,of[key]]);return all}});
    /// ```
    /// Use instead:
    /// ```site
    /// === /
    /// <!doctype html><html lang="en"><title>Harbour office</title><script src="/app.js" defer></script><p>Open from nine to five.</p></html>
    /// === /app.js
    /// HTTP/1.1 200 OK
    /// Content-Type: text/javascript
    ///
    /// const $ = (options, methods) => { (window.known ||= []).push(options, methods); };
    /// $({target:"Array",proto:!0,forced:!1},{at:function(place){return this[place]}});
    /// ```
    ///
    /// ## Limits
    /// Only scripts that a browser of today loads on the first ten pages of a crawl are evaluated, up to 1 MiB of each:
    /// files with `nomodule` are for others. The check recognizes polyfills by the way in which core-js 3 registers them,
    /// also in minified code, and reports files with at least ten. Other polyfills, and code that was compiled for earlier
    /// browsers, are not recognized. The bytes are those from one registration to the next, at most 1,500 each, as a share
    /// of the transfer size.
    /// The more bytes one visit transfers, the more points the check costs; from 128 KiB on, it costs all its points. The
    /// visit is one of the start page or of the average page, whichever wastes more.
    ///
    /// ## Also known as
    /// - Lighthouse: `legacy-javascript-insight`
    /// - Lighthouse: `legacy-javascript`
    ///
    /// ## References
    /// - Chrome for Developers, Lighthouse: Legacy JavaScript
    /// - web.dev: Baseline
    JS_LEGACY {
        id: "js-legacy",
        title: "Legacy JavaScript",
        dimension: Performance,
        scope: Resource,
        severity: Minor,
        confidence: Medium,
        effort: Medium,
        needs: [Browser, Coverage],
        stability: Stable { since: "0.1.0" },
    } => Each(evaluate)
}

/// The bytes from which a file fails: the threshold of Lighthouse.
const LEAST_BYTES: u64 = 5_000;

/// A file with fewer polyfills may have them for features that some current browser lacks.
const FEWEST: usize = 10;

/// The most bytes that one polyfill counts.
const MOST_OF_A_POLYFILL: usize = 1_500;

/// The bytes wasted by one visit at which the check costs its whole penalty.
const VISIT_LIMIT: u64 = 128 * 1_024;

/// Objects of the language whose polyfills count. Those of objects that are new are not among them.
const OBJECTS: [&str; 11] = [
    "Array", "Date", "Function", "Math", "Number", "Object", "Promise", "Reflect", "RegExp",
    "String", "Symbol",
];

fn evaluate(site: &Site, verdicts: &mut Verdicts<'_>) {
    let mut wasted = HashMap::new();
    let files = site.resources.iter();
    let scripts = files.filter(|file| file.ok() && file.kind == ResourceKind::Script);
    for file in scripts {
        if site.coverage.file(file.url.as_str()).is_none() || file.body.is_empty() {
            continue;
        }
        let found = Polyfills::of(&String::from_utf8_lossy(&file.body));
        let share = |of: u64| of.saturating_mul(found.bytes) / file.bytes.max(1);
        let bytes = share(file.wire_bytes);
        let outcome = Outcome::pass_if(found.count < FEWEST || bytes < LEAST_BYTES, || {
            Evidence::here().message(format!(
                "The script has {} polyfills for features of {} that all current browsers have, about {} of its transfer size of {}.",
                grouped(found.count),
                Vec::from_iter(found.objects).join(", "),
                size(bytes),
                size(file.wire_bytes)
            ))
        });
        if verdicts.record(file.url.as_str(), outcome) {
            wasted.insert(file.id, bytes);
        }
    }
    let wasted = wasted_by_visit(site, |_| 0, &wasted);
    verdicts.set_reach(Share::from_ratio(wasted, VISIT_LIMIT));
}

/// The polyfills of core-js in a script.
#[derive(Debug, Default, PartialEq, Eq)]
struct Polyfills {
    count: usize,
    bytes: u64,
    objects: BTreeSet<&'static str>,
}

impl Polyfills {
    fn of(script: &str) -> Self {
        let mut found = Self::default();
        // Where the last one began.
        let mut last = 0;
        for (at, name) in script.match_indices("target:") {
            let rest = script.get(at + name.len()..).unwrap_or_default();
            if let Some(object) = registered(rest) {
                found.count += 1;
                found.objects.insert(object);
                let bytes = (at - last).min(MOST_OF_A_POLYFILL);
                found.bytes = found
                    .bytes
                    .saturating_add(u64::try_from(bytes).unwrap_or(0));
                last = at;
            }
        }
        found
    }
}

/// The object of a registration such as `{target:"Array",proto:!0}`, from its name on.
fn registered(rest: &str) -> Option<&'static str> {
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (name, rest) = rest.get(1..)?.split_once(quote)?;
    let object = OBJECTS.into_iter().find(|object| *object == name)?;
    let rest = rest.trim_start().strip_prefix(',')?.trim_start();
    let is_registration = ["proto:", "stat:"]
        .iter()
        .any(|part| rest.starts_with(part));
    is_registration.then_some(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registrations_are_counted_in_any_writing() {
        let minified = "x;r({target:\"Array\",proto:!0,forced:o},{find:a});r({target:\"Object\",stat:!0},{b:c})";
        let found = Polyfills::of(minified);
        assert_eq!((found.count, found.bytes), (2, 52));
        assert_eq!(Vec::from_iter(found.objects), ["Array", "Object"]);
        let written = "$({ target: 'Promise',\n  stat: true }, {})";
        assert_eq!(Polyfills::of(written).count, 1);
    }

    #[test]
    fn other_targets_are_no_polyfills() {
        for script in [
            "open({target:\"_blank\",proto:1})",
            "plot({target:\"Array\",size:1})",
            "on({target:Array,proto:1})",
            "r({target:\"Iterator\",proto:!0},{})",
            "target:",
            "target:\"Array",
        ] {
            assert_eq!(Polyfills::of(script), Polyfills::default(), "{script}");
        }
    }

    #[test]
    fn a_polyfill_counts_up_to_a_limit() {
        let far = format!("{}r({{target:\"Array\",proto:!0}},{{}})", "x".repeat(9_000));
        assert_eq!(Polyfills::of(&far).bytes, 1_500);
    }
}
