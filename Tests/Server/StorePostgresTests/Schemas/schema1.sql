-- The tables as a program of schema 1 left them, and a row. Statements are parted by lines that say so.
-- next
CREATE SCHEMA latchkey
-- next
CREATE TABLE latchkey.schema_version (number bigint NOT NULL, oldest bigint NOT NULL)
-- next
INSERT INTO latchkey.schema_version (number, oldest) VALUES (1, 1)
-- next
CREATE TABLE latchkey.codes (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    code text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    requestor text COLLATE "C" NOT NULL,
    device_id text COLLATE "C" NOT NULL,
    device bytea NOT NULL,
    app_id text COLLATE "C",
    device_user text COLLATE "C",
    mvpd text COLLATE "C",
    registration_url text COLLATE "C",
    device_type text COLLATE "C",
    app_version text COLLATE "C",
    box_name text COLLATE "C",
    box_model text COLLATE "C",
    box_software text COLLATE "C",
    box_user_agent text COLLATE "C",
    box_information text COLLATE "C",
    box_address text COLLATE "C" NOT NULL,
    application_id text COLLATE "C",
    application_name text COLLATE "C",
    application_version text COLLATE "C",
    generated bigint NOT NULL,
    expires bigint NOT NULL,
    state bigint NOT NULL,
    state_detail text COLLATE "C",
    version bigint NOT NULL,
    open_until bigint,
    UNIQUE (code)
)
-- next
CREATE INDEX codes_expires ON latchkey.codes (expires) INCLUDE (open_until)
-- next
CREATE INDEX codes_open ON latchkey.codes (device, open_until) WHERE open_until IS NOT NULL
-- next
CREATE TABLE latchkey.attempts (
    id bytea NOT NULL,
    code text COLLATE "C" NOT NULL,
    requestor text COLLATE "C" NOT NULL,
    mvpd text COLLATE "C" NOT NULL,
    origin bigint NOT NULL,
    redirect_url text COLLATE "C",
    browser bytea NOT NULL,
    created bigint NOT NULL,
    expires bigint NOT NULL,
    progress bigint NOT NULL,
    sealed_login bytea,
    sealed_exchange bytea,
    version bigint NOT NULL,
    PRIMARY KEY (id)
)
-- next
CREATE INDEX attempts_expires ON latchkey.attempts (expires)
-- next
CREATE TABLE latchkey.authentications (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL,
    device bytea NOT NULL,
    app_id text COLLATE "C" NOT NULL,
    device_user text COLLATE "C" NOT NULL,
    owner text COLLATE "C" NOT NULL,
    requestor text COLLATE "C" NOT NULL,
    mvpd text COLLATE "C" NOT NULL,
    client text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    code text COLLATE "C",
    origin text COLLATE "C" NOT NULL,
    created bigint NOT NULL,
    expires bigint NOT NULL,
    sealed_session bytea NOT NULL,
    provider_session bytea,
    version bigint NOT NULL,
    UNIQUE (id),
    UNIQUE (device, app_id, device_user, owner, mvpd, client)
)
-- next
CREATE INDEX authentications_expires ON latchkey.authentications (expires)
-- next
CREATE INDEX authentications_created ON latchkey.authentications (created)
-- next
CREATE INDEX authentications_requestor ON latchkey.authentications (requestor, created)
-- next
CREATE INDEX authentications_viewer ON latchkey.authentications (user_id, mvpd, requestor, id)
-- next
CREATE INDEX authentications_code ON latchkey.authentications (code) WHERE code IS NOT NULL
-- next
CREATE INDEX authentications_provider_session ON latchkey.authentications (provider_session) WHERE provider_session IS NOT NULL
-- next
CREATE TABLE latchkey.authorizations (
    authentication text COLLATE "C" NOT NULL,
    device bytea NOT NULL,
    requestor text COLLATE "C" NOT NULL,
    resource text COLLATE "C" NOT NULL,
    mvpd text COLLATE "C" NOT NULL,
    origin text COLLATE "C" NOT NULL,
    created bigint NOT NULL,
    expires bigint NOT NULL,
    PRIMARY KEY (authentication, requestor, resource),
    FOREIGN KEY (authentication)
    REFERENCES latchkey.authentications (id) ON DELETE CASCADE
)
-- next
CREATE INDEX authorizations_expires ON latchkey.authorizations (expires)
-- next
CREATE TABLE latchkey.nonces (
    public_key text COLLATE "C" NOT NULL,
    nonce text COLLATE "C" NOT NULL,
    expires bigint NOT NULL,
    PRIMARY KEY (public_key, nonce)
)
-- next
CREATE INDEX nonces_expires ON latchkey.nonces (expires)
-- next
CREATE TABLE latchkey.key_pairs (
    public_key text COLLATE "C" NOT NULL,
    sealed_private_key bytea NOT NULL,
    server_to_server bigint NOT NULL,
    created bigint NOT NULL,
    ends bigint,
    label text COLLATE "C",
    PRIMARY KEY (public_key)
)
-- next
CREATE TABLE latchkey.key_pair_requestors (
    public_key text COLLATE "C" NOT NULL,
    place bigint NOT NULL,
    requestor text COLLATE "C" NOT NULL,
    PRIMARY KEY (public_key, place),
    FOREIGN KEY (public_key)
    REFERENCES latchkey.key_pairs (public_key) ON DELETE CASCADE
)
-- next
CREATE TABLE latchkey.applications (
    software_id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    version text COLLATE "C" NOT NULL,
    server_to_server bigint NOT NULL,
    created bigint NOT NULL,
    ends bigint,
    PRIMARY KEY (software_id)
)
-- next
CREATE TABLE latchkey.application_lists (
    software_id text COLLATE "C" NOT NULL,
    list text COLLATE "C" NOT NULL,
    place bigint NOT NULL,
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (software_id, list, place),
    FOREIGN KEY (software_id)
    REFERENCES latchkey.applications (software_id) ON DELETE CASCADE
)
-- next
CREATE TABLE latchkey.clients (
    client_id text COLLATE "C" NOT NULL,
    secret_hash bytea NOT NULL,
    software_id text COLLATE "C" NOT NULL,
    created bigint NOT NULL,
    last_used bigint NOT NULL,
    PRIMARY KEY (client_id)
)
-- next
CREATE INDEX clients_last_used ON latchkey.clients (last_used)
-- next
CREATE INDEX clients_application ON latchkey.clients (software_id, created)
-- next
CREATE TABLE latchkey.client_redirects (
    client_id text COLLATE "C" NOT NULL,
    place bigint NOT NULL,
    uri text COLLATE "C" NOT NULL,
    PRIMARY KEY (client_id, place),
    FOREIGN KEY (client_id)
    REFERENCES latchkey.clients (client_id) ON DELETE CASCADE
)
-- next
CREATE TABLE latchkey.set_up_codes (
    hash bytea NOT NULL,
    requestor text COLLATE "C" NOT NULL,
    created bigint NOT NULL,
    expires bigint NOT NULL,
    label text COLLATE "C",
    software_id text COLLATE "C",
    PRIMARY KEY (hash)
)
-- next
CREATE INDEX set_up_codes_expires ON latchkey.set_up_codes (expires)
-- next
CREATE TABLE latchkey.accounts (
    mvpd text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    password_hash text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (mvpd, name),
    UNIQUE (mvpd, id)
)
-- next
CREATE TABLE latchkey.account_line_ups (
    mvpd text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    place bigint NOT NULL,
    resource text COLLATE "C" NOT NULL,
    PRIMARY KEY (mvpd, name, place),
    FOREIGN KEY (mvpd, name)
    REFERENCES latchkey.accounts (mvpd, name) ON DELETE CASCADE
)
-- next
CREATE TABLE latchkey.account_metadata (
    mvpd text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    place bigint NOT NULL,
    shape bigint NOT NULL,
    member text COLLATE "C" NOT NULL,
    value text COLLATE "C" NOT NULL,
    PRIMARY KEY (mvpd, name, key, place),
    FOREIGN KEY (mvpd, name)
    REFERENCES latchkey.accounts (mvpd, name) ON DELETE CASCADE
)
-- next
CREATE TABLE latchkey.trials (
    id text COLLATE "C" NOT NULL,
    requestor text COLLATE "C" NOT NULL,
    mvpd text COLLATE "C" NOT NULL,
    first_use bigint,
    kept_until bigint,
    version bigint NOT NULL,
    PRIMARY KEY (id)
)
-- next
CREATE INDEX trials_pair ON latchkey.trials (requestor, mvpd)
-- next
CREATE INDEX trials_kept_until ON latchkey.trials (kept_until) WHERE kept_until IS NOT NULL
-- next
CREATE TABLE latchkey.trial_resources (
    trial text COLLATE "C" NOT NULL,
    place bigint NOT NULL,
    resource text COLLATE "C" NOT NULL,
    PRIMARY KEY (trial, place),
    FOREIGN KEY (trial)
    REFERENCES latchkey.trials (id) ON DELETE CASCADE
)
-- next
CREATE TABLE latchkey.trial_identities (
    requestor text COLLATE "C" NOT NULL,
    mvpd text COLLATE "C" NOT NULL,
    kind bigint NOT NULL,
    hash bytea NOT NULL,
    trial text COLLATE "C" NOT NULL,
    place bigint NOT NULL,
    PRIMARY KEY (requestor, mvpd, kind, hash),
    FOREIGN KEY (trial)
    REFERENCES latchkey.trials (id) ON DELETE CASCADE
)
-- next
CREATE INDEX trial_identities_trial ON latchkey.trial_identities (trial, place)
-- next
CREATE TABLE latchkey.degradation_rules (
    id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    requestor text COLLATE "C" NOT NULL,
    mvpd text COLLATE "C",
    message text COLLATE "C" NOT NULL,
    activation bigint NOT NULL,
    ends bigint NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (id)
)
-- next
CREATE INDEX degradation_rules_ends ON latchkey.degradation_rules (ends)
-- next
CREATE TABLE latchkey.degradation_resources (
    rule text COLLATE "C" NOT NULL,
    place bigint NOT NULL,
    resource text COLLATE "C" NOT NULL,
    PRIMARY KEY (rule, place),
    FOREIGN KEY (rule)
    REFERENCES latchkey.degradation_rules (id) ON DELETE CASCADE
)
-- next
CREATE TABLE latchkey.audit_log (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    moment bigint NOT NULL,
    actor text COLLATE "C" NOT NULL,
    action text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL
)
-- next
CREATE TABLE latchkey.passkeys (
    credential bytea NOT NULL,
    mvpd text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL,
    public_key bytea NOT NULL,
    is_syncable bigint NOT NULL,
    sign_count bigint NOT NULL,
    created bigint NOT NULL,
    last_used bigint,
    PRIMARY KEY (credential),
    FOREIGN KEY (mvpd, account)
    REFERENCES latchkey.accounts (mvpd, id) ON DELETE CASCADE
)
-- next
CREATE INDEX passkeys_account ON latchkey.passkeys (mvpd, account, created)
-- next
CREATE TABLE latchkey.reports (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hour bigint NOT NULL,
    requestor text COLLATE "C" NOT NULL,
    mvpd text COLLATE "C" NOT NULL,
    platform text COLLATE "C" NOT NULL,
    event text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    device_type text COLLATE "C" NOT NULL,
    UNIQUE (hour, requestor, mvpd, device_type, platform, event)
)
-- next
CREATE TABLE latchkey.leases (
    task text COLLATE "C" NOT NULL,
    holder text COLLATE "C" NOT NULL,
    ends bigint NOT NULL,
    PRIMARY KEY (task)
)
-- next
CREATE TABLE latchkey.probe (
    id bigint NOT NULL,
    value bigint NOT NULL,
    PRIMARY KEY (id)
)
-- next
CREATE TABLE latchkey.changes (
    transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
    part bigint NOT NULL,
    place bigint NOT NULL,
    kind bigint NOT NULL,
    code text COLLATE "C",
    device bytea,
    client text COLLATE "C",
    PRIMARY KEY (transaction, part, place)
)
-- next
CREATE TABLE latchkey.change_marks (
    transaction bigint NOT NULL,
    part bigint NOT NULL,
    moment bigint NOT NULL,
    PRIMARY KEY (transaction, part)
)
-- next
CREATE TABLE latchkey.store_state (
    id bigint PRIMARY KEY CHECK (id = 1),
    life bytea NOT NULL,
    purged_transaction bigint NOT NULL,
    purged_part bigint NOT NULL,
    purged_at bigint,
    cleared_until bigint NOT NULL
)
-- next
INSERT INTO latchkey.store_state (id, life, purged_transaction, purged_part, cleared_until)
    VALUES (1, decode(replace(gen_random_uuid()::text, '-', ''), 'hex'), 0, 0, 0)
-- next
INSERT INTO latchkey.probe (id, value) VALUES (1, 0)
-- next
INSERT INTO latchkey.key_pairs (public_key, sealed_private_key, server_to_server, created, label) VALUES ('k', 'x', 0, 1, 'Küche')
