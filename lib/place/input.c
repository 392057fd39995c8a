/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place/input.h"

#include "base/json.h"
#include "base/source.h"

enum { CHUNK = 1 << 16, LENGTH_MAX = 1 << 30 };

rwa_status input_read(struct input *input, const char *path, rwa_error *err)
{
    struct source *source = NULL;
    size_t got = 1;
    rwa_status st = RWA_OK;
    TRY(source_open(&source, path, err));
    while (got > 0) {
        TRY(base_reserve(input->bytes, input->length + CHUNK + 1, input->capacity, err));
        TRY(source_read(source, input->bytes + input->length, CHUNK, &got, 1, err));
        input->length += got;
        input->bytes[input->length] = '\0';
        if (input->length > LENGTH_MAX)
            TRY(base_fail(err, RWA_FORMAT, "%s: larger than 1 GiB", path));
    }
    if (strlen(input->bytes) != input->length)
        st = base_fail(err, RWA_FORMAT, "%s: a zero byte, expected text", path);
done:
    source_free(source);
    return st;
}

void input_free(struct input *input)
{
    free(input->bytes);
}

rwa_status input_json(json_t **root, const struct input *input, const char *path, rwa_error *err)
{
    MUST(json_open(root, input->bytes, input->length, path, err));
    if (!json_is_object(*root)) {
        json_decref(*root);
        *root = NULL;
        return base_fail(err, RWA_FORMAT, "%s: expected a JSON object", path);
    }
    return RWA_OK;
}
