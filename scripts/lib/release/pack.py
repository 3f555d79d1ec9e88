"""Packs a binary: an archive for its target, and a Debian package."""

import email.utils
import gzip
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile

from release import names

SHELLS = {"bash": "assay.bash", "zsh": "_assay", "fish": "assay.fish"}
LICENSES = ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE"]


def generate(binary, folder):
    """Writes what the binary generates: man pages and completions."""
    subprocess.run([binary, "man", "--output", folder / "man"], check=True, stderr=subprocess.DEVNULL)
    (folder / "completions").mkdir()
    for shell, name in SHELLS.items():
        with open(folder / "completions" / name, "wb") as file:
            subprocess.run([binary, "completions", shell], check=True, stdout=file)


def archive(binary, generated, target, output):
    """Writes the archive: the binary, man pages, completions and licenses. The same input gives the same bytes."""
    when = names.commit_time()
    entries = [("assay", binary, 0o755)] + [(name, names.ROOT / name, 0o644) for name in LICENSES]
    for folder in ("completions", "man"):
        entries += [(f"{folder}/{file.name}", file, 0o644) for file in sorted((generated / folder).iterdir())]
    path = output / names.archive_name(target)
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", mtime=when, fileobj=raw) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for name, file, mode in entries:
                info = tarfile.TarInfo(name)
                info.size, info.mode, info.mtime = file.stat().st_size, mode, when
                with open(file, "rb") as content:
                    tar.addfile(info, content)
    return path


def debian(binary, generated, output, cargo_deb, package_version):
    """Writes the Debian package of the binary with cargo-deb; the settings are in crates/server/Cargo.toml."""
    with tempfile.TemporaryDirectory() as folder:
        release = pathlib.Path(folder) / "release"
        shutil.copytree(generated, release)
        (release / "man/assay-admin.8").write_bytes((names.ROOT / "packaging/debian/assay-admin.8").read_bytes())
        # Debian's policy wants them compressed.
        for page in list((release / "man").iterdir()):
            page.with_name(page.name + ".gz").write_bytes(gzip.compress(page.read_bytes(), mtime=0))
            page.unlink()
        shutil.copy(binary, release / "assay")
        when = email.utils.formatdate(names.commit_time())
        changelog = (
            f"assay ({package_version}) unstable; urgency=medium\n\n"
            f"  * Release {names.version()}: {names.REPOSITORY}/blob/main/CHANGELOG.md\n\n"
            f" -- The Assay maintainers <maintainers@assay.example>  {when}\n"
        )
        (release / "changelog.Debian.gz").write_bytes(gzip.compress(changelog.encode(), mtime=0))
        environment = {**os.environ, "CARGO_TARGET_DIR": folder, "SOURCE_DATE_EPOCH": str(names.commit_time())}
        command = [cargo_deb, *(["deb"] if pathlib.Path(cargo_deb).name == "cargo" else []), "--package", "server", "--no-build",
                   "--no-strip", "--deb-version", package_version, "--output", str(output)]
        subprocess.run(command, cwd=names.ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)


def pack(binary, target, output, cargo_deb, package_version):
    """Packs a binary into the output folder."""
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        generated = pathlib.Path(folder)
        generate(binary, generated)
        archive(binary, generated, target, output)
        if target in names.DEBIAN and cargo_deb:
            debian(binary, generated, output, cargo_deb, package_version)
