//! Pictures of pages that the browser takes.

use std::time::{Duration, Instant};

use audit_engine::gather::{PagePictures, Photo, PictureOrder, PicturedElement, Renderer};
use testkit::{LoopbackServer, TestRequest, TestResponse};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::chromium::{any, renderer};

const HEAD: &str = "<!doctype html><html lang=en><meta name=viewport content='width=device-width'><title>x</title><style>body{margin:0;background:#fff}</style>";

fn element(selector: &str, snippet: &str) -> PicturedElement {
    PicturedElement {
        selector: selector.to_owned(),
        snippet: Some(snippet.to_owned()),
    }
}

async fn taken(body: &'static str, order: PictureOrder) -> Option<PagePictures> {
    let (options, _folder) = any()?;
    let server = LoopbackServer::start(move |request: &TestRequest| match request.path() {
        "/" => TestResponse::html(format!("{HEAD}{body}")),
        _ => TestResponse::not_found(),
    })
    .unwrap();
    let renderer = renderer(options, &[&server.target()]);
    let taken = renderer.photograph(server.url("/"), order).await.unwrap();
    renderer.close().await;
    Some(taken)
}

/// The color in the middle of a picture.
fn middle(photo: &Photo) -> [u8; 3] {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(photo.jpeg.as_slice()), options);
    let pixels = decoder.decode().unwrap();
    let (width, height) = decoder.dimensions().unwrap();
    let place = (height / 2 * width + width / 2) * 3;
    [pixels[place], pixels[place + 1], pixels[place + 2]]
}

fn is_near(color: [u8; 3], expected: [u8; 3]) -> bool {
    let pairs = color.into_iter().zip(expected);
    pairs
        .into_iter()
        .all(|(one, other)| one.abs_diff(other) < 24)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_window_and_an_element_far_down_are_pictured() {
    let order = PictureOrder {
        elements: vec![
            element("#far", "<div id=\"far\">"),
            element("#far", "<div id=\"other\">"),
            element("#hidden", "<p id=\"hidden\">Text"),
            element("body", "<body>"),
            element("#never", "<p>"),
            element("]", "<p>"),
        ],
        without_scripts: false,
    };
    let body = "<div style='height:3000px;background:#0000ff'></div><div id=far style='width:100px;height:60px;margin-left:40px;background:#ff0000'></div><p id=hidden style='display:none'>Text</p><div style='height:3000px'></div>";
    let Some(pictures) = taken(body, order).await else {
        return;
    };
    let window = pictures.viewport.unwrap();
    assert_eq!((window.width, window.height), (412, 823));
    assert!(
        is_near(middle(&window), [0, 0, 255]),
        "{:?}",
        middle(&window)
    );
    let far = pictures.elements[0].as_ref().unwrap();
    assert_eq!((far.width, far.height), (124, 84));
    assert!(is_near(middle(far), [255, 0, 0]), "{:?}", middle(far));
    assert_eq!(pictures.elements[1..], [const { None }; 5]);
    assert_eq!(pictures.without_scripts, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_is_pictured_with_and_without_its_scripts() {
    let order = PictureOrder {
        without_scripts: true,
        ..PictureOrder::default()
    };
    let body = "<p>Text<script>document.body.style.background = '#00ff00'</script>";
    let Some(pictures) = taken(body, order.clone()).await else {
        return;
    };
    let with = middle(&pictures.viewport.unwrap());
    assert!(is_near(with, [0, 255, 0]), "{with:?}");
    let without = middle(&pictures.without_scripts.unwrap());
    assert!(is_near(without, [255, 255, 255]), "{without:?}");
    let same = taken("<p>No script", order).await.unwrap();
    assert_eq!(same.without_scripts, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_page_holds_its_pictures_only_so_long() {
    let order = PictureOrder {
        elements: vec![element("#a", "<p id=\"a\">"); 500],
        without_scripts: true,
    };
    let body = "<p id=a>Text</p><script>setInterval(() => alert(1), 1); setInterval(() => { document.querySelectorAll = () => [] ; document.body.append('x') }, 1); Element.prototype.getBoundingClientRect = () => ({left: -1e9, top: 0, width: 1e9, height: 1e9})</script>";
    let begun = Instant::now();
    let Some(pictures) = taken(body, order).await else {
        return;
    };
    assert!(begun.elapsed() < Duration::from_secs(60));
    assert!(pictures.elements.len() <= 40);
    // The page cannot redefine what the engine calls.
    assert!(pictures.elements[0].is_some());
}
