import Clientless
import CommandLineTool
import HTTPServer
package import ServerAPI

package struct CallSettings: Sendable {
    /// `iss` of software statements and access tokens; `nil` is the host of the public URL (rest-v1 10.1).
    package let issuer: String?
    let showsDescription: Bool
    /// The settings that the faces have under the same names; their address stands elsewhere.
    package let api: APISettings

    init(_ section: SettingsSection) {
        var api = APISettings(publicURL: "")
        api.clockWindow = section.read(
            "clockWindow", .duration(.seconds(30) ... .seconds(86_400)), default: api.clockWindow,
            "How far a box's clock may be off, and how long a nonce is remembered")
        self.issuer = section.readOptional(
            "issuer", .label(1...253), example: "tv.example",
            "The issuer of software statements and access tokens; left out, the host of publicURL")
        api.allowsAnyRedirect = section.read(
            "allowAnyRedirect", .flag, default: false,
            "Whether a login that a programmer's page began may return to any address; for development only")
        api.metricsReaders = AddressSet(
            section.readList(
                "metricsReaders", of: .network, default: [], atMost: 64,
                "The addresses besides this machine that may read /metrics"))
        self.showsDescription = section.read(
            "showDescription", .flag, default: false,
            "Whether /openapi.json has the description of the API, as 'latchkeyd openapi' prints it")
        api.limitsOrigins = section.read(
            "limitOrigins", .flag, default: false,
            "Whether only pages of the requestors' domains may call for compatible requestors, too, as for strict ones")
        Self.readLabels(section, into: &api)
        let degradationCalls = section.read(
            "degradationCallsPerMinute", .integer(0...1000), default: 2,
            "Calls from one address about degradation in a minute; 0 is no limit")
        api.degradationCalls = degradationCalls == 0 ? nil : degradationCalls
        api.throttle = section.section(
            "throttle", "How often one box, and one address, may call", Throttle.Settings.init(reading:))
        self.api = api
    }

    private static func readLabels(_ section: SettingsSection, into api: inout APISettings) {
        api.clientLabels.device = section.read(
            "configDevice", .label(1...64), default: api.clientLabels.device,
            "The name of the asking device in lists of providers")
        api.clientLabels.clientType = section.read(
            "configClientType", .label(1...64), default: api.clientLabels.clientType,
            "The name of its kind of client there")
        api.clientLabels.os = section.read(
            "configOS", .label(1...64), default: api.clientLabels.os, "The name of its system there")
    }
}

extension Throttle.Settings {
    /// One call each interval, and so many at once after a pause (rest-v1 24.1, model B).
    /// - Returns: `nil` when it is switched off.
    fileprivate init?(reading section: SettingsSection) {
        func limit(_ interval: Duration, burst: Int) -> ThrottleLimit {
            let interval = interval.wholeMilliseconds
            return ThrottleLimit(interval: interval, tolerance: interval * Int64(burst))
        }
        let intervals = Duration.milliseconds(1) ... .seconds(3600)
        self.init()
        let isEnabled = section.read("enabled", .flag, default: true, "Whether calls are throttled")
        self.device = limit(
            section.read(
                "deviceInterval", .duration(intervals), default: .seconds(1), "The time between two calls of one box"),
            burst: section.read(
                "deviceBurst", .integer(0...10_000), default: 10, "Calls of one box that may come at once after a pause"
            ))
        self.address = limit(
            section.read(
                "addressInterval", .duration(intervals), default: .milliseconds(100),
                "The time between two calls from one address, whatever boxes it names"),
            burst: section.read(
                "addressBurst", .integer(0...100_000), default: 100, "Calls from one address that may come at once"))
        self.bound = section.read(
            "remembered", .integer(1000...100_000_000), default: self.bound,
            "The most boxes, and the most addresses, that are remembered; a flood replaces the oldest")
        guard isEnabled else { return nil }
    }
}
