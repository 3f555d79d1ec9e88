"""The processes of an audit that shows pages in a browser, and what they leave behind."""

import os
import pathlib


def rendering_environment(scratch, browser=None):
    """The environment of an audit whose profiles are in the folder `scratch`."""
    environment = {**os.environ, "TMPDIR": scratch}
    if os.getuid() == 0:
        environment["ASSAY_BROWSER__SANDBOX"] = "off"
    if browser:
        environment["ASSAY_BROWSER__PATH"] = browser
    return environment


def processes():
    """Parent and command line of every process, by its id."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = pathlib.Path("/proc", entry, "stat").read_text()
                command = pathlib.Path("/proc", entry, "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            found[int(entry)] = (int(stat.rpartition(")")[2].split()[1]), command)
    return found


def descendants(pid):
    """The command lines of the processes that a process started, directly or not, by their ids."""
    known, found = processes(), {}
    grew = True
    while grew:
        more = {one: command for one, (parent, command) in known.items() if (parent == pid or parent in found) and one not in found}
        grew = bool(more)
        found.update(more)
    return found


def memory(pid, field):
    """Bytes of memory of a process: `Pss`, or `Rss`."""
    try:
        for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def left_of(scratch, expected):
    """What an audit left: processes that name the folder of its profiles, and entries of that folder beside the expected ones.
    Empty if nothing is left."""
    running = [f"process {pid}" for pid, (_, command) in processes().items() if scratch in command]
    entries = [entry for entry in os.listdir(scratch) if entry not in expected]
    return ", ".join(running + entries)
