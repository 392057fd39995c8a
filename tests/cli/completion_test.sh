#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion in a shell: what bash offers is what --help lists.  Usage: completion_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

good completion bash  # completion for bash
cp "$dir/out" "$dir/rwa.bash"
bad completion fish
bad completion
good completion zsh  # completion for zsh
says "#compdef rwa"

if command -v bash > /dev/null 2>&1; then
    offers() {  # words typed so far, the last one unfinished
        # shellcheck disable=SC2016
        bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rwa; printf "%s\n" "${COMPREPLY[@]}"' \
            - "$dir/rwa.bash" "$@" > "$dir/out" 2> "$dir/err"
    }
    offers rwa pl
    [ "$(cat "$dir/out")" = "plan
place" ]
    holds "commands that begin with pl"
    offers rwa plan --collective all-r
    [ "$(cat "$dir/out")" = all-reduce ]
    holds "collectives that begin with all-r"
    offers rwa plan --scheme wav
    [ "$(cat "$dir/out")" = wavefront ]
    holds "schemes that begin with wav"
    offers rwa plan --network nsfnet14-21
    says nsfnet14-21
    # Every option that the help of a command lists is offered, and no other.
    for word in $("$rwa" help | awk '/^Commands:/ { inside = 1; next } !NF { inside = 0 } inside { print $1 }'); do
        offers rwa "$word" --
        sort "$dir/out" > "$dir/offered"
        COLUMNS=200 "$rwa" help "$word" | sed -n 's/^  \(-., \)\{0,1\} *\(--[a-z0-9-]*\).*/\2/p' |
            sort -u > "$dir/listed"
        same "$dir/offered" "$dir/listed" "$word: offered and listed options differ"
    done
fi
bad plan --network ring:8 --collective allreduce
says "did you mean all-reduce?"

finish
