package import Clientless

/// The request of a box for a code (rest-v1 11.1), after the face has checked the form of every part.
///
/// An object: its record is handed on from the box's call to the store and the answer, and copied at each step.
package final class CodeRequest: Hashable, Sendable {
    /// The lifetimes a box may ask for; 1800 s when it does not ask.
    package static let lifetimes: ClosedRange<Int> = 1...36000
    package static let defaultLifetime = 1800

    package let requestor: RequestorID
    /// Raw while the code is open, since the record must return it (rest-v1 6.1); then the hash in hex.
    package let deviceID: DeviceID
    package let context: DeviceContext
    package let mvpd: MVPDID?
    package let registrationURL: String?
    package let deviceType: String?
    package let appVersion: String?
    package let box: BoxDescription
    /// The registered application of a bearer caller; `nil` for a key pair.
    package let application: ApplicationReference?
    package let credential: BoxCredential?

    package init(
        requestor: RequestorID, deviceID: DeviceID, context: DeviceContext, mvpd: MVPDID?,
        registrationURL: String?, deviceType: String?, appVersion: String?, box: BoxDescription,
        application: ApplicationReference?, credential: BoxCredential? = nil
    ) {
        self.requestor = requestor
        self.deviceID = deviceID
        self.context = context
        self.mvpd = mvpd
        self.registrationURL = registrationURL
        self.deviceType = deviceType
        self.appVersion = appVersion
        self.box = box
        self.application = application
        self.credential = credential
    }

    package static func == (one: CodeRequest, other: CodeRequest) -> Bool {
        one.requestor == other.requestor && one.deviceID == other.deviceID && one.context == other.context
            && one.mvpd == other.mvpd && one.registrationURL == other.registrationURL
            && one.deviceType == other.deviceType && one.appVersion == other.appVersion && one.box == other.box
            && one.application == other.application && one.credential == other.credential
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(self.context) }

    /// The bytes of the texts that its caller chose.
    var size: Int {
        func size(_ text: String?) -> Int { text?.utf8.count ?? 0 }
        let named = size(self.deviceID.text) + size(self.context.appID) + size(self.context.deviceUser)
        let said = size(self.registrationURL) + size(self.deviceType) + size(self.appVersion)
        let box = size(self.box.name) + size(self.box.model) + size(self.box.software) + size(self.box.userAgent)
        return named + said + box + size(self.box.deviceInformation)
    }
}

/// The registered application behind a bearer caller, as the code record names it (rest-v1 11.1).
package struct ApplicationReference: Hashable, Sendable {
    package let id: String
    package let name: String
    package let version: String

    package init(id: String, name: String, version: String) {
        self.id = id
        self.name = name
        self.version = version
    }
}

/// The box's words about itself and its network, for the confirmation page and the code record.
///
/// Every field came from outside: it is cut to ``maximumTextLength`` bytes, pages escape it, logs never see it.
package struct BoxDescription: Hashable, Sendable {
    /// In bytes of UTF-8.
    package static let maximumTextLength = 512
    /// In bytes; longer client information is dropped, as half of it cannot be read.
    package static let maximumDeviceInformationLength = 24_576

    /// The box's own name, such as `Living room`.
    package let name: String?
    /// `nil` for a box that says `Unknown`, which is the client information's word for no model (rest-v1 5).
    package let model: String?
    package let software: String?
    package let userAgent: String?
    /// The normalised client information of rest-v1 5, as Base64; opaque.
    package let deviceInformation: String?
    /// The address the code was asked from, as text.
    package let address: String

    package init(
        name: String?, model: String?, software: String?, userAgent: String?, deviceInformation: String?,
        address: String
    ) {
        func bounded(_ text: String?) -> String? { text?.prefix(bytes: Self.maximumTextLength) }
        self.name = bounded(name)
        self.model = model?.lowercased() == "unknown" ? nil : bounded(model)
        self.software = bounded(software)
        self.userAgent = bounded(userAgent)
        self.deviceInformation = deviceInformation.flatMap {
            $0.utf8.count <= Self.maximumDeviceInformationLength ? $0 : nil
        }
        self.address = address.prefix(bytes: Self.maximumTextLength)
    }
}

/// A registration code with all that was said when it was made (rest-v1 11.1).
package struct RegistrationRecord: Hashable, Sendable {
    /// UUID text, lower case.
    package let id: String
    package let code: RegistrationCodeText
    package let request: CodeRequest
    package var life: RegistrationCode
    /// Counts the changes; a swap names the version it read.
    package var version: Int

    package init(
        id: String, code: RegistrationCodeText, request: CodeRequest, life: RegistrationCode, version: Int = 0
    ) {
        self.id = id
        self.code = code
        self.request = request
        self.life = life
        self.version = version
    }

    package var requestor: RequestorID { self.request.requestor }
    package var context: DeviceContext { self.request.context }
    package var mvpd: MVPDID? { self.request.mvpd }
    package var box: BoxDescription { self.request.box }
}
