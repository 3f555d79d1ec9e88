//! Finds caption tracks of videos without a file.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// A video that has `track` elements for captions or subtitles has at least one with a `src`.
    ///
    /// ## Why it matters
    /// Deaf users, and users who watch without sound, need captions to follow speech and sounds. A track
    /// without a file shows nothing, although the player may offer it.
    ///
    /// ## How to fix it
    /// Write the captions as a WebVTT file and reference it in the `src` of the `track`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Tour</title><video src="tour.mp4" controls><track kind="captions" srclang="en"></video></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Tour</title><video src="tour.mp4" controls><track kind="captions" srclang="en" src="tour.vtt"></video></html>
    /// ```
    ///
    /// ## Limits
    /// The check cannot tell whether a video without a track needs one: the video may be silent, have
    /// burned-in captions, or be an alternative to text on the page. Such videos are not findings; a person
    /// has to review them. The check does not read the caption file.
    ///
    /// ## Also known as
    /// - axe: `video-caption`
    /// - Lighthouse: `video-caption`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.2.2 Captions (Prerecorded) (A)
    /// - W3C ACT rule eac66b, Video element auditory content has accessible alternative
    VIDEO_CAPTIONS {
        id: "video-captions",
        title: "Video caption tracks without a file",
        dimension: Accessibility,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Medium,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let videos = page
        .html("video")
        .filter(|video| !tree.exposure(*video).hidden && !video.has_attr("muted"));
    Outcome::for_each(videos, |video| evaluate_video(&tree, video))
}

fn evaluate_video<'a>(tree: &AccessTree<'a>, video: ElementRef<'a>) -> Verdict {
    let mut broken = None;
    for track in video.children().filter(|child| is_captions(*child)) {
        if track.attr("src").is_some_and(|src| !src.trim().is_empty()) {
            return Verdict::Pass;
        }
        broken = broken.or(Some(track));
    }
    match broken {
        Some(track) => Verdict::Fail(
            tree.evidence(track)
                .message("This caption track has no src; expected the URL of a caption file."),
        ),
        None => Verdict::CannotTell(
            "The video has no caption track; a person has to review whether it needs one.",
        ),
    }
}

/// Whether the element is a track for captions or subtitles. Subtitles are the default kind.
fn is_captions(element: ElementRef<'_>) -> bool {
    let kind = element.attr("kind").unwrap_or("subtitles").trim();
    element.is("track")
        && (kind.eq_ignore_ascii_case("captions") || kind.eq_ignore_ascii_case("subtitles"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn captions_with_a_file_pass() {
        for track in [
            "<track kind=captions src=a.vtt>",
            "<track src=a.vtt>",
            "<track kind=captions><track kind=SUBTITLES src=a.vtt>",
        ] {
            assert_passes(&VIDEO_CAPTIONS, &format!("<video src=v>{track}</video>"));
        }
    }

    #[test]
    fn captions_without_a_file_fail() {
        assert_fails(
            &VIDEO_CAPTIONS,
            "<video src=v><track kind=captions></video>",
            1,
        );
        assert_fails(&VIDEO_CAPTIONS, "<video src=v><track src=' '></video>", 1);
    }

    #[test]
    fn a_video_without_captions_cannot_tell() {
        for html in [
            "<video src=v controls></video>",
            "<video src=v><track kind=descriptions></video>",
        ] {
            assert!(
                matches!(outcome(&VIDEO_CAPTIONS, html), Outcome::CannotTell(_)),
                "{html}"
            );
        }
    }

    #[test]
    fn muted_and_hidden_videos_are_not_applicable() {
        assert_not_applicable(&VIDEO_CAPTIONS, "<video src=v muted autoplay loop></video>");
        assert_not_applicable(&VIDEO_CAPTIONS, "<video src=v hidden></video>");
        assert_not_applicable(&VIDEO_CAPTIONS, "<p>x");
    }
}
