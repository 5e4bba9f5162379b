import Clientless
import FoundationEssentials
import HTTPClient
import POSIX

/// What is known of the box's clock when a certificate does not verify: on a box without a clock of its own the clock is
/// wrong far more often than the server is false.
struct ClockDoubt {
    /// Before this the program was not there: a clock that says so is wrong.
    static let release = Timestamp(milliseconds: 1_767_225_600_000)
    /// Less than this makes no difference to a certificate.
    private static let tolerance: Duration = .seconds(300)

    /// What is wrong with the certificate; `nil` where that is not known.
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
    func sentence(server: String) -> String {
        let advice = "Set the clock, such as with 'timedatectl set-ntp true'."
        let says = "This box's clock says \(dateText(self.boxTime))"
        guard self.isAboutTime || self.isImpossible else {
            return self.fault == .unknownAuthority
                ? "The certificate of \(server) is not trusted: no authority that this box knows vouches for it. "
                    + "If the server has an authority of its own, set certificateAuthority; "
                    + "otherwise this may not be the real server."
                : "The certificate of \(server) is not trusted. This may not be the real server."
        }
        if self.isImpossible {
            return "\(says), which is wrong, so the certificate of \(server) cannot be checked. \(advice)"
        }
        if self.isOff, let hostTime = self.hostTime {
            return "\(says) and the server's \(dateText(hostTime)), so the certificate of \(server) cannot be checked. "
                + advice
        }
        return self.fault == .expired
            ? "\(says), and by that the certificate of \(server) has run out. If the clock is right, the server's "
                + "operator must renew it; otherwise: \(advice)"
            : "\(says), and by that the certificate of \(server) is not valid yet. \(advice)"
    }
}

/// A moment as people read it, in UTC.
func dateText(_ time: Timestamp) -> String {
    Date(timeIntervalSince1970: Double(time.milliseconds / 1000)).formatted(.iso8601)
}
