use std::io::Write;

use flate2::Compression;
use rstest::rstest;

use super::*;

const TEXT: &[u8] = b"All that glitters is not gold; often have you heard that told. ";

fn text(times: usize) -> Vec<u8> {
    TEXT.repeat(times)
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn zlib(body: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn deflate(body: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn zstd(body: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(body, ruzstd::encoding::CompressionLevel::Fastest)
}

/// Reads a body that arrives in chunks. Also returns the most bytes that were held at the same time.
fn read(codings: &str, wire: &[u8], piece: usize, limit: u64) -> (Read, usize) {
    let mut reading = Reading::new([codings].into_iter().filter(|all| !all.is_empty()), limit);
    let mut most = 0;
    let mut work = |reading: &mut Reading, mut flow: Flow| {
        loop {
            most = most.max(reading.out.capacity() + reading.gathered.len());
            if flow != Flow::Continue(Next::Work) {
                return flow;
            }
            flow = reading.work();
        }
    };
    for piece in wire.chunks(piece) {
        let flow = reading.take(Bytes::copy_from_slice(piece));
        if work(&mut reading, flow).is_break() {
            break;
        }
    }
    let last = reading.end(true);
    let _last = work(&mut reading, last);
    (reading.finish(), most)
}

fn whole(codings: &str, wire: &[u8]) -> Read {
    read(codings, wire, usize::MAX, 10_000_000).0
}

#[rstest]
#[case::plain("", text(1), text(1))]
#[case::identity("identity", text(1), text(1))]
#[case::gzip("gzip", gzip(&text(9)), text(9))]
#[case::gzip_by_its_old_name("X-GZIP", gzip(&text(9)), text(9))]
#[case::deflate("deflate", zlib(&text(9)), text(9))]
#[case::bare_deflate("deflate", deflate(&text(9)), text(9))]
#[case::zstd("zstd", zstd(&text(9)), text(9))]
#[case::brotli("br", BROTLI_TEXT.to_vec(), text(9))]
#[case::large_gzip("gzip", gzip(&text(4_000)), text(4_000))]
#[case::large_deflate("deflate", deflate(&text(4_000)), text(4_000))]
#[case::large_zstd("zstd", zstd(&text(4_000)), text(4_000))]
#[case::twice("gzip, deflate", zlib(&gzip(&text(4_000))), text(4_000))]
#[case::twice_zstd("zstd,gzip", gzip(&zstd(&text(4_000))), text(4_000))]
#[case::an_unknown_coding_is_left_alone("rot13", text(1), text(1))]
#[case::nothing("gzip", Vec::new(), Vec::new())]
#[case::members("gzip", [gzip(&text(1)), gzip(&text(2))].concat(), text(3))]
#[case::rubbish_behind_the_end("gzip", [gzip(&text(3)), vec![0; 9]].concat(), text(3))]
fn a_coding_is_undone_however_the_body_is_cut_into_pieces(
    #[case] codings: &str,
    #[case] wire: Vec<u8>,
    #[case] body: Vec<u8>,
) {
    let expected_wire = u64::try_from(wire.len()).unwrap();
    for piece in [1, 2, 3, 1_000, 16_384, usize::MAX] {
        let (read, _) = read(codings, &wire, piece, 10_000_000);
        assert!(read.body == body, "{piece}: {} bytes", read.body.len());
        assert!(!read.truncated, "{piece}");
        assert_eq!(read.wire_bytes, expected_wire);
    }
}

#[test]
fn incompressible_data_passes_through_each_coding() {
    let mut state = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    })
    .take(300_000)
    .collect();
    for (coding, wire) in [
        ("gzip", gzip(&noise)),
        ("deflate", deflate(&noise)),
        ("zstd", zstd(&noise)),
    ] {
        let (read, _) = read(coding, &wire, 5_000, 1_000_000);
        assert!(read.body == noise && !read.truncated, "{coding}");
    }
}

const ZEROS: usize = 2_000_000;

#[rstest]
#[case::gzip("gzip", gzip(&vec![0; ZEROS]))]
#[case::deflate("deflate", zlib(&vec![0; ZEROS]))]
#[case::bare_deflate("deflate", deflate(&vec![0; ZEROS]))]
#[case::zstd("zstd", zstd(&vec![0; ZEROS]))]
#[case::brotli("br", BROTLI_ZEROS.to_vec())]
#[case::twice("gzip, gzip", gzip(&gzip(&vec![0; ZEROS])))]
#[case::twice_zstd("zstd, gzip", gzip(&zstd(&vec![0; ZEROS])))]
#[case::twice_brotli("br, gzip", gzip(BROTLI_ZEROS))]
fn a_bomb_ends_at_the_limit_and_never_holds_more(#[case] coding: &str, #[case] wire: Vec<u8>) {
    let limit = 100_000;
    for piece in [1_000, 16_384, usize::MAX] {
        let (read, most) = read(coding, &wire, piece, limit);
        assert_eq!((read.body.len(), read.truncated), (100_000, true));
        assert!(most <= 100_000 + 2 * MAX_BUFFERED, "{most} bytes were held");
    }
    // Without the limit, the whole body is decoded.
    let (read, most) = read(coding, &wire, 16_384, 10_000_000);
    assert_eq!((read.body.len(), read.truncated), (ZEROS, false));
    assert!(most >= ZEROS);
}

#[test]
fn a_frame_that_declares_a_giant_window_is_rejected() {
    // A zstd frame with a window of 128 MiB, and a Brotli stream with a window of one gigabyte.
    let zstd = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88].into_iter();
    let zstd: Vec<u8> = zstd.chain([1, 0, 0]).chain([0; 20]).collect();
    let brotli = [0x11, 0x1e, 0x00, 0x00, 0x00, 0x00];
    assert!(whole("zstd", &zstd).truncated);
    assert!(whole("br", &brotli).truncated);
}

// The last window of a zstd body that ends early is missing: the decoder returns it at the end.
#[rstest]
#[case::gzip("gzip", gzip(&text(4_000)))]
#[case::deflate("deflate", zlib(&text(4_000)))]
#[case::brotli("br", BROTLI_TEXT.to_vec())]
fn a_cut_stream_keeps_what_arrived(#[case] coding: &str, #[case] wire: Vec<u8>) {
    let read = whole(coding, &wire[..wire.len() * 4 / 5]);
    assert!(read.truncated);
    assert!(read.body.starts_with(&TEXT[..20]) && read.body.len() < text(4_000).len());
}

#[rstest]
#[case("gzip")]
#[case("deflate")]
#[case("br")]
#[case("zstd")]
#[case("gzip, gzip")]
fn what_is_not_of_its_coding_has_no_body(#[case] coding: &str) {
    let read = whole(coding, &[0xff; 100]);
    assert!(read.truncated);
    assert!(read.body.is_empty());
}

#[test]
fn a_third_coding_is_not_decoded_and_the_body_counts_as_truncated() {
    let twice = gzip(&gzip(TEXT));
    let read = whole("gzip, gzip, gzip", &gzip(&twice));
    assert_eq!((read.body, read.truncated), (Bytes::from(gzip(TEXT)), true));
    assert!(!whole("utf-8, gzip, identity, gzip", &twice).truncated);
}

#[test]
fn a_plain_body_ends_at_the_limit() {
    for piece in [1, 7, usize::MAX] {
        let (read, _) = read("", &text(9), piece, 100);
        assert_eq!((read.body.len(), read.truncated), (100, true));
        assert_eq!(read.body, text(9)[..100]);
    }
    let (read, _) = read("", &text(1), 5, u64::try_from(TEXT.len()).unwrap());
    assert!(!read.truncated);
}

#[test]
fn the_limit_applies_on_the_wire_as_well() {
    let (read, _) = read("gzip", &gzip(&text(4_000)), 100, 1_000);
    assert_eq!((read.wire_bytes, read.truncated), (1_000, true));
    assert_eq!(read.body.len(), 1_000);
}

#[test]
fn a_gzip_body_is_decoded_into_a_buffer_of_its_size() {
    let (read, most) = read("gzip", &gzip(&text(40)), usize::MAX, 10_000_000);
    assert_eq!(read.body.len(), 40 * TEXT.len());
    assert!(most <= 40 * TEXT.len() + gzip(&text(40)).len(), "{most}");
}

/// `TEXT`, nine times.
const BROTLI_TEXT: &[u8] = &[
    27, 54, 2, 0, 4, 202, 109, 169, 94, 72, 11, 197, 100, 234, 19, 25, 60, 14, 220, 12, 122, 192,
    69, 191, 102, 74, 218, 114, 41, 254, 121, 140, 13, 103, 144, 124, 73, 79, 137, 121, 220, 177,
    21, 221, 235, 22, 81, 156, 68, 82, 62, 240, 33, 110, 241, 249, 231, 163, 20, 65, 231, 32, 238,
    203, 26, 18,
];

/// Two million zeros.
const BROTLI_ZEROS: &[u8] = &[155, 127, 132, 30, 248, 39, 0, 226, 177, 64, 32, 135, 207, 3];
