//! Markdown as it is written.

use crate::untrusted::Fence;

/// Markdown of our own words, with fences in between. Blocks are parted by one empty line.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    text: String,
    in_list: bool,
}

impl Draft {
    pub(crate) fn heading(&mut self, level: usize, text: &str) {
        self.block(&format!("{} {text}", "#".repeat(level)));
    }

    /// A paragraph, or several blocks of our own Markdown; nothing for an empty text.
    pub(crate) fn paragraph(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.block(text.trim());
        }
    }

    /// An item of a list that goes on from the item before.
    pub(crate) fn item(&mut self, text: &str) {
        self.listed(&format!("- {text}"));
    }

    /// A step of a list with numbers.
    pub(crate) fn step(&mut self, number: usize, text: &str) {
        self.listed(&format!("{number}. {text}"));
    }

    /// A box to be ticked.
    pub(crate) fn task(&mut self, text: &str) {
        self.listed(&format!("- [ ] {text}"));
    }

    /// Text of others; nothing for an empty fence.
    pub(crate) fn fence(&mut self, fence: &Fence) {
        if !fence.is_empty() {
            self.block(fence.to_string().trim_end_matches('\n'));
        }
    }

    /// Commands of ours.
    pub(crate) fn commands(&mut self, commands: &[String]) {
        self.block(&format!("```sh\n{}\n```", commands.join("\n")));
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }

    fn block(&mut self, text: &str) {
        self.part();
        self.in_list = false;
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn listed(&mut self, text: &str) {
        if !self.in_list {
            self.part();
        }
        self.in_list = true;
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn part(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }
}
