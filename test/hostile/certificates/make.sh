#!/bin/sh
# Makes the certificates of the tests anew: an authority that only tests trust, and servers of it for *.example.test and 127.0.0.2.
# Nothing outside test/ reads them; the authority's key is thrown away.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# `openssl ca` because it alone can date a certificate back: a test machine's clock may be slow.
cat > "$work/ca.conf" <<CONF
[ca]
default_ca = it
[it]
database = $work/index
serial = $work/serial
new_certs_dir = $work
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
[authority]
basicConstraints = critical,CA:TRUE
[server]
subjectAltName = DNS:*.example.test,IP:127.0.0.2
extendedKeyUsage = serverAuth
CONF
touch "$work/index"
echo 1000 > "$work/serial"
# make <file> <common name> <section> <end> <key> <further arguments of openssl ca>
make() {
  file=$1 name=$2 section=$3 end=$4 key=$5
  shift 5
  openssl req -new -key "$key" -subj "/CN=$name" -out "$work/request"
  openssl ca -batch -notext -config "$work/ca.conf" -extensions "$section" -startdate 20200101000000Z -enddate "$end" -in "$work/request" -out "$file" "$@"
}
openssl ecparam -name prime256v1 -genkey -noout -out "$work/authority.key"
openssl ecparam -name prime256v1 -genkey -noout -out server.key
chmod 644 server.key
make authority.pem "Tonwerk test authority" authority 21200101000000Z "$work/authority.key" -selfsign -keyfile "$work/authority.key"
make server.pem "Tonwerk test server" server 21200101000000Z server.key -cert authority.pem -keyfile "$work/authority.key"
make expired.pem "Tonwerk test server" server 20200201000000Z server.key -cert authority.pem -keyfile "$work/authority.key"
make stranger.pem "Tonwerk test stranger" server 21200101000000Z server.key -selfsign -keyfile server.key
