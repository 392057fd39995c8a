#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Schedule files of every kind, checked from outside: the exit codes for wrong, unreadable and unknown.
# Usage: format_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

file() {  # header, records …: each a line
    printf '%s\n' "$@" > "$dir/f.jsonl"
}

checked() {  # exit code, what: of text and JSON alike
    run check "$dir/f.jsonl"
    is "$1" "$2"
    run check "$dir/f.jsonl" --format json
    is "$1" "$2, json"
}

# A broadcast on a listed square of links; then over a link that does not exist.
square='{"format":"rwa-schedule","version":1,"network":{"kind":"graph","nodes":3,"wavelengths":1,'
square="$square"'"links":[[0,1],[1,2]]},"collective":"broadcast","root":0,'
square="$square"'"blocks":1,"block_bytes":8,"steps":2,"scheme":"x"}'
first='{"step":1,"src":0,"dst":1,"path":[0,1],"fiber":0,"wavelength":0,"block":0}'
file "$square" "$first" '{"step":2,"src":0,"dst":2,"path":[0,1,2],"fiber":0,"wavelength":0,"block":0}'
checked 0 "paths over links"
has '"longest_hops":2'
good export "$dir/f.jsonl" --expand -o "$dir/again.jsonl"  # export of paths
good check "$dir/again.jsonl"  # paths written again
file "$square" "$first" '{"step":2,"src":0,"dst":2,"path":[0,2],"fiber":0,"wavelength":0,"block":0}'
checked 1 "a path over no link"
has '"kind":"continuity"'
file "$square" "$first" '{"step":2,"src":0,"dst":2,"dir":"cw","fiber":0,"wavelength":0,"block":0}'
checked 2 "a direction in a graph"

# All-reduce of two nodes: right, added twice, and with a contribution overwritten by a copy.
pair='{"format":"rwa-schedule","version":1,"network":{"kind":"ring","nodes":2,"wavelengths":1},'
pair="$pair"'"collective":"all-reduce","blocks":1,"block_bytes":8,"steps":1,"scheme":"x"}'
to='{"step":1,"src":0,"dst":1,"dir":"cw","fiber":0,"wavelength":0,"block":0,"op":"reduce"}'
fro='{"step":1,"src":1,"dst":0,"dir":"cw","fiber":0,"wavelength":0,"block":0,"op":"reduce"}'
file "$pair" "$to" "$fro"
checked 0 "an all-reduce"
file "$pair" "$to" "$fro" "$(echo "$to" | sed 's/"cw"/"ccw"/')"
checked 1 "a contribution counted twice"
has '"kind":"completeness"'
has 'twice'
file "$pair" "$(echo "$to" | sed 's/reduce/copy/')" "$fro"
checked 1 "a contribution lost"

# A star of two wavelengths with two transmitters on one.
star='{"format":"rwa-schedule","version":1,"network":{"kind":"star","nodes":3,"wavelengths":2,"ports":1,"tuning":4},'
star="$star"'"collective":"all-gather","blocks":3,"block_bytes":8,"steps":1,"scheme":"x"}'
file "$star" '{"step":1,"src":0,"dst":1,"path":[0,1],"fiber":0,"wavelength":0,"block":0}' \
    '{"step":1,"src":1,"dst":2,"path":[1,2],"fiber":0,"wavelength":0,"block":1}'
checked 1 "two transmitters on one wavelength"
has '"kind":"channel"'
has '"finish_steps":5'

# Faults and members.
ring='{"format":"rwa-schedule","version":1,"network":{"kind":"ring","nodes":4,"wavelengths":2,"reserved":[1],'
ring="$ring"'"failed":["cw:1"]},"collective":"gather","root":2,"members":[0,2],'
ring="$ring"'"blocks":2,"block_bytes":8,"steps":1,"scheme":"x"}'
round='{"step":1,"src":0,"dst":2,"dir":"ccw","fiber":0,"wavelength":0,"block":0}'
file "$ring" "$round"
checked 0 "the way round a failed link"
file "$ring" "$(echo "$round" | sed 's/ccw/cw/')"
checked 1 "a failed link"
file "$ring" "$(echo "$round" | sed 's/"wavelength":0/"wavelength":1/')"
checked 1 "a reserved wavelength"
file "$ring" "$(echo "$round" | sed 's/"src":0/"src":1/')"
checked 1 "a node that takes no part"

# Versions 2 to 4 are read, version 5 is not.
tap='{"format":"rwa-schedule","version":2,"network":{"kind":"line","nodes":3,"wavelengths":1},"collective":"broadcast",'
tap="$tap"'"root":0,"blocks":2,"slots":2,"block_bytes":8,"steps":1,"scheme":"x"}'
both='{"step":1,"src":0,"dst":2,"dir":"cw","fiber":0,"wavelength":0,"blocks":[0,1],"taps":[1]}'
file "$tap" "$both"
checked 0 "two blocks and a tap"
file "$(echo "$tap" | sed 's/"version":2/"version":5/')" "$both"
checked 2 "version 5"
file "$(echo "$tap" | sed 's/"version":2/"version":1/')" "$both"
checked 2 "taps in version 1"
file "$tap" "$(echo "$both" | sed 's/"blocks":\[0,1\]/"block":0/')"
checked 1 "a block left behind"

finish
