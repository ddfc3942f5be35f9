/* number.h - numbers and times as people read them. */
#ifndef TOOLS_NUMBER_H
#define TOOLS_NUMBER_H

#include <stddef.h>
#include <stdint.h>

typedef struct number_text {
    char text[32];
} number_text;

number_text number_grouped(uint64_t number);          /* 12,345,678 */
number_text number_duration(double seconds);          /* 0:41, 1:02:03 */
number_text number_about(double seconds);             /* about 20 seconds, about 3 minutes */
double number_percent(uint64_t part, uint64_t whole); /* 0 of nothing is 0 */
/* Takes the digits at the beginning of *at: a number from 1 on; 0: there is none, or it is too
 * large. */
size_t number_take(const char **at);
double number_seconds_now(void); /* of a clock that only goes forward */

#endif
