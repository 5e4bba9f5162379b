/// A provider in the configuration of a ``ScriptedService`` (rest-v1 12).
package struct ScriptedProvider: Sendable {
    package var id: String
    package var name: String
    package var isPerRequestor = false
    package var isPassive = true
    package var isTempPass = false
    package var enablesPlatform = false
    /// `SUPPORTED` or `PICKER`.
    package var boarding: String?
    package var platformID: String?
    package var isInPlatformPicker = true
    /// Members of `metadata`, as JSON.
    package var metadata = ""

    package init(_ id: String, name: String? = nil, _ change: (inout ScriptedProvider) -> Void = { _ in }) {
        self.id = id
        self.name = name ?? id
        change(&self)
    }

    /// Takes part in platform SSO.
    package static func platform(
        _ id: String, _ boarding: String = "SUPPORTED", _ change: (inout ScriptedProvider) -> Void = { _ in }
    ) -> ScriptedProvider {
        ScriptedProvider(id) { provider in
            provider.enablesPlatform = true
            provider.boarding = boarding
            provider.platformID = "platform-\(id)"
            change(&provider)
        }
    }

    /// Gives access without a subscription.
    package static func pass(_ id: String, promotional: Bool = false) -> ScriptedProvider {
        ScriptedProvider(id) { provider in
            provider.isTempPass = true
            if promotional { provider.metadata = #""promotional":true"# }
        }
    }

    var json: String {
        var members = [
            #""id":"\#(self.id)""#, #""displayName":"\#(self.name)""#,
            #""logoUrl":"https://cdn.example.net/\#(self.id).png""#, #""authPerAggregator":\#(self.isPerRequestor)"#,
            #""passiveAuthnEnabled":\#(self.isPassive)"#, #""isTempPass":\#(self.isTempPass)"#,
            #""enablePlatformServices":\#(self.enablesPlatform)"#,
            #""displayInPlatformPicker":\#(self.isInPlatformPicker)"#,
            #""requiredMetadataFields":["householdID"]"#, #""metadata":{\#(self.metadata)}"#,
        ]
        if let boarding { members.append(#""boardingStatus":"\#(boarding)""#) }
        if let platformID { members.append(#""platformMappingId":"\#(platformID)""#) }
        return "{\(members.joined(separator: ","))}"
    }
}
