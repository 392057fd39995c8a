#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# With a device profile scheme auto is no slower than a scheme by its name, or than with fewer wavelengths.
# Usage: device_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

while read -r device wavelengths collective message scheme; do
    set -- --network ring:256 -w "$wavelengths" --collective "$collective" --message "$message" --device "$device" \
        --format json
    run plan "$@" < /dev/null
    is 0 "$device $collective"
    auto=$(first time_seconds)
    run plan "$@" --scheme "$scheme" < /dev/null
    is 0 "$device $collective by $scheme"
    awk "BEGIN { exit !($auto <= $(first time_seconds) * (1 + 1e-9)) }"
    holds "$device $collective: $auto s, by $scheme"
done <<END
aggressive 8 all-gather 1MB standing
teraphy-2021 8 all-gather 1MB standing
onoc-typical 8 all-gather 1MB standing
conservative 4 all-gather 1MB wavefront
END

# Rings of every second wavelength stand as far apart as those of a grid half as dense.
before=1e9
for wavelengths in 2 4 8; do
    # conservative, $wavelengths wavelengths
    good plan --network ring:256 -w $wavelengths --message 1MB --device conservative -o "$dir/plan.jsonl" --format json
    awk "BEGIN { exit !($(first time_seconds) <= $before * (1 + 1e-9)) }"
    holds "conservative, $wavelengths wavelengths"
    before=$(first time_seconds)
    good check "$dir/plan.jsonl" --device conservative  # its check
done

# Time to spare makes no plan worse.
for setting in "ring:140 -w 4" "nsfnet14-21 -w 8 --collective all-to-all" \
    "torus:6x6 -w 4 --collective all-reduce --cost circuit --alpha 1us"; do
    for device in conservative aggressive; do
        good plan --network $setting --message 1MB --device $device --format json  # $setting, $device
        without=$(first time_seconds)
        # $setting, $device, in a minute
        good plan --network $setting --message 1MB --device $device --time-limit 60 --format json
        awk "BEGIN { exit !($(first time_seconds) <= $without * (1 + 1e-9)) }"
        holds "$setting, $device"
    done
done

finish
