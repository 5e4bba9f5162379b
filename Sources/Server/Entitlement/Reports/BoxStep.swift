package import Clientless

/// An event of a box on its way to play something: for the log, the counters and the reports. Never a code, a token
/// or an ID.
package struct BoxStep: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case codeMade = "code-made"
        case codeOpened = "code-opened"
        /// A viewer picked a provider.
        case signInBegun = "sign-in-begun"
        /// The provider did not accept the viewer.
        case signInRefused = "sign-in-refused"
        case confirmed
        /// The viewer said that this is not their box.
        case declined
        /// A new permit; one that was kept before is none.
        case permitted
        case permitRefused = "permit-refused"
        case mediaToken = "media-token"
    }

    package let kind: Kind
    package let time: Timestamp
    package let requestor: RequestorID
    /// `nil` before a provider was picked.
    package let mvpd: MVPDID?
    package let device: DeviceHash
    package var model = BoxModel()
    /// The network of the box; `nil` if the caller is not the box.
    package var network: NetworkPrefix?
    /// The resource of a permit, given or refused; `nil` for everything else.
    package var resource: Resource?
    /// Why it was refused; `nil` if it is no refusal.
    package var denial: Denial?
    /// By ``ServerKeys/loginName(_:of:)``; `nil` for everything but a password that was refused.
    package var viewer: String?
    /// From the code to the confirmation; `nil` for everything else.
    package var duration: Duration?
}

/// The kind of a box, in words of few bytes: boxes say what they like.
package struct BoxModel: Hashable, Sendable, Decodable {
    package static let unknown = "unknown"
    /// In bytes of UTF-8.
    static let maximumLength = 32

    /// Such as `SetTopBox`.
    package let deviceType: String
    /// The name of the operating system.
    package let platform: String

    var json: JSONValue { ["deviceType": .string(self.deviceType), "platform": .string(self.platform)] }

    package init(deviceType: String? = nil, platform: String? = nil) {
        self.deviceType = Self.word(deviceType)
        self.platform = Self.word(platform)
    }

    /// A text that is longer, or has other than letters, digits and a few marks, says nothing.
    private static func word(_ text: String?) -> String {
        guard let text, (1...self.maximumLength).contains(text.utf8.count),
            text.utf8.allSatisfy({ isIdentifierByte($0) || " .".utf8.contains($0) })
        else { return self.unknown }
        return text
    }
}

extension BoxModel {
    /// - Parameter deviceType: what the box called itself when it asked for its code; counts where its information does
    ///   not say.
    init(_ box: BoxDescription, deviceType: String?) {
        let kind = box.deviceInformation.map(NormalisedDeviceInformation.kind)
        self.init(deviceType: kind?.type ?? deviceType, platform: kind?.system)
    }
}
