#include "neural/encoder.h"

/* A new encoder is a file and a row here. */
extern const dd_encoder dd_bilstm;
const dd_encoder *const dd_encoders[] = {&dd_bilstm, NULL};
