use std::collections::BTreeSet;

use super::GoldenSite;

#[test]
fn a_site_has_as_many_pages_as_asked_for_and_each_is_its_own() {
    for count in [1, 2, 31, 800] {
        let site = GoldenSite::of_pages(count);
        let pages = site.pages();
        assert_eq!(pages.len(), usize::try_from(count).unwrap());
        let texts: BTreeSet<_> = pages
            .iter()
            .map(|path| {
                let (_, main) = site.section(path).unwrap().split_once("<main").unwrap();
                main.split_once("<h2>Harbours nearby")
                    .map_or(main, |(own, _)| own)
            })
            .collect();
        assert_eq!(texts.len(), pages.len());
    }
}

#[test]
fn every_page_is_linked() {
    let site = GoldenSite::of_pages(100);
    let all = site.to_string();
    for path in site.pages() {
        assert!(all.contains(&format!("<a href='{path}'")), "{path}");
    }
}

#[test]
fn an_edit_says_what_the_site_has_not() {
    let mut site = GoldenSite::clean();
    assert_eq!(
        site.edit("/nowhere", "a", "b"),
        Err("there is no section /nowhere".to_owned())
    );
    assert_eq!(
        site.edit("/privacy", "<blink>", ""),
        Err("/privacy has no <blink>".to_owned())
    );
    site.set_section("/nowhere", "HTTP/2 410 Gone\n\n".to_owned());
    assert_eq!(site.section("/nowhere"), Some("HTTP/2 410 Gone\n\n"));
}
