// Turns: messages that share a key are handled one at a time, in this process by a line per key, across processes by a lock.
import type { SessionLocks } from '../../src/platform/postgres/session-locks.ts'

export interface Turns {
  /**
   * Waits for the turn of a key. Undefined when it will not come soon: the message is to be put back, so that those of
   * one key do not take up all hands.
   */
  take(key: string): Promise<Turn | undefined>
  /** Every lock is lost: whoever has a turn may no longer be alone. */
  lose(): void
}

export interface Turn {
  /** Aborted when the turn was lost. */
  readonly lost: AbortSignal
  end(): Promise<void>
}

/** A message that waits takes a hand: of one key only a few may. */
const MAX_IN_LINE = 4

interface Line {
  /** The messages that have or await the turn. */
  length: number
  last: Promise<void>
}

/** The turns of one process. Locks are kept between two messages of a key that follow each other. */
export function openTurns(actor: string, locks: SessionLocks): Turns {
  const lines = new Map<string, Line>()
  const held = new Map<string, AbortController>()

  const lock = async (key: string): Promise<AbortController | undefined> => {
    const found = held.get(key)
    if (found) return found
    if (!(await locks.take(`${actor}:${key}`))) return undefined
    const controller = new AbortController()
    held.set(key, controller)
    return controller
  }
  const leave = async (key: string, line: Line) => {
    line.length--
    if (line.length > 0) return
    lines.delete(key)
    if (held.delete(key)) await locks.release(`${actor}:${key}`)
  }
  return {
    take: async (key) => {
      const line = lines.get(key) ?? { length: 0, last: Promise.resolve() }
      if (line.length >= MAX_IN_LINE) return undefined
      lines.set(key, line)
      line.length++
      const before = line.last
      const turn = Promise.withResolvers<void>()
      line.last = turn.promise
      await before
      const end = async () => {
        try {
          await leave(key, line)
        } finally {
          turn.resolve()
        }
      }
      try {
        const controller = await lock(key)
        if (controller) return { lost: controller.signal, end }
      } catch (error) {
        await end()
        throw error
      }
      await end()
      return undefined
    },
    lose: () => {
      for (const controller of held.values())
        controller.abort(new Error('The turn was lost with the database session.'))
      held.clear()
    },
  }
}
