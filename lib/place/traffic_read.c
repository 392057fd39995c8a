/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Reads traffic matrices from JSON and CSV. */
#include "place/place.h"
#include "place/input.h"

#include "base/json.h"

#include "base/number.h"
#include "base/text.h"

struct flows {
    struct input in;
    rwa_flow *flow;
    size_t count;
    uint32_t nodes;
    bool listed;        /* the number of nodes follows from the flows: the largest id plus 1 */
};

static rwa_status add(struct flows *f, uint64_t src, uint64_t dst, double bytes)
{
    return base_append(f->flow, f->count, f->in.err, (rwa_flow){(uint32_t)src, (uint32_t)dst, bytes});
}

/* ---- JSON ---- */

static rwa_status json_flows(struct flows *f, const json_t *list)
{
    const json_t *flow;
    size_t i;
    json_array_foreach(list, i, flow) {
        uint32_t src = 0, dst = 0;
        double bytes;
        if (json_array_size(flow) != 3 || !json_u32(json_array_get(flow, 0), &src) ||
            !json_u32(json_array_get(flow, 1), &dst) || src >= f->nodes || dst >= f->nodes ||
            !input_amount(&bytes, json_array_get(flow, 2)))
            return input_fail(&f->in, "flows[%zu]: expected [src, dst, bytes] with nodes 0 to %u and a number "
                              "of bytes of at least 0", i, f->nodes - 1);
        MUST(add(f, src, dst, bytes));
    }
    return RWA_OK;
}

static rwa_status json_matrix(struct flows *f, const json_t *rows)
{
    const json_t *row, *entry;
    size_t r, c;
    double bytes;
    json_array_foreach(rows, r, row) {
        if (json_array_size(row) != f->nodes)
            return input_fail(&f->in, "matrix[%zu]: has %zu entries, expected %u as there are rows", r,
                              json_array_size(row), f->nodes);
        json_array_foreach(row, c, entry) {
            if (!input_amount(&bytes, entry))
                return input_fail(&f->in, "matrix[%zu][%zu]: expected a number of bytes of at least 0", r, c);
            if (r != c && bytes > 0)
                MUST(add(f, r, c, bytes));
        }
    }
    return RWA_OK;
}

static rwa_status read_json(struct flows *f)
{
    json_t *root = NULL;
    rwa_status st = RWA_OK;
    TRY(input_json(&root, &f->in));
    const json_t *nodes = json_object_get(root, "nodes"), *flows = json_object_get(root, "flows");
    const json_t *matrix = json_object_get(root, "matrix");
    if (json_is_array(matrix) && json_array_size(matrix) >= 2 && json_array_size(matrix) <= RWA_NODES_MAX) {
        f->nodes = (uint32_t)json_array_size(matrix);
        st = json_matrix(f, matrix);
    } else if (json_u32(nodes, &f->nodes) && f->nodes >= 2 && f->nodes <= RWA_NODES_MAX && json_is_array(flows)) {
        st = json_flows(f, flows);
    } else {
        st = input_fail(&f->in, "expected {\"nodes\":N, \"flows\":[[src,dst,bytes],...]} or {\"matrix\":[[...]...]} "
                       "with 2 to %u nodes", RWA_NODES_MAX);
    }
done:
    json_decref(root);
    return st;
}

/* ---- CSV ---- */

/** Read a number of at least 0 from the text at *at, and move *at to the text after it.  Return false if there is no
 *  such number. */
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

static rwa_status csv_flow(struct flows *f, const char *line)
{
    double value[3];
    const char *p = line;
    for (int i = 0; i < 3; i++) {
        bool good = take_number(&value[i], &p) && *p == (i < 2 ? ',' : '\0');
        if (!good || (i < 2 && (value[i] != floor(value[i]) || value[i] >= RWA_NODES_MAX)))
            return input_fail(&f->in, "expected src,dst,bytes: two nodes and a number of at least 0");
        p++;
    }
    for (int i = 0; i < 2; i++)
        if (value[i] >= f->nodes)
            f->nodes = (uint32_t)value[i] + 1;
    return add(f, (uint64_t)value[0], (uint64_t)value[1], value[2]);
}

static rwa_status csv_row(struct flows *f, const char *line, uint32_t row)
{
    uint32_t column = 1;
    for (const char *p = line;; p++, column++) {
        double bytes;
        if (column > RWA_NODES_MAX || !take_number(&bytes, &p) || (*p != ',' && *p != '\0'))
            return input_fail(&f->in, "column %u: expected a number of bytes of at least 0", column);
        if (bytes > 0 && column != row + 1)
            MUST(add(f, row, column - 1, bytes));
        if (*p == '\0')
            break;
    }
    if (row > 0 && column != f->nodes)
        return input_fail(&f->in, "%u columns, expected %u as in the first line", column, f->nodes);
    f->nodes = column;
    return RWA_OK;
}

static rwa_status read_csv(struct flows *f)
{
    uint32_t rows = 0;
    for (char *rest = f->in.text, *line; (line = text_line(&rest));) {
        f->in.line++;
        line[strcspn(line, "\r")] = '\0';
        if (*line == '\0' || *line == '#')
            continue;
        if (rows == 0 && !f->listed && strcmp(line, "src,dst,bytes") == 0)
            f->listed = true;
        else if (f->listed)
            MUST(csv_flow(f, line));
        else if (rows == RWA_NODES_MAX)
            return input_fail(&f->in, "more than %u rows", RWA_NODES_MAX);
        else
            MUST(csv_row(f, line, rows++));
    }
    f->in.line = 0;
    if (!f->listed && rows != f->nodes)
        return input_fail(&f->in, "%u rows of %u columns, expected as many rows as columns", rows, f->nodes);
    if (f->nodes < 2)
        return input_fail(&f->in, "traffic of fewer than 2 nodes, expected flows below src,dst,bytes, or a square "
                          "matrix");
    return RWA_OK;
}

rwa_status rwa_traffic_read(rwa_traffic **out, const char *path, rwa_error *err)
{
    BEGIN_NEW(out, err, path);
    struct flows f = {.in = {.path = path, .err = err}};
    rwa_status st = RWA_OK;
    TRY(input_read(&f.in));
    TRY(f.in.text[strspn(f.in.text, " \t\r\n")] == '{' ? read_json(&f) : read_csv(&f));
    TRY(rwa_traffic_create(out, f.nodes, f.flow, f.count, err));
done:
    free_all(f.flow, f.in.text);
    return st;
}
