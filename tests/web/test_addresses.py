"""Only addresses on the public internet are opened, however an address is written."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from site_server import Answer, serving

from inforce.web.addresses import (
    PUBLIC,
    AddressRefused,
    AddressRule,
    require_public,
    target_of,
)
from inforce.web.fetch import Fetcher
from inforce.web.page import FetchFailure, Page

HERE = AddressRule(loopback="allowed")

FORBIDDEN = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "169.254.170.2",
    "172.16.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "224.0.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::8.8.8.8",
    "100::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:db8::1",
    "2002:0a00:0001::1",
    "2606:4700::5efe:10.0.0.1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "ff0e::1",
]
PUBLIC_ONES = ["8.8.8.8", "93.184.215.14", "2606:4700:4700::1111", "64:ff9b::8.8.8.8"]


@pytest.mark.parametrize("address", FORBIDDEN)
def test_an_address_that_is_not_public_is_refused_alone_and_in_a_url(address: str) -> None:
    with pytest.raises(AddressRefused):
        require_public(address)
    host = f"[{address.replace('%', '%25')}]" if ":" in address else address
    with pytest.raises(AddressRefused):
        target_of(f"http://{host}/")


@pytest.mark.parametrize("address", PUBLIC_ONES)
def test_a_public_address_may_be_opened(address: str) -> None:
    assert require_public(address) == ip_address(address)
    host = f"[{address}]" if ":" in address else address
    assert target_of(f"http://{host}/").port == 80


@given(st.ip_addresses(v=4))
def test_what_carries_a_private_address_is_as_private(address: IPv4Address) -> None:
    carriers = [
        IPv6Address(f"::ffff:{address}"),
        IPv6Address(f"64:ff9b::{address}"),
        IPv6Address((0x2002 << 112) | (int(address) << 80)),
    ]
    if not refused(str(address)):
        return
    assert all(refused(str(one)) for one in carriers)


@given(st.ip_addresses())
def test_whatever_python_calls_private_is_refused(address: IPv4Address | IPv6Address) -> None:
    carried = isinstance(address, IPv6Address) and (
        address.ipv4_mapped is not None or address in IPv6Network("64:ff9b::/96")
    )
    if not carried and (address.is_private or address.is_multicast or address.is_reserved):
        assert refused(str(address))


async def here(host: str, port: int) -> Sequence[str]:
    return ["127.0.0.1"]


def refused(address: str) -> bool:
    try:
        require_public(address)
    except AddressRefused:
        return True
    return False


@pytest.mark.parametrize(
    "url",
    [
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://0/",
        "http://1.2.3.4.5/",
        "http://127.0.0.1./",
        "http://１２７.０.０.１/",
        "http://127。0。0。1/",
        "http://①②⑦.⓪.⓪.①/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://a.localhost/",
        "http://printer/",
        "http://db.internal/",
        "http://metadata.google.internal/computeMetadata/v1/",
        "http://router.lan/",
        "http://nas.local/",
    ],
)
def test_a_disguised_or_inner_host_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        target_of(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "flk.npc.gov.cn",
        "//example.com/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "gopher://example.com/",
        "http:///x",
        "http://",
        "http://user@example.com/",
        "http://user:password@example.com/",
        "http://example.com\\@10.0.0.1/",
        "http://example.com/a b",
        "http://example.com/\r\nHost: x",
        "http://example.com\x00.evil.org/",
        "http://ex%61mple.com/",
        "http://a..b.com/",
        "http://-a.com/",
        "http://[::1",
        "http://[v1.a]/",
        f"http://{'a' * 64}.com/",
        f"http://example.com/{'a' * 3_000}",
        "http://xn--a\ufffd.com/",
    ],
)
def test_what_is_no_plain_web_address_is_a_bad_url(url: str) -> None:
    with pytest.raises(AddressRefused) as refusal:
        target_of(url)
    assert refusal.value.kind == "bad_url"


@pytest.mark.parametrize("port", [22, 25, 3306, 6379, 9200, 65_535])
def test_ports_of_other_services_are_refused(port: int) -> None:
    with pytest.raises(AddressRefused, match="port"):
        target_of(f"http://example.com:{port}/")


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("HTTPS://Flk.NPC.gov.cn./a?b=%E4%B8%AD#c", "https://flk.npc.gov.cn/a?b=%E4%B8%AD"),
        ("http://法院.中国/判决", "http://xn--nww899f.xn--fiqs8s/%E5%88%A4%E5%86%B3"),
        ("http://BÜCHER.example.org:8080/", "http://xn--bcher-kva.example.org:8080/"),
        ("https://example.com:443/", "https://example.com/"),
        ("http://a_b.example.com/", "http://a_b.example.com/"),
    ],
)
def test_a_web_address_is_read_in_one_form(url: str, read: str) -> None:
    assert target_of(url).url == read
    assert target_of(read).url == read


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for url in (text, f"http://{text}", f"https://{text}/"):
        try:
            target = target_of(url)
        except AddressRefused:
            continue
        assert target_of(target.url) == target


@given(st.ip_addresses())
def test_no_url_of_a_private_address_gets_through(address: IPv4Address | IPv6Address) -> None:
    host = f"[{address}]" if address.version == 6 else str(address)
    try:
        target_of(f"http://{host}/")
    except AddressRefused:
        assert refused(str(address))
    else:
        assert not refused(str(address))


def test_loopback_is_opened_only_where_that_was_said() -> None:
    for url in ("http://127.0.0.1:9999/", "http://[::1]:9999/", "http://localhost:9999/"):
        assert target_of(url, HERE).port == 9999
        with pytest.raises(AddressRefused):
            target_of(url, PUBLIC)
    for url in ("http://10.0.0.1/", "http://0.0.0.0/", "http://example.com:9999/"):
        with pytest.raises(AddressRefused):
            target_of(url, HERE)


async def test_a_certificate_is_asked_for_by_name_though_the_address_is_pinned() -> None:
    names: list[str | None] = []

    def named(_: ssl.SSLObject, name: str | None, __: ssl.SSLContext) -> None:
        names.append(name)

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)  # without a certificate: it ends after hello
    context.sni_callback = named
    server = await asyncio.start_server(lambda _, w: w.close(), "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    async with Fetcher(rule=HERE, pause=0, resolve=here) as opening:
        await opening.fetch(f"https://court.localhost:{port}/")
    server.close()
    assert names[0] == "court.localhost"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
async def test_a_certificate_must_be_of_the_name_that_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    named = ["-subj", "/CN=court.localhost", "-addext", "subjectAltName=DNS:court.localhost"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*make.split(), *named, *files], check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    opening = Fetcher(rule=HERE, pause=0, resolve=here)
    async with serving({"/a": Answer("x")}, tls=context) as site, opening:
        right = await opening.fetch(f"https://court.localhost:{site.port}/a")
        wrong = await opening.fetch(f"https://other.localhost:{site.port}/a")
    assert isinstance(right, Page)
    assert isinstance(wrong, FetchFailure)
    assert wrong.kind == "unreachable"
