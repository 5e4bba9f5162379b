import AccessEnabler
import FoundationEssentials
import Glibc

/// A line of JSON on standard output, at once, also where a pipe takes it.
enum Line {
    static func say(_ members: [String: String]) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let line = try? encoder.encode(members) else { return }
        Self.write(Array(line) + [UInt8(ascii: "\n")], to: 1)
    }

    /// For whoever started it, on standard error.
    static func talk(_ text: String) { Self.write(Array((text + "\n").utf8), to: 2) }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(count, 0))
        }
    }
}

extension EntitlementEvent {
    /// The event in words.
    var line: [String: String] {
        switch self {
        case .requestorComplete(let status): ["event": "requestorComplete", "status": "\(status.rawValue)"]
        case .authenticationStatus(let status, let code):
            ["event": "authenticationStatus", "status": "\(status.rawValue)", "code": code]
        case .providerDialog(let mvpds):
            ["event": "providerDialog", "providers": mvpds.map(\.id).joined(separator: ",")]
        case .navigate(let request): ["event": "navigate", "url": request.url]
        case .registrationCode(let code):
            ["event": "registrationCode", "code": code.code, "url": code.qrPayload ?? ""]
        case .preauthorizedResources(let resources):
            ["event": "preauthorizedResources", "resources": resources.joined(separator: ",")]
        case .token(let token): ["event": "token", "resource": token.resource, "token": token.token]
        case .tokenRequestFailed(let failure):
            ["event": "tokenRequestFailed", "resource": failure.resource, "code": failure.code]
        case .selectedProvider(let mvpd): ["event": "selectedProvider", "provider": mvpd?.id ?? ""]
        case .presentTvProviderDialog: ["event": "presentTvProviderDialog"]
        case .dismissTvProviderDialog: ["event": "dismissTvProviderDialog"]
        case .metadata(_, let key, _): ["event": "metadata", "key": "\(key)"]
        case .tracking(let event, let data):
            ["event": "tracking", "kind": "\(event)", "data": data.joined(separator: "|")]
        case .status(let status): status.dictionary.merging(["event": "status"]) { $1 }
        }
    }
}
