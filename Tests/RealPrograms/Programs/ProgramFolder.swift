import Glibc

/// Where the built programs are.
package struct ProgramFolder: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// The folder of the running executable: `swift test` and `swift run` put the programs beside it.
    package static let own: ProgramFolder = {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes { buffer in
            unsafe readlink("/proc/self/exe", buffer.baseAddress, buffer.count)
        }
        let executable = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
        return ProgramFolder(path: executable.lastIndex(of: "/").map { String(executable[..<$0]) } ?? ".")
    }()

    package func program(_ name: String) -> String { "\(self.path)/\(name)" }
    package var server: String { self.program("latchkeyd") }
    package var box: String { self.program("latchkey") }
}
