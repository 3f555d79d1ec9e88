//! The element names and name sets used by the tree construction rules.

/// Defines the tags with their names.
macro_rules! tags {
    ($($tag:ident $name:literal)*) => {
        /// An element's category in the tree construction rules (HTML Standard, section 13.2.6).
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Tag {
            $(#[doc = $name] $tag,)*
            /// An HTML element without a rule of its own.
            Other,
            /// A MathML text integration point.
            MathText,
            /// `annotation-xml` of MathML that contains MathML or SVG.
            AnnotationXml,
            /// `annotation-xml` of MathML whose `encoding` makes it an HTML integration point.
            AnnotationHtml,
            /// An HTML integration point of SVG.
            SvgHtml,
            /// Another element of SVG or MathML.
            Foreign,
        }

        impl Tag {
            /// The tag for an HTML element name in lower case.
            pub(super) fn from_name(name: &str) -> Self {
                match name {
                    $($name => Self::$tag,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

tags! {
    A "a" Address "address" Applet "applet" Area "area" Article "article" Aside "aside" B "b"
    Base "base" Basefont "basefont" Bgsound "bgsound" Big "big" Blockquote "blockquote" Body "body"
    Br "br" Button "button" Caption "caption" Center "center" Code "code" Col "col"
    Colgroup "colgroup" Dd "dd" Details "details" Dialog "dialog" Dir "dir" Div "div" Dl "dl" Dt "dt"
    Em "em" Embed "embed" Fieldset "fieldset" Figcaption "figcaption" Figure "figure" Font "font"
    Footer "footer" Form "form" Frame "frame" Frameset "frameset" H1 "h1" H2 "h2" H3 "h3" H4 "h4"
    H5 "h5" H6 "h6" Head "head" Header "header" Hgroup "hgroup" Hr "hr" Html "html" I "i"
    Iframe "iframe" Image "image" Img "img" Input "input" Isindex "isindex" Keygen "keygen" Li "li" Link "link"
    Listing "listing" Main "main" Malignmark "malignmark" Marquee "marquee" Math "math" Menu "menu"
    Meta "meta" Mglyph "mglyph" Nav "nav" Nobr "nobr" Noembed "noembed" Noframes "noframes"
    Noscript "noscript" Object "object" Ol "ol" Optgroup "optgroup" Option "option" P "p"
    Param "param" Plaintext "plaintext" Pre "pre" Rb "rb" Rp "rp" Rt "rt" Rtc "rtc" Ruby "ruby" S "s"
    Script "script" Search "search" Section "section" Select "select" Small "small" Source "source"
    Span "span" Strike "strike" Strong "strong" Style "style" Sub "sub" Summary "summary" Sup "sup"
    Svg "svg" Table "table" Tbody "tbody" Td "td" Template "template" Textarea "textarea"
    Tfoot "tfoot" Th "th" Thead "thead" Title "title" Tr "tr" Track "track" Tt "tt" U "u" Ul "ul"
    Var "var" Wbr "wbr" Xmp "xmp"
}

impl Tag {
    /// May switch the tokenizer to a raw text state.
    pub(super) const fn is_raw(self) -> bool {
        matches!(
            self,
            Self::Script
                | Self::Style
                | Self::Textarea
                | Self::Title
                | Self::Xmp
                | Self::Iframe
                | Self::Noembed
                | Self::Noframes
                | Self::Noscript
                | Self::Plaintext
        )
    }

    /// Ends the search for an element "in scope".
    pub(super) const fn bounds_scope(self) -> bool {
        matches!(
            self,
            Self::Applet
                | Self::Caption
                | Self::Html
                | Self::Table
                | Self::Td
                | Self::Th
                | Self::Marquee
                | Self::Object
                | Self::Select
                | Self::Template
                | Self::MathText
                | Self::SvgHtml
        ) || self.is_annotation()
    }

    /// Ends the search for an element "in list item scope".
    pub(super) const fn bounds_list_scope(self) -> bool {
        self.bounds_scope() || matches!(self, Self::Ol | Self::Ul)
    }

    /// Ends the search for an element "in button scope".
    pub(super) const fn bounds_button_scope(self) -> bool {
        self.bounds_scope() || matches!(self, Self::Button)
    }

    /// Ends the search for an element "in table scope", and the clearing of the stack back to a table.
    pub(super) const fn bounds_table_scope(self) -> bool {
        matches!(self, Self::Html | Self::Table | Self::Template)
    }

    /// Ends the clearing of the stack back to a table body.
    pub(super) const fn is_table_body_context(self) -> bool {
        self.is_table_section() || matches!(self, Self::Template | Self::Html)
    }

    /// Ends the clearing of the stack back to a table row.
    pub(super) const fn is_table_row_context(self) -> bool {
        matches!(self, Self::Tr | Self::Template | Self::Html)
    }

    pub(super) const fn is_table_section(self) -> bool {
        matches!(self, Self::Tbody | Self::Tfoot | Self::Thead)
    }

    /// A current node for which misplaced content is foster parented.
    pub(super) const fn fosters(self) -> bool {
        self.is_table_section() || matches!(self, Self::Table | Self::Tr)
    }

    /// An element that belongs directly in a table or in its parts.
    pub(super) const fn is_part_of_table(self) -> bool {
        self.is_table_section()
            || self.is_cell()
            || matches!(self, Self::Caption | Self::Col | Self::Colgroup | Self::Tr)
    }

    /// Is handled by the "in head" rules in every insertion mode.
    pub(super) const fn belongs_in_head(self) -> bool {
        matches!(
            self,
            Self::Base
                | Self::Basefont
                | Self::Bgsound
                | Self::Link
                | Self::Meta
                | Self::Noframes
                | Self::Script
                | Self::Style
                | Self::Template
                | Self::Title
        )
    }

    pub(super) const fn is_cell(self) -> bool {
        matches!(self, Self::Td | Self::Th)
    }

    pub(super) const fn is_heading(self) -> bool {
        matches!(
            self,
            Self::H1 | Self::H2 | Self::H3 | Self::H4 | Self::H5 | Self::H6
        )
    }

    /// Its end tag may be implied.
    pub(super) const fn has_implied_end(self) -> bool {
        matches!(
            self,
            Self::Dd
                | Self::Dt
                | Self::Li
                | Self::Option
                | Self::Optgroup
                | Self::P
                | Self::Rb
                | Self::Rp
                | Self::Rt
                | Self::Rtc
        )
    }

    /// Its end tag may be implied "thoroughly".
    pub(super) const fn has_implied_end_thoroughly(self) -> bool {
        self.has_implied_end()
            || self.is_table_section()
            || self.is_cell()
            || matches!(self, Self::Caption | Self::Colgroup | Self::Tr)
    }

    /// May be open where the body ends.
    pub(super) const fn may_be_open_at_end(self) -> bool {
        self.is_table_section()
            || self.is_cell()
            || matches!(
                self,
                Self::Dd
                    | Self::Dt
                    | Self::Li
                    | Self::Optgroup
                    | Self::Option
                    | Self::P
                    | Self::Rp
                    | Self::Rt
                    | Self::Tr
                    | Self::Body
                    | Self::Html
            )
    }

    /// In the category "special", as html5ever defines it.
    pub(super) const fn is_special(self) -> bool {
        matches!(
            self,
            Self::Address
                | Self::Applet
                | Self::Area
                | Self::Article
                | Self::Aside
                | Self::Base
                | Self::Basefont
                | Self::Bgsound
                | Self::Blockquote
                | Self::Body
                | Self::Br
                | Self::Button
                | Self::Caption
                | Self::Center
                | Self::Col
                | Self::Colgroup
                | Self::Dd
                | Self::Details
                | Self::Dir
                | Self::Div
                | Self::Dl
                | Self::Dt
                | Self::Embed
                | Self::Fieldset
                | Self::Figcaption
                | Self::Figure
                | Self::Footer
                | Self::Form
                | Self::Frame
                | Self::Frameset
                | Self::H1
                | Self::H2
                | Self::H3
                | Self::H4
                | Self::H5
                | Self::H6
                | Self::Head
                | Self::Header
                | Self::Hgroup
                | Self::Hr
                | Self::Html
                | Self::Iframe
                | Self::Img
                | Self::Input
                | Self::Isindex
                | Self::Li
                | Self::Link
                | Self::Listing
                | Self::Main
                | Self::Marquee
                | Self::Menu
                | Self::Meta
                | Self::Nav
                | Self::Noembed
                | Self::Noframes
                | Self::Noscript
                | Self::Object
                | Self::Ol
                | Self::P
                | Self::Param
                | Self::Plaintext
                | Self::Pre
                | Self::Script
                | Self::Section
                | Self::Select
                | Self::Source
                | Self::Style
                | Self::Summary
                | Self::Table
                | Self::Tbody
                | Self::Td
                | Self::Template
                | Self::Textarea
                | Self::Tfoot
                | Self::Th
                | Self::Thead
                | Self::Title
                | Self::Tr
                | Self::Track
                | Self::Ul
                | Self::Wbr
                | Self::Xmp
        )
    }

    /// The start tag breaks out of foreign content (SVG and MathML).
    pub(super) const fn breaks_out(self) -> bool {
        self.is_heading()
            || matches!(
                self,
                Self::B
                    | Self::Big
                    | Self::Blockquote
                    | Self::Body
                    | Self::Br
                    | Self::Center
                    | Self::Code
                    | Self::Dd
                    | Self::Div
                    | Self::Dl
                    | Self::Dt
                    | Self::Em
                    | Self::Embed
                    | Self::Head
                    | Self::Hr
                    | Self::I
                    | Self::Img
                    | Self::Li
                    | Self::Listing
                    | Self::Menu
                    | Self::Meta
                    | Self::Nobr
                    | Self::Ol
                    | Self::P
                    | Self::Pre
                    | Self::Ruby
                    | Self::S
                    | Self::Small
                    | Self::Span
                    | Self::Strong
                    | Self::Strike
                    | Self::Sub
                    | Self::Sup
                    | Self::Table
                    | Self::Tt
                    | Self::U
                    | Self::Ul
                    | Self::Var
            )
    }

    /// An HTML element, not one of another namespace.
    pub(super) const fn is_html(self) -> bool {
        !self.is_foreign()
    }

    /// An element of SVG or MathML.
    pub(super) const fn is_foreign(self) -> bool {
        matches!(
            self,
            Self::MathText
                | Self::AnnotationXml
                | Self::AnnotationHtml
                | Self::SvgHtml
                | Self::Foreign
        )
    }

    /// Any `annotation-xml` of MathML.
    pub(super) const fn is_annotation(self) -> bool {
        matches!(self, Self::AnnotationXml | Self::AnnotationHtml)
    }
}
