import Clientless

/// Which requestor a call says it is for (rest-v1 4).
enum RequestorClaim {
    /// Named in path or parameter; not yet checked.
    case named(String)
    /// Not named: the credential has to settle it.
    case open
    /// Not named, and not needed when the credential does not settle it.
    case optional

    /// The name, unless it is empty.
    static func parameter(_ value: String?, orElse absent: RequestorClaim = .open) -> RequestorClaim {
        guard let value, !value.isEmpty else { return absent }
        return .named(value)
    }
}
