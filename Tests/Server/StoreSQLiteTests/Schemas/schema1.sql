-- A store as a program of schema 1 left it, with rows of every kind. Statements are parted by lines that say so.
-- next
CREATE TABLE codes (
    sequence INTEGER PRIMARY KEY,
    code TEXT NOT NULL,
    id TEXT NOT NULL,
    requestor TEXT NOT NULL,
    device_id TEXT NOT NULL,
    device BLOB NOT NULL,
    app_id TEXT,
    device_user TEXT,
    mvpd TEXT,
    registration_url TEXT,
    device_type TEXT,
    app_version TEXT,
    box_name TEXT,
    box_model TEXT,
    box_software TEXT,
    box_user_agent TEXT,
    box_information TEXT,
    box_address TEXT NOT NULL,
    application_id TEXT,
    application_name TEXT,
    application_version TEXT,
    generated INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    state INTEGER NOT NULL,
    state_detail TEXT,
    version INTEGER NOT NULL,
    open_until INTEGER,
    UNIQUE (code)
) STRICT
-- next
CREATE INDEX codes_expires ON codes (expires)
-- next
CREATE INDEX codes_open ON codes (device, open_until) WHERE open_until IS NOT NULL
-- next
CREATE TABLE attempts (
    id BLOB NOT NULL,
    code TEXT NOT NULL,
    requestor TEXT NOT NULL,
    mvpd TEXT NOT NULL,
    origin INTEGER NOT NULL,
    redirect_url TEXT,
    browser BLOB NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    progress INTEGER NOT NULL,
    sealed_login BLOB,
    sealed_exchange BLOB,
    version INTEGER NOT NULL,
    PRIMARY KEY (id)
) STRICT, WITHOUT ROWID
-- next
CREATE INDEX attempts_expires ON attempts (expires)
-- next
CREATE TABLE authentications (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    device BLOB NOT NULL,
    app_id TEXT NOT NULL,
    device_user TEXT NOT NULL,
    owner TEXT NOT NULL,
    requestor TEXT NOT NULL,
    mvpd TEXT NOT NULL,
    client TEXT NOT NULL,
    user_id TEXT NOT NULL,
    code TEXT,
    origin TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    sealed_session BLOB NOT NULL,
    provider_session BLOB,
    version INTEGER NOT NULL,
    UNIQUE (id),
    UNIQUE (device, app_id, device_user, owner, mvpd, client)
) STRICT
-- next
CREATE INDEX authentications_expires ON authentications (expires)
-- next
CREATE INDEX authentications_created ON authentications (created)
-- next
CREATE INDEX authentications_requestor ON authentications (requestor, created)
-- next
CREATE INDEX authentications_viewer ON authentications (user_id, mvpd, requestor, id)
-- next
CREATE INDEX authentications_code ON authentications (code) WHERE code IS NOT NULL
-- next
CREATE INDEX authentications_provider_session ON authentications (provider_session) WHERE provider_session IS NOT NULL
-- next
CREATE TABLE authorizations (
    authentication TEXT NOT NULL,
    device BLOB NOT NULL,
    requestor TEXT NOT NULL,
    resource TEXT NOT NULL,
    mvpd TEXT NOT NULL,
    origin TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    PRIMARY KEY (authentication, requestor, resource),
    FOREIGN KEY (authentication)
    REFERENCES authentications (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID
-- next
CREATE INDEX authorizations_expires ON authorizations (expires)
-- next
CREATE TABLE nonces (
    public_key TEXT NOT NULL,
    nonce TEXT NOT NULL,
    expires INTEGER NOT NULL,
    PRIMARY KEY (public_key, nonce)
) STRICT, WITHOUT ROWID
-- next
CREATE INDEX nonces_expires ON nonces (expires)
-- next
CREATE TABLE key_pairs (
    public_key TEXT NOT NULL,
    sealed_private_key BLOB NOT NULL,
    server_to_server INTEGER NOT NULL,
    created INTEGER NOT NULL,
    ends INTEGER,
    label TEXT,
    PRIMARY KEY (public_key)
) STRICT, WITHOUT ROWID
-- next
CREATE TABLE key_pair_requestors (
    public_key TEXT NOT NULL,
    place INTEGER NOT NULL,
    requestor TEXT NOT NULL,
    PRIMARY KEY (public_key, place),
    FOREIGN KEY (public_key)
    REFERENCES key_pairs (public_key) ON DELETE CASCADE
) STRICT, WITHOUT ROWID
-- next
CREATE TABLE applications (
    software_id TEXT NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    server_to_server INTEGER NOT NULL,
    created INTEGER NOT NULL,
    ends INTEGER,
    PRIMARY KEY (software_id)
) STRICT, WITHOUT ROWID
-- next
CREATE TABLE application_lists (
    software_id TEXT NOT NULL,
    list TEXT NOT NULL,
    place INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (software_id, list, place),
    FOREIGN KEY (software_id)
    REFERENCES applications (software_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID
-- next
CREATE TABLE clients (
    client_id TEXT NOT NULL,
    secret_hash BLOB NOT NULL,
    software_id TEXT NOT NULL,
    created INTEGER NOT NULL,
    last_used INTEGER NOT NULL,
    PRIMARY KEY (client_id)
) STRICT, WITHOUT ROWID
-- next
CREATE INDEX clients_last_used ON clients (last_used)
-- next
CREATE INDEX clients_application ON clients (software_id, created)
-- next
CREATE TABLE client_redirects (
    client_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    uri TEXT NOT NULL,
    PRIMARY KEY (client_id, place),
    FOREIGN KEY (client_id)
    REFERENCES clients (client_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID
-- next
CREATE TABLE set_up_codes (
    hash BLOB NOT NULL,
    requestor TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    label TEXT,
    software_id TEXT,
    PRIMARY KEY (hash)
) STRICT, WITHOUT ROWID
-- next
CREATE INDEX set_up_codes_expires ON set_up_codes (expires)
-- next
CREATE TABLE accounts (
    mvpd TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (mvpd, name),
    UNIQUE (mvpd, id)
) STRICT, WITHOUT ROWID
-- next
CREATE TABLE account_line_ups (
    mvpd TEXT NOT NULL,
    name TEXT NOT NULL,
    place INTEGER NOT NULL,
    resource TEXT NOT NULL,
    PRIMARY KEY (mvpd, name, place),
    FOREIGN KEY (mvpd, name)
    REFERENCES accounts (mvpd, name) ON DELETE CASCADE
) STRICT, WITHOUT ROWID
-- next
CREATE TABLE account_metadata (
    mvpd TEXT NOT NULL,
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    place INTEGER NOT NULL,
    shape INTEGER NOT NULL,
    member TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (mvpd, name, key, place),
    FOREIGN KEY (mvpd, name)
    REFERENCES accounts (mvpd, name) ON DELETE CASCADE
) STRICT, WITHOUT ROWID
-- next
CREATE TABLE trials (
    id TEXT NOT NULL,
    requestor TEXT NOT NULL,
    mvpd TEXT NOT NULL,
    first_use INTEGER,
    kept_until INTEGER,
    version INTEGER NOT NULL,
    PRIMARY KEY (id)
) STRICT, WITHOUT ROWID
-- next
CREATE INDEX trials_pair ON trials (requestor, mvpd)
-- next
CREATE INDEX trials_kept_until ON trials (kept_until) WHERE kept_until IS NOT NULL
-- next
CREATE TABLE trial_resources (
    trial TEXT NOT NULL,
    place INTEGER NOT NULL,
    resource TEXT NOT NULL,
    PRIMARY KEY (trial, place),
    FOREIGN KEY (trial)
    REFERENCES trials (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID
-- next
CREATE TABLE trial_identities (
    requestor TEXT NOT NULL,
    mvpd TEXT NOT NULL,
    kind INTEGER NOT NULL,
    hash BLOB NOT NULL,
    trial TEXT NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (requestor, mvpd, kind, hash),
    FOREIGN KEY (trial)
    REFERENCES trials (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID
-- next
CREATE INDEX trial_identities_trial ON trial_identities (trial, place)
-- next
CREATE TABLE degradation_rules (
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    requestor TEXT NOT NULL,
    mvpd TEXT,
    message TEXT NOT NULL,
    activation INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (id)
) STRICT, WITHOUT ROWID
-- next
CREATE INDEX degradation_rules_ends ON degradation_rules (ends)
-- next
CREATE TABLE degradation_resources (
    rule TEXT NOT NULL,
    place INTEGER NOT NULL,
    resource TEXT NOT NULL,
    PRIMARY KEY (rule, place),
    FOREIGN KEY (rule)
    REFERENCES degradation_rules (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID
-- next
CREATE TABLE audit_log (
    sequence INTEGER PRIMARY KEY,
    moment INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL
) STRICT
-- next
CREATE TABLE passkeys (
    credential BLOB NOT NULL,
    mvpd TEXT NOT NULL,
    account TEXT NOT NULL,
    public_key BLOB NOT NULL,
    is_syncable INTEGER NOT NULL,
    sign_count INTEGER NOT NULL,
    created INTEGER NOT NULL,
    last_used INTEGER,
    PRIMARY KEY (credential),
    FOREIGN KEY (mvpd, account)
    REFERENCES accounts (mvpd, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID
-- next
CREATE INDEX passkeys_account ON passkeys (mvpd, account, created)
-- next
CREATE TABLE reports (
    sequence INTEGER PRIMARY KEY,
    hour INTEGER NOT NULL,
    requestor TEXT NOT NULL,
    mvpd TEXT NOT NULL,
    platform TEXT NOT NULL,
    event TEXT NOT NULL,
    number INTEGER NOT NULL,
    device_type TEXT NOT NULL,
    UNIQUE (hour, requestor, mvpd, device_type, platform, event)
) STRICT
-- next
CREATE TABLE leases (
    task TEXT NOT NULL,
    holder TEXT NOT NULL,
    ends INTEGER NOT NULL,
    PRIMARY KEY (task)
) STRICT, WITHOUT ROWID
-- next
CREATE TABLE probe (
    id INTEGER NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (id)
) STRICT, WITHOUT ROWID
-- next
CREATE TABLE changes (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    leader INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    code TEXT,
    device BLOB,
    client TEXT
) STRICT
-- next
CREATE TABLE change_marks (
    position INTEGER PRIMARY KEY,
    moment INTEGER NOT NULL
) STRICT
-- next
CREATE TABLE store_state (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    life BLOB NOT NULL,
    purged_position INTEGER NOT NULL,
    purged_at INTEGER,
    cleared_until INTEGER NOT NULL
) STRICT
-- next
CREATE TABLE open_codes (
    minute INTEGER PRIMARY KEY,
    number INTEGER NOT NULL
) STRICT
-- next
INSERT INTO codes VALUES(1,'K000000','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F','app','üser','CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,0,'no',0,1767227400000)
-- next
INSERT INTO codes VALUES(2,'K000001','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F','app','üser','CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,1,NULL,0,1767227400000)
-- next
INSERT INTO codes VALUES(3,'K000002','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'02010203060506070A090A0B0E0D0E0F12111213161516171A191A1B1E1D1E1F','app','üser','CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,2,NULL,0,1767227400000)
-- next
INSERT INTO codes VALUES(4,'K000003','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'03010203070506070B090A0B0F0D0E0F13111213171516171B191A1B1F1D1E1F','app','üser','CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,3,'00000000000000000000000000000005',0,NULL)
-- next
INSERT INTO codes VALUES(5,'K000004','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'04010203080506070C090A0B100D0E0F14111213181516171C191A1B201D1E1F','app','üser','CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,4,NULL,0,NULL)
-- next
INSERT INTO codes VALUES(6,'K000005','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'05010203090506070D090A0B110D0E0F15111213191516171D191A1B211D1E1F','app','üser','CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,5,NULL,0,NULL)
-- next
INSERT INTO codes VALUES(7,'K000006','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'060102030A0506070E090A0B120D0E0F161112131A1516171E191A1B221D1E1F','app','üser','CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,6,NULL,0,NULL)
-- next
INSERT INTO codes VALUES(8,'K000010','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F',NULL,NULL,'CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,0,NULL,1,1767227400000)
-- next
INSERT INTO attempts VALUES(X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F','K000010','NORTHSPORT','CableNova',0,NULL,X'01020300FF',1767225600000,1767226500000,1,X'0100FF',NULL,0)
-- next
INSERT INTO authentications VALUES(1,'00000000000000000000000000000001',X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F','','','','NORTHSPORT','CableNova','','viewer-1','K000010','regular',1767225600000,1769817600000,X'00010201',NULL,0)
-- next
INSERT INTO authentications VALUES(2,'00000000000000000000000000000002',X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F','','','NORTHSPORT','NORTHSPORT','SkyPeak','','viewer-2',NULL,'regular',1767225605000,1769817605000,X'00010202',NULL,0)
-- next
INSERT INTO authentications VALUES(3,'00000000000000000000000000000003',X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F','app','u','SOUTHNEWS','SOUTHNEWS','CableNova','','viewer-3',NULL,'temporaryPass',1767225600000,1769817600000,X'00010203',NULL,0)
-- next
INSERT INTO authentications VALUES(4,'00000000000000000000000000000004',X'02010203060506070A090A0B0E0D0E0F12111213161516171A191A1B1E1D1E1F','','','','NORTHSPORT','CableNova','','viewer-4',NULL,'platform',1767225600000,1769817600000,X'00010204',NULL,0)
-- next
INSERT INTO authorizations VALUES('00000000000000000000000000000001',X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F','NORTHSPORT','North Sport HD','CableNova','degraded',1767225600000,1767312000000)
-- next
INSERT INTO authorizations VALUES('00000000000000000000000000000003',X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F','NORTHSPORT','South News','CableNova','degraded',1767225600000,1767312000000)
-- next
INSERT INTO authorizations VALUES('00000000000000000000000000000004',X'02010203060506070A090A0B0E0D0E0F12111213161516171A191A1B1E1D1E1F','NORTHSPORT','<rss>ü</rss>','CableNova','degraded',1767225600000,1767312000000)
-- next
INSERT INTO nonces VALUES('k','nonce',1767226500000)
-- next
INSERT INTO key_pairs VALUES('key',X'010203',1,1767225600000,1767225660000,NULL)
-- next
INSERT INTO key_pair_requestors VALUES('key',0,'NORTHSPORT')
-- next
INSERT INTO key_pair_requestors VALUES('key',1,'SOUTHNEWS')
-- next
INSERT INTO applications VALUES('software','Démo','1.0',1,1767225600000,NULL)
-- next
INSERT INTO application_lists VALUES('software','requestors',0,'SOUTHNEWS')
-- next
INSERT INTO application_lists VALUES('software','scopes',0,'api:client:v1')
-- next
INSERT INTO application_lists VALUES('software','targets',0,'sport.example')
-- next
INSERT INTO application_lists VALUES('software','targets',1,'hcplayer')
-- next
INSERT INTO clients VALUES('client',X'0405','software',1767225600000,1795524508000)
-- next
INSERT INTO client_redirects VALUES('client',0,'app://x')
-- next
INSERT INTO client_redirects VALUES('client',1,'b://y')
-- next
INSERT INTO set_up_codes VALUES(X'0102','NORTHSPORT',1767225600000,1767225660000,'Küche',NULL)
-- next
INSERT INTO accounts VALUES('CableNova','anna','anna','$y$anna',0)
-- next
INSERT INTO accounts VALUES('SkyPeak','anna','anna','$y$2',0)
-- next
INSERT INTO account_line_ups VALUES('CableNova','anna',0,'A')
-- next
INSERT INTO account_line_ups VALUES('CableNova','anna',1,'B')
-- next
INSERT INTO account_line_ups VALUES('SkyPeak','anna',0,'*')
-- next
INSERT INTO account_metadata VALUES('CableNova','anna','list',0,1,'','a')
-- next
INSERT INTO account_metadata VALUES('CableNova','anna','list',1,1,'','b')
-- next
INSERT INTO account_metadata VALUES('CableNova','anna','zip',0,0,'','12345')
-- next
INSERT INTO trials VALUES('00000000-0000-4000-8000-000000000001','NORTHSPORT','CableNova',1767225600000,1801440000000,1)
-- next
INSERT INTO trials VALUES('00000000-0000-4000-8000-000000000002','NORTHSPORT','CableNova',NULL,NULL,1)
-- next
INSERT INTO trial_resources VALUES('00000000-0000-4000-8000-000000000001',0,'A')
-- next
INSERT INTO trial_resources VALUES('00000000-0000-4000-8000-000000000001',1,'B')
-- next
INSERT INTO trial_identities VALUES('NORTHSPORT','CableNova',1,X'010203','00000000-0000-4000-8000-000000000001',0)
-- next
INSERT INTO trial_identities VALUES('NORTHSPORT','CableNova',0,X'03010203070506070B090A0B0F0D0E0F13111213171516171B191A1B1F1D1E1F','00000000-0000-4000-8000-000000000001',1)
-- next
INSERT INTO trial_identities VALUES('NORTHSPORT','CableNova',0,X'04010203080506070C090A0B100D0E0F14111213181516171C191A1B201D1E1F','00000000-0000-4000-8000-000000000002',0)
-- next
INSERT INTO degradation_rules VALUES('00000000-0000-4000-8000-000000000001','authzAll','NORTHSPORT','CableNova','Zurück um 5 – 1',1767225600000,1767240000000,1)
-- next
INSERT INTO degradation_rules VALUES('00000000-0000-4000-8000-000000000002','authnAll','NORTHSPORT',NULL,'Zurück um 5 – 2',1767225600000,1767240000000,1)
-- next
INSERT INTO degradation_resources VALUES('00000000-0000-4000-8000-000000000001',0,'A')
-- next
INSERT INTO audit_log VALUES(1,1767225600000,'operator-1','test.change','subject 1')
-- next
INSERT INTO audit_log VALUES(2,1767225600000,'operator-2','test.change','subject 2')
-- next
INSERT INTO audit_log VALUES(3,1767225600000,'operator-3','test.change','subject 3')
-- next
INSERT INTO passkeys VALUES(X'0A00FF','CableNova','anna',X'A0',1,3,1767225600000,NULL)
-- next
INSERT INTO reports VALUES(1,490896,'NORTHSPORT','','Linux','codeMade',2,'settop')
-- next
INSERT INTO leases VALUES('serve-1','node',1767225660000)
-- next
INSERT INTO probe VALUES(1,0)
-- next
INSERT INTO changes VALUES(1,1,0,'K000010',NULL,NULL)
-- next
INSERT INTO changes VALUES(2,2,1,NULL,X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F',NULL)
-- next
INSERT INTO changes VALUES(3,3,1,NULL,X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F',NULL)
-- next
INSERT INTO changes VALUES(4,4,1,NULL,X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F',NULL)
-- next
INSERT INTO changes VALUES(5,5,1,NULL,X'02010203060506070A090A0B0E0D0E0F12111213161516171A191A1B1E1D1E1F',NULL)
-- next
INSERT INTO changes VALUES(6,6,2,NULL,NULL,NULL)
-- next
INSERT INTO changes VALUES(7,7,2,NULL,NULL,NULL)
-- next
INSERT INTO changes VALUES(8,8,3,NULL,NULL,NULL)
-- next
INSERT INTO change_marks VALUES(8,1767225610000)
-- next
INSERT INTO store_state VALUES(1,X'7D345A0F934D1929F5831796064A1307',0,NULL,0)
-- next
INSERT INTO open_codes VALUES(29453790,4)
-- next
CREATE TRIGGER codes_inserted AFTER INSERT ON codes WHEN new.open_until IS NOT NULL
BEGIN
    INSERT INTO open_codes (minute, number) VALUES (new.open_until / 60000, 1)
        ON CONFLICT (minute) DO UPDATE SET number = number + 1;
END
-- next
CREATE TRIGGER codes_updated AFTER UPDATE OF open_until ON codes WHEN old.open_until IS NOT new.open_until
BEGIN
    UPDATE open_codes SET number = number - 1 WHERE minute = old.open_until / 60000;
    INSERT INTO open_codes (minute, number)
        SELECT new.open_until / 60000, 1 WHERE new.open_until IS NOT NULL
        ON CONFLICT (minute) DO UPDATE SET number = number + 1;
END
-- next
CREATE TRIGGER codes_deleted AFTER DELETE ON codes WHEN old.open_until IS NOT NULL
BEGIN
    UPDATE open_codes SET number = number - 1 WHERE minute = old.open_until / 60000;
END
-- next
PRAGMA application_id = 1282698105
-- next
PRAGMA user_version = 1
