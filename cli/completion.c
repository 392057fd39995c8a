/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion for bash and zsh: one case for each command, with words from the tables that parse and explain the
 * options. */
#include "option.h"

/* Print the values of an option that has a fixed set of them, each after a blank. */
static void print_values(const option *opt)
{
    for (size_t i = 0; opt->words && opt->words[i]; i++)
        printf(" %s", opt->words[i]);
    if (opt->names) {
        printf("%s", opt->low > 0 ? " auto" : "");
        for (size_t i = 0; opt->names(i); i++)
            printf(" %s", opt->names(i));
    }
}

static void print_networks(void)
{
    for (rwa_topology kind = RWA_RING; rwa_topology_name(kind); kind++)
        if (kind != RWA_GRAPH)
            printf(" %s:", rwa_topology_name(kind));
    for (size_t i = 0; rwa_network_builtin(i); i++)
        printf(" %s", rwa_network_builtin(i));
}

static void print_command(const command *c)
{
    printf("    %s) opts=\"", c->name);
    option_cursor at = options_begin(c);
    for (const option *opt; (opt = options_next(&at));)
        printf("--%s ", opt->name);
    printf("\"\n        case \"$prev\" in\n");
    at = options_begin(c);
    for (const option *opt; (opt = options_next(&at));) {
        if (!opt->words && !opt->names)
            continue;
        printf("        --%s) vals=\"", opt->name);
        print_values(opt);
        printf("\" ;;\n");
    }
    printf("        esac ;;\n");
}

/* Print the completion script for bash or, if zsh is 1, for zsh, which runs the same function through its
 * bashcompinit. */
void completion_print(int zsh)
{
    printf("%s", zsh ? "#compdef rwa\nautoload -U +X bashcompinit && bashcompinit\n" : "# bash completion for rwa\n");
    printf("_rwa() {\n    local cur=\"${COMP_WORDS[COMP_CWORD]}\" prev=\"${COMP_WORDS[COMP_CWORD-1]}\" opts=\"\" "
           "vals=\"\"\n"
           "    COMPREPLY=()\n    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"");
    for (size_t i = 0; all_commands[i]; i++)
        printf("%s ", all_commands[i]->name);
    printf("help --help --version\" -- \"$cur\"))\n        return\n    fi\n    case \"${COMP_WORDS[1]}\" in\n");
    for (size_t i = 0; all_commands[i]; i++)
        print_command(all_commands[i]);
    printf("    esac\n    case \"$prev\" in\n    --network) vals=\"");
    print_networks();
    printf("\" ;;\n    esac\n"
           "    if [ -n \"$vals\" ]; then\n        COMPREPLY=($(compgen -W \"$vals\" -- \"$cur\"))\n"
           "    elif [ \"${cur#-}\" != \"$cur\" ]; then\n        COMPREPLY=($(compgen -W \"$opts\" -- \"$cur\"))\n"
           "    else\n        COMPREPLY=($(compgen -f -- \"$cur\"))\n    fi\n}\ncomplete -o filenames -F _rwa rwa\n");
}
