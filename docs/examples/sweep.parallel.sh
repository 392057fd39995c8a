#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One sweep by GNU parallel, here or on other machines (--sshloginfile NODES; they need the same folder).
#   docs/examples/sweep.parallel.sh OUT.csv SHARDS [options of rwa sweep]
# The shards and a log of the jobs stand beside OUT.csv.  If jobs failed or were killed, run the same command again:
# --resume-failed starts those that are missing in the log or failed, and each continues from its FILE.part.
set -e
out=$1
shards=$2
shift 2
seq "$shards" | parallel --quote --joblog "$out.joblog" --resume-failed \
    "${RWA:-rwa}" sweep "$@" --quiet --shard "{}/$shards" -o "$out.{}"
i=1
set --
while [ "$i" -le "$shards" ]; do
    set -- "$@" "$out.$i"
    i=$((i + 1))
done
"${RWA:-rwa}" sweep --merge "$@" -o "$out"
rm -f "$@" "$out.joblog"
