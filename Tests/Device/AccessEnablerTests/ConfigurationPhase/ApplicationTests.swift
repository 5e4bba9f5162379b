import Clientless
import FoundationEssentials
import HTTPClient
import Observability
import TestSupport
import Testing

@testable import AccessEnabler

@Suite("What an application says of itself", .box, .timeLimit(.minutes(5)))
struct ApplicationTests {
    @Test func `T-266 D-60 no two identifiers have one file, and each has a folder of its own`() {
        let ids = [
            "com.example.player", "com/example/player", "comexampleplayer", "com example player", "..", ".a", "ü",
        ]
        let long = [String(repeating: "a", count: 129), String(repeating: "a", count: 130)]
        let environment = ["HOME": "/home/viewer"]
        let paths = (ids + long).map {
            AccessEnabler.PrivateFileStore(applicationID: $0, environment: environment).path
        }
        #expect(Set(paths).count == paths.count)
        #expect(paths[0] == "/home/viewer/.local/state/com.example.player/store.json")
        #expect(paths.allSatisfy { $0.split(separator: "/").count == 6 && $0.utf8.count < 200 })
        // A name that looks like another one's hash is none.
        let hashed = paths[1].split(separator: "/")[4]
        #expect(
            AccessEnabler.PrivateFileStore(applicationID: String(hashed), environment: environment).path != paths[1])
    }

    @Test func `T-279 The application's own folder is closed where others could look into it`() async throws {
        let folder = try TemporaryFolder()
        let place = folder.file("com.example.player")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place)
        let store = AccessEnabler.PrivateFileStore(
            applicationID: "com.example.player", environment: ["XDG_STATE_HOME": folder.path])
        try await testVault(store).update { $0.signIn("CableNova") }
        #expect(try FileManager.default.attributesOfItem(atPath: place)[.posixPermissions] as? Int == 0o700)
        #expect(try FileManager.default.attributesOfItem(atPath: store.path)[.posixPermissions] as? Int == 0o600)
    }

    @Test("T-283 A salt that was used once stays in force when the machine gets an ID, in a vendor's store, too")
    func saltStays() async throws {
        try box.folder.write("uninitialized\n", to: "machine-id")
        let first = try await box.application(service)
        let deviceID = try await first.enabler.deviceID()
        await first.enabler.shutDown()
        try box.folder.write(TestBox.machineID + "\n", to: "machine-id")
        let second = try await box.application(service)
        #expect(try await second.enabler.deviceID() == deviceID)
        await second.enabler.shutDown()
        let former = AccessEnabler.PrivateFileStore(path: box.storePath)
        for _ in 0..<2 {
            let third = try await box.application(service) {
                $0.tokenStore = AccessEnabler.VendorGroupStore(
                    group: AccessEnabler.VendorGroup(identifier: "vendor", deviceScope: testScope),
                    folder: box.folder.file("groups"))
                $0.privateStore = former
            }
            #expect(try await third.enabler.deviceID() == deviceID)
            await third.enabler.shutDown()
        }
    }

    @Test("A store that cannot be read fails the configuration: it is not taken for nobody being signed in")
    func unreadableStore() async throws {
        try FileManager.default.createDirectory(atPath: box.storePath, withIntermediateDirectories: true)
        let application = try box.start(service)
        let failure = await #expect(throws: AccessEnabler.ConfigurationFailure.self) {
            try await application.enabler.configure(requestorID: TestBox.requestor)
        }
        #expect(failure?.status?.code == .internalError)
        #expect(failure?.cause?.code == .state)
    }

    @Test("Device, connection and application facts come from the system where the application is silent")
    func facts() throws {
        let folder = try TemporaryFolder()
        for (path, text) in [
            ("proc/device-tree/model", "Nova Box 4\u{0}"),
            ("proc/device-tree/compatible", "nova,box-4\u{0}nova,soc\u{0}"),
            ("etc/os-release", "NAME=\"Debian\"\nID=debian\nVERSION_ID=\"12\"\n"),
            ("proc/net/route", "Iface\tDestination\tGateway\neth0\t0001A8C0\t0\nwlan0\t00000000\t0101A8C0\n"),
            ("sys/class/net/wlan0/wireless/link", "0"), ("sys/class/drm/card0-HDMI-A-1/status", "connected\n"),
            ("sys/class/drm/card0-HDMI-A-1/modes", "1920x1080\n1280x720\n"), ("sys/class/drm/version", "drm 1.1\n"),
        ] { try folder.write(text, to: path) }
        var information = AccessEnabler.ClientInformation()
        information.name = "Living room"
        let found = try self.members(
            information.encoded(completedBy: BoxFacts(root: folder.path), applicationID: "a.b"))
        #expect(
            found == [
                "primaryHardwareType": "SetTopBox", "model": "Nova Box 4", "manufacturer": "nova", "vendor": "nova",
                "osName": "Linux", "osFamily": "Linux", "osVendor": "debian", "osVersion": "12",
                "displayWidth": "1920", "displayHeight": "1080", "connectionType": "WiFi", "applicationId": "a.b",
                "name": "Living room",
            ])
        information.model = "Other"
        information.connectionType = "LAN"
        let empty = try TemporaryFolder()
        let own = try self.members(information.encoded(completedBy: BoxFacts(root: empty.path), applicationID: ""))
        #expect(
            own == [
                "primaryHardwareType": "SetTopBox", "model": "Other", "osName": "Linux", "osFamily": "Linux",
                "connectionType": "LAN", "connectionSecure": "true", "name": "Living room",
            ])
    }

    private func members(_ header: String) throws -> [String: String] {
        struct Value: Decodable {
            let text: String

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let text = try? container.decode(String.self) {
                    self.text = text
                } else if let flag = try? container.decode(Bool.self) {
                    self.text = "\(flag)"
                } else {
                    self.text = "\(try container.decode(Int.self))"
                }
            }
        }
        let data = try #require(Data(base64Encoded: header))
        return try JSONDecoder().decode([String: Value].self, from: data).mapValues(\.text)
    }

    @Test("Proxy, authorities and log are the application's to say; giving memory back is off unless asked for")
    func settings() throws {
        var configuration = AccessEnabler.Configuration(applicationID: "a.b")
        #expect(!configuration.givesBackMemoryWhilePolling)
        #expect(configuration.clientConfiguration.proxy == nil)
        #expect(configuration.clientConfiguration.authorityFile == nil)
        configuration.proxy = .url("http://proxy:3128", excluding: ["example.net"])
        configuration.certificateAuthorityFile = "/etc/own.pem"
        #expect(configuration.clientConfiguration.proxy == "http://proxy:3128")
        #expect(configuration.clientConfiguration.hostsWithoutProxy == ["example.net"])
        #expect(configuration.clientConfiguration.authorityFile == "/etc/own.pem")
        let lines = Notes<String>()
        configuration.log = { lines.add($0) }
        configuration.usedLogger.debug("[AccessEnabler] not asked for")
        configuration.logsDebugLines = true
        configuration.usedLogger.debug("[AccessEnabler] asked for")
        #expect(lines.all.count == 1 && lines.all[0].hasSuffix(": [AccessEnabler] asked for"))
    }

    @Test func `D-23 the other spellings of APPL are equal to it; codes have constants`() {
        #expect(AdvancedStatus("APPL", .error).code == .aapl && AdvancedStatus("AAPL", .error).code == .appl)
        #expect(AdvancedStatus("APPL_ERROR", .error).code == .aaplError)
        #expect(AdvancedStatus.Code.aapl.rawValue == "APPL" && AdvancedStatus("AAPL", .error).errorId == "AAPL")
        #expect(AdvancedStatus("VSA203", .info).code == .platformSignOut)
        #expect(AdvancedStatus("CFG503", .error).code.isServerFault && !AdvancedStatus.Code("CFG5x3").isServerFault)
        #expect(!AdvancedStatus.Code.serverNotFound.isServerFault)
    }

    @Test func `4.4 a report has resource and details of its own, and each is in the dictionary where there is one`() {
        let status = AdvancedStatus(
            "Z100", .error, message: "m", resource: "r", details: "d",
            further: ["loginURL": "u", "errorId": "never", "resource": "never"])
        #expect(status.errorId == "Z100" && status.resource == "r" && status.details == "d")
        #expect(
            status.dictionary == [
                "errorId": "Z100", "level": "error", "message": "m", "resource": "r", "details": "d", "loginURL": "u",
            ])
        #expect(AdvancedStatus("N000", .info).dictionary == ["errorId": "N000", "level": "info"])
    }

    @Test func `A code tells how long it lives, whatever the clocks of box and server say`() throws {
        let text = try #require(RegistrationCodeText("7KQ4M2X"))
        for now in [Timestamp(seconds: 0), Timestamp(seconds: 4_000_000_000)] {
            let code = AccessEnabler.RegistrationCode(code: text, loginURL: nil, expires: now + .seconds(1800), at: now)
            #expect(code.timeLeft > .seconds(1700) && code.timeLeft <= .seconds(1800))
            #expect(
                AccessEnabler.RegistrationCode(code: text, loginURL: nil, expires: now, at: now + .seconds(1)).timeLeft
                    == .zero)
        }
    }
}
