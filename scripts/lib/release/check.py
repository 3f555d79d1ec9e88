"""Checks a release: every file is unpacked, run or read, and the installer is tried against a server on loopback."""

import contextlib
import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import threading

from release import names
from release.finish import sha256
from release.pack import LICENSES, SHELLS


def run(*command, **options):
    """Runs a command; the result has its output and status."""
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


def checksums(output):
    """Every file but the checksums and their signature is listed, and every listed checksum is right."""
    listed = dict(reversed(line.split("  ")) for line in (output / names.SUMS).read_text().splitlines())
    present = {path.name for path in output.iterdir() if not path.name.startswith(names.SUMS)}
    yield f"{names.SUMS} lists each of {len(present)} files", set(listed) == present
    yield "every checksum is right", all(sha256(output / name) == digest for name, digest in listed.items())


def archive(output, target, runs):
    """The archive is complete; on its own platform the binary runs."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        with tarfile.open(output / names.archive_name(target)) as tar:
            owners = {(member.uid, member.gid) for member in tar.getmembers()}
            tar.extractall(folder, filter="data")
        yield "the archive has the licenses", all((folder / name).stat().st_size for name in LICENSES)
        yield "its files belong to root", owners == {(0, 0)}
        if not runs:
            return
        printed = run(folder / "assay", "--version").stdout
        yield f"its binary prints {printed.strip()!r}", printed == f"assay {names.version()}\n"
        pages = {path.name for path in (folder / "man").iterdir()}
        commands = re.findall(r"^  ([a-z-]+)  ", run(folder / "assay", "--help").stdout, re.M)
        wanted = {f"assay-{name}.1" for name in commands if name != "help"} | {"assay.1"}
        yield f"{len(pages)} man pages, one for every command", wanted <= pages
        yield "completions for " + ", ".join(SHELLS), all((folder / "completions" / name).stat().st_size > 10_000 for name in SHELLS.values())
        yield "the completions for bash parse", run("bash", "-n", folder / "completions/assay.bash").returncode == 0


def package(path, runs):
    """The Debian package says what it needs, has what its units need, and pleases lintian."""
    fields = dict(re.findall(r"^ ?([A-Z][\w-]+): (.*)$", run("dpkg-deb", "--info", path).stdout, re.M))
    yield f"package {fields.get('Package')} {fields.get('Version')} {fields.get('Architecture')}", fields.get("Package") == "assay"
    yield f"it depends on {fields.get('Depends')}", {"libc6", "adduser"} <= set(re.findall(r"[\w.-]+", fields.get("Depends", "")))
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        subprocess.run(["dpkg-deb", "--raw-extract", path, folder], check=True)
        yield "assay.toml is a conffile", (folder / "DEBIAN/conffiles").read_text() == "/etc/assay/assay.toml\n"
        scripts = ["postinst", "prerm", "postrm"]
        yield "its scripts parse", all(run("sh", "-n", folder / "DEBIAN" / name).returncode == 0 for name in scripts)
        units = {unit.name for unit in folder.rglob("systemd/system/*.service")}
        yield "units: " + ", ".join(sorted(units)), units == {"assay.service", "assay-worker@.service"}
        if runs:
            printed = run(folder / "usr/bin/assay", "--version").stdout
            yield "its binary runs", printed == f"assay {names.version()}\n"
            settings = run(folder / "usr/bin/assay", "config", "check", "--config", folder / "etc/assay/assay.toml")
            yield "its binary accepts its configuration", settings.returncode == 0
    if shutil.which("lintian"):
        # As root it would run under another user's name; only what the package can be blamed for counts.
        found = run("lintian", "--allow-root", "--fail-on", "error,warning", path)
        yield "lintian: " + (found.stdout.strip().replace("\n", "\n      ") or "nothing"), found.returncode == 0


def bill_of_materials(output):
    """Every third-party component has a package URL, a checksum and a license, and every edge has two ends."""
    content = json.loads((output / names.SBOM).read_text())
    foreign = [each for each in content["components"] if "purl" in each]
    refs = {each["bom-ref"] for each in content["components"]} | {content["metadata"]["component"]["bom-ref"]}
    edges = [(edge["ref"], need) for edge in content["dependencies"] for need in edge["dependsOn"]]
    yield f"{names.SBOM}: {len(foreign)} third-party components with checksums", all(each["hashes"] for each in foreign)
    yield "all of them have licenses", [each["name"] for each in foreign if "licenses" not in each] == []
    yield f"{len(edges)} dependencies, none of them dangling", {end for edge in edges for end in edge} <= refs


def formula(output):
    """The formula has the checksums of the archives that are there."""
    text = (output / names.FORMULA).read_text()
    present = [target for target in names.TARGETS if (output / names.archive_name(target)).exists() and names.archive_name(target) in text]
    yield f"the formula has {len(present)} checksums", all(sha256(output / names.archive_name(target)) in text for target in present)
    if shutil.which("ruby"):
        yield "ruby parses it", run("ruby", "-c", output / names.FORMULA).returncode == 0


def versions():
    """The table of versions has this one, with its last migration."""
    row = next((line for line in (names.ROOT / "docs/operations/versions.md").read_text().splitlines() if line.startswith(f"| {names.version()} ")), "")
    last = max(path.name for path in (names.ROOT / "migrations/sqlite").iterdir())
    yield f"docs/operations/versions.md has {names.version()} with the schema {last}", f"`{last}`" in row


@contextlib.contextmanager
def served(folder):
    """Serves a folder on loopback, and gives its address."""
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def installer(output, target):
    """The installer installs a release, and refuses a file that is not what the checksums say."""
    name = names.archive_name(target)
    with tempfile.TemporaryDirectory() as temporary:
        base = pathlib.Path(temporary)
        latest = base / "latest/download"
        latest.mkdir(parents=True)
        for file in (name, names.SUMS):
            shutil.copy(output / file, latest / file)
        (base / "download").mkdir()
        (base / f"download/v{names.version()}").symlink_to(latest)
        good_archive, good_sums = (latest / name).read_bytes(), (latest / names.SUMS).read_text()
        line = next(each for each in good_sums.splitlines() if each.endswith(f"  {name}"))
        changed = bytearray(good_archive)
        changed[len(changed) // 2] ^= 1
        cases = [
            ("a release", good_archive, good_sums, [], 0),
            ("a version by its name", good_archive, good_sums, ["--version", f"v{names.version()}"], 0),
            ("an archive with one changed bit", bytes(changed), good_sums, [], 1),
            ("an archive that is cut off", good_archive[: len(good_archive) // 2], good_sums, [], 1),
            ("a wrong checksum", good_archive, good_sums.replace(line, "0" * 64 + f"  {name}"), [], 1),
            ("two checksums", good_archive, good_sums + "0" * 64 + f"  {name}\n", [], 1),
            ("a release without this platform", good_archive, good_sums.replace(line + "\n", ""), [], 4),
            ("a version that does not exist", good_archive, good_sums, ["--version", "v99.0.0"], 4),
            ("an unknown argument", good_archive, good_sums, ["--verison", "v1"], 2),
        ]
        with served(base) as address:
            for number, (case, content, sums, arguments, status) in enumerate(cases):
                (latest / name).write_bytes(content)
                (latest / names.SUMS).write_text(sums)
                prefix = base / f"prefix{number}"
                environment = {**os.environ, "ASSAY_RELEASES": address}
                result = run("sh", output / names.INSTALLER, "--prefix", prefix, "--target", target, *arguments, env=environment)
                installed = (prefix / "bin/assay").exists()
                works = not installed or run(prefix / "bin/assay", "--version").stdout == f"assay {names.version()}\n"
                message = (result.stdout if status == 0 else result.stderr).strip().splitlines()[-1:] or [""]
                message = message[0].replace(str(base), "…")
                yield f"install.sh, {case}: status {result.returncode}, {message}", result.returncode == status and installed == (status == 0) and works


def check(output, runs):
    """All checks of a release as pairs of a sentence and whether it holds. `runs` is the target of this machine."""
    yield from checksums(output)
    for target in names.TARGETS:
        if (output / names.archive_name(target)).exists():
            yield f"{names.archive_name(target)}: {(output / names.archive_name(target)).stat().st_size / 1e6:.1f} MB", True
            yield from archive(output, target, target == runs)
    for path in sorted(output.glob("*.deb")):
        yield f"{path.name}: {path.stat().st_size / 1e6:.1f} MB", True
        yield from package(path, names.DEBIAN.get(runs, "none") in path.name)
    yield from bill_of_materials(output)
    yield from formula(output)
    yield from versions()
    if (output / names.archive_name(runs)).exists():
        yield from installer(output, runs)
