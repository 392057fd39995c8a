/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands/commands.h"
#include "completion.h"
#include "suggest.h"
#include "wrap.h"

const command *const all_commands[] = {
    &command_plan, &command_explain, &command_check, &command_assign, &command_traffic, &command_gsnr, &command_bounds, &command_show,
    &command_compare, &command_sweep, &command_reproduce, &command_export, &command_import, &command_network, &command_circuits,
    &command_place, NULL};
enum { COMMANDS = sizeof all_commands / sizeof *all_commands - 1 };

static int help_all(void)
{
    wrap wrapped;
    FILE *to = wrap_open(&wrapped, stdout);
    fprintf(to, "rwa plans collectives on optical interconnects, checks the plans, and says how close to optimal they are.\n\n"
            "Usage: rwa COMMAND [options]\n\nCommands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-9s  %s\n", all_commands[i]->name, all_commands[i]->summary);
    wrap_close(&wrapped, -1, WRAP_PROSE);
    printf("\nExample:\n  rwa plan --network ring:16 --wavelengths 2 -o plan.jsonl\n  rwa check plan.jsonl\n\n"
           "rwa help COMMAND (or rwa COMMAND --help) lists its options.\n"
           "Exit codes: 0 done; 1 the answer is no; 2 bad input; 3 stopped; 4 the machine\nfailed.\n");
    return finish(EXIT_YES);
}

/* The description is wrapped; the examples are for copying. */
static int help_one(const command *c)
{
    wrap wrapped;
    const char *examples = strstr(c->usage, "Examples:\n");
    size_t about = examples != NULL ? (size_t)(examples - c->usage) : strlen(c->usage);
    FILE *to = wrap_open(&wrapped, stdout);
    fprintf(to, "Usage: %.*s", (int)about, c->usage);
    wrap_close(&wrapped, -1, WRAP_PROSE);
    fputs(examples != NULL ? examples : "", stdout);
    options_help(c);
    return finish(EXIT_YES);
}

static int no_command(void)
{
    char known[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < COMMANDS && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i == 0 ? "" : i + 1 == COMMANDS ? " or " : ", ",
                                 all_commands[i]->name);
    return fail(EXIT_BAD_INPUT, "no command, expected %s; see rwa --help", known);
}

static const command *find_command(const char *word)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(word, all_commands[i]->name) == 0)
            return all_commands[i];
    return NULL;
}

static int unknown_command(const char *word)
{
    char question[SUGGEST_TEXT];
    suggestion near;
    suggest_init(&near, word, strlen(word));
    for (size_t i = 0; i < COMMANDS; i++)
        suggest_try(&near, all_commands[i]->name);
    return fail(EXIT_BAD_INPUT, "unknown %s %s%s; see rwa --help", word[0] == '-' ? "option" : "command", word,
                suggest_question(&near, "", question, sizeof question));
}

static int run_command(const command *c, int argc, char **argv)
{
    common *options = malloc(c->size);
    if (options == NULL)
        return fail_memory();
    int code = options_parse(options, c, argc, argv);
    THEN(memory_limit(options->memory_limit));
    THEN(options->help ? help_one(c) : c->run(options));
    free(options);
    return code;
}

/* Scripts read the first line. */
static int print_version(void)
{
    printf("rwa %s\n\n", rwa_version());
    for (size_t i = 0; rwa_library_name(i) != NULL; i++)
        printf("%s%s %s", i == 0 ? "With " : ", ", rwa_library_name(i), rwa_library_version(i));
    size_t schemes = 0, networks = 0;
    while (rwa_scheme_name(schemes) != NULL)
        schemes++;
    while (rwa_network_builtin(networks) != NULL)
        networks++;
    printf("\n%zu schemes, %zu built-in networks\n", schemes, networks);
    return finish(EXIT_YES);
}

/* For packages: not among the commands that rwa help lists. */
static int print_completion(const char *shell)
{
    if (strcmp(shell, "bash") != 0 && strcmp(shell, "zsh") != 0)
        return fail(EXIT_BAD_INPUT, "completion %s: expected bash or zsh", shell);
    completion_print(all_commands, COMMANDS, strcmp(shell, "zsh") == 0);
    return finish(EXIT_YES);
}

int main(int argc, char **argv)
{
    signals_install();
    if (argc < 2)
        return no_command();
    const char *word = argv[1];
    int help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
    if (help && argc == 2)
        return help_all();
    if (strcmp(word, "--version") == 0) {
        return print_version();
    }
    if (strcmp(word, "completion") == 0)
        return print_completion(argc == 3 ? argv[2] : "");
    word = help ? argv[2] : word;
    const command *c = find_command(word);
    return c == NULL ? unknown_command(word) : help ? help_one(c) : run_command(c, argc, argv);
}
