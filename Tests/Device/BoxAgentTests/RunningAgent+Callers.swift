import RealPrograms
import TestSupport

extension RunningAgent {
    /// Calls as another user of the system, with curl.
    func call(
        as user: Int, in group: ControlGroup? = nil, _ method: String, _ path: String, _ body: String? = nil,
        headers: [String] = []
    ) async throws -> (status: Int, json: JSON) {
        var words = ["--reuid", "\(user)", "--clear-groups", "curl", "-sS", "-X", method, "-w", "\n%{http_code}"]
        words += ["--unix-socket", self.socket, "http://localhost\(path)"]
        for header in headers { words += ["-H", header] }
        if let body { words += ["-d", body] }
        let (_, output, talk) = try await ChildProcess(
            group == nil ? "setpriv" : "sh", group?.words(["setpriv"] + words) ?? words
        ).run()
        var lines = output.split(separator: "\n")
        guard let status = lines.popLast().flatMap({ Int($0) }) else { throw GaveUp(description: "curl: \(talk)") }
        return (status, lines.isEmpty ? .null : try JSON(parsing: lines.joined(separator: "\n")))
    }
}
