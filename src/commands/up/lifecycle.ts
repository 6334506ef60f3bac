// A start that a signal can stop at any moment. Everything it opened is closed in reverse order.

/** The user requested a stop during the start. */
export class StopRequested extends Error {
  override readonly name = 'Stopped'
}

export interface Lifecycle {
  /** Resolves when a stop is requested. */
  readonly stopRequested: Promise<void>
  /** Opens something that `closeAll` closes, even when a stop was requested meanwhile. */
  open<T>(work: Promise<T>, close: (opened: T) => Promise<void> | void): Promise<T>
  /** Waits for work that a stop may abandon. */
  interruptible<T>(work: Promise<T>): Promise<T>
  closeAll(): Promise<void>
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Listens for termination signals. The first requests the stop; one that comes more than a second later calls `force`,
 * because one Ctrl-C can arrive twice: from the terminal and from the wrapper process.
 */
export function openLifecycle(onStop: () => void, force: () => void): Lifecycle {
  const closers: (() => Promise<void> | void)[] = []
  const requested = Promise.withResolvers<void>()
  let requestedAt: number | undefined
  const onSignal = () => {
    if (requestedAt === undefined) {
      requestedAt = performance.now()
      onStop()
      requested.resolve()
    } else if (performance.now() - requestedAt > 1000) force()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  const throwIfStopped = () => {
    if (requestedAt !== undefined) throw new StopRequested('A stop was requested.')
  }
  return {
    stopRequested: requested.promise,
    open: async (work, close) => {
      const opened = await work
      closers.push(() => close(opened))
      throwIfStopped()
      return opened
    },
    interruptible: async (work) => {
      const result = await Promise.race([work, requested.promise.then(throwIfStopped)])
      throwIfStopped()
      return result as Awaited<typeof work>
    },
    closeAll: async () => {
      for (const close of closers.splice(0).toReversed()) await close()
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}
