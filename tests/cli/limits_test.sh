#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --time-limit holds for random commands; others are stopped by SIGINT or after a few ms; make test-long tries more.
# Usage: limits_test.sh RWA
# shellcheck source=tests/support/cli.sh
. "$(dirname "$0")/../support/cli.sh"

if command -v python3 > /dev/null; then
    python3 "$(dirname "$0")/../limits/limits.py" "$1" --small --count 25 --seed 7
    holds "25 random commands end in time"
    python3 "$(dirname "$0")/../limits/limits.py" "$1" --stop --small --count 40 --seed 3
    holds "40 random commands that are stopped end with an exit code"
else
    echo "no python3: random commands are not tried"
fi

# In no time no plan passes its check; the limit is named as the command calls it.
run plan --network hypercube:9 -w 16 --time-limit 0.01
is 3 "nothing in 10 ms"
says '--time-limit'

# One-stage's share of the time, a tenth of it, is too short for 9702 lightpaths; nearest takes 10 ms.
good plan --network fat-tree:6 -w 4 --time-limit 0.5  # a plan by a quicker scheme
says 'Check             ok'

# A comparison shares its limit among the schemes, and names the limit that was given: a scheme that ran out of time has
# no verdict.
run compare --network torus:32x32 -w 4 --time-limit 0.01 --scheme optree,nearest
is 3 "no scheme has a plan in 10 ms"
says '* no schedule     optree, nearest: --time-limit 0.01:'
run compare --network torus:32x32 -w 4 --time-limit 0.01 --scheme optree --format csv
says ',optree,undecided,'

# When time ends while parts of the wavelengths are tried, the plan that is found is the answer: it took 15 ms.
# a first plan is kept
good plan --network tree:2x3 -w 4 --collective all-to-all --cost overlap --ports 1 --max-hops 2 --time-limit 1
says 'Check             ok'

# A first plan takes 10 ms here; the searches for a quicker one take longer than the limit, and so does the plan on the
# links as listed.
for network in mesh:8x8 hypercube:6; do
    for collective in broadcast scatter; do
        # $collective on $network in 0.3 s
        good plan --network $network -w 4 --collective $collective --cost overlap --time-limit 0.3
        says 'Check             ok'
    done
done
finish
