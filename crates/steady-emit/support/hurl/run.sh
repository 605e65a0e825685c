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

# A value percent-encoded, as within a JSON string with slashes escaped, in base64, and as a pattern of itself.
as_percent() { encoded "$1"; }
as_json() { printf %s "$1" | sed 's/[\\"/]/\\&/g'; }
as_base64() { printf %s "$1" | base64 | tr -d '\n'; }
as_regex() { printf %s "$1" | sed 's/[][\\.*^$+?(){}|]/\\&/g'; }

# A value that is known now: name, value.
known() {
    for kind in "" _path _regex; do
        case $kind in
            _path) value=$(encoded "$2") ;;
            _regex) value=$(as_regex "$2") ;;
            *) value=$2 ;;
        esac
        printf '%s%s="%s"\n' "$1" "$kind" "$value" >>"$variables"
    done
}

# A value of this run's own: name, beginning, number of random characters, end.
fresh() {
    value=$2$(LC_ALL=C tr -dc 'a-z0-9' </dev/urandom | head -c "$3")$4
    printf '%s="%s"\n%s_path="%s"\n' "$1" "$value" "$1" "$(encoded "$value")" >>"$variables"
}

# A secret from the environment: name, environment variable, how it is written.
missing=
secret() {
    if ! value=$(printenv "$2"); then
        case ", $missing, " in *", $2, "*) ;; *) missing=${missing:+$missing, }$2 ;; esac
        return 0
    fi
    [ -z "${3:-}" ] || value=$("$3" "$value")
    printf '%s=%s\n%s_path=%s\n%s_regex=%s\n' \
        "$1" "$value" "$1" "$(encoded "$value")" "$1" "$(as_regex "$value")" >>"$secrets"
}

url=${STEADY_URL:-{url}}
while [ "$url" != "${url%/}" ]; do url=${url%/}; done
echo "url=$url" >>"$variables"
# The address in its parts: what the API says about itself is another thing on every address.
base_origin=$(printf %s "${url%%://*}://$(printf %s "${url#*://}" | cut -d / -f 1)" | tr '[:upper:]' '[:lower:]')
base_path=$(printf %s "${url#*://}" | sed 's,^[^/]*,,')
case $base_origin in
    http://*:80) base_origin=${base_origin%:80} ;;
    https://*:443) base_origin=${base_origin%:443} ;;
esac
base_authority=${base_origin#*://}
base_url=$base_origin$base_path
# Not every suite speaks of each.
: "$base_authority" "$base_url"
{values}
if [ -n "$missing" ]; then
    echo "set these environment variables, the tests need their values: $missing" >&2
    exit 2
fi

# A body of unknown length has no size until it is over, so its rate is limited, too.
# Redirects are not followed, and a clean-up follows a failure, too. Tests run one after the other: they may share data.
run() {
    [ -n "$files" ] || return 0
    # The names have no spaces in them.
    # shellcheck disable=SC2086
    "${HURL:-hurl}" --test --jobs 1 --continue-on-error --path-as-is --compressed --max-time "${STEADY_TIMEOUT:-30}" \
        --max-filesize 4194304 --limit-rate 4194304 \
        --variables-file "$variables" --secrets-file "$secrets" "$@" $files
}

[ "${STEADY_INSECURE:-}" != 1 ] || set -- --insecure "$@"
status=0
files=$(find . -name '*.hurl' ! -name '*.cookies.hurl' | LC_ALL=C sort)
run --no-cookie-store "$@" || status=$?
files=$(find . -name '*.cookies.hurl' | LC_ALL=C sort)
run "$@" || status=$?
exit "$status"
