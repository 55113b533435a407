#!/usr/bin/env python3
"""A file that heddle check wrote for machines, without what differs between runs and machines.

    golden.py FILE.sarif|FILE.xml|FILE.json

Of the page's data (.json) the bulk is left out as well: texts that other golden files have, sources, samples.
"""
import json
import re
import sys


def pruned(value, names):
    if isinstance(value, dict):
        return {key: pruned(item, names) for key, item in value.items() if key not in names}
    return [pruned(item, names) for item in value] if isinstance(value, list) else value


def printed(value, depth=0):
    """A line per member and item; arrays of simple values are on one line."""
    pad = "  " * (depth + 1)
    if isinstance(value, dict) and value:
        inside = [f"{pad}{json.dumps(key)}: {printed(item, depth + 1)}" for key, item in value.items()]
        return "{\n" + ",\n".join(inside) + f"\n{pad[2:]}}}"
    if isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value) and not is_step(value):
        return "[\n" + ",\n".join(pad + printed(item, depth + 1) for item in value) + f"\n{pad[2:]}]"
    return json.dumps(value, ensure_ascii=False)


def is_step(value):
    return all(not isinstance(item, dict) for item in value) and not isinstance(value[0], list)


path = sys.argv[1]
with open(path, encoding="utf-8") as file:
    text = file.read()
if path.endswith(".xml"):
    text = re.sub(r'time="[0-9.]+"', 'time="TIME"', text)
    text = re.sub(r"\(?[0-9.]+ s\)", "(TIME)", text)
else:
    left_out = ["rules", "version"] if path.endswith(".sarif") else [
        "version", "text", "sources", "reached", "samples", "seconds", "unfolding", "notices"]
    text = printed(pruned(json.loads(text), left_out)) + "\n"
    text = re.sub(r"\([0-9.]+ s\)", "(TIME)", text)
text = re.sub(r"-[0-9a-f]{8}\.replay", "-KEY.replay", text)
print(re.sub(r"file://[^\"]*/", "file:///", text), end="")
