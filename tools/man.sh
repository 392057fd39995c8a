#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual page of one command, from what it says itself with --help, so that the two cannot drift apart.
# Usage: man.sh RWA COMMAND > rwa-COMMAND.1
set -eu
rwa=$1
name=$2
summary=$("$rwa" --help | awk -v name="$name" '/^Commands:/ { inside = 1; next } !NF { inside = 0 }
    inside && $1 == name { $1 = ""; print substr($0, 2); exit }')
[ -n "$summary" ] || { echo "man: rwa has no command $name" >&2; exit 1; }
version=$("$rwa" --version | awk '{ print $NF; exit }')

"$rwa" "$name" --help | awk -v name="$name" -v summary="$summary" -v version="$version" '
    function plain(s) {  # what troff would read as its own
        gsub(/\\/, "\\e", s)
        gsub(/-/, "\\-", s)
        gsub(/\047/, "\\(aq", s)
        if (s ~ /^\./)
            s = "\\&" s
        return s
    }
    function section(title) { print ".SH " toupper(title); at = title }
    BEGIN {
        print ".\\\" SPDX-License-Identifier: GPL-3.0-or-later"
        printf ".TH RWA\\-%s 1 \"\" \"librwa %s\" \"User Commands\"\n", toupper(name), version
        print ".SH NAME\nrwa\\-" plain(name) " \\- " plain(summary)
        at = "Synopsis"
    }
    /^Usage: / { print ".SH SYNOPSIS\n.B " plain(substr($0, 8)); next }
    at == "Synopsis" && /^       rwa / { print ".br\n.B " plain(substr($0, 8)); next }
    at == "Synopsis" && !NF { section("Description"); next }
    /^[A-Z][a-z]+:$/ { sub(":", ""); section($0); next }
    /^Options \(.*\):$/ { section("Options"); print "In parentheses: what holds without an option."; next }
    !NF { if (at == "Description") blank = 1; next }
    /^          / && at != "Examples" && at != "Description" { sub(/^ */, ""); print plain($0); next } # goes on
    at == "Examples" { sub(/^ */, ""); print ".PP\n.nf\n.RS\n" plain($0) "\n.RE\n.fi"; next }
    # A term and what it means, two or more blanks between them.
    at == "Description" { if (blank) print ".PP"; blank = 0; print plain($0); next }
    {
        sub(/^ */, "")
        cut = match($0, /  +/)
        if (cut == 0) { print ".TP\n.B " plain($0); next }
        print ".TP\n.B " plain(substr($0, 1, cut - 1)) "\n" plain(substr($0, cut + RLENGTH))
    }
    END {
        print ".SH EXIT STATUS\n0 done; 1 the answer is no; 2 bad input; 3 stopped; 4 the machine failed."
        print ".SH SEE ALSO\n.BR rwa (1)"
    }'
