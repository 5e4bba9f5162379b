import Clientless
import JSON5

extension SettingKind where Value == RequestorID {
    static var requestorID: SettingKind {
        SettingKind(
            expects: "a requestor ID: 1 to 64 letters, digits, '_' or '-'",
            read: { if case .text(let text) = $0 { RequestorID(text) } else { nil } },
            write: { .text($0.text) })
    }
}

extension SettingKind where Value == MVPDID {
    static var mvpdID: SettingKind {
        SettingKind(
            expects: "a provider ID: 1 to 64 letters, digits, '_' or '-'",
            read: { if case .text(let text) = $0 { MVPDID(text) } else { nil } },
            write: { .text($0.text) })
    }
}

extension SettingKind where Value == String {
    /// A name for people, no longer than pages show it.
    static var shownName: SettingKind { .label(1...64) }
}
