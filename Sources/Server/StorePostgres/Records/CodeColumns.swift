import Clientless
import Entitlement

/// The columns of `codes`.
enum CodeColumn: String, ColumnList {
    case code, id, requestor
    case deviceID = "device_id"
    case device
    case appID = "app_id"
    case deviceUser = "device_user"
    case mvpd
    case registrationURL = "registration_url"
    case deviceType = "device_type"
    case appVersion = "app_version"
    case boxName = "box_name"
    case boxModel = "box_model"
    case boxSoftware = "box_software"
    case boxUserAgent = "box_user_agent"
    case boxInformation = "box_information"
    case boxAddress = "box_address"
    case applicationID = "application_id"
    case applicationName = "application_name"
    case applicationVersion = "application_version"
    case generated, expires, state
    case stateDetail = "state_detail"
    case version
    /// `expires` while the code is open, NULL from then on; used by the store alone.
    case openUntil = "open_until"

    private func value(of record: RegistrationRecord) -> SQLValue {
        switch self {
        case .code: .text(record.code.text)
        case .id: .text(record.id)
        case .requestor: .text(record.requestor.text)
        case .deviceID: .text(record.deviceID.text)
        case .device: .blob(record.context.device.bytes)
        case .appID: .textIfAny(record.context.appID)
        case .deviceUser: .textIfAny(record.context.deviceUser)
        case .mvpd: .textIfAny(record.mvpd?.text)
        case .registrationURL: .textIfAny(record.registrationURL)
        case .deviceType: .textIfAny(record.deviceType)
        case .appVersion: .textIfAny(record.appVersion)
        case .boxName: .textIfAny(record.box.name)
        case .boxModel: .textIfAny(record.box.model)
        case .boxSoftware: .textIfAny(record.box.software)
        case .boxUserAgent: .textIfAny(record.box.userAgent)
        case .boxInformation: .textIfAny(record.box.deviceInformation)
        case .boxAddress: .text(record.box.address)
        case .applicationID: .textIfAny(record.application?.id)
        case .applicationName: .textIfAny(record.application?.name)
        case .applicationVersion: .textIfAny(record.application?.version)
        case .generated: .time(record.life.generated)
        case .expires: .time(record.life.expires)
        case .state: .integer(StateColumns(record.life.storedState).number)
        case .stateDetail: .textIfAny(StateColumns(record.life.storedState).detail)
        case .version: .integer(Int64(record.version))
        case .openUntil: .timeIfAny(Self.openUntil(record.life))
        }
    }

    /// What the column holds.
    var type: SQLValue.ElementType {
        switch self {
        case .device: .blob
        case .generated, .expires, .state, .version, .openUntil: .integer
        case .code, .id, .requestor, .deviceID, .appID, .deviceUser, .mvpd, .registrationURL, .deviceType, .appVersion,
            .boxName, .boxModel, .boxSoftware, .boxUserAgent, .boxInformation, .boxAddress, .applicationID,
            .applicationName, .applicationVersion, .stateDetail:
            .text
        }
    }

    /// What replaces the raw data of a code that is over or completed. The column of the device ID keeps a form that is read back.
    static let withoutRawData = """
        device_id = encode(device, 'hex'), box_address = '', box_user_agent = NULL, box_information = NULL
        """

    static func values(of record: RegistrationRecord) -> [SQLValue] { self.allCases.map { $0.value(of: record) } }

    /// When the code stops being open by itself; `nil` when it is over or completed already.
    static func openUntil(_ life: RegistrationCode) -> Timestamp? {
        switch life.storedState {
        case .waiting, .opened, .loggingIn, .confirming: life.expires
        case .completed, .declined, .cancelled, .expired: nil
        }
    }

    static func record(from row: inout Row) throws(PostgresFailure) -> RegistrationRecord {
        let context = DeviceContext(
            device: try row.device(Self.device), appID: try row.textIfAny(Self.appID),
            deviceUser: try row.textIfAny(Self.deviceUser))
        let box = BoxDescription(
            name: try row.textIfAny(Self.boxName), model: try row.textIfAny(Self.boxModel),
            software: try row.textIfAny(Self.boxSoftware), userAgent: try row.textIfAny(Self.boxUserAgent),
            deviceInformation: try row.textIfAny(Self.boxInformation), address: try row.text(Self.boxAddress))
        let state = try StateColumns.state(
            number: row.integer(Self.state), detail: row.textIfAny(Self.stateDetail))
        return RegistrationRecord(
            id: try row.text(Self.id), code: try row.code(Self.code), requestor: try row.requestor(Self.requestor),
            deviceID: try row.deviceID(Self.deviceID), context: context, mvpd: try row.mvpdIfAny(Self.mvpd),
            registrationURL: try row.textIfAny(Self.registrationURL), deviceType: try row.textIfAny(Self.deviceType),
            appVersion: try row.textIfAny(Self.appVersion), box: box, application: try self.application(from: &row),
            life: RegistrationCode(
                generated: try row.timestamp(Self.generated), expires: try row.timestamp(Self.expires), state: state),
            version: Int(try row.integer(Self.version)))
    }

    private static func application(from row: inout Row) throws(PostgresFailure) -> ApplicationReference? {
        guard let id = try row.textIfAny(Self.applicationID), let name = try row.textIfAny(Self.applicationName),
            let version = try row.textIfAny(Self.applicationVersion)
        else { return nil }
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
            case .opened: (7, nil)
            }
    }

    static func state(number: Int64, detail: String?) throws(PostgresFailure) -> RegistrationCode.State {
        switch (number, detail) {
        case (0, _): return .waiting(refusal: detail)
        case (1, _): return .loggingIn
        case (2, _): return .confirming
        case (3, let authentication?): return .completed(AuthNID(text: authentication))
        case (4, _): return .declined
        case (5, _): return .cancelled
        case (6, _): return .expired
        case (7, _): return .opened
        default: throw .nonsense("a code is in no known state")
        }
    }
}
