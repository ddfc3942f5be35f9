#include "models/interrupt.h"

#include <signal.h>
#include <stddef.h>

/* A signal handler can reach nothing else than a variable of the file. */
static volatile sig_atomic_t seen;

static void note(int signal)
{
    (void)signal;
    seen = 1;
}

void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

bool interrupt_seen(void)
{
    return seen;
}
