/* Interrupt: signals that ask the program to end. */
#ifndef ODORI_CLI_INTERRUPT_H
#define ODORI_CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT, SIGTERM and SIGHUP remove temporary files before they end the program, and a closed
 * pipe and a full quota are errors like others. Before any other thread is there. */
void od_interrupt_guard(void);

/* While `deferred`, the first SIGINT or SIGTERM is only noted; the next ends the program at once. */
void od_interrupt_defer(bool deferred);

/* The signal that was noted; 0: none. */
int od_interrupt_noted(void);

#endif
