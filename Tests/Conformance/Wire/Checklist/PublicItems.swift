import HTTPClient
import RealPrograms
import Testing
import WireAnswers

extension Checklist {
    @Suite("What pages ask")
    struct PublicItems {
        @Test func `14. /adobe-services/config/R.json is XML, and /api/v1/config/R.json is JSON`() async throws {
            let requestor = service.profile.requestor
            let old = try await service.send(.get, "/adobe-services/config/\(requestor).json").expect(
                200, headers: ["Content-Type": "application/xml;charset=utf-8"])
            #expect(old.text.contains("<requestor><id>\(requestor)</id><name>"))
            #expect(old.text.contains("<mvpd visible=\"true\"><id>"))
            let new = try await service.send(.get, "/api/v1/config/\(requestor).json").expect(
                200, headers: ["Content-Type": "application/json;charset=utf-8"])
            let list = try new.json["requestor"]?["mvpds"]?["mvpd"]?.list
            #expect(list?.contains { $0["id"] == .text(service.profile.mvpd) } == true, "\(new.summary)")
        }

        @Test(arguments: ["/api/v1/config/NOBODY.json", "/adobe-services/config/NOBODY", "/api/v1/config/n%20o"])
        func `14. An unknown requestor is 400`(target: String) async throws {
            try await service.send(.get, target).expect(400)
        }

        @Test("15. A redirect_url on a foreign host is 400 without a Location, and one of the requestor's is 302")
        func redirect() async throws {
            let profile = service.profile
            let code = try await Box(service).createCode()
            let target = Person.loginTarget(
                code, of: profile, requestor: profile.requestor, mvpd: profile.mvpd,
                redirectURL: "https://foreign.invalid/done")
            try await service.send(.get, target).expect(400, headers: ["Location": nil])
            let taken = try await service.send(
                .get, Person.loginTarget(code, of: profile, requestor: profile.requestor, mvpd: profile.mvpd)
            ).expect(302)
            #expect(taken.headers["Location"] != nil)
        }
    }
}
