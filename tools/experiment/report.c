#include "experiment/report.h"
int report_write(const results *r, const char *dir) { (void)r; (void)dir; return 0; }
