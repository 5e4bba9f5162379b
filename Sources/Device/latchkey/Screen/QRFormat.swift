/// How to draw the QR code of a pairing on a terminal, in the words of `--qr-format`.
enum QRFormat: Hashable, Sendable {
    /// The best form that the terminal shows.
    case automatic
    case form(QRForm)
    case none

    static let words = ["auto"] + QRForm.allCases.map(\.rawValue) + ["none"]

    init?(_ word: String) {
        switch word {
        case "auto": self = .automatic
        case "none": self = .none
        default:
            guard let form = QRForm(rawValue: word) else { return nil }
            self = .form(form)
        }
    }
}
