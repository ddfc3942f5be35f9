/* write.c - a plan as text */
#include "plan/plan.h"

static const char *const formats[] = {"auto", "conllu", "conllx", "text", "vertical"};

bool dd_plan_format_options(dd_plan *plan, dd_buffer *out)
{
    int *value, most;
    const char *name;
    bool ok = true;
    for (size_t i = 0; ok && (name = dd_plan_option(&plan->how, i, &value, &most)); i++)
        ok = *value == 0 || dd_buffer_printf(out, "option\t%s\t%d\n", name, *value);
    return ok;
}

static bool write_file(const dd_plan_file *file, dd_buffer *out)
{
    return dd_buffer_printf(out, "input\t%s\t%llu\t%s\t%s\t%s\n", formats[file->format],
                            (unsigned long long)file->bytes, file->document ? file->document : "",
                            file->prefix ? file->prefix : "", file->path);
}

static bool write_part(const dd_plan_part *part, dd_buffer *out)
{
    const dd_range_place *place = &part->place;
    const char *how = part->whole ? "whole" : place->packed ? "frames" : "plain";
    return dd_buffer_printf(out, "task\t%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%s\n", how,
                            (unsigned long long)place->offset, (unsigned long long)place->bytes,
                            (unsigned long long)part->lines, (unsigned long long)part->characters,
                            (unsigned long long)part->blocks, (unsigned long long)place->frame,
                            (unsigned long long)place->skip, part->checksum);
}

/* Tasks stand behind their input. */
dd_status dd_plan_format(dd_plan *plan, dd_buffer *out, dd_error *error)
{
    bool ok = dd_buffer_printf(out, "dodona plan\t%d\nprogram\t%s\nmodel\t%llu\t%s\t%s\n",
                               DD_PLAN_VERSION, dd_version(), (unsigned long long)plan->model_bytes,
                               plan->model_checksum, plan->model_path) &&
              dd_plan_format_options(plan, out);
    for (size_t i = 0; i < plan->file_count && ok; i++) {
        const dd_plan_file *file = &plan->files[i];
        ok = write_file(file, out);
        for (size_t task = file->first; task <= file->last && ok; task++)
            ok = write_part(&plan->parts[task - 1], out);
    }
    ok = ok && dd_buffer_printf(out, "end\t%zu\n", plan->part_count);
    return ok ? DD_OK : dd_fail_memory(error);
}
