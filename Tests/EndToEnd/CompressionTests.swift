import RealPrograms
import TestSupport
import Testing

/// What curl gets of the real server, over a socket.
@Suite("Pages and files on the wire", .pair, .timeLimit(.minutes(5)))
struct CompressionTests {
    /// What a shell prints with the server's address as `$1`.
    private static func shell(_ pair: Pair, _ script: String) async throws -> String {
        let run = try await ChildProcess("/bin/bash", ["-exc", script, "bash", pair.server.url]).run()
        #expect(run.end == .exited(0), "\(run.talk)")
        return run.output
    }

    @Test func `Are, decompressed by curl, what they are without, and a third of it on the way`() async throws {
        let sizes = try await Self.shell(
            pair,
            """
            cd "$(mktemp -d)"
            curl -fsS -c cookies "$1/activate" -o page
            for path in / /activate /boxes "/activate?code=MMMM" $(grep -o '/assets/[^"]*' page | sort -u); do
                curl -fsS -b cookies "$1$path" -o plain
                curl -fsS -b cookies --compressed "$1$path" -o coded -D head -w '%{size_download} '
                grep -qi '^content-encoding: gzip' head
                grep -qi "^content-length: " head
                sed -i 's/name="form_token" value="[^"]*"/TOKEN/' plain coded
                cmp plain coded
                stat -c %s plain
            done
            rm -r "$PWD"
            """)
        let rows = sizes.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
        try #require(rows.count >= 9 && rows.allSatisfy { $0.count == 2 }, "\(sizes)")
        let (coded, plain) = rows.reduce(into: (0, 0)) { $0 = ($0.0 + $1[0], $0.1 + $1[1]) }
        #expect(plain > 20_000 && coded * 5 < plain * 2, "\(coded) of \(plain) bytes")
    }

    @Test func `Have the same head for HEAD, and are sent whole where a part or a change is asked for`() async throws {
        let output = try await Self.shell(
            pair,
            """
            path=$(curl -fsS "$1/activate" | grep -o '/assets/[^"]*css' | head -n 1)
            ask() { curl -sS -o /dev/null -D - -H 'Accept-Encoding: gzip' "$@" | tr -d '\\r' | grep -vi '^date\\|-id:'; }
            [ "$(ask "$1$path")" = "$(ask -I "$1$path")" ]
            [ "$(ask "$1$path")" = "$(ask -H 'Range: bytes=0-9' "$1$path")" ]
            [ "$(ask "$1$path")" = "$(ask -H 'If-None-Match: *' -H 'If-Modified-Since: Mon, 01 Jan 2035 00:00:00 GMT' "$1$path")" ]
            ask "$1$path"
            curl -sS -H 'Accept-Encoding: gzip' "$1$path" | wc -c
            """)
        let size = try #require(output.split(separator: "\n").last)
        #expect(output.hasPrefix("HTTP/1.1 200 OK\n") && output.contains("Content-Length: \(size)\n"))
        #expect(output.contains("Content-Encoding: gzip\n") && output.contains("Vary: Accept-Encoding\n"))
        #expect(!output.contains("ETag:") && !output.contains("Accept-Ranges:"))
    }

    @Test func `Are not what programs read: to them, nothing is compressed`() async throws {
        let output = try await Self.shell(
            pair,
            """
            for path in /api/v1/config/\(DemoFolder.compatibleRequestor) /metrics /healthz /nothing /reggie/v1/x/regcode; do
                curl -sS -o /dev/null -D - -H 'Accept: application/json' -H 'Accept-Encoding: gzip' "$1$path"
            done
            """)
        #expect(output.matches(of: /HTTP\/1.1 [2-5]/).count == 5)
        #expect(!output.lowercased().contains("content-encoding"))
    }
}
