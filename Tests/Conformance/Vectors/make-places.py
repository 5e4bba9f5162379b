#!/usr/bin/env python3
"""Makes places.mmdb and later.mmdb: small files of places in the MaxMind DB format. Needs mmdb_writer of PyPI."""
import pathlib

from mmdb_writer import MMDBWriter
from netaddr import IPSet


def place(code, name=None, city=None, region=None):
    country = {key: value for key, value in [("iso_code", code), ("names", name and {"en": name})] if value}
    return {
        "country": country,
        **({"city": {"names": {"en": city}}} if city else {}),
        **({"subdivisions": [{"names": {"en": region}}]} if region else {}),
    }


FILES = {
    "places": {
        "192.0.2.0/24": place("DE", "Germany", "Berlin", "Land Berlin"),
        "203.0.113.0/24": place("DE", "Germany", "Berlin"),
        "198.51.100.0/25": place("se"),
        "198.51.100.128/25": place("SE", "Sweden", None, "Skåne"),
        "198.18.0.0/25": place("<i>", "<b>", 'a<script>"'),
        "198.18.0.128/25": {"country": {"iso_code": 7, "names": []}, "city": "Nowhere"},
        "2001:db8::/47": place("FR", "France", "å" * 63 + "👨‍👩‍👧‍👦" + "x" * 200),
    },
    "later": {"192.0.2.0/24": place("DE", "Germany", "Potsdam")},
}
for name, ranges in FILES.items():
    writer = MMDBWriter(6, "Test", languages=["en"], ipv4_compatible=True, int_type="u32")
    for network, content in ranges.items():
        writer.insert_network(IPSet([network]), content)
    writer.to_db_file(str(pathlib.Path(__file__).with_name(f"{name}.mmdb")))
