import CommandLineTool
import Entitlement
import FoundationEssentials
import ServerAPI
import TestSupport
import Testing
import latchkeyd

@Suite("A configuration's catalogue", .demo)
struct CatalogueSettingsTests {
    @Test func `takes trials, basic and promotional`() throws {
        let configuration = try configuration(
            configurationText(
                more: """
                    , { id: "Free", name: "Free", kind: "temporaryPass", trial: { lifetime: "10m" } },
                    { id: "Promo", name: "Promo", kind: "temporaryPass",
                      trial: { lifetime: "2d", maximumResources: 3, identityKey: "email" } }
                    """))
        let (basic, promotional) = (configuration.catalogue.mvpds[1], configuration.catalogue.mvpds[2])
        #expect(basic.trial != nil && basic.trial?.lifetime == .seconds(600))
        #expect(basic.trial?.isPromotional == false && basic.trial?.maximumResources == nil)
        #expect(promotional.trial?.lifetime == .seconds(172_800))
        #expect(promotional.trial?.maximumResources == 3 && promotional.trial?.identityKey == "email")
    }

    @Test func `takes what concerns errors, preauthorization, metadata and the calls of operators`() throws {
        let text = configurationText(
            provider: "proxy: 'NovaProxy'",
            requestor: "enhancedErrors: true, preauthorizationLimit: 50, metadataCertificates: ['a.pem', 'b.pem'],",
            integration:
                "releasedMetadata: ['zip', 'householdID'], encryptedMetadata: ['zip'], picker: { isProxy: true }"
        ).replacing(
            "providers:",
            with: """
                calls: { degradationCallsPerMinute: 7, limitOrigins: true, configOS: 'TV' }, keys: { lead: '1h' }, providers:
                """)
        let configuration = try configuration(text)
        let requestor = try #require(configuration.catalogue.requestors.first)
        #expect(requestor.usesEnhancedErrors && requestor.preauthorizationLimit == 50)
        #expect(requestor.integrations[0].releasedMetadata == ["zip", "householdID"])
        #expect(requestor.integrations[0].encryptedMetadata == ["zip"])
        #expect(requestor.integrations[0].platform == nil)
        #expect(requestor.integrations[0].picker.isProxy && requestor.integrations[0].picker.passiveAuthnEnabled)
        #expect(configuration.catalogue.mvpds[0].proxy.map { "\($0)" } == "NovaProxy")
        #expect(configuration.calls.api.degradationCalls == 7 && configuration.calls.api.limitsOrigins)
        #expect(configuration.keys.lead == .seconds(3600))
        let plain = try self.read(configurationText())
        #expect(plain.catalogue.requestors[0].usesEnhancedErrors == false)
        #expect(plain.catalogue.requestors[0].preauthorizationLimit == 5)
        #expect(plain.catalogue.requestors[0].integrations[0].releasedMetadata == nil)
        #expect(plain.calls.api.degradationCalls == 2 && plain.calls.api.limitsOrigins == false)
    }

    private func read(_ text: String) throws -> Configuration { try configuration(text) }

    @Test(
        "is refused where its parts contradict each other",
        arguments: [
            (
                configurationText(provider: "kind: 'temporaryPass'"),
                "providers[0].trial.lifetime is missing; a trial does not last for ever."
            ),
            (
                configurationText(provider: "kind: 'temporaryPass', trial: { lifetime: null }"),
                "line 3: providers[0].trial.lifetime is missing; a trial does not last for ever."
            ),
            (
                configurationText(
                    provider: """
                        kind: 'oidc', oidc: { issuer: 'https://idp.example', clientID: 'c' }, authorization: { address: null }
                        """),
                "providers[0].oidc.lineUpClaim is missing, and so is lineUp; viewers could play nothing."
            ),
            (
                configurationText(provider: "kind: 'temporaryPass', trial: { lifetime: '0s' }"),
                #"line 3: providers[0].trial.lifetime must be a time from "1s" to "366d", a whole number with one of the units ms, s, m, h, d, not "0s"."#
            ),
            (
                configurationText(provider: "kind: 'temporaryPass', trial: { lifetime: '1m', maximumResources: 3 }"),
                "line 3: providers[0].trial.maximumResources is set, but identityKey, which makes a trial promotional, is not."
            ),
            (
                configurationText(provider: "trial: { lifetime: '1m' }"),
                "line 3: providers[0].trial.lifetime is set, but the provider is not of kind temporaryPass."
            ),
            (
                configurationText(integration: "encryptedMetadata: ['zip']"),
                "line 6: requestors[0].integrations[0].encryptedMetadata is set, but the requestor has no metadataCertificates."
            ),
            (
                configurationText(
                    requestor: "metadataCertificates: ['a.pem'],",
                    integration: "releasedMetadata: ['zip'], encryptedMetadata: ['zip', 'typeID']"),
                "line 6: requestors[0].integrations[0].encryptedMetadata names typeID, not in releasedMetadata."
            ),
            (
                configurationText(integration: "releasedMetadata: ['1st']"),
                "line 6: requestors[0].integrations[0].releasedMetadata[0] must be a name of 1 to 64 letters, digits and '_', a letter first, not \"1st\"."
            ),
            (
                configurationText(requestor: "metadataCertificates: ['a', 'b', 'c'],"),
                "line 5: requestors[0].metadataCertificates has 3 entries; at most 2 are accepted."
            ),
            (
                configurationText(integration: "platform: { enabled: true, status: 'SUPPORTED' }"),
                "line 6: requestors[0].integrations[0].platform.status is \"SUPPORTED\", which needs profileRequest and issuerMetadata, or boxAccounts."
            ),
            (
                configurationText(integration: "platform: { status: 'ON' }"),
                #"line 6: requestors[0].integrations[0].platform.status must be one of "SUPPORTED", "PICKER", not "ON"."#
            ),
            (
                configurationText(requestor: "preauthorizationLimit: 0,"),
                "line 5: requestors[0].preauthorizationLimit must be a whole number from 1 to 500, not 0."
            ),
        ])
    func contradictions(text: String, fault: String) {
        #expect(faults(of: text).contains(fault), "\(faults(of: text))")
    }

    private func certificate(_ name: String, in folder: TemporaryFolder, _ key: String...) async throws {
        let program = try ChildProcess(
            "openssl",
            ["req", "-x509", "-newkey"] + key + [
                "-nodes", "-subj", "/CN=programmer", "-keyout", folder.file("\(name).key"), "-out", folder.file(name),
            ])
        #expect(await program.run().end == .exited(0))
    }

    @Test(.timeLimit(.minutes(5))) func `is completed from the files it names`() async throws {
        let folder = try TemporaryFolder()
        try await self.certificate("cert.pem", in: folder, "rsa:2048")
        try folder.write("<AuthnRequest/>", to: "request.xml")
        try folder.write("<EntityDescriptor/>", to: "issuer.xml")
        let configuration = try configuration(
            configurationText(
                requestor: "metadataCertificates: ['cert.pem'],",
                integration: """
                    platform: { enabled: true, status: 'SUPPORTED', inPicker: true, mappingID: 'cn',
                                requiredMetadataFields: ['a'], enforcesPermissions: true,
                                profileRequest: 'request.xml', issuerMetadata: '\(folder.file("issuer.xml"))' }
                    """), folder: folder.path)
        let requestor = try #require(try configuration.completeCatalogue().requestors.first)
        #expect(requestor.metadataCertificates == [try folder.read("cert.pem")])
        #expect(
            requestor.integrations[0].platform
                == PlatformBoarding(
                    isEnabled: true, status: .supported, isInPlatformPicker: true, mappingID: "cn",
                    requiredMetadataFields: ["a"], enforcesPermissions: true,
                    profileRequest: Array("<AuthnRequest/>".utf8), issuerMetadata: "<EntityDescriptor/>"))
    }

    @Test(.timeLimit(.minutes(5))) func `names every file it cannot use, as check-config does`() async throws {
        try await self.certificate("ec.pem", in: setUp.folder, "ec", "-pkeyopt", "ec_paramgen_curve:P-256")
        try setUp.folder.write("no certificate", to: "text.pem")
        let (ec, text) = (setUp.folder.file("ec.pem"), setUp.folder.file("text.pem"))
        let original = try setUp.folder.read("server/latchkeyd.json5")
        func check(_ files: String) async throws -> String {
            let changed = original.replacing("// metadataCertificates: [],", with: "metadataCertificates: [\(files)],")
            #expect(changed != original)
            try setUp.folder.write(changed, to: "server/latchkeyd.json5")
            let run = try await CommandRun.run("check-config", setUp.configurationFile).expect(.configuration)
            return run.output
        }
        let setting = "requestors DEMO, metadataCertificates:"
        let both = try await check("'\(ec)', '\(text)'")
        #expect(both.contains("\(setting) The file \(ec) holds no certificate of an RSA key in PEM."))
        #expect(both.contains("\(setting) The file \(text) holds no certificate of an RSA key in PEM."))
        #expect(
            try await check("'nowhere.pem'").contains("\(setting) The file \(setUp.file("nowhere.pem")) cannot be read")
        )
        let serving = try await setUp.run("serve", "--listen", "127.0.0.1:0").expect(.configuration)
        #expect(serving.talk.hasPrefix("latchkeyd: \(setting) The file \(setUp.file("nowhere.pem")) cannot be read"))
    }

    @Test("is held against what platform sign-in needs: an issuer's metadata, and a key nobody else reads")
    func platform() async throws {
        try setUp.folder.write("<AuthnRequest/>", to: "server/request.xml")
        try setUp.folder.write("<EntityDescriptor/>", to: "server/issuer.xml")
        let original = try setUp.folder.read("server/latchkeyd.json5")
        func check(_ key: String) async throws -> String {
            let boarding =
                "enabled: true, status: 'SUPPORTED', profileRequest: 'request.xml', issuerMetadata: 'issuer.xml',"
            let heading = "platform: {\n                        // Whether it may be used now."
            let changed = original.replacing(heading, with: "platform: { \(boarding)")
                .replacing("// decryptionKey: \"platform/key.pem\",", with: key)
            #expect(changed.contains(boarding) && changed.contains("// decryptionKey") == false)
            try setUp.folder.write(changed, to: "server/latchkeyd.json5")
            return try await CommandRun.run("check-config", setUp.configurationFile).output
        }
        let metadata = try await check("")
        #expect(
            metadata.contains("requestors DEMO, integration with DemoTV, platform.issuerMetadata: Platform SSO:"),
            "\(metadata)")
        #expect(
            try await check("decryptionKey: 'nowhere.pem',").contains(
                "platform.decryptionKey: The file \(setUp.file("nowhere.pem")) cannot be read"))
        try setUp.folder.write("no key", to: "server/open.pem")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: setUp.file("open.pem"))
        #expect(
            try await check("decryptionKey: 'open.pem',").contains(
                "platform.decryptionKey: The file \(setUp.file("open.pem")) has mode 0644, open to others"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: setUp.file("open.pem"))
        #expect(try await check("decryptionKey: 'open.pem',").contains("platform.decryptionKey: Platform SSO:"))
    }
}
