#!/bin/sh
# Run once by the image of Postgres, when its folder is empty: the role of the nodes and its database. The role is no superuser, makes neither
# databases nor roles, and owns `tonwerk` alone, which nobody else may enter. Migrations need no more than that: no extension, no setting.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --set password="$TONWERK_DATABASE_PASSWORD" <<'SQL'
CREATE ROLE tonwerk LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE tonwerk OWNER tonwerk;
REVOKE ALL ON DATABASE tonwerk FROM PUBLIC;
REVOKE CONNECT ON DATABASE postgres FROM PUBLIC;
SQL
