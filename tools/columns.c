#include "columns.h"

#include "dodona_tools.h"

#include <stdbool.h>
#include <stdio.h>

column_list columns_listed(uint32_t columns)
{
    column_list list = {""};
    size_t used = 0;
    for (int c = 0; c < DD_COLUMNS; c++) {
        if (!(columns >> c & 1)) continue;
        bool last = columns >> c == 1;
        const char *before = used == 0 ? "" : last ? " and " : ", ";
        used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s%s", before,
                                 dd_column_name(c));
    }
    return list;
}
