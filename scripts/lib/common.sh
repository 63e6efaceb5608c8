# Sourced by the scripts beside this folder: where things are, and how they speak.

set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

# What was compiled in one checkout serves every other one, wherever it lies.
export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=true

say() {
    printf '%s\n' "$*" >&2
}

die() {
    say "$(basename "$0"): $*"
    exit 1
}

# step NAME COMMAND...: runs a command, tells its name and how long it took, counts it, and goes on after a
# failure. `summary` ends what the steps began.
steps_passed=0
steps_failed=()

step() {
    local name="$1" began="$SECONDS" status=0
    shift
    say ""
    say "== $name"
    "$@" || status=$?
    if [ "$status" -eq 0 ]; then
        steps_passed=$((steps_passed + 1))
        say "== $name: passed in $((SECONDS - began)) s"
    else
        steps_failed+=("$name")
        say "== $name: FAILED with $status after $((SECONDS - began)) s"
    fi
    return "$status"
}

summary() {
    local name
    say ""
    for name in "${steps_failed[@]}"; do
        say "failed: $name"
    done
    say "$SECONDS s in all"
    printf '%s passed, %s failed\n' "$steps_passed" "${#steps_failed[@]}"
    [ "${#steps_failed[@]}" -eq 0 ]
}

# wait_for_url FILE WORDS PID: prints the URL that follows the words (`listening on`, `admin on`) in the file as soon
# as it is there; fails when the process ends or after 30 seconds.
wait_for_url() {
    local file="$1" words="$2" pid="$3" url
    for _ in $(seq 300); do
        url="$(grep -o "$words http://[^ ]*" "$file" 2>/dev/null | head -n 1)" || true
        if [ -n "$url" ]; then
            printf '%s\n' "${url##* }"
            return 0
        fi
        kill -0 "$pid" 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
}

# build PRESET [TARGET...]: configures when that was not done, and builds.
build() {
    local preset="$1" arguments=()
    shift
    if [ "$#" -gt 0 ]; then
        arguments=(--target "$@")
    fi
    if [ ! -f "$root/build/$preset/build.ninja" ]; then
        (cd "$root" && cmake --preset "$preset") || return
    fi
    (cd "$root" && cmake --build --preset "$preset" "${arguments[@]}")
}
