import FoundationEssentials
import Glibc
import TestSupport

/// The clock of programs that a test starts, for all of them at once.
///
/// The programs are started with the library `SettableClock` in place of libc's clock; it maps the file.
package struct ServerClock: Sendable {
    private let file: String

    /// - Parameters:
    ///   - file: where to put what the clock shows.
    ///   - offset: milliseconds ahead of the machine's clock.
    package init(file: String, aheadBy offset: Int64 = 0) throws {
        self.file = file
        try Data(Self.bytes(of: offset) + Self.bytes(of: 0)).write(to: URL(filePath: file))
    }

    /// For a program that is to obey this clock.
    package var environment: [String: String] {
        ["LD_PRELOAD": ProgramFolder.own.program("libSettableClock.so"), "LATCHKEY_TEST_CLOCK": self.file]
    }

    /// Moves the clock of everything that runs, at once.
    /// - Parameter offset: milliseconds ahead of the machine's clock.
    package func set(aheadBy offset: Int64) throws { try self.write(Self.bytes(of: offset) + Self.bytes(of: 0)) }

    /// Lets the clock show one moment until it is set again.
    /// - Parameter moment: milliseconds since 1970.
    package func stop(at moment: Int64) throws { try self.write(Self.bytes(of: 0) + Self.bytes(of: moment)) }

    private func write(_ bytes: [UInt8]) throws {
        // In place and in one piece: the programs have this very file mapped, and must not find it cut off.
        let descriptor = unsafe open(self.file, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard unsafe pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw GaveUp(description: "the clock cannot be set: error \(errno)")
        }
    }

    private static func bytes(of number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
