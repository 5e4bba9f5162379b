package import Clientless

/// A registration code with all that was said when it was made (rest-v1 11.1).
package struct RegistrationRecord: Hashable, Sendable {
    /// UUID text, lower case.
    package let id: String
    package let code: RegistrationCodeText
    package let requestor: RequestorID
    /// Raw while the code is open, since the record must return it (rest-v1 6.1); then the hash in hex.
    package let deviceID: DeviceID
    package let context: DeviceContext
    /// The provider the box preselected.
    package let mvpd: MVPDID?
    package let registrationURL: String?
    package let deviceType: String?
    package let appVersion: String?
    package let box: BoxDescription
    /// The registered application of a bearer caller; `nil` for a key pair.
    package let application: ApplicationReference?
    package let credential: BoxCredential?
    package var life: RegistrationCode
    /// Counts the changes; a swap names the version it read.
    package var version: Int

    package init(
        id: String, code: RegistrationCodeText, requestor: RequestorID, deviceID: DeviceID, context: DeviceContext,
        mvpd: MVPDID?, registrationURL: String?, deviceType: String?, appVersion: String?, box: BoxDescription,
        application: ApplicationReference?, credential: BoxCredential? = nil, life: RegistrationCode, version: Int = 0
    ) {
        self.id = id
        self.code = code
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
        self.life = life
        self.version = version
    }
}
