//! A parser of server-sent events for runs.

/// An event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// The event name.
    pub(crate) name: String,
    /// The data.
    pub(crate) data: String,
}

/// The maximum size of a buffered line in bytes. A run is far smaller.
const LONGEST_LINE: usize = 1 << 20;

/// The parser, which accepts any chunking of the stream.
#[derive(Debug, Default)]
pub(crate) struct Events {
    line: Vec<u8>,
    event: Event,
}

impl Events {
    /// The events that are complete with this chunk. Comments and unknown fields are ignored.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<Event> {
        let mut whole = Vec::new();
        for byte in bytes {
            if *byte != b'\n' {
                if self.line.len() < LONGEST_LINE {
                    self.line.push(*byte);
                }
                continue;
            }
            let line = String::from_utf8_lossy(&self.line);
            let line = line.strip_suffix('\r').unwrap_or(&line);
            if line.is_empty() {
                let event = std::mem::take(&mut self.event);
                if !event.data.is_empty() {
                    whole.push(event);
                }
            } else if let Some((field, value)) = line.split_once(':') {
                let value = value.strip_prefix(' ').unwrap_or(value);
                match field {
                    "event" => self.event.name = value.to_owned(),
                    "data" => {
                        if !self.event.data.is_empty() {
                            self.event.data.push('\n');
                        }
                        self.event.data.push_str(value);
                    }
                    _ => {}
                }
            }
            self.line.clear();
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_the_same_however_the_stream_is_cut() {
        let stream = b"event: progress\ndata: {\"a\":1}\n\n: keep-alive\n\nid: 3\r\nevent: completed\r\ndata:x\r\ndata: y\r\n\r\n";
        let expected = [
            Event {
                name: "progress".to_owned(),
                data: "{\"a\":1}".to_owned(),
            },
            Event {
                name: "completed".to_owned(),
                data: "x\ny".to_owned(),
            },
        ];
        for size in 1..stream.len() {
            let mut events = Events::default();
            let found: Vec<Event> = stream
                .chunks(size)
                .flat_map(|piece| events.feed(piece))
                .collect();
            assert_eq!(found, expected, "{size}");
        }
    }
}
