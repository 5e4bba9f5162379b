-- A store of schema 3 with rows of every kind, made by the program of that schema; a line `-- next` parts statements.
-- next
CREATE TABLE account_line_ups (
    mvpd TEXT NOT NULL,
    name TEXT NOT NULL,
    place INTEGER NOT NULL,
    resource TEXT NOT NULL,
    PRIMARY KEY (mvpd, name, place),
    FOREIGN KEY (mvpd, name) REFERENCES accounts (mvpd, name) ON DELETE CASCADE
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "account_line_ups" VALUES('CableNova','anna',0,'A')
-- next
INSERT INTO "account_line_ups" VALUES('CableNova','anna',1,'B')
-- next
INSERT INTO "account_line_ups" VALUES('SkyPeak','anna',0,'*')
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
    FOREIGN KEY (mvpd, name) REFERENCES accounts (mvpd, name) ON DELETE CASCADE
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "account_metadata" VALUES('CableNova','anna','list',0,1,'','a')
-- next
INSERT INTO "account_metadata" VALUES('CableNova','anna','list',1,1,'','b')
-- next
INSERT INTO "account_metadata" VALUES('CableNova','anna','zip',0,0,'','12345')
-- next
CREATE TABLE accounts (
    mvpd TEXT NOT NULL,
    name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    PRIMARY KEY (mvpd, name)
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "accounts" VALUES('CableNova','anna','$y$anna')
-- next
INSERT INTO "accounts" VALUES('SkyPeak','anna','$y$2')
-- next
CREATE TABLE application_lists (
    software_id TEXT NOT NULL REFERENCES applications (software_id) ON DELETE CASCADE,
    list TEXT NOT NULL,
    place INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (software_id, list, place)
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "application_lists" VALUES('software','requestors',0,'SOUTHNEWS')
-- next
INSERT INTO "application_lists" VALUES('software','scopes',0,'api:client:v1')
-- next
INSERT INTO "application_lists" VALUES('software','targets',0,'sport.example')
-- next
INSERT INTO "application_lists" VALUES('software','targets',1,'hcplayer')
-- next
CREATE TABLE applications (
    software_id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    created INTEGER NOT NULL,
    ends INTEGER
, server_to_server INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID
-- next
INSERT INTO "applications" VALUES('software','Démo','1.0',1767225600000,NULL,1)
-- next
CREATE TABLE attempts (
    id BLOB PRIMARY KEY,
    code TEXT NOT NULL,
    requestor TEXT NOT NULL,
    mvpd TEXT NOT NULL,
    redirect_url TEXT,
    browser BLOB NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    progress INTEGER NOT NULL,
    sealed_login BLOB
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "attempts" VALUES(X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F','K000010','NORTHSPORT','CableNova',NULL,X'01020300FF',1767225600000,1767226500000,1,X'0100FF')
-- next
CREATE TABLE audit_log (
    sequence INTEGER PRIMARY KEY,
    moment INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL
) STRICT
-- next
INSERT INTO "audit_log" VALUES(1,1767225600000,'operator-1','test.change','subject 1')
-- next
INSERT INTO "audit_log" VALUES(2,1767225600000,'operator-2','test.change','subject 2')
-- next
INSERT INTO "audit_log" VALUES(3,1767225600000,'operator-3','test.change','subject 3')
-- next
CREATE TABLE authentications (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    device BLOB NOT NULL,
    app_id TEXT NOT NULL,
    device_user TEXT NOT NULL,
    owner TEXT NOT NULL,
    requestor TEXT NOT NULL,
    mvpd TEXT NOT NULL,
    user_id TEXT NOT NULL,
    code TEXT,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    sealed_session BLOB NOT NULL, origin TEXT NOT NULL DEFAULT 'regular',
    UNIQUE (device, app_id, device_user, owner)
) STRICT
-- next
INSERT INTO "authentications" VALUES(1,'00000000000000000000000000000001',X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F','','','','NORTHSPORT','CableNova','viewer-1','K000010',1767225600000,1769817600000,X'00010201','regular')
-- next
INSERT INTO "authentications" VALUES(2,'00000000000000000000000000000002',X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F','','','NORTHSPORT','NORTHSPORT','SkyPeak','viewer-2',NULL,1767225605000,1769817605000,X'00010202','regular')
-- next
INSERT INTO "authentications" VALUES(3,'00000000000000000000000000000003',X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F','app','u','SOUTHNEWS','SOUTHNEWS','CableNova','viewer-3',NULL,1767225600000,1769817600000,X'00010203','temporaryPass')
-- next
INSERT INTO "authentications" VALUES(4,'00000000000000000000000000000004',X'02010203060506070A090A0B0E0D0E0F12111213161516171A191A1B1E1D1E1F','','','','NORTHSPORT','CableNova','viewer-4',NULL,1767225600000,1769817600000,X'00010204','platform')
-- next
CREATE TABLE authorizations (
    device BLOB NOT NULL,
    requestor TEXT NOT NULL,
    resource TEXT NOT NULL,
    authentication TEXT NOT NULL REFERENCES authentications (id) ON DELETE CASCADE,
    mvpd TEXT NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER NOT NULL, origin TEXT NOT NULL DEFAULT 'provider',
    PRIMARY KEY (device, requestor, resource)
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "authorizations" VALUES(X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F','NORTHSPORT','North Sport HD','00000000000000000000000000000001','CableNova',1767225600000,1767312000000,'degraded')
-- next
INSERT INTO "authorizations" VALUES(X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F','NORTHSPORT','South News','00000000000000000000000000000003','CableNova',1767225600000,1767312000000,'degraded')
-- next
INSERT INTO "authorizations" VALUES(X'02010203060506070A090A0B0E0D0E0F12111213161516171A191A1B1E1D1E1F','NORTHSPORT','<rss>ü</rss>','00000000000000000000000000000004','CableNova',1767225600000,1767312000000,'degraded')
-- next
CREATE TABLE change_marks (
    position INTEGER PRIMARY KEY,
    moment INTEGER NOT NULL
) STRICT
-- next
INSERT INTO "change_marks" VALUES(8,1767225610000)
-- next
CREATE TABLE changes (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    kind INTEGER NOT NULL,
    code TEXT,
    device BLOB
) STRICT
-- next
INSERT INTO "changes" VALUES(1,0,'K000010',NULL)
-- next
INSERT INTO "changes" VALUES(2,1,NULL,X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F')
-- next
INSERT INTO "changes" VALUES(3,1,NULL,X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F')
-- next
INSERT INTO "changes" VALUES(4,1,NULL,X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F')
-- next
INSERT INTO "changes" VALUES(5,1,NULL,X'02010203060506070A090A0B0E0D0E0F12111213161516171A191A1B1E1D1E1F')
-- next
INSERT INTO "changes" VALUES(6,2,NULL,NULL)
-- next
INSERT INTO "changes" VALUES(7,2,NULL,NULL)
-- next
INSERT INTO "changes" VALUES(8,3,NULL,NULL)
-- next
CREATE TABLE client_redirects (
    client_id TEXT NOT NULL REFERENCES clients (client_id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    uri TEXT NOT NULL,
    PRIMARY KEY (client_id, place)
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "client_redirects" VALUES('client',0,'app://x')
-- next
INSERT INTO "client_redirects" VALUES('client',1,'b://y')
-- next
CREATE TABLE clients (
    client_id TEXT PRIMARY KEY,
    secret_hash BLOB NOT NULL,
    software_id TEXT NOT NULL,
    created INTEGER NOT NULL
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "clients" VALUES('client',X'0405','software',1767225600000)
-- next
CREATE TABLE codes (
    sequence INTEGER PRIMARY KEY,
    code TEXT NOT NULL UNIQUE,
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
    device_key INTEGER NOT NULL
) STRICT
-- next
INSERT INTO "codes" VALUES(1,'K000000','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F','app','üser','CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,0,'no',0,1767227400000,283686952306183)
-- next
INSERT INTO "codes" VALUES(2,'K000001','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F','app','üser','CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,1,NULL,0,1767227400000,72341281007011335)
-- next
INSERT INTO "codes" VALUES(3,'K000002','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'02010203060506070A090A0B0E0D0E0F12111213161516171A191A1B1E1D1E1F','app','üser','CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,2,NULL,0,1767227400000,144398875061716487)
-- next
INSERT INTO "codes" VALUES(4,'K000003','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'03010203070506070B090A0B0F0D0E0F13111213171516171B191A1B1F1D1E1F','app','üser','CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,3,'00000000000000000000000000000005',0,NULL,216456469116421639)
-- next
INSERT INTO "codes" VALUES(5,'K000004','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'04010203080506070C090A0B100D0E0F14111213181516171C191A1B201D1E1F','app','üser','CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,4,NULL,0,NULL,288514063171126791)
-- next
INSERT INTO "codes" VALUES(6,'K000005','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'05010203090506070D090A0B110D0E0F15111213191516171D191A1B211D1E1F','app','üser','CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,5,NULL,0,NULL,360571657225831943)
-- next
INSERT INTO "codes" VALUES(7,'K000006','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'060102030A0506070E090A0B120D0E0F161112131A1516171E191A1B221D1E1F','app','üser','CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,6,NULL,0,NULL,432629251280537095)
-- next
INSERT INTO "codes" VALUES(8,'K000010','0d9a6c3e-54b1-4c39-8d0e-2f7a6b1c9e55','NORTHSPORT','dev-000123',X'010102030505060709090A0B0D0D0E0F111112131515161719191A1B1D1D1E1F',NULL,NULL,'CableNova','https://tve.example.net/activate','settop','1.2.0','Living room','LX-200','Player 4','hc/1.2','eyJtb2RlbCI6IkxYLTIwMCJ9','192.0.2.17','2c1d7f10','Demo Player','1.2.0',1767225600000,1767227400000,0,NULL,1,1767227400000,72341281007011335)
-- next
CREATE TABLE degradation_resources (
    rule TEXT NOT NULL REFERENCES degradation_rules (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    resource TEXT NOT NULL,
    PRIMARY KEY (rule, place)
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "degradation_resources" VALUES('00000000-0000-4000-8000-000000000001',0,'A')
-- next
CREATE TABLE degradation_rules (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    requestor TEXT NOT NULL,
    mvpd TEXT,
    message TEXT NOT NULL,
    activation INTEGER NOT NULL,
    ends INTEGER NOT NULL
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "degradation_rules" VALUES('00000000-0000-4000-8000-000000000001','authzAll','NORTHSPORT','CableNova','Zurück um 5 – 1',1767225600000,1767240000000)
-- next
INSERT INTO "degradation_rules" VALUES('00000000-0000-4000-8000-000000000002','authnAll','NORTHSPORT',NULL,'Zurück um 5 – 2',1767225600000,1767240000000)
-- next
CREATE TABLE key_pair_requestors (
    public_key TEXT NOT NULL REFERENCES key_pairs (public_key) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    requestor TEXT NOT NULL,
    PRIMARY KEY (public_key, place)
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "key_pair_requestors" VALUES('key',0,'NORTHSPORT')
-- next
INSERT INTO "key_pair_requestors" VALUES('key',1,'SOUTHNEWS')
-- next
CREATE TABLE key_pairs (
    public_key TEXT PRIMARY KEY,
    sealed_private_key BLOB NOT NULL,
    created INTEGER NOT NULL,
    ends INTEGER
, server_to_server INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID
-- next
INSERT INTO "key_pairs" VALUES('key',X'010203',1767225600000,1767225660000,1)
-- next
CREATE TABLE nonces (
    public_key TEXT NOT NULL,
    nonce TEXT NOT NULL,
    expires INTEGER NOT NULL,
    PRIMARY KEY (public_key, nonce)
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "nonces" VALUES('k','nonce',1767226500000)
-- next
CREATE TABLE open_codes (
    minute INTEGER PRIMARY KEY,
    number INTEGER NOT NULL
) STRICT
-- next
INSERT INTO "open_codes" VALUES(29453790,4)
-- next
CREATE TABLE trial_identities (
    requestor TEXT NOT NULL,
    mvpd TEXT NOT NULL,
    kind INTEGER NOT NULL,
    hash BLOB NOT NULL,
    trial TEXT NOT NULL REFERENCES trials (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    PRIMARY KEY (requestor, mvpd, kind, hash)
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "trial_identities" VALUES('NORTHSPORT','CableNova',1,X'010203','00000000-0000-4000-8000-000000000001',0)
-- next
INSERT INTO "trial_identities" VALUES('NORTHSPORT','CableNova',0,X'03010203070506070B090A0B0F0D0E0F13111213171516171B191A1B1F1D1E1F','00000000-0000-4000-8000-000000000001',1)
-- next
INSERT INTO "trial_identities" VALUES('NORTHSPORT','CableNova',0,X'04010203080506070C090A0B100D0E0F14111213181516171C191A1B201D1E1F','00000000-0000-4000-8000-000000000002',0)
-- next
CREATE TABLE trial_resources (
    trial TEXT NOT NULL REFERENCES trials (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    resource TEXT NOT NULL,
    PRIMARY KEY (trial, place)
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "trial_resources" VALUES('00000000-0000-4000-8000-000000000001',0,'A')
-- next
INSERT INTO "trial_resources" VALUES('00000000-0000-4000-8000-000000000001',1,'B')
-- next
CREATE TABLE trials (
    id TEXT PRIMARY KEY,
    requestor TEXT NOT NULL,
    mvpd TEXT NOT NULL,
    first_use INTEGER,
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID
-- next
INSERT INTO "trials" VALUES('00000000-0000-4000-8000-000000000001','NORTHSPORT','CableNova',1767225600000,1)
-- next
INSERT INTO "trials" VALUES('00000000-0000-4000-8000-000000000002','NORTHSPORT','CableNova',NULL,1)
-- next
CREATE INDEX codes_expires ON codes (expires)
-- next
CREATE INDEX codes_open ON codes (device_key, open_until) WHERE open_until IS NOT NULL
-- next
CREATE INDEX attempts_expires ON attempts (expires)
-- next
CREATE TRIGGER codes_inserted AFTER INSERT ON codes WHEN new.open_until IS NOT NULL
BEGIN
    INSERT INTO open_codes (minute, number) VALUES (new.open_until / 60000, 1)
        ON CONFLICT (minute) DO UPDATE SET number = number + 1;
END;
-- next
CREATE TRIGGER codes_updated AFTER UPDATE OF open_until ON codes WHEN old.open_until IS NOT new.open_until
BEGIN
    UPDATE open_codes SET number = number - 1 WHERE minute = old.open_until / 60000;
    INSERT INTO open_codes (minute, number)
        SELECT new.open_until / 60000, 1 WHERE new.open_until IS NOT NULL
        ON CONFLICT (minute) DO UPDATE SET number = number + 1;
END;
-- next
CREATE TRIGGER codes_deleted AFTER DELETE ON codes WHEN old.open_until IS NOT NULL
BEGIN
    UPDATE open_codes SET number = number - 1 WHERE minute = old.open_until / 60000;
END;
-- next
CREATE INDEX authentications_expires ON authentications (expires)
-- next
CREATE INDEX authorizations_authentication ON authorizations (authentication)
-- next
CREATE INDEX nonces_expires ON nonces (expires)
-- next
CREATE INDEX trials_pair ON trials (requestor, mvpd)
-- next
CREATE INDEX trial_identities_trial ON trial_identities (trial, place)
-- next
CREATE INDEX degradation_rules_ends ON degradation_rules (ends)
-- next
DELETE FROM "sqlite_sequence"
-- next
INSERT INTO "sqlite_sequence" VALUES('changes',8)
-- next
PRAGMA application_id = 1282698105
-- next
PRAGMA user_version = 3
