/// The form one answer takes, and who said so: suffix, then `format`, then `Accept`, then XML (rest-v1 3.5).
package struct FormatPreference: Hashable, Sendable {
    package enum Source: Hashable, Sendable { case suffix, parameter, accept, fallback }

    package let format: WireFormat
    package let source: Source
    /// `Accept` itself asks for JSON, whatever decided; an empty answer is then `{}` (rest-v1 14.1).
    package let acceptNamesJSON: Bool
    /// Neither suffix nor `format` was given and `Accept` asks for HTML first: a person is reading (rest-v1 13.1).
    package let isForPeople: Bool

    /// - Parameters:
    ///   - suffix: what the path ended in.
    ///   - parameter: the value of `format`; an unknown one is ignored. Not asked for when the suffix has decided.
    ///   - header: the `Accept` header.
    package init(suffix: WireFormat?, parameter: @autoclosure () -> String?, accept header: AcceptHeader?) {
        let named = suffix == nil ? parameter().flatMap { WireFormat(name: $0) } : nil
        if let suffix {
            (self.format, self.source) = (suffix, .suffix)
        } else if let named {
            (self.format, self.source) = (named, .parameter)
        } else if let asked = header?.format {
            (self.format, self.source) = (asked, .accept)
        } else {
            (self.format, self.source) = (.xml, .fallback)
        }
        self.acceptNamesJSON = self.format == .json && header?.format == .json
        self.isForPeople = suffix == nil && named == nil && header?.prefersHTML ?? false
    }

    /// Whether the call names no form, so that an answer may be a page.
    package var nothingWasAsked: Bool { self.source == .fallback || self.isForPeople }
}
