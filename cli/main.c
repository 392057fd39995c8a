/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands/commands.h"

const command *const all_commands[] = {&command_plan,
                                       &command_explain,
                                       &command_check,
                                       &command_assign,
                                       &command_traffic,
                                       &command_gsnr,
                                       &command_bounds,
                                       &command_show,
                                       &command_compare,
                                       &command_sweep,
                                       &command_reproduce,
                                       &command_export,
                                       &command_import,
                                       &command_network,
                                       &command_circuits,
                                       &command_place,
                                       NULL};

static int help_all(void)
{
    say("rwa plans collectives on optical interconnects, solves routing and wavelength assignment (RWA), checks the "
        "answers, and says how close to optimal they are.\n\n"
        "Usage: rwa COMMAND [options]\n\nCommands:\n");
    for (size_t i = 0; all_commands[i]; i++)
        say("  %-9s  %s\n", all_commands[i]->name, all_commands[i]->summary);
    say("\nExample:\n  rwa plan --network ring:16 --wavelengths 2 -o plan.jsonl\n  rwa check plan.jsonl\n\n"
        "rwa help COMMAND (or rwa COMMAND --help) lists its options.\n"
        "Exit codes: 0 done; 1 the answer is no; 2 bad input; 3 stopped; 4 the machine failed.\n");
    print_said(-1, WRAP_PROSE);
    return EXIT_YES;
}

/* Print the help of a command and return EXIT_YES.  The description is wrapped; the examples are not, so that they can
 * be copied. */
static int help_one(const command *c)
{
    const char *examples = strstr(c->usage, "Examples:\n");
    assert(examples);
    say("Usage: %.*s", (int)(examples - c->usage), c->usage);
    print_said(-1, WRAP_PROSE);
    fputs(examples, stdout);
    options_help(c);
    return EXIT_YES;
}

static const char *command_name(size_t i)
{
    return all_commands[i] ? all_commands[i]->name : NULL;
}

static int run_command(const command *c, int argc, char **argv)
{
    MUST(options_parse(c, argc, argv));
    MUST(memory_limit(args.memory_limit));
    return args.help ? help_one(c) : c->run();
}

/* Print the versions of the command and its libraries, and return EXIT_YES.  Scripts read the first line. */
static int print_version(void)
{
    printf("rwa %s\n\n", rwa_version());
    for (size_t i = 0; rwa_library_name(i); i++)
        printf("%s%s %s", i == 0 ? "With " : ", ", rwa_library_name(i), rwa_library_version(i));
    size_t schemes = 0, networks = 0;
    while (rwa_scheme_name(schemes))
        schemes++;
    while (rwa_network_builtin(networks))
        networks++;
    printf("\n%zu schemes, %zu built-in networks\n", schemes, networks);
    return EXIT_YES;
}

/* Print the completion script of `shell`, "bash" or "zsh", and return EXIT_YES, else EXIT_BAD_INPUT.  This is for
 * packages, so rwa help does not list it. */
static int print_completion(const char *shell)
{
    if (!is_among(shell, strlen(shell), "bash zsh"))
        return BAD_INPUT("completion %s: expected bash or zsh", shell);
    completion_print(strcmp(shell, "zsh") == 0);
    return EXIT_YES;
}

static int run(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "help";
    int help = is_among(word, strlen(word), "help --help -h");
    if (help && argc <= 2)
        return help_all();
    if (strcmp(word, "--version") == 0)
        return print_version();
    if (strcmp(word, "completion") == 0)
        return print_completion(argc == 3 ? argv[2] : "");
    word = help ? argv[2] : word;
    int i = number_of(command_name, word);
    if (i < 0)
        return BAD_INPUT("unknown %s %s%s; see rwa --help", word[0] == '-' ? "option" : "command", word,
                         suggest_from(command_name, word));
    return help ? help_one(all_commands[i]) : run_command(all_commands[i], argc, argv);
}

int main(int argc, char **argv)
{
    signals_install();
    return finish(run(argc, argv));
}
