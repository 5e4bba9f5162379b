import FoundationEssentials

/// Reads QR codes off pictures with zbarimg (package zbar-tools).
package enum Scanner {
    package struct Unreadable: Error {
        package let talk: String
    }

    /// The text of the one code on a picture.
    /// - Parameter name: how the picture's file is called; its ending says its format.
    /// - Throws: ``Unreadable`` when the scanner sees none.
    package static func read(_ picture: [UInt8], as name: String = "screen.pgm") async throws -> String {
        let folder = try TemporaryFolder()
        try Data(picture).write(to: URL(filePath: folder.file(name)))
        return try await self.read(file: folder.file(name))
    }

    package static func read(file: String) async throws -> String {
        let reading = try await ChildProcess(
            "zbarimg", ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", file]
        ).run()
        guard reading.end == .exited(0) else { throw Unreadable(talk: reading.talk) }
        return reading.output.hasSuffix("\n") ? String(reading.output.dropLast()) : reading.output
    }
}
