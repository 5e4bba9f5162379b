package import HTTPClient
package import Testing

/// What a server under test answered.
package typealias WireAnswer = HTTPClient.Response

extension WireAnswer {
    /// The value of a JSON string member or the content of an XML element, as text; enough for flat documents.
    package func value(_ name: String) -> String? {
        for (open, close) in [("\"\(name)\":\"", "\""), ("<\(name)>", "</\(name)>")] {
            guard let start = self.text.firstRange(of: open)?.upperBound,
                let end = self.text[start...].firstRange(of: close)?.lowerBound
            else { continue }
            return String(self.text[start..<end])
        }
        return nil
    }

    /// Expects this status, these headers, and this whole body where one is given. `nil` is for a header that is absent.
    @discardableResult
    package func expect(
        _ status: Int, _ text: String? = nil, headers: KeyValuePairs<String, String?> = [:], comment: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> WireAnswer {
        #expect(self.status == status, comment ?? "\(self.text)", sourceLocation: sourceLocation)
        if let text { #expect(self.text == text, comment, sourceLocation: sourceLocation) }
        for (name, value) in headers {
            #expect(self.headers[name] == value, comment ?? "\(name)", sourceLocation: sourceLocation)
        }
        return self
    }

    /// Expects the JSON of a refusal, with the member of OAuth where one is given.
    @discardableResult
    package func expect(
        _ status: Int, message: String, error: String? = nil, headers: KeyValuePairs<String, String?> = [:],
        comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) -> WireAnswer {
        let member = error.map { #","error":"\#($0)""# } ?? ""
        return self.expect(
            status, #"{"status":\#(status),"message":"\#(message)"\#(member)}"#, headers: headers, comment: comment,
            sourceLocation: sourceLocation)
    }
}
