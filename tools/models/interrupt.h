/* interrupt.h - Ctrl-C, where what was done so far is to be kept */
#ifndef MODELS_INTERRUPT_H
#define MODELS_INTERRUPT_H

#include <stdbool.h>

/* From here on the first Ctrl-C is only noted; a second one ends the program at once. */
void interrupt_catch(void);
bool interrupt_seen(void);

#endif
