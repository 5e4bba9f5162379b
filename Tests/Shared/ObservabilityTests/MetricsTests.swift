import Dispatch
import Observability
import Testing

@Suite("Metrics")
struct MetricsTests {
    @Test func `are written as Prometheus reads them`() {
        let metrics = Metrics()
        let plain = metrics.counter("things_total", help: "Things.")
        let table = metrics.counterTable(
            "calls_total", help: "Calls.",
            labels: [LabelSet("route", ["a", "b\"\\\n"]), LabelSet("status", ["200", "404"])])
        let gauge = metrics.gauge("level", help: "Level.")
        metrics.gauge("asked", help: "Asked.") { 7 }
        let histogram = metrics.histogram("time_seconds", help: "Time.", bounds: [.milliseconds(1), .seconds(1)])
        plain.increment(by: 2)
        table.increment(0, 1)
        table.increment(1, 0, by: 3)
        gauge.set(5)
        // A part that is put together anew goes on with the same one.
        metrics.gauge("level", help: "Level.").set(-1)
        histogram.observe(.milliseconds(1))
        histogram.observe(.milliseconds(2))
        histogram.observe(.seconds(2))
        #expect(
            metrics.prometheusText() == """
                # HELP things_total Things.
                # TYPE things_total counter
                things_total 2
                # HELP calls_total Calls.
                # TYPE calls_total counter
                calls_total{route="a",status="404"} 1
                calls_total{route="b\\"\\\\\\n",status="200"} 3
                # HELP level Level.
                # TYPE level gauge
                level -1
                # HELP asked Asked.
                # TYPE asked gauge
                asked 7
                # HELP time_seconds Time.
                # TYPE time_seconds histogram
                time_seconds_bucket{le="0.001"} 1
                time_seconds_bucket{le="1.0"} 2
                time_seconds_bucket{le="+Inf"} 3
                time_seconds_sum 2.003
                time_seconds_count 3

                """)
    }

    @Test func `lose nothing when many threads count`() {
        let table = Metrics().counterTable(
            "n_total", help: "N.",
            labels: [LabelSet("x", (0..<5).map(String.init)), LabelSet("y", ["a", "b"]), LabelSet("z", ["c"])])
        DispatchQueue.concurrentPerform(iterations: 10_000) { table.increment3($0 % 5, $0 % 2, 0) }
        for x in 0..<5 { #expect(table.value(x, 0, 0) + table.value(x, 1, 0) == 2000) }
    }

    @Test func `of a table are all there before anything was counted, where that is asked for`() {
        let metrics = Metrics()
        let labels = [LabelSet("a", ["x", "y"]), LabelSet("b", ["1", "2"])]
        let table = metrics.counterTable("n_total", help: "N.", labels: labels, showsZeros: true)
        metrics.counterTable("m_total", help: "M.") { (labels, [1, 2, 0, 4]) }
        table.increment(1, 0)
        #expect(
            metrics.prometheusText() == """
                # HELP n_total N.
                # TYPE n_total counter
                n_total{a="x",b="1"} 0
                n_total{a="x",b="2"} 0
                n_total{a="y",b="1"} 1
                n_total{a="y",b="2"} 0
                # HELP m_total M.
                # TYPE m_total counter
                m_total{a="x",b="1"} 1
                m_total{a="x",b="2"} 2
                m_total{a="y",b="1"} 0
                m_total{a="y",b="2"} 4

                """)
    }
}
