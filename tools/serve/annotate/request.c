#include "serve/annotate/request.h"

#include <stdlib.h>
#include <string.h>

/* ---- fields ------------------------------------------------------------------------------- */

bool request_read(request *own)
{
    enum { MOST = 1000000 };
    dd_error error;
    dd_text text = {own->work->text.data ? own->work->text.data : "", own->work->text.size};
    if (dd_value_read(&own->root, text, MOST, &error) != DD_OK)
        return refuse_error(own->why, &error);
    return own->root.kind == DD_JSON_OBJECT || refuse(own->why, 400, "the JSON is not an object");
}

bool request_string(const request *own, const dd_value *object, const char *key, const char **out)
{
    *out = dd_value_string(dd_value_at(object, key));
    return *out || refuse(own->why, 400, "the field '%s', a string, is missing", key);
}

bool request_name(const request *own, const char *key, const char *name)
{
    return store_is_name(name) ||
           refuse(own->why, 400,
                  "%s: '%.100s' is not a name: 1 to %d bytes of UTF-8 without '/' and control "
                  "characters, which do not begin with a full stop",
                  key, name, MOST_NAME);
}

bool request_model(const request *own, const dd_value *info, const char *key, model_names *out)
{
    const dd_value *id = dd_value_at(info, "model_id");
    bool served = !id || id->kind == DD_JSON_NULL || (dd_value_string(id) && !*id->string);
    if (!info || info->kind != DD_JSON_OBJECT)
        return refuse(own->why, 400, "the field '%s', an object, is missing", key);
    out->id = "";
    return request_string(own, info, "project_name", &out->project) &&
           request_name(own, "project_name", out->project) &&
           (served || (request_string(own, info, "model_id", &out->id) &&
                       request_name(own, "model_id", out->id)));
}

bool request_refuse_model(const request *own, const model_names *names)
{
    return refuse(own->why, 404, "there is no model '%s%s%s'", names->project,
                  *names->id ? "/" : "", names->id);
}

const dd_value *request_samples(const request *own, const char *key)
{
    const dd_value *samples = dd_value_at(&own->root, key);
    if (!samples || samples->kind != DD_JSON_OBJECT || samples->count == 0) {
        refuse(own->why, 400, "the field '%s', an object with a text at least, is missing", key);
        return NULL;
    }
    for (size_t i = 0; i < samples->count; i++)
        if (samples->values[i].kind != DD_JSON_STRING) {
            refuse(own->why, 400, "%s: '%.100s' is not a string", key, samples->values[i].key);
            return NULL;
        }
    return samples;
}

bool request_sentences(const request *own, const dd_value *sample,
                       bool (*see)(void *user, const dd_sentence *sentence), void *user)
{
    dd_reader *reader = NULL;
    dd_sentence *sentence = NULL;
    dd_error error;
    size_t size;
    char *text = keep_clean(sample->string, &size);
    if (!text) return refuse_memory(own->why);
    dd_status status = dd_sentence_new(&sentence, &error);
    if (status == DD_OK)
        status = dd_reader_open_memory(&reader, sample->key, (dd_text){text, size},
                                       DD_FORMAT_CONLLU, &error);
    while (status == DD_OK) {
        status = dd_reader_next(reader, sentence, &error);
        int words = status == DD_OK ? dd_sentence_size(sentence) : 0;
        if (words > own->all->options.limits->sentence)
            refuse(own->why, 413, "%.100s: a sentence has %d words; this server takes %d",
                   sample->key, words, own->all->options.limits->sentence);
        if (own->why->status != 0 || (status == DD_OK && see && !see(user, sentence))) break;
    }
    if (status != DD_OK && status != DD_END) refuse_error(own->why, &error);
    dd_reader_close(reader);
    dd_sentence_free(sentence);
    free(text);
    return own->why->status == 0;
}

/* ---- answers ------------------------------------------------------------------------------ */

void request_write_model(output *out, const char *project, const char *id)
{
    output_string(out, "{\"project_name\":");
    output_json_string(out, project);
    output_string(out, ",\"model_id\":");
    output_json_string(out, id);
    output_string(out, "}");
}

void request_begin_success(output *out)
{
    output_string(out, "{\"status\":\"success\",\"data\":");
}

void request_write_failure(output *out, const char *reason)
{
    output_string(out, "{\"status\":\"failure\",\"error\":");
    output_json_string(out, reason);
    output_string(out, "}\n");
}
