//! Oversized style sheets and images.

use super::{Behaviour, document, number};
use crate::TestResponse;

const CSS: &str = "text/css; charset=utf-8";

pub(super) fn answer(behaviour: Behaviour, below: &str) -> Option<TestResponse> {
    let path = behaviour.path();
    let style = |css: String| TestResponse::new(200, css).header("Content-Type", CSS);
    Some(match (behaviour, below) {
        (Behaviour::CssImports | Behaviour::CssBomb, "") => TestResponse::html(format!(
            "<!doctype html><html lang=\"en\"><head><title>Styled</title><link rel=\"stylesheet\" href=\"{path}/0\"></head><body><h1>Styled</h1></body></html>"
        )),
        (Behaviour::CssImports, _) => {
            let here = number(below).wrapping_mul(10);
            style(
                (1..=10)
                    .map(|next| format!("@import url(\"{path}/{}\");\n", here.wrapping_add(next)))
                    .collect(),
            )
        }
        (Behaviour::CssBomb, _) => style("a{b:c}\n@media{".repeat(200_000)),
        (Behaviour::HugeImage, "") => document(
            "A huge image",
            &format!("<img src=\"{path}/image.png\" alt=\"\" width=\"1\" height=\"1\">"),
        ),
        (Behaviour::HugeImage, _) => {
            TestResponse::repeated(vec![0; 100_000], 1_000).header("Content-Type", "image/png")
        }
        _ => return None,
    })
}
