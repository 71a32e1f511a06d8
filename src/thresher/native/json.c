/* The compiled steps that write JSON: generated arguments handed to plain C. */

#include <stdlib.h>

#include "json/json.h"
#include "step.h"

enum { PATH_BYTES = 1 << 16 }; /* room for the longest path in each notation */

/* Memory for paths is too much for the stack of a thread. */
typedef struct {
    Paths paths;
    uint8_t css[PATH_BYTES], xpath[PATH_BYTES];
} PathRoom;

STEP(write_block_list)
{
    if (of->n_fact == 0 || of->n_own_row < 0 || of->max_depth < -1 || of->max_depth > INT32_MAX
        || of->other < 0 || of->other > INT32_MAX) {
        return UNFIT;
    }
    const Located page = {
        .buffer = of->buffer, .names = of->names, .tag = of->tag, .parent = of->parent,
        .depth = of->depth, .open_start = of->open_start, .open_stop = of->open_stop,
        .nth_of_type = of->nth_of_type, .nth_child = of->nth_child, .n_child = of->n_child,
        .name_offset = of->name_offset, .n_byte = of->n_byte, .n_row = of->n_row,
        .n_name_byte = of->n_name_byte, .n_code = of->n_code, .n_own_row = (size_t)of->n_own_row,
        .other = (int32_t)of->other, .max_depth = (int32_t)of->max_depth, .text = of->text_tag,
    };
    const LeafTexts texts = {
        .utf8 = of->text, .gaps = of->gaps, .offset = of->text_offset, .leaves = of->leaves,
        .stop = of->leaf_stop, .n_byte = of->n_text_byte, .n_leaf = of->n_leaf,
        .is_ascii = of->text_offset[of->n_row] == (int64_t)of->n_text_byte,
    };
    const BlockFacts blocks = {
        of->block_start, of->block_row, of->source, of->facts,
        {of->literals, of->literal_offset, of->n_literal, of->n_literal_byte},
        of->n_block, of->n_fact,
    };
    Text out = {of->written, 0, (size_t)of->n_room, 0};
    PathRoom *room = malloc(sizeof *room);
    if (!room) {
        return REFUSED;
    }
    room->paths.css = (Text){room->css, 0, sizeof room->css, 0};
    room->paths.xpath = (Text){room->xpath, 0, sizeof room->xpath, 0};
    room->paths.n_level = 0;
    const int64_t size = write_block_list(&page, &texts, &blocks, &room->paths, &out);
    free(room);
    return size;
}
