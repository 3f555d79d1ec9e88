//! SVG and MathML content (HTML Standard, section 13.2.6.5).

use std::borrow::Cow;

use html5ever::LocalName;

use super::super::node::{Namespace, Stored};
use super::super::tag::Tag;
use super::super::token::{StartTag, TagAttribute, TagName};
use super::{Step, TreeBuilder};

impl TreeBuilder {
    /// Whether a start tag is processed by the rules for foreign content.
    pub(super) fn is_foreign_to_start(&self, name: &TagName) -> bool {
        match self.open.last().map(|open| open.tag) {
            Some(Tag::MathText) => matches!(name.tag, Tag::Mglyph | Tag::Malignmark),
            Some(Tag::AnnotationXml) => name.tag != Tag::Svg,
            Some(Tag::Foreign) => true,
            _ => false,
        }
    }

    /// Whether a text is processed by the rules for foreign content.
    pub(super) fn is_foreign_to_text(&self) -> bool {
        let current = self.open.last().map(|open| open.tag);
        matches!(current, Some(Tag::AnnotationXml | Tag::Foreign))
    }

    pub(super) fn start_in_foreign_content(&mut self, tag: &StartTag<'_, '_>) -> Step {
        let is_styled = || {
            ["color", "face", "size"]
                .iter()
                .any(|name| tag.attribute(name).is_some())
        };
        if tag.name.tag.breaks_out() || tag.name.tag == Tag::Font && is_styled() {
            self.break_out();
            return self.start_in(self.mode, tag);
        }
        let namespace = match self.open.last().and_then(|open| self.arena.node(open.id)) {
            Some(node) => match node.stored {
                Stored::Element(element) => element.namespace,
                _ => Namespace::Html,
            },
            None => Namespace::Html,
        };
        self.insert_foreign(tag, namespace)
    }

    /// Leaves foreign content for a tag that is not allowed in it.
    fn break_out(&mut self) {
        self.unexpected();
        self.pop_while(|open| matches!(open, Tag::Foreign | Tag::AnnotationXml));
        #[cfg(test)]
        if self.current_is(Tag::AnnotationHtml) {
            self.used_annotation_rule = true;
        }
    }

    pub(super) fn end_in_foreign_content(&mut self, name: &TagName) -> Step {
        if matches!(name.tag, Tag::Br | Tag::P) {
            self.break_out();
            return self.end_in(self.mode, name);
        }
        let mut is_told = false;
        for at in (1..self.open.len()).rev() {
            let Some(open) = self.open.get(at).copied() else {
                break;
            };
            if is_told && open.tag.is_html() {
                return self.end_in(self.mode, name);
            }
            let own = self.arena.name_at(open.name);
            // Names of equal length are compared byte by byte.
            let letters = own
                .filter(|own| own.len() == name.local.len())
                .map_or(2, |own| own.len() + 2);
            let is_it = own.is_some_and(|own| own.eq_ignore_ascii_case(&name.local));
            self.arena.spent.take(letters);
            if is_it {
                self.open.truncate(at);
                return Step::Done;
            }
            if !is_told {
                self.unexpected();
                is_told = true;
            }
        }
        Step::Done
    }

    /// Inserts an SVG or MathML element.
    pub(super) fn insert_foreign(&mut self, tag: &StartTag<'_, '_>, namespace: Namespace) -> Step {
        let adjusted = adjusted(tag.attributes, namespace);
        let local = match namespace {
            Namespace::Svg => svg_element(&tag.name.local).map(LocalName::from),
            _ => None,
        };
        let local = local.unwrap_or_else(|| tag.name.local.clone());
        let kind = match (namespace, &*local) {
            (Namespace::MathMl, "mi" | "mo" | "mn" | "ms" | "mtext") => Tag::MathText,
            (Namespace::MathMl, "annotation-xml") => annotation(tag),
            (Namespace::Svg, "foreignObject" | "desc" | "title") => Tag::SvgHtml,
            _ => Tag::Foreign,
        };
        let element = self.create(&local, kind, namespace, &adjusted, tag.repeats);
        self.put_appropriately(element.id, None);
        if tag.self_closing {
            return Step::Acknowledged;
        }
        self.push(element);
        Step::Done
    }
}

/// The tag of an `annotation-xml`, which contains HTML if its `encoding` says so.
fn annotation(tag: &StartTag<'_, '_>) -> Tag {
    let is_html = tag.attribute("encoding").is_some_and(|encoding| {
        ["text/html", "application/xhtml+xml"]
            .iter()
            .any(|html| encoding.eq_ignore_ascii_case(html))
    });
    if is_html {
        Tag::AnnotationHtml
    } else {
        Tag::AnnotationXml
    }
}

/// The attributes with their names adjusted for the namespace.
fn adjusted<'t, 'a>(
    attributes: &'t [TagAttribute<'a>],
    namespace: Namespace,
) -> Cow<'t, [TagAttribute<'a>]> {
    let adjust = |name: &str| match namespace {
        Namespace::Svg => svg_attribute(name),
        Namespace::MathMl => (name == "definitionurl").then_some("definitionURL"),
        Namespace::Html => None,
    };
    let mut adjusted = Cow::Borrowed(attributes);
    for (place, attribute) in attributes.iter().enumerate() {
        if let Some(name) = adjust(&attribute.name)
            && let Some(own) = adjusted.to_mut().get_mut(place)
        {
            own.name = LocalName::from(name);
        }
    }
    adjusted
}

/// The spelling of an SVG element name, if it is not all lower case.
fn svg_element(name: &str) -> Option<&'static str> {
    const NAMES: [&str; 37] = [
        "altGlyph",
        "altGlyphDef",
        "altGlyphItem",
        "animateColor",
        "animateMotion",
        "animateTransform",
        "clipPath",
        "feBlend",
        "feColorMatrix",
        "feComponentTransfer",
        "feComposite",
        "feConvolveMatrix",
        "feDiffuseLighting",
        "feDisplacementMap",
        "feDistantLight",
        "feDropShadow",
        "feFlood",
        "feFuncA",
        "feFuncB",
        "feFuncG",
        "feFuncR",
        "feGaussianBlur",
        "feImage",
        "feMerge",
        "feMergeNode",
        "feMorphology",
        "feOffset",
        "fePointLight",
        "feSpecularLighting",
        "feSpotLight",
        "feTile",
        "feTurbulence",
        "foreignObject",
        "glyphRef",
        "linearGradient",
        "radialGradient",
        "textPath",
    ];
    NAMES.into_iter().find(|own| own.eq_ignore_ascii_case(name))
}

/// The spelling of an SVG attribute name, if it is not all lower case.
fn svg_attribute(name: &str) -> Option<&'static str> {
    const NAMES: [&str; 58] = [
        "attributeName",
        "attributeType",
        "baseFrequency",
        "baseProfile",
        "calcMode",
        "clipPathUnits",
        "diffuseConstant",
        "edgeMode",
        "filterUnits",
        "glyphRef",
        "gradientTransform",
        "gradientUnits",
        "kernelMatrix",
        "kernelUnitLength",
        "keyPoints",
        "keySplines",
        "keyTimes",
        "lengthAdjust",
        "limitingConeAngle",
        "markerHeight",
        "markerUnits",
        "markerWidth",
        "maskContentUnits",
        "maskUnits",
        "numOctaves",
        "pathLength",
        "patternContentUnits",
        "patternTransform",
        "patternUnits",
        "pointsAtX",
        "pointsAtY",
        "pointsAtZ",
        "preserveAlpha",
        "preserveAspectRatio",
        "primitiveUnits",
        "refX",
        "refY",
        "repeatCount",
        "repeatDur",
        "requiredExtensions",
        "requiredFeatures",
        "specularConstant",
        "specularExponent",
        "spreadMethod",
        "startOffset",
        "stdDeviation",
        "stitchTiles",
        "surfaceScale",
        "systemLanguage",
        "tableValues",
        "targetX",
        "targetY",
        "textLength",
        "viewBox",
        "viewTarget",
        "xChannelSelector",
        "yChannelSelector",
        "zoomAndPan",
    ];
    NAMES.into_iter().find(|own| own.eq_ignore_ascii_case(name))
}
