import FoundationEssentials

/// What the kernel says of a process.
package enum ProcessFacts {
    /// `VmRSS`, in bytes (proc(5)).
    package static func residentMemory(of pid: Int32) throws -> Int { try self.memory("VmRSS", of: pid) }

    /// The same without pages of files, such as code: `RssAnon`.
    package static func ownMemory(of pid: Int32) throws -> Int { try self.memory("RssAnon", of: pid) }

    private static func memory(_ name: String, of pid: Int32) throws -> Int {
        // Not by Data(contentsOf:) with a size: files of /proc say they are empty.
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        guard let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
            throw GaveUp(description: "process \(pid) has no resident memory")
        }
        return kilobytes * 1024
    }

    /// How often its threads have slept and were woken (proc(5), `voluntary_ctxt_switches`).
    package static func wakeUps(of pid: Int32) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").reduce(0) { sum, thread in
            let status = try String(contentsOfFile: "/proc/\(pid)/task/\(thread)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return sum + (line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 0)
        }
    }

    /// Whether none of its threads runs or wants to (proc(5), `stat`).
    package static func isAsleep(_ pid: Int32) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").allSatisfy { thread in
            // `nil` when the thread has just ended.
            let line = try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/stat", encoding: .utf8)
            return line?.split(separator: ")").last?.hasPrefix(" S ") ?? true
        }
    }

    /// The seconds that all its threads have computed, its own and the kernel's for it, in hundredths (proc(5), `stat`).
    package static func processorTime(of pid: Int32) throws -> Double {
        let line = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        // The program's name stands in parentheses and may hold anything; behind it the fields are counted from the third.
        let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let kernel = Double(fields[12]) else {
            throw GaveUp(description: "process \(pid) has no processor time")
        }
        return (user + kernel) / 100
    }
}
