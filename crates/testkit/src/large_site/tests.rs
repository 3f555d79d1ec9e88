use std::io::Read;

use super::{Defect, LargeSite};

const ORIGIN: &str = "http://127.0.0.1:1";

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let site = |seed| LargeSite::new(1_000, seed, ORIGIN, &Defect::ALL);
    for path in ["/", "/section-3/page-3", "/sitemap-0.xml", "/robots.txt"] {
        assert_eq!(site(1).answer(path), site(1).answer(path));
    }
    assert_ne!(site(1).answer("/"), site(2).answer("/"));
    assert_ne!(site(1).manifest(), site(2).manifest());
}

#[test]
fn a_page_has_the_size_and_the_links_of_an_ordinary_one() {
    let site = LargeSite::new(100_000, 1, ORIGIN, &Defect::ALL);
    let pages = (1..100_000).step_by(997);
    let (mut bytes, mut links, mut count) = (0, 0, 0);
    for page in pages {
        let body = site.answer(&super::layout::path(page)).body;
        assert!((6_000..18_000).contains(&body.len()), "{}", body.len());
        bytes += body.len();
        links += String::from_utf8(body).unwrap().matches("<a ").count();
        count += 1;
    }
    assert!(
        (8_000..15_000).contains(&(bytes / count)),
        "{}",
        bytes / count
    );
    assert!((24..36).contains(&(links / count)), "{}", links / count);
}

#[test]
fn every_page_except_orphans_is_reachable_by_links() {
    let site = LargeSite::new(2_000, 3, ORIGIN, &Defect::ALL);
    let mut reached = vec![false; 2_000];
    let mut queue = vec![0_u32];
    while let Some(page) = queue.pop() {
        if std::mem::replace(&mut reached[usize::try_from(page).unwrap()], true) {
            continue;
        }
        let body = String::from_utf8(site.answer(&super::layout::path(page)).body).unwrap();
        queue.extend(
            body.split("href=\"")
                .skip(1)
                .filter_map(|rest| super::layout::page(rest.split('"').next()?)),
        );
    }
    let reached = reached.iter().filter(|reached| **reached).count();
    assert_eq!(u32::try_from(reached).unwrap(), site.linked_pages());
    assert!(site.linked_pages() < site.pages());
}

#[test]
fn an_unknown_path_is_not_found() {
    let site = LargeSite::new(100, 3, ORIGIN, &Defect::ALL);
    for path in [
        "/section-3/page-03",
        "/section-4/page-3",
        "/section-6/page-103",
        "/sitemap-1.xml",
        "/old/100",
        "/missing/1",
    ] {
        assert_eq!(site.answer(path).status, 404, "{path}");
    }
    assert_eq!(
        site.answer("/old/99").location.as_deref(),
        Some("/section-2/page-99")
    );
}

#[test]
fn a_compressed_page_is_the_page() {
    let site = LargeSite::new(500, 3, ORIGIN, &Defect::ALL);
    for page in 0..40 {
        let path = super::layout::path(page);
        let packed = site.compressed(&path).unwrap();
        let mut body = Vec::new();
        flate2::read::GzDecoder::new(&*packed)
            .read_to_end(&mut body)
            .unwrap();
        assert!(body == site.answer(&path).body);
        assert!(
            packed.len() < body.len() * 4 / 5,
            "{} of {}",
            packed.len(),
            body.len()
        );
    }
    assert_eq!(site.compressed("/robots.txt"), None);
}
