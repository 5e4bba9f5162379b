package import CommandLineTool
package import TerminalQR

/// How a pairing shows its QR code, from the command line.
package struct PairingOptions: Hashable, Sendable {
    /// The form of the QR code on the terminal.
    package enum Format: Hashable, Sendable {
        /// The best that the terminal shows.
        case automatic
        case form(QRForm)
        case none

        /// The words of `--qr-format`.
        static let words = ["auto"] + QRForm.allCases.map(\.rawValue) + ["none"]

        package init?(_ word: String) {
            switch word {
            case "auto": self = .automatic
            case "none": self = .none
            default:
                guard let form = QRForm(rawValue: word) else { return nil }
                self = .form(form)
            }
        }
    }

    package var format: Format
    /// A PNG file to keep up to date; `nil` for none.
    package var picture: String?
    /// Whether a code that ran out unseen ends the command.
    package var showsOneCode: Bool

    package init(format: Format = .automatic, picture: String? = nil, showsOneCode: Bool = false) {
        self.format = format
        self.picture = picture
        self.showsOneCode = showsOneCode
    }

    /// - Throws: for a form that is not known.
    package init(_ arguments: ParsedArguments) throws(UsageError) {
        let word = arguments.value("qr-format") ?? "auto"
        guard let format = Format(word) else {
            throw UsageError(
                "--qr-format takes one of \(Format.words.joined(separator: ", ")), not '\(terminalSafe(word, limit: 40))'.",
                commandPath: arguments.commandPath)
        }
        self.init(format: format, picture: arguments.value("qr-png"), showsOneCode: arguments.has("once"))
    }
}
