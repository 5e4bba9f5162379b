import Clientless
import Entitlement
import HTTPServer

@testable import ServerAPI

extension FuzzTarget {
    /// A body of JSON that is read as if it were a form.
    static let jsonParameters = FuzzTarget("json-parameters") { input in
        guard let object = FlatJSONObject(input) else { return }
        precondition(object.members.count <= FlatJSONObject.maximumMembers, "members are bounded")
        _ = (object.hasRepeatedName, object.text("software_statement"))
    }

    /// Headers whose values are small languages: the first byte says which.
    static let headers = FuzzTarget("headers") { input in
        let value = text(Array(input.dropFirst()))
        switch (input.first ?? 0) % 6 {
        case 0: _ = AcceptHeader(value)
        case 1: _ = PreferWait(value).map { precondition((1...55).contains($0.seconds), "a wait is bounded") }
        case 2: precondition(LanguagePreference(value).tags.count <= 16, "languages are bounded")
        case 5:
            let wish = AcceptEncodingHeader(value.split(separator: "\n", maxSplits: 3).map(String.init)).wish
            precondition(wish == .plain || value.contains("*") || value.lowercased().contains("gzip"), "gzip is named")
        default:
            guard let proxy = IPAddress("192.0.2.1"), let other = IPAddress("2001:db8::1") else { return }
            var headers = HTTPHeaders()
            for field in value.split(separator: "\n", maxSplits: 3) { headers.add("X-Forwarded-For", String(field)) }
            let request = HTTPRequest(method: .get, target: "/", headers: headers, remoteAddress: proxy)
            _ = ClientAddress.of(request, trusting: [proxy, other])
            _ = ClientAddress.forwarded(by: request)
        }
    }

    /// What a form of the pages, or a cookie, may hold.
    static let page = FuzzTarget("page") { input in
        let parameters = HTTPParameters(text(input))
        _ = parameters["code"].flatMap { RegistrationCodeText($0) }
        if let code = parameters["setup_code"].flatMap({ SetUpCodeText($0) }) {
            precondition(SetUpCodeText(code.grouped) == code, "a set-up code is read as it is shown")
        }
        if let moment = parameters["start"].flatMap({ CivilTime.moment($0) }) {
            precondition((1970...9999).contains(CivilTime(hours: moment.seconds / 3600).year), "a year has four digits")
        }
        _ = parameters["generic_data"].flatMap { GenericData($0) }
        let html = HTML(escaping: parameters["account"] ?? "").markup
        precondition(!html.contains("<") && !html.contains("\""), "what a viewer typed is text")
        guard let address = IPAddress("192.0.2.1") else { return }
        let cookie = HTTPHeaders([(name: "Cookie", value: "latchkey-account=\(parameters["account"] ?? "")")])
        let request = HTTPRequest(method: .get, target: "/", headers: cookie, remoteAddress: address)
        if let known = RememberedAccount.of(request, isSecure: false) {
            precondition((1...256).contains(known.account.utf8.count), "a remembered name is bounded")
        }
    }

    /// Lists of resources, and what is read out of one.
    static let resources = FuzzTarget("resources") { input in
        for resource in (try? ResourceList(text(input), limit: 200))?.resources ?? [] {
            _ = (try? resource.channelTitle(), try? resource.ratings())
        }
    }
}
