"""The software bill of materials (CycloneDX 1.6) of the crates that the binary is built from."""

import json
import subprocess
import uuid
from datetime import datetime, timezone

from release import names

FEATURES = "server/postgres-tls"
REGISTRY = "registry+"


def metadata():
    """What cargo knows about the workspace with the features of a release, from Cargo.lock alone."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--features", FEATURES]
    return json.loads(subprocess.run(command, cwd=names.ROOT, check=True, capture_output=True).stdout)


def reachable(graph, root):
    """The packages that the root needs to run or to be built, each with those that it needs itself. Tests do not count."""
    nodes = {node["id"]: node for node in graph["resolve"]["nodes"]}
    needs, waiting = {}, [root]
    while waiting:
        package = waiting.pop()
        if package in needs:
            continue
        needs[package] = sorted(dep["pkg"] for dep in nodes[package]["deps"] if any(kind["kind"] != "dev" for kind in dep["dep_kinds"]))
        waiting += needs[package]
    return needs


def checksums():
    """The checksum of each package in Cargo.lock, by name and version."""
    found, name, number = {}, None, None
    for line in (names.ROOT / "Cargo.lock").read_text().splitlines():
        key, _, value = line.partition(" = ")
        if key == "name":
            name = value.strip('"')
        elif key == "version":
            number = value.strip('"')
        elif key == "checksum":
            found[name, number] = value.strip('"')
    return found


def component(package, sums):
    """What the document says of a package."""
    is_own = package["source"] is None
    described = {
        "type": "library",
        "bom-ref": reference(package),
        "name": package["name"],
        "version": package["version"],
        "scope": "required",
    }
    if package.get("license"):
        described["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if not is_own:
        described["purl"] = f"pkg:cargo/{package['name']}@{package['version'].replace('+', '%2B')}"
        described["hashes"] = [{"alg": "SHA-256", "content": sums[package["name"], package["version"]]}]
        if package.get("repository"):
            described["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return described


def reference(package):
    """The name of a package within the document."""
    return f"{package['name']}@{package['version']}"


def document():
    """The whole document. The same commit gives the same bytes."""
    graph, sums = metadata(), checksums()
    packages = {package["id"]: package for package in graph["packages"]}
    root = next(package["id"] for package in graph["packages"] if package["name"] == "server" and package["source"] is None)
    needs = reachable(graph, root)
    references = {identifier: reference(packages[identifier]) for identifier in needs}
    when = datetime.fromtimestamp(names.commit_time(), timezone.utc)
    product = {"type": "application", "bom-ref": references[root], "name": "assay", "version": names.version(),
               "licenses": [{"expression": packages[root]["license"]}],
               "externalReferences": [{"type": "vcs", "url": names.REPOSITORY}]}
    components = sorted((component(packages[identifier], sums) for identifier in needs if identifier != root), key=lambda each: each["bom-ref"])
    edges = [{"ref": references[identifier], "dependsOn": sorted({references[need] for need in below})} for identifier, below in needs.items()]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, names.REPOSITORY + when.isoformat())}",
        "version": 1,
        "metadata": {"timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "component": product},
        "components": components,
        "dependencies": sorted(edges, key=lambda edge: edge["ref"]),
    }


def write(path):
    """Writes the document, and returns how many components it has."""
    content = document()
    path.write_text(json.dumps(content, indent=1) + "\n")
    return len(content["components"])
