"""Readers of a run's files that share nothing with their writers: the format's own rules, checked by hand.

    run_files.py csv|eaf|xdf|glb|html FILE    prints what is in it as JSON; exits 1 with what is wrong.
"""
import csv
import json
import re
import struct
import sys
import xml.etree.ElementTree as xml
from html.parser import HTMLParser


def need(condition, what):
    if not condition:
        raise SystemExit("wrong: " + what)


def read_csv(path):
    raw = open(path, "rb").read()
    raw.decode("utf-8")
    need(raw.endswith(b"\r\n"), "the last line has no end")
    rows = list(csv.reader(open(path, encoding="utf-8", newline=""), strict=True))
    need(all(len(row) == len(rows[0]) for row in rows), "rows of different lengths")
    return {"names": rows[0], "rows": len(rows) - 1, "first": rows[1:4], "texts": sorted({c for r in rows[1:] for c in r})[-400:]}


def read_eaf(path):
    root = xml.parse(path).getroot()
    need(root.tag == "ANNOTATION_DOCUMENT" and root.get("FORMAT") == "3.0" and root.get("VERSION") == "3.0", "the document")
    need(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", root.get("DATE")), "the date")
    order = ["LICENSE", "HEADER", "TIME_ORDER", "TIER", "LINGUISTIC_TYPE", "LOCALE", "LANGUAGE", "CONSTRAINT"]
    places = [order.index(child.tag) for child in root]
    need(places == sorted(places), "the order of elements")
    header = root.find("HEADER")
    need(header.get("TIME_UNITS") == "milliseconds", "the unit")
    kinds = [child.tag for child in header]
    need(kinds == sorted(kinds, key=["MEDIA_DESCRIPTOR", "LINKED_FILE_DESCRIPTOR", "PROPERTY"].index), "the header's order")
    slots = {}
    last = 0
    for slot in root.find("TIME_ORDER"):
        value = int(slot.get("TIME_VALUE"))
        need(value >= last and slot.get("TIME_SLOT_ID") not in slots, "time slots in order, once each")
        slots[slot.get("TIME_SLOT_ID")] = last = value
    types = {one.get("LINGUISTIC_TYPE_ID") for one in root.findall("LINGUISTIC_TYPE")}
    tiers, ids = {}, set()
    for tier in root.findall("TIER"):
        name = tier.get("TIER_ID")
        need(name not in tiers and tier.get("LINGUISTIC_TYPE_REF") in types, "tier " + name)
        tiers[name], end = [], -1
        for annotation in tier:
            one = annotation.find("ALIGNABLE_ANNOTATION")
            begin, stop = slots[one.get("TIME_SLOT_REF1")], slots[one.get("TIME_SLOT_REF2")]
            need(one.get("ANNOTATION_ID") not in ids, "an annotation's name twice")
            need(begin < stop and begin >= end, f"{name}: {begin} to {stop} after {end}")
            ids.add(one.get("ANNOTATION_ID"))
            end = stop
            tiers[name].append([begin, stop, one.find("ANNOTATION_VALUE").text])
    return {"tiers": tiers, "media": [dict(m.attrib) for m in header.findall("MEDIA_DESCRIPTOR")]}


def read_xdf(path):
    data = open(path, "rb").read()
    need(data[:4] == b"XDF:", "the magic")
    at, streams, boundaries, first = 4, {}, 0, True

    def number(at):
        size = data[at]
        need(size in (1, 4, 8), f"a length of {size} bytes at {at}")
        return int.from_bytes(data[at + 1 : at + 1 + size], "little"), at + 1 + size

    while at < len(data):
        length, at = number(at)
        end = at + length
        need(end <= len(data), "a chunk behind the end")
        tag = struct.unpack_from("<H", data, at)[0]
        at += 2
        need((tag == 1) == first, "the file header is first, and once")
        first = False
        if tag == 1:
            need(xml.fromstring(data[at:end].decode()).find("version").text == "1.0", "the version")
        elif tag == 5:
            need(data[at:end].hex() == "43a546dccbf5410fb30ed5467383cbe4", "the boundary's name")
            boundaries += 1
        else:
            stream = struct.unpack_from("<I", data, at)[0]
            at += 4
            if tag == 2:
                need(stream not in streams, "a stream twice")
                info = xml.fromstring(data[at:end].decode())
                count = int(info.find("channel_count").text)
                labels = [c.find("label").text for c in info.iter("channel")]
                need(len(labels) == count, "as many labels as channels")
                streams[stream] = {"name": info.find("name").text, "format": info.find("channel_format").text, "count": count,
                    "labels": labels, "rate": float(info.find("nominal_srate").text), "samples": [], "offsets": 0}
            elif tag == 3:
                one = streams[stream]
                total, at = number(at)
                for _ in range(total):
                    need(data[at] == 8, "a time stamp")
                    time = struct.unpack_from("<d", data, at + 1)[0]
                    at += 9
                    if one["format"] == "string":
                        size, at = number(at)
                        value = data[at : at + size].decode("utf-8")
                        at += size
                    else:
                        value = struct.unpack_from(f"<{one['count']}d", data, at)
                        at += 8 * one["count"]
                    one["samples"].append((time, value))
                need(at == end, "samples fill their chunk")
            elif tag == 4:
                _, value = struct.unpack_from("<dd", data, at)
                need(value == 0.0 and end - at == 16, "a clock's offset")
                streams[stream]["offsets"] += 1
            elif tag == 6:
                info, one = xml.fromstring(data[at:end].decode()), streams[stream]
                need(int(info.find("sample_count").text) == len(one["samples"]), "the footer's count")
                need(len(info.findall(".//offset")) == one["offsets"] > 0, "the footer's offsets")
                if one["samples"]:
                    need(float(info.find("first_timestamp").text) == one["samples"][0][0], "the footer's first time")
                    need(float(info.find("last_timestamp").text) == one["samples"][-1][0], "the footer's last time")
                one["whole"] = True
            else:
                need(False, f"a chunk of kind {tag}")
        at = end
    need(all(one.get("whole") for one in streams.values()), "a stream without its footer")
    out = []
    for one in streams.values():
        times = [time for time, _ in one["samples"]]
        need(times == sorted(times), one["name"] + ": times in order")
        strings = one["format"] == "string"
        out.append({"name": one["name"], "count": len(times), "labels": one["labels"], "rate": one["rate"],
            "texts": [v for _, v in one["samples"]][:400] if strings else None, "times": times[:1] + times[-1:],
            "last": None if strings or not times else one["samples"][-1][1]})
    return {"streams": out, "boundaries": boundaries}


def read_glb(path):
    data = open(path, "rb").read()
    magic, version, length = struct.unpack_from("<4sII", data)
    need(magic == b"glTF" and version == 2 and length == len(data), "the header")
    size, kind = struct.unpack_from("<I4s", data, 12)
    need(kind == b"JSON" and size % 4 == 0, "the JSON chunk")
    document = json.loads(data[20 : 20 + size].decode())
    bytes_, kind = struct.unpack_from("<I4s", data, 20 + size)
    binary = data[28 + size :]
    need(kind == b"BIN\0" and bytes_ == len(binary) == document["buffers"][0]["byteLength"] + (-document["buffers"][0]["byteLength"]) % 4,
         "the binary chunk")
    widths = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
    kinds = {5126: ("f", 4), 5123: ("H", 2), 5125: ("I", 4)}

    def read(index):
        accessor = document["accessors"][index]
        view = document["bufferViews"][accessor["bufferView"]]
        letter, size = kinds[accessor["componentType"]]
        count = accessor["count"] * widths[accessor["type"]]
        need(view["byteOffset"] % size == 0 and count * size <= view["byteLength"], f"accessor {index}")
        need(view["byteOffset"] + view["byteLength"] <= len(binary), f"view of accessor {index}")
        return struct.unpack_from(f"<{count}{letter}", binary, view["byteOffset"])

    triangles = 0
    for mesh in document.get("meshes", []):
        for part in mesh["primitives"]:
            corners, indices = read(part["attributes"]["POSITION"]), read(part["indices"])
            accessor = document["accessors"][part["attributes"]["POSITION"]]
            need(max(indices) < len(corners) // 3 and len(indices) % 3 == 0, "indices")
            need(all(abs(min(corners[k::3]) - accessor["min"][k]) < 1e-6 for k in range(3)), "the least corner")
            need(len(read(part["attributes"]["NORMAL"])) == len(corners), "normals")
            triangles += len(indices) // 3
    frames, ends = 0, []
    for animation in document.get("animations", []):
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            times, values = read(sampler["input"]), read(sampler["output"])
            width = 4 if channel["target"]["path"] == "rotation" else 3
            need(len(values) == width * len(times) and all(a < b for a, b in zip(times, times[1:])), "a channel")
            if width == 4:
                for k in range(0, len(values), 4):
                    need(abs(sum(v * v for v in values[k : k + 4]) - 1) < 1e-4, "a quaternion's length")
            frames = max(frames, len(times))
            ends.append(times[-1])
    children = [child for node in document["nodes"] for child in node.get("children", [])]
    need(len(children) == len(set(children)), "a node has one parent")
    return {"nodes": len(document["nodes"]), "meshes": len(document.get("meshes", [])), "triangles": triangles, "frames": frames,
        "channels": len(document["animations"][0]["channels"]), "end": max(ends)}


class Page(HTMLParser):
    void = {"meta", "br", "link", "img", "hr", "col"}

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.texts, self.addresses = [], {}, [], []

    def handle_starttag(self, tag, attributes):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        if tag not in self.void:
            self.open.append(tag)
        self.addresses += [value for name, value in attributes if name in ("href", "src", "action", "xlink:href")]

    def handle_startendtag(self, tag, attributes):
        self.tags[tag] = self.tags.get(tag, 0) + 1

    def handle_endtag(self, tag):
        need(self.open and self.open.pop() == tag, f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.texts.append(data)


def read_html(path):
    page = Page()
    page.feed(open(path, encoding="utf-8").read())
    need(not page.open, "left open: " + " ".join(page.open))
    need(all(address.startswith("#") for address in page.addresses), "an address of elsewhere")
    need("script" not in page.tags and "iframe" not in page.tags and "img" not in page.tags, "a tag that loads")
    for picture in re.findall(r"<svg.*?</svg>", open(path, encoding="utf-8").read(), re.S):
        root = xml.fromstring(picture)
        _, _, width, height = map(float, root.get("viewBox").split())
        for element in root.iter():
            need(not any("href" in name or name.startswith("on") for name in element.attrib), "an address in a picture")
            places = [float(v) for v in element.get("points", "").split()]
            need(all(-1 <= x <= width + 1 for x in places[::2]) and all(-1 <= y <= height + 1 for y in places[1::2]),
                 "drawn beside the paper")
    return {"tags": page.tags, "text": "".join(page.texts)}


readers = {"csv": read_csv, "eaf": read_eaf, "xdf": read_xdf, "glb": read_glb, "html": read_html}
print(json.dumps(readers[sys.argv[1]](sys.argv[2])))
