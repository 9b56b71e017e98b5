#include <a.h>

int hours;

int days;
int x;
