-- Splits the large tables of a latchkeyd on PostgreSQL into sixteen partitions each, as SIZES.md says. Once, as a superuser,
-- after the first 'latchkeyd migrate' and before anything is kept:
--   psql -d latchkey -f deploy/postgres/partitions.sql
-- Then 'latchkeyd migrate' once more, for the rights. A table that has rows is refused.
\set ON_ERROR_STOP on
BEGIN;
SET ROLE latchkey_owner;

DO $$
DECLARE
    found text;
    number integer;
    -- Each table with what it is split by. Those that refer to another one come first, as they have to go first.
    keys CONSTANT text[][] := ARRAY[
        ['authorizations', 'authentication'], ['authentications', 'device'], ['codes', 'code'], ['attempts', 'id'],
        ['client_redirects', 'client_id'], ['clients', 'client_id'], ['nonces', 'public_key, nonce']
    ];
    indexes text[];
    filled boolean;
BEGIN
    FOR number IN 1..array_length(keys, 1) LOOP
        EXECUTE format('SELECT EXISTS (SELECT FROM latchkey.%I)', keys[number][1]) INTO filled;
        IF filled THEN RAISE 'the table % has rows', keys[number][1]; END IF;
    END LOOP;
    FOR number IN 1..array_length(keys, 1) LOOP
        found := keys[number][1];
        -- The indexes that are no keys stay as they are.
        SELECT array_agg(indexdef) INTO indexes FROM pg_indexes WHERE schemaname = 'latchkey' AND tablename = found
            AND indexdef NOT LIKE 'CREATE UNIQUE%';
        EXECUTE format('ALTER TABLE latchkey.%I RENAME TO %I', found, found || '_whole');
        EXECUTE format('CREATE TABLE latchkey.%I (LIKE latchkey.%I INCLUDING DEFAULTS INCLUDING IDENTITY) PARTITION BY HASH (%s)',
            found, found || '_whole', keys[number][2]);
        EXECUTE format('DROP TABLE latchkey.%I', found || '_whole');
        FOR part IN 0..15 LOOP
            EXECUTE format('CREATE TABLE latchkey.%I PARTITION OF latchkey.%I FOR VALUES WITH (MODULUS 16, REMAINDER %s)',
                found || '_' || part, found, part);
        END LOOP;
        FOR part IN 1..coalesce(array_length(indexes, 1), 0) LOOP
            EXECUTE replace(indexes[part], ' ON ONLY ', ' ON ');
        END LOOP;
    END LOOP;
END $$;

ALTER TABLE latchkey.codes ADD PRIMARY KEY (code), ADD UNIQUE (code, sequence);
CREATE INDEX codes_sequence ON latchkey.codes (sequence);
ALTER TABLE latchkey.attempts ADD PRIMARY KEY (id);
ALTER TABLE latchkey.nonces ADD PRIMARY KEY (public_key, nonce);
ALTER TABLE latchkey.clients ADD PRIMARY KEY (client_id);
ALTER TABLE latchkey.client_redirects ADD PRIMARY KEY (client_id, place),
    ADD FOREIGN KEY (client_id) REFERENCES latchkey.clients (client_id) ON DELETE CASCADE;
ALTER TABLE latchkey.authentications ADD PRIMARY KEY (device, id),
    ADD UNIQUE (device, app_id, device_user, owner, mvpd, client);
CREATE INDEX authentications_id ON latchkey.authentications (id);
CREATE INDEX authentications_sequence ON latchkey.authentications (sequence);
ALTER TABLE latchkey.authorizations ADD PRIMARY KEY (authentication, requestor, resource),
    ADD FOREIGN KEY (device, authentication) REFERENCES latchkey.authentications (device, id) ON DELETE CASCADE;
COMMIT;
