#include "number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

number_text number_grouped(uint64_t number)
{
    char digits[24];
    number_text out;
    size_t size = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, number);
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        if (i > 0 && (size - i) % 3 == 0) out.text[used++] = ',';
        out.text[used++] = digits[i];
    }
    out.text[used] = '\0';
    return out;
}

number_text number_duration(double seconds)
{
    number_text out;
    /* An estimate can be anything; a century is long enough. */
    uint64_t whole = seconds > 0 && seconds < 3e9 ? (uint64_t)(seconds + 0.5) : 0;
    uint64_t hours = whole / 3600;
    unsigned minutes = (unsigned)(whole / 60 % 60), rest = (unsigned)(whole % 60);
    if (hours > 0)
        snprintf(out.text, sizeof out.text, "%" PRIu64 ":%02u:%02u", hours, minutes, rest);
    else
        snprintf(out.text, sizeof out.text, "%u:%02u", minutes, rest);
    return out;
}

number_text number_about(double seconds)
{
    static const struct {
        double from; /* seconds */
        double unit;
        const char *name;
    } rows[] = {{2 * 3600, 3600, "hours"}, {100, 60, "minutes"}, {15, 10, "0 seconds"}};
    number_text out = {"some seconds"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (seconds < rows[i].from) continue;
        uint64_t units = seconds < 3e9 ? (uint64_t)(seconds / rows[i].unit + 0.5) : 0;
        snprintf(out.text, sizeof out.text, "about %" PRIu64 "%s%s", units,
                 *rows[i].name == '0' ? "" : " ", rows[i].name);
        break;
    }
    return out;
}

double number_percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

size_t number_take(const char **at)
{
    char *end;
    if (**at < '0' || **at > '9') return 0;
    errno = 0;
    unsigned long long number = strtoull(*at, &end, 10);
    *at = end;
    return errno == 0 && number <= SIZE_MAX ? (size_t)number : 0;
}

double number_seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
