import Glibc
import RealPrograms

/// `phone URL ACCOUNT PASSWORD [decline]`: goes through the pages behind the URL of a QR code as a person with a phone
/// would, and confirms or declines the box at the end. Talk goes to standard error.
@main
struct Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst().map { String($0) }
        guard (3...4).contains(arguments.count), arguments.count == 3 || arguments[3] == "decline" else {
            say("usage: phone URL ACCOUNT PASSWORD [decline]")
            exit(64)
        }
        let decision: Phone.Decision = arguments.count == 4 ? .decline : .confirm
        let viewer = Viewer(account: arguments[1], password: arguments[2])
        do {
            let phone = Phone()
            let question = try await phone.walkToConfirmation(from: arguments[0], as: viewer)
            say("phone: “\(question.content.headings.first ?? "")”")
            let end = try await phone.decide(decision, on: question)
            say("phone: “\(end.content.headings.first ?? "")”")
        } catch {
            say("phone: \(error)")
            exit(1)
        }
    }

    private static func say(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = unsafe write(2, bytes, bytes.count)
    }
}
