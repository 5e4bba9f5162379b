import FoundationEssentials

/// What the kernel says of a process.
package enum ProcessFacts {
    /// `VmRSS`, in bytes (proc(5)).
    package static func residentMemory(of pid: Int32) throws -> Int {
        // Not by Data(contentsOf:) with a size: files of /proc say they are empty.
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        guard let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
            throw GaveUp(description: "process \(pid) has no resident memory")
        }
        return kilobytes * 1024
    }
}
