import HTTPClient
import RealPrograms
import TestSupport

/// Debian's chromedriver as a process of the test's own, on a port it picks itself.
final class Chromedriver: Sendable {
    struct NotStarted: Error, CustomStringConvertible {
        let description: String
    }

    private let process: ChildProcess
    private let url: String
    let client = HTTPClient()

    /// Starts the driver. It takes a free port for IPv4 first and the same one for IPv6 then, and ends when another
    /// program has that one: it is started again, five times at most.
    ///
    /// - Parameter home: an empty folder for whatever the browser wants to keep; the caller removes it.
    static func start(home: String, hasOwnFonts: Bool = true) async throws -> Chromedriver {
        var said: [String] = []
        for _ in 1...5 {
            var environment = ["HOME": home, "TMPDIR": home]
            if hasOwnFonts { environment["FONTCONFIG_FILE"] = try TestFonts.configuration(in: home) }
            let process = try ChildProcess("chromedriver", ["--port=0"], environment: environment)
            // It says its port once it listens.
            for await line in process.outputLines {
                let words = line.split { !$0.isNumber }
                if line.contains("started successfully on port"), let port = words.last {
                    return Chromedriver(process, url: "http://127.0.0.1:\(port)")
                }
                said.append(line)
            }
        }
        let lines = said.suffix(10).joined(separator: " | ")
        throw NotStarted(description: "chromedriver ended before it listened: \(lines)")
    }

    private init(_ process: ChildProcess, url: String) {
        self.process = process
        self.url = url
    }

    func stop() async {
        self.process.send(15)
        _ = await self.process.waitForEnd()
    }

    /// Sends one command and returns its `value` (WebDriver 6.3).
    func command(_ method: HTTPClient.Method, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        var request = HTTPClient.Request(method, self.url + path)
        request.responseLimit = 32 << 20
        request.timeout = .seconds(120)
        if method == .post {
            request.body = Array(try (body ?? [:]).encoded().utf8)
            request.headers["Content-Type"] = "application/json"
        }
        let response = try await self.client.send(request)
        let value = try JSON(parsing: response.text)["value"] ?? .null
        guard response.status == 200 else { throw WebDriverError(value) }
        return value
    }
}

struct WebDriverError: Error, CustomStringConvertible {
    /// The code of the specification, such as `no such element`.
    let code: String
    let message: String

    init(_ value: JSON) {
        self.code = value["error"]?.text ?? "unknown error"
        self.message = (value["message"]?.text ?? "").split(separator: "\n").joined(separator: ", ")
    }

    var description: String { "\(self.code): \(self.message)" }
}
