#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# With a device profile scheme auto is no slower than any scheme by its name.  Usage: device_test.sh RWA
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

finish
