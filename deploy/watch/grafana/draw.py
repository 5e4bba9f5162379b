#!/usr/bin/env python3
"""Draws the dashboards of this folder as pictures.

    deploy/watch/grafana/draw.py --programs DIR [--out DIR] [--seconds N]

A real latchkeyd serves scripted boxes and viewers for a while, a real Prometheus watches it each second, and every panel
shows what Prometheus answers to the panel's own questions, where the dashboard has it. Nothing here is Grafana: its own
look differs.
DIR has latchkeyd and phone, as a build leaves them. Needs Debian's prometheus, installed or unpacked into .build/tools
('deploy/test end-to-end' does that), and nothing else but Python.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import chart
import traffic

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent.parent
NAMES = ("pairing", "health", "abuse")
# What Grafana puts in the place of its variables, for a time of minutes that is looked at each second.
RATE_INTERVAL = 20
# Panels that are empty as long as all is well.
MAY_BE_EMPTY = {"Certificate ends in", "TV providers that are not asked", "Signatures of another line"}


class Prometheus:
    """A Prometheus that looks at one server each second."""

    def __init__(self, folder, port):
        program = next(
            (path for path in ("/usr/bin/prometheus", f"{REPOSITORY}/.build/tools/prometheus/usr/bin/prometheus")
             if pathlib.Path(path).exists()), None)
        if program is None:
            sys.exit("Prometheus is missing; 'deploy/test end-to-end' fetches it.")
        own = traffic.free_port()
        (folder / "prometheus.yml").write_text(
            "global: {scrape_interval: 1s}\n"
            f"scrape_configs: [{{job_name: latchkeyd, static_configs: [{{targets: ['127.0.0.1:{port}']}}]}}]\n")
        self.address = f"http://127.0.0.1:{own}"
        self.process = subprocess.Popen([
            program, f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
            f"--web.listen-address=127.0.0.1:{own}", "--log.level=error"])

    def ask(self, path, **fields):
        """The result of a question; a question that Prometheus does not take ends the program."""
        address = f"{self.address}/api/v1/{path}?{urllib.parse.urlencode(fields)}"
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                return json.load(answer)["data"]["result"]
        except urllib.error.HTTPError as refused:
            sys.exit(f"Prometheus does not take {fields}: {refused.read().decode()}")

    def wait(self):
        """Until it has seen the server."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(f"{self.address}/-/ready", timeout=5).close()
                if self.ask("query", query="latchkey_build_info"):
                    return
            except OSError:
                pass
            time.sleep(0.2)
        sys.exit("Prometheus does not see the server.")


def series(prometheus, panel, start, end):
    """What a panel shows: a list of (name, points), each point a time and a number."""
    shown = []
    for target in panel["targets"]:
        question = (target["expr"].replace("$instance", ".*").replace("$__rate_interval", f"{RATE_INTERVAL}s")
                    .replace("$__range", f"{int(end - start)}s"))
        if panel["type"] == "timeseries":
            found = [(one["metric"], one["values"]) for one in
                     prometheus.ask("query_range", query=question, start=start, end=end, step=2)]
        else:
            found = [(one["metric"], [one["value"]]) for one in prometheus.ask("query", query=question, time=end)]
        for labels, points in found:
            name = target.get("legendFormat") or ""
            for label, text in labels.items():
                name = name.replace("{{" + label + "}}", text)
            # An empty label says nothing.
            name = " ".join(word for word in name.split() if not word.startswith("{{"))
            numbers = [(float(moment), float(number)) for moment, number in points]
            shown.append((name, [(moment, number) for moment, number in numbers if number == number]))
    return [(name, points) for name, points in shown if points]


def main():
    parser = argparse.ArgumentParser(description="Draws the dashboards as pictures.")
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--out", default=FOLDER, type=pathlib.Path)
    parser.add_argument("--seconds", default=150, type=int)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="latchkey-dashboards-") as name:
        folder = pathlib.Path(name)
        with traffic.Server(folder, options.programs) as server:
            prometheus = Prometheus(folder, server.port)
            try:
                prometheus.wait()
                start = time.time()
                traffic.run(server, options.seconds)
                time.sleep(2)
                draw_all(prometheus, start, time.time(), options.out)
            finally:
                prometheus.process.terminate()
                prometheus.process.wait()


def draw_all(prometheus, start, end, out):
    empty = []
    for name in NAMES:
        dashboard = json.loads((FOLDER / f"{name}.json").read_text())
        panels = [(panel, series(prometheus, panel, start, end)) for panel in dashboard["panels"]]
        empty += [panel["title"] for panel, shown in panels if not shown and panel["title"] not in MAY_BE_EMPTY]
        for scheme in ("light", "dark"):
            for width in ("wide", "narrow"):
                text = chart.dashboard(dashboard["title"], panels, (start, end), scheme, width == "narrow")
                (out / f"{name}-{width}-{scheme}.svg").write_text(text)
        print(f"{name}: {len(panels)} panels, {sum(len(panel['targets']) for panel, _ in panels)} questions")
    if empty:
        sys.exit(f"There is nothing to see on: {', '.join(empty)}")


if __name__ == "__main__":
    main()
