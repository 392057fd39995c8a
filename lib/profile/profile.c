/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/profile.h"

#include "base/base.h"
#include "base/file.h"
#include "profile/fields.h"

enum { FILE_MAX = 1 << 20 };

static rwa_status unknown_name(const struct profile_kind *kind, const char *name, rwa_error *err)
{
    char list[512] = "";
    size_t used = 0;
    for (size_t i = 0; kind->builtin[i].name && used < sizeof list; i++) {
        int n = snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", kind->builtin[i].name);
        used += n > 0 ? (size_t)n : 0;
    }
    return base_refuse(err, "no %s \"%s\"; there are: %s; or name a .json file", kind->what, name, list);
}

static rwa_status parse_file(json_t **root, const struct profile_kind *kind, const char *name, rwa_error *err)
{
    char *text = NULL, what[64];
    size_t length = 0;
    snprintf(what, sizeof what, "a %s", kind->what);
    MUST(file_load(&text, &length, name, FILE_MAX, what, err));
    rwa_status st = json_open(root, text, length, name, err);
    free(text);
    return st;
}

static rwa_status parse(json_t **root, const struct profile_kind *kind, const char *name, rwa_error *err)
{
    size_t length = strlen(name);
    if (strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".json") == 0))
        return parse_file(root, kind, name, err);
    const struct embedded *file = embedded_find(kind->builtin, name);
    return file ? json_open(root, file->text, strlen(file->text), name, err) : unknown_name(kind, name, err);
}

static rwa_status check_members(const json_t *root, const struct profile_kind *kind, const char *file, rwa_error *err)
{
    const char *key;
    json_t *value;
    if (!json_is_object(root))
        return base_fail(err, RWA_FORMAT, "%s: is %s, expected an object", file, json_kind(root));
    json_object_foreach((json_t *)(uintptr_t)root, key, value) {
        bool text = strcmp(key, "name") == 0 || strcmp(key, "description") == 0, data = strcmp(key, kind->member) == 0;
        if (!text && !data && strcmp(key, "provenance") != 0)
            return base_fail(err, RWA_FORMAT, "%s: %s: unknown field", file, key);
        json_type expected = text ? JSON_STRING : data ? kind->type : JSON_OBJECT;
        if (json_typeof(value) != expected)
            return base_fail(err, RWA_FORMAT, "%s: %s: is %s, expected %s", file, key, json_kind(value),
                             text ? "a string" : expected == JSON_ARRAY ? "an array" : "an object");
    }
    return RWA_OK;
}

rwa_status profile_make(void **made, size_t size, const struct profile_kind *kind, const char *name, rwa_error *err)
{
    json_t *root = NULL;
    rwa_status st = RWA_OK;
    struct profile *made_of = *made = base_array(1, size, err);
    MUST(made_of ? RWA_OK : RWA_NOMEM);
    made_of->memory.err = err;
    TRY(parse(&root, kind, name, err));
    TRY(check_members(root, kind, name, err));
    const char *title = json_text(root, "name");
    const char *description = json_text(root, "description");
    json_t *data = json_object_get(root, kind->member);
    if (!title || !*title)
        TRY(base_fail(err, RWA_FORMAT, "%s: name: is missing, expected a string", name));
    if (!data)
        TRY(base_fail(err, RWA_FORMAT, "%s: %s: expected %s", name, kind->member,
                      kind->type == JSON_ARRAY ? "an array" : "an object"));
    made_of->name = arena_copy_text(&made_of->memory, title);
    made_of->description = arena_copy_text(&made_of->memory, description ? description : "");
    TRY(arena_status(&made_of->memory));
    st = kind->read(*made, data, name, err);
done:
    json_decref(root);
    made_of->memory.err = NULL; /* the caller's, which may not outlive the profile */
    if (st != RWA_OK) {
        profile_free(made_of);
        *made = NULL;
    }
    return st;
}

void profile_free(void *made)
{
    struct profile *profile = made;
    if (profile)
        arena_free(&profile->memory);
    free(profile);
}
