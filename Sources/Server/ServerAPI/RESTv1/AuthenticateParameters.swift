import HTTPServer

/// The parameters of `authenticate`, read as the pages of deployed programmers write them (rest-v1 13.1).
struct AuthenticateParameters: Sendable {
    /// Names that may follow `redirect_url` without being a part of it.
    private static let known: Set<String> = [
        "reg_code", "requestor_id", "requestor", "mso_id", "mvpd", "domain_name", "redirect_url", "noflash",
        "no_iframe", "flash", "generic_data", "client_type", "client_version", "format", "ap_vi", "deviceId",
        "device_info", "deviceType", "deviceUser", "appId", "access_token",
    ]
    /// The text that `&reg_code=` becomes where `&reg` is read as an entity.
    private static let entityMark = "\u{AE}_code="

    private var values: [String: String] = [:]

    /// - Parameters:
    ///   - rawQuery: the query, undecoded.
    ///   - parameters: query and body together, decoded.
    init(rawQuery: String, _ parameters: HTTPParameters) {
        for pair in parameters.pairs { self.values[pair.name] = pair.value }
        if let redirect = Self.unencodedRedirect(rawQuery) { self.values["redirect_url"] = redirect }
        if self["reg_code"] == nil { self.recoverCode() }
    }

    /// The value, unless it is missing or empty.
    subscript(name: String) -> String? {
        guard let value = self.values[name], !value.isEmpty else { return nil }
        return value
    }

    /// - Parameter other: what some pages call it.
    func required(_ name: String, or other: String? = nil) throws(WireError) -> String {
        guard let value = self[name] ?? other.flatMap({ self[$0] }) else { throw .missing(name) }
        return value
    }

    /// Everything behind `redirect_url=` when a page did not encode it: its value has a bare `://`, and parameters
    /// follow that only the redirect's own query explains.
    private static func unencodedRedirect(_ query: String) -> String? {
        let pairs = query.split(separator: "&", omittingEmptySubsequences: false)
        guard let index = pairs.firstIndex(where: { $0.hasPrefix("redirect_url=") }) else { return nil }
        let value = pairs[index].dropFirst("redirect_url=".count)
        let followers = pairs[(index + 1)...].map { pair in String(pair.prefix { $0 != "=" }) }
        guard value.contains("://"), followers.contains(where: { !$0.isEmpty && !self.known.contains($0) })
        else { return nil }
        return String(query[value.startIndex...])
    }

    /// Cuts a code off the value it was glued to, which may be the redirect's: what is left of it is checked as any.
    private mutating func recoverCode() {
        for (name, value) in self.values {
            guard let mark = value.firstRange(of: Self.entityMark) else { continue }
            self.values[name] = String(value[..<mark.lowerBound])
            self.values["reg_code"] = String(value[mark.upperBound...])
            return
        }
    }
}
