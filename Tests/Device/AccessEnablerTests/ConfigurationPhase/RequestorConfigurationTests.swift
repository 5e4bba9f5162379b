import AccessEnabler
import Clientless
import Testing

@Suite("The configuration of a requestor")
struct RequestorConfigurationTests {
    private let requestor: RequestorID
    private let first: ServiceProviderURL
    private let second: ServiceProviderURL

    init() throws {
        self.requestor = try #require(RequestorID("NORTHSPORT"))
        self.first = try #require(ServiceProviderURL("https://first.example"))
        self.second = try #require(ServiceProviderURL("https://second.example"))
    }

    /// An answer with providers and further members of the requestor, as JSON.
    private func answer(_ providers: [String], _ further: String = "") throws -> JSONValue {
        let json = #"{"requestor":{"mvpds":{"mvpd":[\#(providers.joined(separator: ","))]}\#(further)}}"#
        return try #require(JSONValue(reading: Array(json.utf8)))
    }

    private func provider(_ id: String, _ further: String = "") -> String { #"{"id":"\#(id)"\#(further)}"# }

    private func merged(_ first: JSONValue, _ second: JSONValue) throws -> RequestorConfiguration {
        let answers = [ServiceConfiguration(first, of: self.first), ServiceConfiguration(second, of: self.second)]
        return try #require(RequestorConfiguration(self.requestor, merging: answers.compactMap(\.self)))
    }

    @Test func `is nothing without an answer`() {
        #expect(RequestorConfiguration(self.requestor, merging: [])?.providers.count == nil)
    }

    @Test func `lists all of the first responder in its order, then what is new of the second`() throws {
        let merged = try self.merged(
            try self.answer(["C", "A"].map { self.provider($0) }),
            try self.answer(["D", "A", "B", "C"].map { self.provider($0) }))
        #expect(merged.providers.map(\.id) == ["C", "A", "D", "B"])
    }

    @Test func `binds each provider to the fastest server that has it, with that server's facts`() throws {
        let merged = try self.merged(
            try self.answer([self.provider("A", #","displayName":"First A""#)]),
            try self.answer([
                self.provider("A", #","displayName":"Second A""#), self.provider("B", #","displayName":"Second B""#),
            ]))
        #expect(merged.providers.map(\.mvpd.displayName) == ["First A", "Second B"])
        #expect(merged.providers.map(\.server) == [self.first, self.second])
        #expect(merged.firstResponder == self.first)
        #expect(merged.provider("B")?.server == self.second && merged.provider("C")?.id == nil)
    }

    @Test func `a provider that one answer lists twice is listed once`() throws {
        let merged = try self.merged(try self.answer([self.provider("A"), self.provider("A")]), try self.answer([]))
        #expect(merged.providers.map(\.id) == ["A"])
    }

    @Test func `takes a setting from the first server that has it, each for itself`() throws {
        let merged = try self.merged(
            try self.answer([], #","metadata":{"preauthorizationLimit":3}"#),
            try self.answer(
                [],
                #","metadata":{"preauthorizationLimit":9,"deviceIdEnabled":true},"domains":{"domain":[{"name":"b.tv"}]}"#
            ))
        #expect(merged.preauthorizationLimit == 3 && merged.deviceIDMetadataEnabled && merged.domain == "b.tv")
        let bare = try self.merged(try self.answer([]), try self.answer([]))
        #expect(bare.preauthorizationLimit == nil && !bare.deviceIDMetadataEnabled)
    }

    @Test func `brings the platform's providers into the filter's order, and drops what cannot take part`() throws {
        let capable = #","enablePlatformServices":true,"boardingStatus":"SUPPORTED","platformMappingId":"p""#
        let merged = try self.merged(
            try self.answer([
                self.provider("A", capable), self.provider("B"), self.provider("C", capable),
                self.provider("D", capable + #","displayInPlatformPicker":false"#),
            ]), try self.answer([]))
        func ids(_ filter: AccessEnabler.ProviderFilter?) -> [[String]] {
            let (listed, featured) = merged.platformProviders(filter)
            return [listed.map(\.id), featured.map(\.id)]
        }
        #expect(ids(nil) == [["A", "C"], []])
        #expect(ids(.list(["C", "B", "A", "C", "D"])) == [["C", "A"], []])
        #expect(ids(.featured(all: ["C"], featured: ["A", "C"])) == [["C"], ["C"]])
    }
}
