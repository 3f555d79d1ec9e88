//! The captions that a video names can be loaded.

use crate::aria::AccessTree;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Videos that have a `track` for captions name the file of the captions.
    ///
    /// ## Why it matters
    /// Captions tell people who do not hear, and those who watch without sound, what is said and what happens. A
    /// track without a file shows nothing, though the player may offer it.
    ///
    /// ## How to fix it
    /// Write the captions as a WebVTT file and name it in the `src` of the `track`.
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
    /// Whether a video without a track needs one cannot be told from the page: it may be silent, have captions in
    /// its picture, or be an alternative to text beside it. Such videos are not findings; a person has to
    /// look at them. What the captions say is not read.
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 1.2.2 Captions (Prerecorded) (A)
    /// - W3C ACT rule eac66b, Video element auditory content has accessible alternative
    VIDEO_CAPTIONS {
        id: "video-captions",
        title: "Videos whose captions cannot be loaded",
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
    Outcome::for_each(videos, |video| judge(&tree, video))
}

fn judge<'a>(tree: &AccessTree<'a>, video: ElementRef<'a>) -> Verdict {
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
                .message("This track for captions names no file."),
        ),
        None => Verdict::CannotTell(
            "Whether a video without a track for captions needs one is for a person to tell.",
        ),
    }
}

/// Whether the element is a track for people who do not hear. Subtitles are the default.
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
    fn a_video_without_captions_is_for_a_person_to_judge() {
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
    fn silent_and_hidden_videos_are_not_judged() {
        assert_not_applicable(&VIDEO_CAPTIONS, "<video src=v muted autoplay loop></video>");
        assert_not_applicable(&VIDEO_CAPTIONS, "<video src=v hidden></video>");
        assert_not_applicable(&VIDEO_CAPTIONS, "<p>x");
    }
}
