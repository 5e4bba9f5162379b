import JSON5
package import HTTPServer
package import ServerAPI

/// How calls prove who they are, and how many are taken.
package struct CallSettings: Sendable {
    /// How far a box's clock may be off (rest-v1 7.3).
    package let clockWindow: Duration
    /// `iss` of software statements and access tokens; `nil` is the host of the public URL (rest-v1 10.1).
    package let issuer: String?
    /// Lets `authenticate` lead anywhere (rest-v1 13.1).
    package let allowsAnyRedirect: Bool
    package let metricsReaders: [IPNetwork]
    /// Whether callers may read the description of the API.
    package let showsDescription: Bool
    /// Lets only pages of a requestor's domains read answers (rest-v1 3.7).
    package let limitsOrigins: Bool
    /// The provider list's labels of the client that asks (rest-v1 12).
    package let clientLabels: APISettings.ClientLabels
    /// Degradation calls from one address in a minute; `nil` is no limit (rest-v1 25).
    package let degradationCalls: Int?
    /// `nil` when calls are not throttled.
    package let throttle: ThrottleSettings?

    init(_ section: SettingsSection) {
        self.clockWindow = section.read(
            "clockWindow", .duration(.seconds(30) ... .seconds(86_400)), default: .seconds(15 * 60),
            "How far a box's clock may be off, and how long a nonce is remembered")
        self.issuer = section.readOptional(
            "issuer", .label(1...253), example: "tv.example",
            "The issuer of software statements and access tokens; left out, the host of publicURL")
        self.allowsAnyRedirect = section.read(
            "allowAnyRedirect", .flag, default: false,
            "Whether a login that a programmer's page began may return to any address; for development only")
        self.metricsReaders = section.readList(
            "metricsReaders", of: .network, default: [], atMost: 64,
            "The addresses besides this machine that may read /metrics")
        self.showsDescription = section.read(
            "showDescription", .flag, default: false,
            "Whether /openapi.json has the description of the API, as 'latchkeyd openapi' prints it")
        self.limitsOrigins = section.read(
            "limitOrigins", .flag, default: false,
            "Whether only pages of the requestors' domains may read answers; if false, pages of any site may")
        var labels = APISettings.ClientLabels()
        labels.device = section.read(
            "configDevice", .label(1...64), default: labels.device,
            "The name of the asking device in lists of providers")
        labels.clientType = section.read(
            "configClientType", .label(1...64), default: labels.clientType, "The name of its kind of client there")
        labels.os = section.read("configOS", .label(1...64), default: labels.os, "The name of its system there")
        self.clientLabels = labels
        let degradationCalls = section.read(
            "degradationCallsPerMinute", .integer(0...1000), default: 2,
            "Calls from one address about degradation in a minute; 0 is no limit")
        self.degradationCalls = degradationCalls == 0 ? nil : degradationCalls
        self.throttle = section.section("throttle", "How often one box, and one address, may call") {
            ThrottleSettings($0)
        }
    }
}

/// One call each interval, and so many at once after a pause (rest-v1 24.1, model B).
package struct ThrottleSettings: Hashable, Sendable {
    package let deviceInterval: Duration
    package let deviceBurst: Int
    package let addressInterval: Duration
    package let addressBurst: Int
    package let remembered: Int

    /// - Returns: `nil` when it is switched off.
    init?(_ section: SettingsSection) {
        let intervals = Duration.milliseconds(1) ... .seconds(3600)
        let isEnabled = section.read("enabled", .flag, default: true, "Whether calls are throttled")
        self.deviceInterval = section.read(
            "deviceInterval", .duration(intervals), default: .seconds(1), "The time between two calls of one box")
        self.deviceBurst = section.read(
            "deviceBurst", .integer(0...10_000), default: 10, "Calls of one box that may come at once after a pause")
        self.addressInterval = section.read(
            "addressInterval", .duration(intervals), default: .milliseconds(100),
            "The time between two calls from one address, whatever boxes it names")
        self.addressBurst = section.read(
            "addressBurst", .integer(0...100_000), default: 100, "Calls from one address that may come at once")
        self.remembered = section.read(
            "remembered", .integer(1000...100_000_000), default: 200_000,
            "The most boxes, and the most addresses, that are remembered; a flood replaces the oldest")
        guard isEnabled else { return nil }
    }
}
