// A start that can be stopped at any moment, and that then closes everything it had opened, last opened first.

/** The person asked to stop while something was being started. */
export class StopRequested extends Error {
  override readonly name = 'Stopped'
}

export interface Lifecycle {
  /** Resolves when a stop is asked for. */
  readonly stopRequested: Promise<void>
  /** Waits for something that has to be closed again; it is closed even when the stop was asked for meanwhile. */
  open<T>(work: Promise<T>, close: (opened: T) => Promise<void> | void): Promise<T>
  /** Waits for work that may be abandoned half-way. */
  interruptible<T>(work: Promise<T>): Promise<T>
  closeAll(): Promise<void>
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Listens for the signals that end a program. The first asks for the stop; one that comes more than a second later
 * calls `force` (one Ctrl-C can arrive twice: from the terminal and from the wrapper that passes it on).
 */
export function openLifecycle(onStop: () => void, force: () => void): Lifecycle {
  const closers: (() => Promise<void> | void)[] = []
  const asked = Promise.withResolvers<void>()
  let askedAt: number | undefined
  const onSignal = () => {
    if (askedAt === undefined) {
      askedAt = performance.now()
      onStop()
      asked.resolve()
    } else if (performance.now() - askedAt > 1000) force()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  const refuseWhenStopped = () => {
    if (askedAt !== undefined) throw new StopRequested('A stop was asked for.')
  }
  return {
    stopRequested: asked.promise,
    open: async (work, close) => {
      const opened = await work
      closers.push(() => close(opened))
      refuseWhenStopped()
      return opened
    },
    interruptible: async (work) => {
      const result = await Promise.race([work, asked.promise.then(refuseWhenStopped)])
      refuseWhenStopped()
      return result as Awaited<typeof work>
    },
    closeAll: async () => {
      for (const close of closers.splice(0).toReversed()) await close()
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}
