/// A mistake in a template or a file of sentences, found when the server starts; or a page that does not give its
/// template what it shows, found when it is rendered.
package struct TemplateFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's name, such as `confirm.html`.
    package let file: String
    /// Counted from 1; 0 when the whole file is meant.
    package let line: Int
    package let message: String

    package init(file: String, line: Int, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    package var description: String {
        self.line > 0 ? "\(self.file):\(self.line): \(self.message)" : "\(self.file): \(self.message)"
    }
}
