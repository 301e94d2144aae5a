/* Input: signals. Output: temporary files removed and the program ended, or a note for who works on.
 * Invariant: a thread of its own waits for them, so that locks may be taken; all others block them. */
#include "cli/interrupt.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "cli/output.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool deferring;
static int noted;

void od_interrupt_defer(bool deferred)
{
    pthread_mutex_lock(&lock);
    deferring = deferred;
    pthread_mutex_unlock(&lock);
}

int od_interrupt_noted(void)
{
    pthread_mutex_lock(&lock);
    int number = noted;
    pthread_mutex_unlock(&lock);
    return number;
}

static bool note(int number)
{
    pthread_mutex_lock(&lock);
    bool first = deferring && !noted && number != SIGHUP;
    if (first) noted = number;
    pthread_mutex_unlock(&lock);
    return first;
}

static void *watch(void *context)
{
    const sigset_t *ending = context;
    int number;
    while (sigwait(ending, &number) || note(number)) continue;
    od_output_abandon();
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, ending, NULL);
    raise(number); /* whoever waits sees that a signal ended us */
    return NULL;
}

void od_interrupt_guard(void)
{
    static sigset_t ending;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    pthread_t watcher;
    sigemptyset(&ending);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        if (!sigaction(numbers[i], NULL, &before) && before.sa_handler == SIG_IGN) continue; /* nohup */
        sigaddset(&ending, numbers[i]);
    }
    pthread_sigmask(SIG_BLOCK, &ending, NULL);
    if (!pthread_create(&watcher, NULL, watch, &ending)) pthread_detach(watcher);
    else pthread_sigmask(SIG_UNBLOCK, &ending, NULL); /* they end us as if nothing were */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    /* With a standard stream closed, the next file opened would take its place and messages would go
     * into it. */
    for (int file = 0; file <= 2; file++)
        if (fcntl(file, F_GETFD) < 0) (void)open("/dev/null", file ? O_RDONLY : O_WRONLY); /* fails when used */
}
