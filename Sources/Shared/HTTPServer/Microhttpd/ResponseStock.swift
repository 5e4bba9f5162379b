import CMicrohttpd
import Glibc

/// Prepared answers in libmicrohttpd's form, ready to be sent again by the thread of one daemon.
///
/// To make such an answer takes some ten allocations, and as many to throw it away; another request's ID is written over
/// the last one's. Each is lent to one request at a time, until that has ended: libmicrohttpd reads an answer for as
/// long.
///
/// Sendable by argument: a daemon calls its callbacks on its one thread, or, once that has been joined, on the thread
/// that stops it (`MHD_stop_daemon`), and only they touch its stock.
final class ResponseStock: @unchecked Sendable {
    /// By the number of the mould, modulo ``mouldLimit``: reloads make new moulds in place of the old.
    private var kept = [StockedResponse?](repeating: nil, count: mouldLimit)

    /// Moulds that are kept; there are a few dozen.
    private static let mouldLimit = 256

    /// The kept answer, or a new one in its place: it is still lent only while its client reads slowly.
    /// - Returns: `nil` when the answer is not prepared, or there is no memory.
    func take(_ response: HTTPResponse) -> StockedResponse? {
        guard let mould = response.mould else { return nil }
        let (now, place) = (time(nil), mould % Self.mouldLimit)
        if let kept = self.kept[place], kept.lend(to: response.idField, mould, date: now) { return kept }
        let new = StockedResponse(response, mould, date: now)
        self.kept[place] = new
        return new
    }
}

@safe final class StockedResponse {
    private let mould: Int
    /// The second its `Date` tells; in another it is of no use.
    private let date: time_t
    private var isLent = true
    private let response: OutgoingResponse
    private let status: HTTPStatus
    /// The name of the field with the last request's ID, and the place where libmicrohttpd keeps the ID.
    private let idName: UnsafePointer<UInt8>?
    private let idText: UnsafeMutableBufferPointer<UInt8>?

    /// - Returns: `nil` when there is no memory.
    init?(_ response: HTTPResponse, _ mould: Int, date: time_t) {
        guard let outgoing = OutgoingResponse(response, date: HTTPDate.text(date)) else { return nil }
        self.mould = mould
        self.date = date
        if let name = response.idField?.name {
            unsafe (self.idName, self.idText) = (name.utf8Start, outgoing.place(ofField: name, RequestID.textSize))
        } else {
            unsafe (self.idName, self.idText) = (nil, nil)
        }
        self.response = outgoing
        self.status = response.status
    }

    /// Names the next request in place of the last one.
    /// - Returns: `false` when it is lent, is another answer or too old, or has no place for the name.
    fileprivate func lend(to field: (name: StaticString, id: RequestID)?, _ mould: Int, date: time_t) -> Bool {
        guard !self.isLent, self.mould == mould, self.date == date, unsafe self.idName == field?.name.utf8Start
        else { return false }
        if let field {
            guard let text = unsafe self.idText else { return false }
            unsafe field.id.write(to: text)
        }
        self.isLent = true
        return true
    }

    /// To be called when the request it was lent to has ended.
    func giveBack() { self.isLent = false }

    func queue(on connection: OpaquePointer) -> MHD_Result {
        unsafe self.response.queue(self.status, on: connection)
    }
}
