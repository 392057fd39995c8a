/* SPDX-License-Identifier: GPL-3.0-or-later */
/** Numbers of Chakra's schema of execution traces (github.com/mlcommons/chakra, et_def.proto). */
#pragma once

/** Fields of GlobalMetadata, Node and AttributeProto. */
enum {
    CHAKRA_VERSION = 1,
    CHAKRA_METADATA_ATTR = 2,
    CHAKRA_NODE_ID = 1,
    CHAKRA_NODE_NAME = 2,
    CHAKRA_NODE_TYPE = 3,
    CHAKRA_NODE_CTRL_DEPS = 4,
    CHAKRA_NODE_DATA_DEPS = 5,
    CHAKRA_NODE_ATTR = 10,
    CHAKRA_ATTR_NAME = 1,
    CHAKRA_ATTR_VALUES = 3 /* the first of them */,
    CHAKRA_INT32 = 7,
    CHAKRA_INT64 = 9,
    CHAKRA_SINT32 = 15,
    CHAKRA_SINT64 = 17,
    CHAKRA_BOOL = 27,
    CHAKRA_STRING = 29
};

/** Types of nodes. */
enum { CHAKRA_COMP = 4, CHAKRA_SEND = 5, CHAKRA_RECV = 6, CHAKRA_COLL = 7 };
