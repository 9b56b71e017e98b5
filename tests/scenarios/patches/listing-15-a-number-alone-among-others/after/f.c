#include <a.h>

static int hours = 24;
int x;
