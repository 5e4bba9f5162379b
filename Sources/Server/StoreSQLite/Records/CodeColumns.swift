import Clientless
import Entitlement

/// The columns of `codes` and how a record becomes a row and a row a record.
enum CodeColumns {
    /// In the order of ``values(of:)`` and ``record(from:)``.
    static let names = """
        code, id, requestor, device_id, device, app_id, device_user, mvpd, registration_url, device_type, app_version, \
        box_name, box_model, box_software, box_user_agent, box_information, box_address, \
        application_id, application_name, application_version, generated, expires, state, state_detail, version
        """

    /// With two more columns that the store alone uses.
    static let insertion = """
        INSERT INTO codes (\(names), open_until, device_key) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, \
        ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27) \
        ON CONFLICT (code) DO NOTHING
        """

    static func values(of record: RegistrationRecord) -> [SQLValue] {
        let state = StateColumns(record.life.storedState)
        return [
            .text(record.code.text), .text(record.id), .text(record.requestor.text), .text(record.deviceID.text),
            .blob(record.context.device.bytes), .textIfAny(record.context.appID),
            .textIfAny(record.context.deviceUser), .textIfAny(record.mvpd?.text), .textIfAny(record.registrationURL),
            .textIfAny(record.deviceType), .textIfAny(record.appVersion), .textIfAny(record.box.name),
            .textIfAny(record.box.model), .textIfAny(record.box.software), .textIfAny(record.box.userAgent),
            .textIfAny(record.box.deviceInformation), .text(record.box.address),
            .textIfAny(record.application?.id), .textIfAny(record.application?.name),
            .textIfAny(record.application?.version), .time(record.life.generated), .time(record.life.expires),
            .integer(state.number), .textIfAny(state.detail), .integer(Int64(record.version)),
            .timeIfAny(self.openUntil(record.life)), .integer(self.deviceKey(record.context.device)),
        ]
    }

    /// The first eight bytes. Devices that share them are told apart by the whole hash.
    static func deviceKey(_ device: DeviceHash) -> Int64 {
        Int64(bitPattern: device.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// When the code stops being open by itself; none when it is over or completed already.
    static func openUntil(_ life: RegistrationCode) -> Timestamp? {
        switch life.storedState {
        case .waiting, .loggingIn, .confirming: life.expires
        case .completed, .declined, .cancelled, .expired: nil
        }
    }

    static func record(from row: inout Row) throws(SQLiteFailure) -> RegistrationRecord {
        let code = try row.code()
        let id = try row.text()
        let requestor = try row.requestor()
        let deviceID = try row.deviceID()
        let context = DeviceContext(
            device: try row.device(), appID: try row.textIfAny(), deviceUser: try row.textIfAny())
        return RegistrationRecord(
            id: id, code: code, requestor: requestor, deviceID: deviceID, context: context, mvpd: try row.mvpdIfAny(),
            registrationURL: try row.textIfAny(), deviceType: try row.textIfAny(), appVersion: try row.textIfAny(),
            box: BoxDescription(
                name: try row.textIfAny(), model: try row.textIfAny(), software: try row.textIfAny(),
                userAgent: try row.textIfAny(), deviceInformation: try row.textIfAny(), address: try row.text()),
            application: try self.application(from: &row),
            life: RegistrationCode(
                generated: try row.timestamp(), expires: try row.timestamp(),
                state: try StateColumns.state(from: &row)),
            version: Int(try row.integer()))
    }

    private static func application(from row: inout Row) throws(SQLiteFailure) -> ApplicationReference? {
        let (id, name, version) = (try row.textIfAny(), try row.textIfAny(), try row.textIfAny())
        guard let id, let name, let version else { return nil }
        return ApplicationReference(id: id, name: name, version: version)
    }
}

/// The stored state of a code as a number and what belongs to it.
struct StateColumns {
    let number: Int64
    /// The refusal of a waiting code, or the AuthN record of a completed one.
    let detail: String?

    init(_ state: RegistrationCode.State) {
        (self.number, self.detail) =
            switch state {
            case .waiting(let refusal): (0, refusal)
            case .loggingIn: (1, nil)
            case .confirming: (2, nil)
            case .completed(let authentication): (3, authentication.text)
            case .declined: (4, nil)
            case .cancelled: (5, nil)
            case .expired: (6, nil)
            }
    }

    static func state(from row: inout Row) throws(SQLiteFailure) -> RegistrationCode.State {
        let (number, detail) = (try row.integer(), try row.textIfAny())
        switch (number, detail) {
        case (0, _): return .waiting(refusal: detail)
        case (1, _): return .loggingIn
        case (2, _): return .confirming
        case (3, let authentication?): return .completed(AuthNID(text: authentication))
        case (4, _): return .declined
        case (5, _): return .cancelled
        case (6, _): return .expired
        default: throw .nonsense("a code is in no known state")
        }
    }
}
