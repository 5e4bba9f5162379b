"""Prints what the compiler's symbol graphs say is public, one declaration or conformance a line, sorted.

    api-list.py PATH…    each PATH is a folder and a module: PATH.symbols.json, and PATH@Other.symbols.json where the
                         module extends another

Ends with 1, and says so on standard error, when a declaration has no documentation comment.
"""

import glob
import json
import os
import sys

# What the compiler adds by itself, differently in each version.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}


def declared(symbol):
    """Whether somebody wrote the symbol; the compiler's own have no place in a file."""
    return "location" in symbol


def lines(module, graph, undocumented):
    names = {}
    for symbol in graph["symbols"]:
        name = "/".join([module, *symbol["pathComponents"]])
        names[symbol["identifier"]["precise"]] = name
        if not declared(symbol):
            continue
        text = "".join(part["spelling"] for part in symbol["declarationFragments"])
        text = " ".join(text.split())
        if any(entry.get("isUnconditionallyDeprecated") for entry in symbol.get("availability", [])):
            text += " (deprecated)"
        yield f"{name}: {text}"
        if "docComment" not in symbol:
            undocumented.append(name)
    for relation in graph["relationships"]:
        if relation["kind"] not in ("conformsTo", "inheritsFrom") or relation["source"] not in names:
            continue
        target = names.get(relation["target"], relation.get("targetFallback", relation["target"]))
        target = target.replace("/", ".").rsplit(".", 1)[-1]
        if target not in IMPLIED:
            yield f"{names[relation['source']]}: is {target}"


def main(paths):
    found = set()
    undocumented = []
    for path in paths:
        # One module's name may be the beginning of another's.
        extensions = glob.glob(glob.escape(path) + "@*.symbols.json")
        for file in [path + ".symbols.json", *sorted(extensions)]:
            with open(file, encoding="utf-8") as stream:
                found.update(lines(os.path.basename(path), json.load(stream), undocumented))
    for line in sorted(found):
        print(line)
    for name in sorted(undocumented):
        print(f"No documentation comment: {name}", file=sys.stderr)
    return 1 if undocumented else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
