/* writer.h - what the library itself asks of a writer */
#ifndef DODONA_TEXT_WRITER_H
#define DODONA_TEXT_WRITER_H

#include <dodona.h>

/* The line ends that the last sentence lacks, which are written before those of another file. */
const char *dd_writer_owed(const dd_writer *writer);

#endif
