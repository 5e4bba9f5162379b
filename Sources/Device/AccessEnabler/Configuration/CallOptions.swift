import Synchronization

/// The options that ``AccessEnabler/setOptions(_:)`` set, for every call from then on (access-enabler 7.3, D-41).
final class CallOptions: Sendable {
    private let values = Mutex<[String: AccessEnabler.OptionValue]>([:])

    /// Merges: a key given again replaces the old value, `null` removes it.
    func merge(_ options: [String: AccessEnabler.OptionValue]) {
        self.values.withLock { values in
            for (key, value) in options { values[key] = value == .null ? nil : value }
        }
    }

    /// Whether the application shows the secure browser itself. It is not sent.
    var handlesSecureBrowser: Bool { self.values.withLock { $0[AccessEnabler.OptionKey.handleSVC] == .bool(true) } }

    /// The application's own client information, Base64.
    var deviceInfo: String? {
        self.values.withLock {
            if case .string(let text) = $0[AccessEnabler.OptionKey.deviceInfo] { text } else { nil }
        }
    }

    /// The parameters of a call, by name.
    var parameters: [(String, String)] {
        self.values.withLock { values in
            values.compactMap { key, value -> (String, String)? in
                switch (key, value) {
                case (AccessEnabler.OptionKey.handleSVC, _), (AccessEnabler.OptionKey.deviceInfo, _), (_, .null): nil
                case (AccessEnabler.OptionKey.visitorID, .string(let text)): ("ap_vi", text)
                case (_, .string(let text)): (key, text)
                case (_, .bool(let flag)): (key, flag ? "true" : "false")
                }
            }
        }.sorted { $0.0 < $1.0 }
    }
}
