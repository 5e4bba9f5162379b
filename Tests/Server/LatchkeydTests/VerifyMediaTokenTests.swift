import Clientless
import CommandLineTool
import Cryptography
import TestSupport
import Testing
import latchkeyd

/// The vector of rest-v1 22.5.
private enum Vector {
    static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0abfJqhQ0+TYKFJYKzEQ
        0ER7RABllvlZv1NmNAovukNiYHlYcB+rk6wkaIASF+Om9umRj4JG0O02dP3TojwL
        A58Xt7bto6oC82Q7YqKEC+5rwITfVxEKfM1GatKDgGwbdP5QqtKeGzrg0AkvH6GN
        azi33BKoHKDFLnuF5X5GwsO8w5u1o25jJ0/mssR+1kc0iRTEbFJcVckgCozdPmeN
        4tW2rXuphsHU4R8TlCgeeyq0HppjuWJfpTTbBoe65vLYjouQA0n2tYlki0SMxblo
        5V0O0kbNVBXn5eI55rOlSFpBi9nbx3OhXa2jxnrn/sM5kBbcD/CbzJNJbFdh5XKZ
        gwIDAQAB
        -----END PUBLIC KEY-----

        """
    static let element =
        "<shortAuthorizationToken><sessionGUID>8b4e2f0c5d7a9163</sessionGUID><requestorID>NORTHSPORT</requestorID>"
        + "<resourceID>North Sport HD</resourceID><ttl>420000</ttl><issueTime>2026/01/01 00:00:00 GMT +0000</issueTime>"
        + "<mvpdId>CableNova</mvpdId><proxyMvpdId></proxyMvpdId></shortAuthorizationToken>"
    static let signature =
        "nmtoZGGp4VavrbNPpKU2aOoQq/Dmu6mUyZCfxl+hCm/Mnr23uw1ybs/MaEuuX+8OKLFAasZVXgFFr+KLBNcqImTOvH28vpPpOOEKcelGIan5E"
        + "kaKIfhsY/LJwtOSvUeE5afEikotpim4XUmMtlzzmMsbjUq1pnSWZGZ37SGxzilJCHxU+tzjDo/EUj1uVkNaEXLwiWkL0zANWY2eHKDZmMt+aU"
        + "dLTSAyNGvPBV8g9GtkQ/Ru7fMSWl9gNM6SwjbcLeQaA7knqoI7ZsO71k5MBUhU0P8tOf/pGVG6RwDMwQCzfVC4e0vmatG65SnYSn8/vIWGzrPV"
        + "1kd3yyqHiofuSw=="
    static let document = "<signatureInfo>\(signature)</signatureInfo>\(element)"
}

@Suite("latchkeyd verify-media-token", .demo)
struct VerifyMediaTokenTests {
    @Test(
        "gives the four answers of the specification's vector, and success for one of them only",
        arguments: [
            (419, "North Sport HD", "HD", "VALID_TOKEN", ExitCode.success),
            (420, "North Sport HD", "HD", "TOKEN_EXPIRED", .invalidData),
            (419, "Other", "HD", "INVALID_RESOURCE_ID", .invalidData),
            (419, "North Sport HD", "4K", "INVALID_SIGNATURE", .invalidData),
        ])
    func vector(second: Int64, resource: String, word: String, result: String, code: ExitCode) async throws {
        let folder = try TemporaryFolder()
        let key = try folder.write(Vector.publicKey, to: "key.pem")
        let token = Vector.document.replacing(" HD<", with: " \(word)<")
        let run = try await CommandRun.run(
            "verify-media-token", "--key", key, "--requestor", "NORTHSPORT", "--channel", resource,
            Base64.encode(token.utf8), now: Timestamp(seconds: 1_767_225_600 + second)
        ).expect(code, output: "\"result\":\"\(result)\"")
        #expect(run.output.filter { $0 == "\n" }.count == 1)
    }

    @Test func `trusts the keys and requestors of the configuration where none are named`() async throws {
        let now = Timestamp(seconds: 1_800_000_000)
        let key = try KeyFolder(setUp.file("keys")).load().tokenSigning[0].key
        let document = MediaTokenDocument(
            sessionGUID: "8b4e2f0c5d7a9163", requestor: try #require(RequestorID("DEMO-CLASSIC")),
            resource: try #require(Resource("Demo One")), timeToLive: .seconds(420), issueTime: now,
            mvpd: try #require(MVPDID("DemoTV")))
        let token = Base64.encode(try SignedTokenDocument(element: try document.element(), signedBy: key).text.utf8)
        // The key that signed is then no longer the newest.
        _ = try await setUp.run("keys", "signing", "rotate", "--use", "token-signing")
        let run = try await setUp.run("verify-media-token", "--channel", "Demo One", token, now: now).expect(.success)
        #expect(
            run.output
                == #"{"expires":"2027-01-15T08:07:00Z","issued":"2027-01-15T08:00:00Z","provider":"DemoTV","requestor":"DEMO-CLASSIC","#
                + #""resource":"Demo One","result":"VALID_TOKEN","sessionGUID":"8b4e2f0c5d7a9163"}"# + "\n")
        try await CommandRun.run("verify-media-token", "--folder", setUp.path, token, now: now).expect(.success)
        let other = try await setUp.run("verify-media-token", "--requestor", "DEMO", token, now: now).expect(
            .invalidData)
        #expect(other.output == #"{"result":"INVALID_TOKEN_FORMAT"}"# + "\n")
    }

    @Test func `says nothing about a token whose signature is not genuine`() async throws {
        let run = try await setUp.run("verify-media-token", "--requestor", "NORTHSPORT", Vector.document).expect(
            .invalidData)
        #expect(run.output == #"{"result":"INVALID_SIGNATURE"}"# + "\n")
    }

    @Test func `with --key needs to be told the requestor, and a key that is one`() async throws {
        let folder = try TemporaryFolder()
        let key = try folder.write("no key", to: "key.pem")
        let nobody = try await CommandRun.run("verify-media-token", "--key", key, "token")
        #expect(nobody.code == .usage && nobody.talk.hasPrefix("latchkeyd: --requestor is missing"))
        let noKey = try await CommandRun.run("verify-media-token", "--key", key, "--requestor", "R", "token").expect(
            .usage, talk: "trusted key 0 is not an RSA key")
        #expect(nobody.output == "" && noKey.output == "")
        try await setUp.run("verify-media-token", "--key", key, "token").expect(.usage, talk: "do not go together.")
    }
}
