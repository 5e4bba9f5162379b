/// Where a code stands, as our server tells the box that asked for it (header `Latchkey-Code-State`).
///
/// REST v1 itself answers 404 to all of these but one; servers without the header leave the box to the clock.
package enum CodeState: String, Sendable, Hashable {
    case waiting, loggingIn, confirming, completed, declined, cancelled, expired
}
