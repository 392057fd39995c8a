# SPDX-License-Identifier: GPL-3.0-or-later
# What the shell suites share: a folder of their own, one way to run the command and to say what failed.
# shellcheck shell=sh
rwa=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
passed=0
failed=0
default=

verdict() {  # 0 or not, what
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $2"
    fi
}

run() { "$rwa" "$@" > "$dir/out" 2> "$dir/err"; code=$?; }

is() {  # exit code, what
    [ "$code" -eq "$1" ]
    verdict $? "$2: exit $code, expected $1: $(head -n 1 "$dir/err")"
}

has() { tr -d ' \n' < "$dir/out" | grep -q -F "$1"; verdict $? "output has no $1: $(head -c 300 "$dir/out")"; }

says() {
    grep -q -F -e "$1" "$dir/out" "$dir/err"
    verdict $? "nothing said of \"$1\": $(head -c 300 "$dir/out" "$dir/err")"
}

number() { tr -d ' \n' < "$dir/out" | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"; }

first() {  # the number of that name, a fraction or not, of the plan itself or of its check
    sed 's/"runners_up".*//' "$dir/out" | grep -o "\"$1\": [-0-9.e]*" | head -1 | sed 's/.*: //'
}

one_line() {  # on standard error, and it starts with "rwa: "
    [ "$(wc -l < "$dir/err")" -eq 1 ] && grep -q '^rwa: ' "$dir/err"
    verdict $? "$1: expected one line on standard error, got: $(cat "$dir/err")"
}

signalled() {  # SIGNAL, seconds until it is sent, arguments
    sent=$1
    after=$2
    shift 2
    # shellcheck disable=SC2086 # $default: a command in front of it, or nothing
    $default "$rwa" "$@" > "$dir/out" 2> "$dir/err" &
    started=$!
    sleep "$after"
    kill -s "$sent" $started 2> /dev/null
    wait $started 2> /dev/null
    code=$?
}

good() { run "$@"; is 0 "rwa $*"; }

no() { run "$@"; is 1 "rwa $*"; }

# A failure: its exit code, and exactly one line that starts with "rwa: ".
fails() {
    want=$1
    shift
    run "$@"
    is "$want" "rwa $*"
    one_line "rwa $*"
}

bad() { fails 2 "$@"; }

bad_each() {  # COMMAND ...: with each line of standard input behind it
    while read -r words; do
        eval "bad $* $words < /dev/null"
    done
}

spoilt_check() {  # whether "no" or "bad", SED, FILE, options: a check of the file that sed makes of another
    verdict_is=$1
    spoilt=$dir/spoilt.${3##*.}
    sed "$2" "$3" > "$spoilt"
    shift 3
    "$verdict_is" check "$spoilt" "$@"
}

no_check() { spoilt_check no "$@"; }

bad_check() { spoilt_check bad "$@"; }

holds() { verdict $? "$1: $(head -c 300 "$dir/out" "$dir/err" 2> /dev/null)"; }  # what the command before it showed

same() { cmp -s "$1" "$2"; holds "$3"; }  # two files, what

absent() { [ ! -e "$1" ]; verdict $? "$2: $1 should not exist"; }

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}
