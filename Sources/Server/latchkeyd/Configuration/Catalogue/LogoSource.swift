import JSON5
import ServerAPI

/// The source of a logo.
enum LogoSource: Hashable, Sendable {
    /// A path, as it is configured or as the system takes it.
    case file(String)
    /// An https address.
    case address(String)

    /// The same, with a path as the system takes it.
    func located(_ path: (String) -> String) -> LogoSource {
        switch self {
        case .file(let name): .file(path(name))
        case .address: self
        }
    }

    /// Its address on the web, for boxes.
    var address: String? {
        switch self {
        case .file: nil
        case .address(let address): address
        }
    }

    /// The path of a file.
    var file: String? {
        switch self {
        case .file(let path): path
        case .address: nil
        }
    }

    /// The words about a logo in every setting.
    static let explanation =
        "a file or an https address: PNG, WebP or SVG of at most "
        + "\(LogoShelf.maximumSize / 1024) KiB, which the server fetches, checks and shows itself"
}

extension SettingKind where Value == LogoSource {
    static var logo: SettingKind {
        SettingKind(
            expects: "an https address, such as \"https://tv.example/cable-nova.png\", or the path of a file",
            read: { value in
                guard case .text(let text) = value else { return nil }
                guard text.contains("://") else { return SettingKind<String>.file.read(value).map { .file($0) } }
                guard text.hasPrefix("https://") else { return nil }
                return SettingKind<String>.webPage.read(value).map { .address($0) }
            },
            write: { source in
                switch source {
                case .file(let text), .address(let text): .text(text)
                }
            })
    }
}
