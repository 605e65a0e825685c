#!/bin/sh
# {title}: runs the tests. Options of hurl may follow: sh run.sh --report-junit results.xml
set -eu
cd "$(dirname "$0")"

variables=$(mktemp)
secrets=$(mktemp)
trap 'rm -f "$variables" "$secrets"' EXIT

# A value percent-encoded, whatever is in it.
encoded() {
    printf %s "$1" | od -An -v -tu1 | LC_ALL=C awk '{
        for (at = 1; at <= NF; at++) {
            character = sprintf("%c", $at + 0)
            printf "%s", character ~ /[A-Za-z0-9._~-]/ ? character : sprintf("%%%02X", $at)
        }
    }'
}

# A value of this run's own: name, beginning, number of random characters, end.
fresh() {
    value=$2$(LC_ALL=C tr -dc 'a-z0-9' </dev/urandom | head -c "$3")$4
    printf '%s="%s"\n%s_path="%s"\n' "$1" "$value" "$1" "$(encoded "$value")" >>"$variables"
}

# A secret from the environment: name, environment variable.
secret() {
    if ! value=$(printenv "$2"); then
        echo "set the environment variable $2: the tests need its value" >&2
        exit 2
    fi
    printf '%s=%s\n%s_path=%s\n' "$1" "$value" "$1" "$(encoded "$value")" >>"$secrets"
}

url=${STEADY_URL:-{url}}
echo "url=${url%/}" >>"$variables"
{values}
# Redirects are not followed, and a clean-up follows a failure, too. Tests run one after the other: they may share data.
run() {
    [ -n "$files" ] || return 0
    # The names have no spaces in them.
    # shellcheck disable=SC2086
    "${HURL:-hurl}" --test --jobs 1 --continue-on-error --path-as-is --compressed --max-time 30 \
        --variables-file "$variables" --secrets-file "$secrets" "$@" $files
}

[ "${STEADY_INSECURE:-}" != 1 ] || set -- --insecure "$@"
status=0
files=$(find . -name '*.hurl' ! -name '*.cookies.hurl' | LC_ALL=C sort)
run --no-cookie-store "$@" || status=$?
files=$(find . -name '*.cookies.hurl' | LC_ALL=C sort)
run "$@" || status=$?
exit "$status"
