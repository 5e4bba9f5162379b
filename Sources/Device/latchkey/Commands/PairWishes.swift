import CommandLineTool
import TerminalQR

struct PairWishes {
    var again = false
    /// Waits for a server that cannot be reached when the command starts, as a box does that is quicker than its router.
    var waitsForServer = true
    /// Ends the command when that long passed; `nil` without a limit.
    var timeout: Duration?
    /// Ends the command when a code ran out that no viewer entered, which another one follows otherwise.
    var showsOneCode = false
    /// The forms that the QR code may have; `nil` for the best that the terminal shows.
    var forms: [QRForm]?
    /// The tag of the language that the viewer is spoken to in; `nil` if the configuration or the locale says it.
    var language: String?
    /// A PNG file that has the QR code while it is on show; `nil` for none.
    var picture: String?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        // The account of the box has no code for a viewer who is signed in.
        self.again = arguments.commandPath.last == "pair" && arguments.has("again")
        self.waitsForServer = !arguments.has("no-wait")
        self.timeout = try arguments.integer("timeout", in: 1...86_400).map { .seconds($0) }
        self.showsOneCode = arguments.has("once")
        if let word = arguments.value("qr-format") {
            guard let wish = QRForm.wishes.first(where: { $0.word == word }) else {
                throw arguments.fault(
                    "--qr-format takes one of \(QRForm.wishes.map(\.word).joined(separator: ", ")), not "
                        + "'\(terminalSafe(word, limit: 40))'.")
            }
            self.forms = wish.forms
        }
        self.picture = arguments.value("qr-png")
        self.language = try ViewerLanguage.chosen(by: arguments)
    }
}

/// How long to pause before a server is asked again that could not be reached: longer each time, and by chance, so that
/// boxes that lost one server come back spread.
struct StartBackOff {
    private static let longest: Duration = .seconds(60)
    private var next: Duration = .seconds(1)

    /// - Parameter chance: uniform from 0 up to, but not including, 1.
    mutating func pause(_ chance: Double) -> Duration {
        let pause = self.next * (0.5 + 0.5 * chance)
        self.next = min(self.next * 2, Self.longest)
        return pause
    }
}
