import Cryptography
import HTTPClient
import RealPrograms
import Testing

extension PublishedVectors {
    @Suite("Devices (5, 6.1)")
    struct IdentityVectorTests {
        @Test func `A device ID is the SHA-256 of the platform's, and records return it in Base 64`() async throws {
            let vector = try DeviceIdentityVector.load()
            #expect(Hex.encode(Digest.sha256(vector.platformID.utf8)) == vector.deviceID)
            for recorded in vector.recorded {
                let box = Box(service, id: recorded.deviceID)
                #expect(try await box.creation().json["info"]?["deviceId"] == .text(recorded.info))
                #expect(try await box.creation(accept: "text/xml").element("deviceId") == recorded.info)
            }
        }

        @Test(
            "The printed client information is understood in header and parameter, encoded once more or not",
            arguments: [true, false], [true, false])
        func information(isInHeader: Bool, isEncoded: Bool) async throws {
            let vector = try DeviceInformationVector.load()
            let box = Box(service)
            let path = "/reggie/v1/\(box.requestor)/regcode"
            let value = isEncoded ? HTMLForm.urlEncoded(vector.encoded) : vector.encoded
            var headers: HTTPClient.Headers = [
                "Accept": "application/json", "Authorization": service.signature("POST", path),
                "User-Agent": "hc/1.2",
            ]
            var form = query(["deviceId": box.id])
            if isInHeader { headers["X-Device-Info"] = value } else { form += "&\(query(["device_info": value]))" }
            let record = try await service.send(.post, path, headers: headers, form: form).json
            let info = try #require(record["info"]?["deviceInfo"]?.text, "\(record)")
            let decoded = try #require(Base64.decode(info).map { String(decoding: $0, as: UTF8.self) })
            var normalised = try JSON(parsing: decoded)
            // Where the box calls from is the caller's matter, not the vector's.
            #expect(normalised["connection"]?["type"] == "LAN")
            var printed = try JSON(parsing: vector.normalised)
            normalised["connection"] = nil
            printed["connection"] = nil
            #expect(normalised == printed)
        }
    }
}
