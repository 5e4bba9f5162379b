-- The roles and the schema of a latchkeyd on PostgreSQL. Once, as a superuser, in the database that is meant:
--   psql -d latchkey -f deploy/postgres/roles.sql
-- Then 'latchkeyd migrate' makes the tables, and says which role may do what with each. This file can be run again: what is
-- there stays as it is.
\set ON_ERROR_STOP on

-- Owns the tables; store.migrationConnection is this role's.
SELECT 'CREATE ROLE latchkey_owner LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'latchkey_owner') \gexec
-- Reads and writes rows and may do nothing else; store.connection is this role's.
SELECT 'CREATE ROLE latchkey_server LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'latchkey_server') \gexec

-- 16 connections a node; ten nodes, and one that starts while another ends.
ALTER ROLE latchkey_server CONNECTION LIMIT 176;
-- A node that was paused in the middle of a transaction holds up the change feed of all others, so it loses the
-- transaction. latchkeyd itself waits two seconds for an answer.
ALTER ROLE latchkey_server SET idle_in_transaction_session_timeout = '5s';
ALTER ROLE latchkey_server SET statement_timeout = '60s';
ALTER ROLE latchkey_server SET lock_timeout = '5s';
-- A promise is kept when this server has it on its disk; with standbys named in synchronous_standby_names, they too.
ALTER ROLE latchkey_server SET synchronous_commit = 'on';
-- Every statement that meets many rows has an index for it. A plan that was made while a table was small, and is kept,
-- would read all of it when it is large. Statements are short: compiling one takes longer than running it.
ALTER ROLE latchkey_server SET enable_seqscan = off;
ALTER ROLE latchkey_server SET jit = off;

-- Neither role needs tables of its own; everyone may make temporary ones in a new database.
REVOKE TEMPORARY ON DATABASE :"DBNAME" FROM PUBLIC;
CREATE SCHEMA IF NOT EXISTS latchkey AUTHORIZATION latchkey_owner;
REVOKE ALL ON SCHEMA latchkey FROM PUBLIC;
GRANT USAGE ON SCHEMA latchkey TO latchkey_server;
