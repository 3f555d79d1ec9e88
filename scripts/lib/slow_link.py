"""Two hosts with a slow link between them: network namespaces whose packets a program carries. Needs Linux, root and ip.

TCP, TLS and DNS over it are those of the kernel and the programs: what a page costs there depends on no model.
"""

import contextlib
import ctypes
import fcntl
import heapq
import os
import pathlib
import selectors
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time

#: Where the servers are, and the name that their host has for the visitor.
ADDRESS, NAME = "10.99.0.1", "site.test"
VISITOR = "10.99.0.2"
# ioctl and flags of Linux's if_tun.h, and the flag of setns(2) for a network.
TUNSETIFF, IFF_TUN, IFF_NO_PI, CLONE_NEWNET = 0x400454CA, 1, 0x1000, 0x40000000
# Bytes that wait for the link in one direction. What does not fit is lost, as in a router.
MOST_WAITING = 1 << 20
MOST_PACKET = 65_535
DNS_PORT, TYPE_A, TTL_S = 53, 1, 60


class SlowLink(contextlib.ExitStack):
    """The link while it exists: bits per second to the visitor and from the visitor, and the seconds of a round trip."""

    address, name = ADDRESS, NAME

    def __init__(self, down, up, round_trip):
        super().__init__()
        self.down, self.up, self.round_trip = down, up, round_trip
        self.site, self.visitor = f"site-{os.getpid()}", f"visitor-{os.getpid()}"

    def __enter__(self):
        super().__enter__()
        with contextlib.ExitStack() as undo:
            undo.push(self)
            site, visitor = (self.host(*one) for one in ((self.site, ADDRESS, VISITOR), (self.visitor, VISITOR, ADDRESS)))
            command = [sys.executable, __file__, *(str(value) for value in (site, visitor, self.down, self.up, self.round_trip))]
            carrier = subprocess.Popen(command, pass_fds=(site, visitor))
            self.callback(carrier.wait)
            self.callback(carrier.kill)
            self.answer_names()
            undo.pop_all()
        return self

    def host(self, name, own, peer):
        """Makes a host, and returns the file with the packets that it sends and receives."""
        subprocess.run(["ip", "netns", "add", name], check=True)
        self.callback(subprocess.run, ["ip", "netns", "del", name])
        packets = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        self.callback(os.close, packets)
        # A device's name has at most 15 bytes.
        device = f"a{name[0]}{os.getpid()}"
        fcntl.ioctl(packets, TUNSETIFF, struct.pack("16sH", device.encode(), IFF_TUN | IFF_NO_PI))
        subprocess.run(["ip", "link", "set", device, "netns", name], check=True)
        for command in (f"addr add {own} peer {peer} dev {device}", f"link set {device} up", "link set lo up"):
            subprocess.run(["ip", "-n", name, *command.split()], check=True)
        return packets

    @contextlib.contextmanager
    def within_site(self):
        """The sockets that this thread makes meanwhile are those of the site's host."""
        libc = ctypes.CDLL(None, use_errno=True)
        with open("/proc/thread-self/ns/net") as own, open(f"/run/netns/{self.site}") as site:
            def enter(network):
                if libc.setns(network.fileno(), CLONE_NEWNET):
                    raise OSError(ctypes.get_errno(), "setns")
            enter(site)
            try:
                yield
            finally:
                enter(own)

    def as_visitor(self, command):
        """The command that runs on the visitor's host."""
        return ["ip", "netns", "exec", self.visitor, *command]

    def answer_names(self):
        """Answers DNS queries of the visitor with the site's address."""
        settings = pathlib.Path("/etc/netns", self.visitor)
        settings.mkdir(parents=True)
        self.callback(shutil.rmtree, settings)
        (settings / "resolv.conf").write_text(f"nameserver {ADDRESS}\n")
        with self.within_site():
            server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.callback(server.close)
        server.bind((ADDRESS, DNS_PORT))
        threading.Thread(target=answer_queries, args=(server,), daemon=True).start()


def answer_queries(server):
    with contextlib.suppress(OSError):
        while True:
            query, visitor = server.recvfrom(MOST_PACKET)
            server.sendto(dns_answer(query), visitor)


def dns_answer(query):
    """The site's address for its name, and no records for what else is asked (RFC 1035, section 4)."""
    labels, at = [], 12
    while query[at]:
        labels.append(query[at + 1 : at + 1 + query[at]].decode())
        at += 1 + query[at]
    end = at + 5
    found = ".".join(labels).lower() == NAME
    (wanted,) = struct.unpack("!H", query[at + 1 : at + 3])
    record = b""
    if found and wanted == TYPE_A:
        record = struct.pack("!HHHIH4s", 0xC00C, TYPE_A, 1, TTL_S, 4, socket.inet_aton(ADDRESS))
    # A response to a recursive query; "no such name" for the names of others.
    flags = 0x8180 if found else 0x8183
    return query[:2] + struct.pack("!HHHHH", flags, 1, int(bool(record)), 0, 0) + query[12:end] + record


def carry(site, visitor, down, up, round_trip):
    """Carries packets until it is killed."""
    lanes = {site: Lane(visitor, down), visitor: Lane(site, up)}
    selector = selectors.DefaultSelector()
    for packets in lanes:
        selector.register(packets, selectors.EVENT_READ)
    on_the_way, number = [], 0
    while True:
        while on_the_way and on_the_way[0][0] <= time.monotonic():
            _, _, target, packet = heapq.heappop(on_the_way)
            # A host that is just being removed takes no packets.
            with contextlib.suppress(OSError):
                os.write(target, packet)
        wait = max(0, on_the_way[0][0] - time.monotonic()) if on_the_way else None
        for key, _ in selector.select(wait):
            with contextlib.suppress(BlockingIOError):
                while True:
                    packet = os.read(key.fd, MOST_PACKET)
                    left = lanes[key.fd].send(len(packet), time.monotonic())
                    if left is not None:
                        number += 1
                        heapq.heappush(on_the_way, (left + round_trip / 2, number, lanes[key.fd].target, packet))


class Lane:
    """One direction: packets leave one after the other."""

    def __init__(self, target, bits_per_second):
        self.target, self.bits_per_second, self.free_at = target, bits_per_second, 0.0

    def send(self, size, now):
        """When a packet that comes now has left, or None if too much waits before it."""
        waiting = max(0.0, self.free_at - now) * self.bits_per_second / 8
        if waiting + size > MOST_WAITING:
            return None
        self.free_at = max(now, self.free_at) + size * 8 / self.bits_per_second
        return self.free_at


if __name__ == "__main__":
    carry(int(sys.argv[1]), int(sys.argv[2]), *(float(value) for value in sys.argv[3:6]))
