#!/bin/sh
# Runs a test binary for `cargo test`: the planned tests in the planned order, results with steady's ids.
binary=$1
shift
case $binary in
*/deps/*) ;;
*) exec "$binary" "$@" ;;
esac

name=${binary##*/}
name=${name%-*}
prefix=$CARGO_PKG_NAME::
if [ "$name" != "$(printf %s "$CARGO_PKG_NAME" | tr - _)" ]; then
  prefix=$prefix$name::
fi

work=$(mktemp -d "${STEADY_PLAN%/*}/cargo-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
status=0

# Runs the binary and writes what its log says: `ok a::b`, `failed a::b`, `ignored a::b`.
run() {
  : >"$work/log"
  "$binary" "$@" --logfile "$work/log" || status=$?
  if [ -n "$STEADY_RESULTS" ]; then
    sed -n \
      -e "s|^ok \(.*\)|{\"id\":\"$prefix\1\",\"outcome\":\"passed\"}|p" \
      -e "s|^failed \(.*\)|{\"id\":\"$prefix\1\",\"outcome\":\"failed\"}|p" \
      -e "s|^ignored \([^,]*\).*|{\"id\":\"$prefix\1\",\"outcome\":\"skipped\"}|p" \
      "$work/log" >>"$STEADY_RESULTS"
  fi
}

# The names in a list of ids that belong to this binary.
mine() {
  sed -n "s|^$prefix||p" "$1"
}

exact=--exact
for word; do
  [ "$word" = --exact ] && exact=
done

if [ -n "$STEADY_SELECT" ]; then
  mine "$STEADY_SELECT" >"$work/wanted"
else
  "$binary" "$@" --list --format terse 2>/dev/null | sed -n 's/: test$//p' >"$work/wanted"
fi

if [ -n "$STEADY_ORDER" ]; then
  mine "$STEADY_ORDER" >"$work/listed"
  grep -Fx -f "$work/wanted" "$work/listed" >"$work/first"
  grep -Fxv -f "$work/listed" "$work/wanted" >"$work/others"
  [ -s "$work/listed" ] || cp "$work/wanted" "$work/others"
  while IFS= read -r test <&3; do
    run "$@" $exact "$test"
  done 3<"$work/first" 
  mv "$work/others" "$work/wanted"
fi

if [ -n "$STEADY_SEED" ]; then
  # The seed is for nightly only; the variable that allows it counts for this process, nothing is built with it.
  export RUSTC_BOOTSTRAP=1 RUST_TEST_THREADS=1
  set -- "$@" -Z unstable-options --shuffle-seed "$STEADY_SEED"
fi

if [ -n "$STEADY_SELECT$STEADY_ORDER" ]; then
  if [ -s "$work/wanted" ]; then
    while IFS= read -r test; do
      set -- "$@" "$test"
    done <"$work/wanted"
    run "$@" $exact
  fi
else
  run "$@"
fi
exit $status
