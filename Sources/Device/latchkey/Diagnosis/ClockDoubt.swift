import Clientless
import FoundationEssentials
import HTTPClient
import POSIX

/// The known facts of the box's clock when a certificate does not verify: on a box without a clock of its own the clock
/// is wrong far more often than the server is false.
struct ClockDoubt {
    /// Before this the program was not there: a clock that says so is wrong.
    static let release = Timestamp(milliseconds: 1_767_225_600_000)
    /// Less than this makes no difference to a certificate.
    private static let tolerance: Duration = .seconds(300)

    /// The faults of the certificate; `nil` if that is not known.
    var fault: HTTPClientError.CertificateFault?
    var boxTime = Timestamp(milliseconds: WallClock.milliseconds())
    /// The time that the server's host tells on its way without a certificate; a hint and no proof. `nil` without one.
    var hostTime: Timestamp?

    /// Whether the certificate's dates are the fault, which the clock may be to blame for.
    var isAboutTime: Bool { self.fault == .notYetValid || self.fault == .expired }

    private var isImpossible: Bool { self.boxTime < Self.release }

    private var isOff: Bool {
        self.hostTime.map { $0 - self.boxTime > Self.tolerance || self.boxTime - $0 > Self.tolerance } ?? false
    }

    /// Why the certificate does not verify, and what to do.
    func sentence(server: String, in phrases: BoxPhrases = .english) -> String {
        let values = [
            "server": server, "time": dateText(self.boxTime), "hostTime": self.hostTime.map { dateText($0) } ?? "",
        ]
        return phrases.say(self.phrase, values)
    }

    private var phrase: BoxPhrase {
        guard self.isAboutTime || self.isImpossible else {
            return self.fault == .unknownAuthority ? .certificateUnknown : .certificateUntrusted
        }
        if self.isImpossible { return .clockImpossible }
        if self.isOff { return .clockOff }
        return self.fault == .expired ? .clockExpired : .clockEarly
    }
}

/// A moment as people read it, in UTC.
func dateText(_ time: Timestamp) -> String {
    Date(timeIntervalSince1970: Double(time.milliseconds / 1000)).formatted(.iso8601)
}
