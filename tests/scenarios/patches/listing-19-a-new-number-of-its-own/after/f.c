#include <a.h>

42
int x;
