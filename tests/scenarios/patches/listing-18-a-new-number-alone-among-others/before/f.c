#include <a.h>

static int hours = 42;
int x;
