package import TestSupport

/// A real TV provider that a test starts, and servers are configured for.
package protocol RunningProvider: Sendable {
    /// One of its viewers, with the channels NS-MAIN and NS-KIDS.
    static var viewer: Viewer { get }
    /// Where its pages are.
    var url: String { get }

    /// Starts it in a folder, and configures a server for it that does not run yet.
    static func start(for demo: DemoFolder, in folder: TemporaryFolder) async throws -> Self
}

extension RunningOpenIDProvider: RunningProvider {
    package static func start(for demo: DemoFolder, in folder: TemporaryFolder) async throws -> RunningOpenIDProvider {
        let provider = try await RunningOpenIDProvider.start(in: folder.file("provider"), back: Self.back(of: demo))
        try provider.configure(demo)
        return provider
    }
}

extension RunningSAMLProvider: RunningProvider {
    package static func start(for demo: DemoFolder, in folder: TemporaryFolder) async throws -> RunningSAMLProvider {
        let provider = try await RunningSAMLProvider.start(
            in: folder.file("provider"), service: Self.service(of: demo))
        let key = folder.file("made.pem")
        let (end, _, talk) = try await ChildProcess(ProgramFolder.own.server, ["provider", "make-key", key]).run()
        guard end == .exited(0) else { throw GaveUp(description: "no key was made: \(talk)") }
        try provider.configure(demo, key: try folder.read("made.pem"))
        return provider
    }
}
