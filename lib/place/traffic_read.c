/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Traffic matrices from JSON and CSV. */
#include "place/place.h"
#include "place/input.h"

#include "base/number.h"
#include "base/text.h"

#include <errno.h>

struct flows {
    rwa_flow *flow;
    size_t count, capacity;
    uint32_t nodes;
    bool listed;        /* the number of nodes follows from the flows: the largest id plus 1 */
};

static rwa_status add(struct flows *f, uint64_t src, uint64_t dst, double bytes, rwa_error *err)
{
    return base_append(f->flow, f->count, f->capacity, err, (rwa_flow){(uint32_t)src, (uint32_t)dst, bytes});
}

static bool is_bytes(const json_t *value)
{
    double x = json_number_value(value);
    return json_is_number(value) && x >= 0 && isfinite(x);
}

static bool is_node(const json_t *value, uint32_t nodes)
{
    return json_is_integer(value) && json_integer_value(value) >= 0 && json_integer_value(value) < nodes;
}

/* ---- JSON ---- */

static rwa_status json_flows(struct flows *f, const json_t *list, const char *path, rwa_error *err)
{
    rwa_status st = RWA_OK;
    for (size_t i = 0; i < json_array_size(list) && st == RWA_OK; i++) {
        const json_t *flow = json_array_get(list, i);
        const json_t *src = json_array_get(flow, 0), *dst = json_array_get(flow, 1), *bytes = json_array_get(flow, 2);
        if (json_array_size(flow) != 3 || !is_node(src, f->nodes) || !is_node(dst, f->nodes) || !is_bytes(bytes))
            return base_fail(err, RWA_FORMAT,
                             "%s: flows[%zu]: expected [src, dst, bytes] with nodes 0 to %u and a number "
                             "of bytes of at least 0",
                             path, i, f->nodes - 1);
        st =
            add(f, (uint64_t)json_integer_value(src), (uint64_t)json_integer_value(dst), json_number_value(bytes), err);
    }
    return st;
}

static rwa_status json_matrix(struct flows *f, const json_t *rows, const char *path, rwa_error *err)
{
    rwa_status st = RWA_OK;
    for (size_t r = 0; r < f->nodes; r++) {
        const json_t *row = json_array_get(rows, r);
        if (json_array_size(row) != f->nodes)
            return base_fail(err, RWA_FORMAT, "%s: matrix[%zu]: has %zu entries, expected %u as there are rows", path,
                             r, json_array_size(row), f->nodes);
        for (size_t c = 0; c < f->nodes && st == RWA_OK; c++) {
            const json_t *bytes = json_array_get(row, c);
            if (!is_bytes(bytes))
                return base_fail(err, RWA_FORMAT, "%s: matrix[%zu][%zu]: expected a number of bytes of at least 0",
                                 path, r, c);
            if (r != c && json_number_value(bytes) > 0)
                st = add(f, r, c, json_number_value(bytes), err);
        }
    }
    return st;
}

static rwa_status read_json(struct flows *f, const struct input *input, const char *path, rwa_error *err)
{
    json_t *root = NULL;
    rwa_status st = input_json(&root, input, path, err);
    if (st != RWA_OK)
        return st;
    const json_t *nodes = json_object_get(root, "nodes"), *flows = json_object_get(root, "flows");
    const json_t *matrix = json_object_get(root, "matrix");
    if (json_is_array(matrix) && json_array_size(matrix) >= 2 && json_array_size(matrix) <= RWA_NODES_MAX) {
        f->nodes = (uint32_t)json_array_size(matrix);
        st = json_matrix(f, matrix, path, err);
    } else if (is_node(nodes, RWA_NODES_MAX + 1) && json_integer_value(nodes) >= 2 && json_is_array(flows)) {
        f->nodes = (uint32_t)json_integer_value(nodes);
        st = json_flows(f, flows, path, err);
    } else {
        st = base_fail(err, RWA_FORMAT,
                       "%s: expected {\"nodes\":N, \"flows\":[[src,dst,bytes],...]} or {\"matrix\":[[...]...]} "
                       "with 2 to %u nodes",
                       path, RWA_NODES_MAX);
    }
    json_decref(root);
    return st;
}

/* ---- CSV ---- */

/** Read a number and move *at behind it; false when there is no number of at least 0. */
static bool take_number(double *value, const char **at)
{
    char *end = NULL;
    const char *p = *at + strspn(*at, " \t");
    if ((*p < '0' || *p > '9') && *p != '.')
        return false;
    *value = number_read(p, &end);
    *at = end + strspn(end, " \t");
    return isfinite(*value);
}

static rwa_status csv_flow(struct flows *f, const char *line, size_t number, const char *path, rwa_error *err)
{
    double value[3];
    const char *p = line;
    for (int i = 0; i < 3; i++) {
        bool good = take_number(&value[i], &p) && *p == (i < 2 ? ',' : '\0');
        if (!good || (i < 2 && (value[i] != floor(value[i]) || value[i] >= RWA_NODES_MAX)))
            return base_fail(err, RWA_FORMAT, "%s:%zu: expected src,dst,bytes: two nodes and a number of at least 0",
                             path, number);
        p++;
    }
    for (int i = 0; i < 2; i++)
        if (value[i] >= f->nodes)
            f->nodes = (uint32_t)value[i] + 1;
    return add(f, (uint64_t)value[0], (uint64_t)value[1], value[2], err);
}

static rwa_status csv_row(struct flows *f, const char *line, size_t number, uint32_t row, const char *path,
                          rwa_error *err)
{
    uint32_t column = 0;
    rwa_status st = RWA_OK;
    for (const char *p = line; st == RWA_OK; p++, column++) {
        double bytes;
        if (column == RWA_NODES_MAX || !take_number(&bytes, &p) || (*p != ',' && *p != '\0'))
            return base_fail(err, RWA_FORMAT, "%s:%zu: column %u: expected a number of bytes of at least 0", path,
                             number, column + 1);
        if (bytes > 0 && column != row)
            st = add(f, row, column, bytes, err);
        if (*p == '\0')
            break;
    }
    if (st == RWA_OK && row > 0 && column + 1 != f->nodes)
        return base_fail(err, RWA_FORMAT, "%s:%zu: %u columns, expected %u as in the first line", path, number,
                         column + 1, f->nodes);
    f->nodes = column + 1;
    return st;
}

static rwa_status read_csv(struct flows *f, struct input *input, const char *path, rwa_error *err)
{
    rwa_status st = RWA_OK;
    size_t number = 0;
    uint32_t rows = 0;
    for (char *rest = input->bytes, *line; st == RWA_OK && (line = text_line(&rest));) {
        number++;
        line[strcspn(line, "\r")] = '\0';
        if (*line == '\0' || *line == '#')
            continue;
        if (rows == 0 && !f->listed && strcmp(line, "src,dst,bytes") == 0)
            f->listed = true;
        else if (f->listed)
            st = csv_flow(f, line, number, path, err);
        else if (rows == RWA_NODES_MAX)
            st = base_fail(err, RWA_FORMAT, "%s:%zu: more than %u rows", path, number, RWA_NODES_MAX);
        else
            st = csv_row(f, line, number, rows++, path, err);
    }
    if (st == RWA_OK && !f->listed && rows != f->nodes)
        return base_fail(err, RWA_FORMAT, "%s: %u rows of %u columns, expected as many rows as columns", path, rows,
                         f->nodes);
    if (st == RWA_OK && f->nodes < 2)
        return base_fail(err, RWA_FORMAT,
                         "%s: traffic of fewer than 2 nodes, expected flows below src,dst,bytes, or a square "
                         "matrix",
                         path);
    return st;
}

rwa_status rwa_traffic_read(rwa_traffic **out, const char *path, rwa_error *err)
{
    BEGIN_NEW(out, err, path);
    struct flows f = {0};
    struct input input = {0};
    rwa_status st = RWA_OK;
    TRY(input_read(&input, path, err));
    if (input.length > 0 && input.bytes[strspn(input.bytes, " \t\r\n")] == '{')
        TRY(read_json(&f, &input, path, err));
    else
        TRY(read_csv(&f, &input, path, err));
    TRY(rwa_traffic_create(out, f.nodes, f.flow, f.count, err));
done:
    free(f.flow);
    input_free(&input);
    return st;
}
