// For processes that run for a minute at most: to keep memory is cheaper than to give it back and ask for it again.
import { totalmem } from 'node:os'

/**
 * Variables for Bun's allocator. Each file of tests frees a whole program, and the next one needs it again: on a virtual machine with
 * dear page faults that was a fifth of the CPU of the processes with tests.
 */
export const KEEP_MEMORY = { MIMALLOC_PURGE_DELAY: '-1' }

/** Of GiB, what the lint with types needs at once: with less it collects without an end, which took twice the CPU. */
const LEAST_GIB = 4

/** The same for tools in Go: the heap may grow to five times what is in use, unless that is half of the machine's memory. */
export const COLLECT_RARELY = { GOGC: '400', GOMEMLIMIT: `${Math.max(LEAST_GIB, Math.floor(totalmem() / 2 ** 31))}GiB` }
