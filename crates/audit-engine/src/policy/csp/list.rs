//! The policies that a page enforces.

use super::{Policy, PolicySource};
use crate::view::Page;

/// Every policy that browsers enforce on the page: those of the headers, in order, then those of `meta`
/// elements in the head. Report-only policies are not included.
#[must_use]
pub fn enforced(page: &Page) -> Vec<Policy> {
    let from_headers = page
        .headers()
        .get_all("content-security-policy")
        .flat_map(|value| value.split(','))
        .filter_map(|text| Policy::parse(text, PolicySource::Header));
    let from_metas = page
        .html("meta")
        .filter(|meta| meta.attr_is("http-equiv", "content-security-policy"))
        .filter(|meta| page.in_head(*meta))
        .filter_map(|meta| meta.attr("content"))
        .filter_map(|text| Policy::parse(text, PolicySource::Meta));
    from_headers.chain(from_metas).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_can_hold_several_policies_and_come_several_times() {
        let page = Page::builder()
            .header("Content-Security-Policy", "default-src 'self', img-src *")
            .header("content-security-policy", "base-uri 'none'")
            .header("Content-Security-Policy-Report-Only", "default-src 'none'")
            .html("x");
        assert_eq!(enforced(&page).len(), 3);
    }

    #[test]
    fn a_meta_counts_only_in_the_head() {
        let meta = r#"<meta http-equiv="Content-Security-Policy" content="default-src 'self'">"#;
        let in_head = Page::builder().html(&format!("<head>{meta}<body>x"));
        assert_eq!(enforced(&in_head).len(), 1);
        let in_body = Page::builder().html(&format!("<body><p>x{meta}"));
        assert!(enforced(&in_body).is_empty());
    }
}
