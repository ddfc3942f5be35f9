// What a program in C++ does with the library: compiled with all warnings, linked, and run.
#include <dodona_tools.h>

#include <iostream>
#include <string>

// A function that reads, as the library calls it.
static dd_status nothing(void *, char *, size_t, size_t *got, dd_error *)
{
    *got = 0;
    return DD_OK;
}

static bool count(void *user, const dd_oracle_step *step)
{
    *static_cast<int *>(user) += step->transitions;
    return true;
}

int main()
{
    dd_error error;
    dd_reader *reader = nullptr;
    dd_sentence *sentence = nullptr;
    dd_oracle *oracle = nullptr;
    dd_oracle_options options;
    dd_oracle_options_init(&options);
    options.system = "arc-eager";
    int transitions = 0;
    dd_status status = dd_reader_open(&reader, "-", DD_FORMAT_CONLLU, &error);
    if (status == DD_OK) status = dd_sentence_new(&sentence, &error);
    if (status == DD_OK) status = dd_reader_next(reader, sentence, &error);
    if (status == DD_OK) status = dd_oracle_new(&oracle, &options, &error);
    if (status == DD_OK) status = dd_oracle_walk(oracle, sentence, count, &transitions, &error);
    if (status == DD_OK) {
        dd_text form = dd_sentence_cell(sentence, 1, DD_FORM);
        std::cout << std::string(form.data, form.size) << ": " << transitions << '\n';
    } else {
        std::cerr << error.message << '\n';
    }
    dd_reader *empty = nullptr;
    dd_input input = {};
    input.kind = DD_INPUT_FUNCTION;
    input.name = "none";
    input.read = nothing;
    dd_input_options how;
    dd_input_options_init(&how);
    how.format = DD_FORMAT_CONLLU;
    if (dd_reader_open_input(&empty, nullptr, &input, &how, &error) != DD_OK ||
        dd_reader_next(empty, sentence, &error) != DD_END)
        status = DD_ERROR_IO;
    dd_reader_close(empty);
    dd_oracle_free(oracle);
    dd_sentence_free(sentence);
    dd_reader_close(reader);
    return status == DD_OK ? 0 : 1;
}
