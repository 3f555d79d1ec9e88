//! Finds viewport `meta` elements that disable or limit zooming.

use crate::check::{Evidence, Outcome, Verdict};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// No `meta name="viewport"` disables zooming with `user-scalable=no` or limits it with a `maximum-scale`
    /// below 2.
    ///
    /// ## Why it matters
    /// Users with low vision zoom in on text on their phones. In browsers that respect the limit, the text
    /// stays too small for them to read.
    ///
    /// ## How to fix it
    /// Use `<meta name="viewport" content="width=device-width, initial-scale=1">` without properties that
    /// limit the scale.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><head><title>News</title><meta name="viewport" content="width=device-width, user-scalable=no"></head></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><head><title>News</title><meta name="viewport" content="width=device-width, initial-scale=1"></head></html>
    /// ```
    ///
    /// ## Limits
    /// Some browsers ignore the limit; the finding applies to the others. The check does not evaluate whether
    /// the page is usable when zoomed.
    ///
    /// ## Also known as
    /// - axe: `meta-viewport`
    /// - Lighthouse: `meta-viewport`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.4.4 Resize Text (AA)
    /// - W3C ACT rule b4f0c3, Meta viewport allows for zoom
    META_VIEWPORT {
        id: "meta-viewport",
        title: "Zooming disabled or limited by the viewport meta tag",
        dimension: Accessibility,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const MIN_SCALE: f64 = 2.0;

fn evaluate(page: &Page) -> Outcome {
    let viewports = page
        .metas("viewport")
        .filter_map(|meta| Some((meta, meta.attr("content")?)))
        .filter(|(_, content)| !content.trim().is_empty());
    Outcome::for_each(viewports, |(meta, content)| {
        let properties = properties(content);
        let value = |name: &str| {
            let found = properties.iter().rev().find(|(key, _)| key == name);
            found.map(|(_, value)| value.as_str())
        };
        let setting = value("user-scalable").filter(|value| !allows_zoom(value));
        let scale = value("maximum-scale")
            .and_then(largest_scale)
            .filter(|scale| *scale < MIN_SCALE);
        let message = match (setting, scale) {
            (None, None) => return Verdict::Pass,
            (Some(setting), None) => format!(
                "The viewport has user-scalable={setting}, which disables zooming; expected no user-scalable."
            ),
            (None, Some(scale)) => format!(
                "The viewport limits the maximum-scale to {scale}; expected at least {MIN_SCALE}."
            ),
            (Some(setting), Some(scale)) => format!(
                "The viewport has user-scalable={setting}, which disables zooming, and limits the maximum-scale to {scale}; \
                 expected no user-scalable, and no maximum-scale below {MIN_SCALE}."
            ),
        };
        Verdict::Fail(Evidence::node(meta).message(message))
    })
}

/// Names and values of a viewport's content, lower-case (CSS Device Adaptation, parsing algorithm).
fn properties(content: &str) -> Vec<(String, String)> {
    let content = content.to_ascii_lowercase();
    let mut found = Vec::new();
    for part in content.split([',', ';']) {
        let mut rest = part;
        while let Some((name, after)) = rest.split_once('=') {
            // White space around the equals sign is allowed; only the last word before it is the name.
            let name = name.split_ascii_whitespace().last().unwrap_or_default();
            let after = after.trim_ascii_start();
            let (value, tail) = after
                .split_once(|c: char| c.is_ascii_whitespace())
                .unwrap_or((after, ""));
            found.push((name.to_owned(), value.to_owned()));
            rest = tail;
        }
    }
    found
}

/// `yes`, a device length and numbers not between -1 and 1 allow zooming; other values disable it.
fn allows_zoom(value: &str) -> bool {
    matches!(value, "yes" | "device-width" | "device-height")
        || leading_number(value).is_some_and(|number| number.abs() >= 1.0)
}

/// The scale that `maximum-scale` allows; none if browsers drop the property.
fn largest_scale(value: &str) -> Option<f64> {
    match value {
        "yes" => Some(1.0),
        "device-width" | "device-height" => Some(10.0),
        _ => match leading_number(value) {
            Some(number) if number < 0.0 => None,
            Some(number) => Some(number.clamp(0.1, 10.0)),
            None => Some(0.1),
        },
    }
}

fn leading_number(value: &str) -> Option<f64> {
    let end = value
        .char_indices()
        .find(|(index, c)| {
            !(c.is_ascii_digit() || *c == '.' || (*index == 0 && matches!(c, '-' | '+')))
        })
        .map_or(value.len(), |(index, _)| index);
    value.get(..end)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, message};

    #[test]
    fn both_limits_are_named() {
        let said = message(&META_VIEWPORT, &page("user-scalable=no, maximum-scale=1"));
        for part in ["user-scalable=no", "maximum-scale to 1"] {
            assert!(said.contains(part), "{said}");
        }
    }

    fn page(content: &str) -> String {
        format!("<meta name=viewport content=\"{content}\">")
    }

    #[test]
    fn viewports_without_a_limit_pass() {
        for content in [
            "width=device-width, initial-scale=1",
            "user-scalable=yes",
            "user-scalable=5",
            "user-scalable=1",
            "maximum-scale=5",
            "maximum-scale=2.0",
            "maximum-scale=-1",
            "maximum-scale=device-width",
            "user-scalable",
        ] {
            assert_passes(&META_VIEWPORT, &page(content));
        }
    }

    #[test]
    fn viewports_that_disable_or_limit_zoom_fail() {
        for content in [
            "width=device-width, user-scalable=no",
            "width=device-width,USER-SCALABLE=NO",
            "width=device-width; user-scalable = 0",
            "user-scalable=invalid",
            "initial-scale=0.8, maximum-scale=1.5",
            "maximum-scale=1.0",
            "maximum-scale=1 user-scalable=yes",
            "maximum-scale=yes",
        ] {
            assert_fails(&META_VIEWPORT, &page(content), 1);
        }
    }

    #[test]
    fn no_viewport_is_not_applicable() {
        assert_not_applicable(&META_VIEWPORT, "<p>x");
        assert_not_applicable(&META_VIEWPORT, "<meta name=viewport>");
    }
}
