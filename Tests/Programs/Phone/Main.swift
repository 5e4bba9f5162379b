import Glibc
import HTTPClient
import RealPrograms

/// Goes through the pages behind the URL of a QR code as a person with a phone would, and confirms or declines the box at
/// the end. Talk goes to standard error.
@main
struct Main {
    static func main() async {
        guard let arguments = Arguments(CommandLine.arguments.dropFirst().map { String($0) }) else {
            say(Arguments.usage)
            exit(64)
        }
        do {
            var settings = HTTPClient.Configuration()
            settings.authorityFile = arguments.authority
            let phone = Phone(HTTPClient(settings))
            let question = try await Self.question(on: phone, arguments)
            say("phone: “\(question.content.headings.first ?? "")”")
            let end = try await phone.decide(arguments.decision, on: question)
            say("phone: “\(end.content.headings.first ?? "")”")
        } catch {
            say("phone: \(error)")
            _exit(1)
        }
        // The client's thread may still be closing connections; it must not meet the libraries' own ends.
        _exit(0)
    }

    private static func question(on phone: Phone, _ arguments: Arguments) async throws -> Phone.Page {
        guard let pages = arguments.pages else {
            return try await phone.walkToConfirmation(from: arguments.address, as: arguments.viewer)
        }
        let away = try await phone.walkToProvider(from: arguments.address, as: arguments.viewer)
        return try await phone.open(
            try await RunningOpenIDProvider.signIn(at: pages, from: away, as: arguments.viewer))
    }

    private static func say(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = unsafe write(2, bytes, bytes.count)
    }
}
