import FoundationEssentials

/// Where the built programs are.
package struct ProgramFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// The folder of the running executable: `swift test` and `swift run` put the programs beside it.
    package static let own: ProgramFolder = {
        let executable = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return ProgramFolder(path: executable.lastIndex(of: "/").map { String(executable[..<$0]) } ?? ".")
    }()

    package func program(_ name: String) -> String { "\(self.path)/\(name)" }
    package var server: String { self.program("latchkeyd") }
    package var box: String { self.program("latchkey") }
    package var sample: String { self.program("sample") }
}
