//! Pictures of a page for people.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use super::RenderError;

/// What pictures are taken of a page, beside that of its window.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PictureOrder {
    /// The elements. At most 40 are pictured.
    pub elements: Vec<PicturedElement>,
    /// Whether the window is pictured without scripts, too.
    pub without_scripts: bool,
}

/// An element that is pictured.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PicturedElement {
    /// A selector that matches it and no other element.
    pub selector: String,
    /// Its start tag, by which it is recognized.
    pub snippet: Option<String>,
}

/// A picture.
#[derive(Clone, PartialEq, Eq)]
pub struct Photo {
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// A JPEG file.
    pub jpeg: Vec<u8>,
}

impl fmt::Debug for Photo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            width,
            height,
            jpeg,
        } = self;
        write!(f, "Photo({width}x{height}, {} bytes)", jpeg.len())
    }
}

/// The pictures of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PagePictures {
    /// The window at the top of the page.
    pub viewport: Option<Photo>,
    /// The same without scripts, if it looks different and was ordered.
    pub without_scripts: Option<Photo>,
    /// One for each element of the order, in its order; none of elements that are not there any more or cannot be seen.
    pub elements: Vec<Option<Photo>>,
}

/// The future of pictures.
pub type PicturesFuture<'a> =
    Pin<Box<dyn Future<Output = Result<PagePictures, RenderError>> + Send + 'a>>;
