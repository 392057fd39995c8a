/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place/input.h"

#include "base/file.h"
#include "base/json.h"

enum { LENGTH_MAX = 1 << 30 };

rwa_status input_read(struct input *in)
{
    size_t length = 0;
    MUST(file_load(&in->text, &length, in->path, LENGTH_MAX, "tasks or traffic", in->err));
    return strlen(in->text) == length ? RWA_OK : input_fail(in, "a zero byte, expected text");
}

rwa_status input_json(json_t **root, const struct input *in)
{
    MUST(json_open(root, in->text, strlen(in->text), in->path, in->err));
    return json_is_object(*root) ? RWA_OK : input_fail(in, "expected a JSON object");
}

bool input_amount(double *out, const json_t *value)
{
    *out = json_number_value(value);
    return json_is_number(value) && *out >= 0 && isfinite(*out);
}
