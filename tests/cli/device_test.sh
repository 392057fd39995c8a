#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# With a device profile scheme auto is no slower than a scheme by its name, or than with fewer wavelengths.  Usage: device_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

seconds() {  # of the plan itself
    sed 's/"runners_up".*//' "$dir/out" | grep -o '"time_seconds": [-0-9.e]*' | head -1 | sed 's/.*: //'
}

while read -r device wavelengths collective message scheme; do
    set -- --network ring:256 -w "$wavelengths" --collective "$collective" --message "$message" --device "$device" --format json
    run plan "$@" < /dev/null
    is 0 "$device $collective"
    auto=$(seconds)
    run plan "$@" --scheme "$scheme" < /dev/null
    is 0 "$device $collective by $scheme"
    awk "BEGIN { exit !($auto <= $(seconds) * (1 + 1e-9)) }"
    verdict $? "$device $collective: $auto s, by $scheme $(seconds) s"
done <<END
aggressive 8 all-gather 1MB standing
teraphy-2021 8 all-gather 1MB standing
onoc-typical 8 all-gather 1MB standing
conservative 4 all-gather 1MB wavefront
END

# Rings of every second wavelength stand as far apart as those of a grid half as dense.
before=1e9
for wavelengths in 2 4 8; do
    run plan --network ring:256 -w $wavelengths --message 1MB --device conservative -o "$dir/plan.jsonl" --format json
    is 0 "conservative, $wavelengths wavelengths"
    awk "BEGIN { exit !($(seconds) <= $before * (1 + 1e-9)) }"
    verdict $? "conservative, $wavelengths wavelengths: $(seconds) s, with half as many $before s"
    before=$(seconds)
    run check "$dir/plan.jsonl" --device conservative
    is 0 "its check"
done

finish
