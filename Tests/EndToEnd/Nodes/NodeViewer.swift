import HTTPClient
import RealPrograms

/// A viewer who confirms a box at one node, in two parts, so that two of them can come to the same code at once.
struct NodeViewer: Sendable {
    /// What came of the viewer's last step.
    enum Outcome: Hashable, Sendable {
        case confirmed
        /// The page says that it cannot be.
        case refused(String)
        /// No answer, or one that says nothing: it may be confirmed or not.
        case unknown
    }

    private let calls: NodeCalls
    private let demo: DemoFolder
    private let node: Int
    private let phone: Phone

    init(_ load: NodeLoad, at node: Int) {
        self.calls = load.judge
        self.demo = load.fleet.demos[node]
        self.node = node
        self.phone = Phone(load.fleet.client, behindProxyAt: BoxCalls.address())
    }

    /// Goes as far as the question whether this box is in front of the viewer.
    /// - Returns: the page with the question; `nil` where the node had no answer now, or another viewer was faster, which
    ///   `isAlone` says cannot be.
    func walk(_ code: String, isAlone: Bool) async throws -> Phone.Page? {
        let url = "\(self.demo.url)/activate?code=\(code)"
        guard var page = try await self.page("a code's page", { try await self.phone.open(url) }) else { return nil }
        for _ in 0..<8 where !page.isConfirmation {
            guard page.status == 200, page.content.alerts.isEmpty else {
                if isAlone { self.calls.findings.note("node \(self.node), a viewer of \(code) alone: \(page.summary)") }
                return nil
            }
            let current = page
            let next = try await self.page("a page's form") {
                try await self.phone.goOn(from: current, as: self.demo.viewer)
            }
            guard let next else { return nil }
            page = next
        }
        return page
    }

    func confirm(_ question: Phone.Page) async throws -> Outcome {
        guard let form = question.form(having: "decision"),
            let button = form.button(named: "decision", value: "confirm")
        else { return .refused("no question: \(question.summary)") }
        let end = try await self.page("a confirmation") {
            try await self.phone.submit(form, of: question, pressing: button)
        }
        guard let end else { return .unknown }
        return end.status == 200 && end.content.alerts.isEmpty ? .confirmed : .refused(end.summary)
    }

    /// One step, or `nil` where the node had no answer.
    private func page(_ what: String, _ step: @Sendable () async throws -> Phone.Page) async throws -> Phone.Page? {
        var page: Phone.Page?
        let answer = try await self.calls.judged(what, at: self.node) {
            let loaded = try await step()
            page = loaded
            return HTTPClient.Response(
                status: loaded.status, headers: loaded.headers, body: Array(loaded.content.text.utf8))
        }
        return answer.response == nil ? nil : page
    }
}

/// Of viewers who say yes to one code at once.
extension [NodeViewer.Outcome] {
    var hasConfirmation: Bool { self.contains(.confirmed) }

    /// What is wrong with it; `nil` when exactly one succeeded, or when that cannot be known.
    var violation: String? {
        let confirmations = self.filter { $0 == .confirmed }.count
        if confirmations > 1 { return "confirmed twice" }
        let refusals = self.compactMap { if case .refused(let page) = $0 { page } else { nil } }
        guard confirmations == 0, !self.isEmpty, refusals.count == self.count else { return nil }
        return "refused to all: \(refusals)"
    }
}
