import CommandLineTool
import ServerAPI

enum LogoSource: Hashable, Sendable {
    /// A path, as it is configured or as the system takes it.
    case file(String)
    case address(String)

    /// The same, with a path as the system takes it.
    func located(_ path: (String) -> String) -> LogoSource { self.file.map { .file(path($0)) } ?? self }
    var address: String? { if case .address(let address) = self { address } else { nil } }
    var file: String? { if case .file(let path) = self { path } else { nil } }

    static let explanation =
        "a file or an https address: PNG, WebP or SVG of at most "
        + "\(LogoShelf.maximumSize / 1024) KiB, which the server fetches, checks and shows itself"
}

extension SettingKind where Value == LogoSource {
    static var logo: SettingKind {
        .parsed("an https address, such as \"https://tv.example/cable-nova.png\", or the path of a file") { text in
            guard text.contains("://") else { return SettingKind<String>.file.read(.text(text)).map { .file($0) } }
            guard text.hasPrefix("https://") else { return nil }
            return SettingKind<String>.webPage.read(.text(text)).map { .address($0) }
        } _: {
            switch $0 {
            case .file(let text), .address(let text): text
            }
        }
    }
}
