import TestSupport

/// `xmllint` of libxml2, a parser that is not ours.
enum Xmllint {
    /// Whether `document` is well-formed XML. The templates are written so that a page is both HTML and that.
    static func accepts(_ document: String) async throws -> Bool {
        let folder = try TemporaryFolder()
        let file = try folder.write(document, to: "page.xml")
        return try await ChildProcess("xmllint", ["--noout", "--nonet", file]).run().end == .exited(0)
    }
}
