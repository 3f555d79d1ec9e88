//! Bodies in content codings that are small on the wire and large when decoded, or broken.

use std::sync::LazyLock;

use super::Behaviour;
use crate::TestResponse;
use crate::packed::{Packed, Piece};

/// 64 MiB of spaces in Brotli.
const BROTLI: [u8; 53] = [
    0xcf, 0xff, 0xff, 0x7f, 0xf8, 0x25, 0x40, 0xe2, 0xb1, 0x40, 0x20, 0xf7, 0xfe, 0x9f, 0xff, 0xff,
    0xff, 0xf0, 0x4b, 0x00, 0xc4, 0x61, 0x01, 0x80, 0xee, 0xfd, 0x3f, 0xff, 0xff, 0xff, 0xe1, 0x97,
    0x00, 0x88, 0xc3, 0x22, 0x00, 0xdd, 0xfb, 0xff, 0xfc, 0xff, 0xff, 0xc7, 0x2f, 0x01, 0x10, 0x87,
    0x05, 0x00, 0xba, 0xf7, 0xff,
];
/// Bytes of one piece of a bomb.
const PIECE: usize = 1 << 20;
/// Pieces of a bomb.
const PIECES: usize = 1_024;

/// A gibibyte of spaces after an ordinary beginning.
static BOMB: LazyLock<Packed> = LazyLock::new(|| {
    let spaces = Piece::new(&[b' '; PIECE]);
    let mut packed = Packed::new();
    packed.push(&Piece::new(
        b"<!doctype html><html lang=\"en\"><title>A bomb</title>",
    ));
    for _ in 0..PIECES {
        packed.push(&spaces);
    }
    packed
});

pub(super) fn answer(behaviour: Behaviour) -> Option<TestResponse> {
    let (body, coding) = match behaviour {
        Behaviour::TruncatedGzip => {
            let mut whole = gzip(&"<p>Some text of a page.</p>".repeat(10_000).into_bytes());
            whole.truncate(whole.len() / 2);
            (whole, "gzip")
        }
        Behaviour::GzipBomb => (gzip_bomb(), "gzip"),
        Behaviour::DeflateBomb => (BOMB.zlib(), "deflate"),
        Behaviour::BrotliBomb => (BROTLI.to_vec(), "br"),
        Behaviour::ZstdBomb => (zstd_bomb(), "zstd"),
        Behaviour::DoubleGzip => (gzip(&gzip_bomb()), "gzip, gzip"),
        Behaviour::ManyCodings => (
            (0..10).fold(b"<p>Deep down.</p>".to_vec(), |body, _| gzip(&body)),
            "gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip",
        ),
        Behaviour::WrongCoding => (b"<p>This is no gzip.</p>".to_vec(), "gzip"),
        _ => return None,
    };
    Some(TestResponse::html(body).header("Content-Encoding", coding))
}

/// 1 GiB in gzip.
pub(super) fn gzip_bomb() -> Vec<u8> {
    BOMB.gzip()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Packed::new();
    packed.push(&Piece::new(bytes));
    packed.gzip()
}

/// 1 GiB of spaces as blocks of one repeated byte (RFC 8878, section 3.1.1.2.2).
fn zstd_bomb() -> Vec<u8> {
    // Magic number; a frame of unknown size with a window of 1 MiB.
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50];
    let blocks = 8_192_u32;
    for block in 1..=blocks {
        let header = (128_u32 << 10 << 3) | (1 << 1) | u32::from(block == blocks);
        frame.extend(header.to_le_bytes().iter().take(3));
        frame.push(b' ');
    }
    frame
}
