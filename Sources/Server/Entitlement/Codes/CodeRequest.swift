package import Clientless

/// What a box asks for when it wants a code (rest-v1 11.1), after the face has checked the form of every part.
package struct CodeRequest: Sendable {
    /// The lifetimes a box may ask for; 1800 s when it asks for none.
    package static let lifetimes: ClosedRange<Int> = 1...36000
    package static let defaultLifetime = 1800

    package let requestor: RequestorID
    package let deviceID: DeviceID
    package let context: DeviceContext
    package let mvpd: MVPDID?
    package let lifetime: Duration
    package let registrationURL: String?
    package let deviceType: String?
    package let appVersion: String?
    package let box: BoxDescription
    package let application: ApplicationReference?

    package init(
        requestor: RequestorID, deviceID: DeviceID, context: DeviceContext, mvpd: MVPDID?, lifetime: Duration,
        registrationURL: String?, deviceType: String?, appVersion: String?, box: BoxDescription,
        application: ApplicationReference?
    ) {
        self.requestor = requestor
        self.deviceID = deviceID
        self.context = context
        self.mvpd = mvpd
        self.lifetime = lifetime
        self.registrationURL = registrationURL
        self.deviceType = deviceType
        self.appVersion = appVersion
        self.box = box
        self.application = application
    }
}
