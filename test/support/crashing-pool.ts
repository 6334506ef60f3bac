// Simulates processes that die between two steps: a write pool whose statements and transactions crash on request.
import type { Transaction, WritePool } from '../../src/platform/postgres/database.ts'

/** `before`: the work is rolled back. `after`: it is committed, but the caller gets no result. */
export type CrashPoint = 'before' | 'after'

/** Stands for the death of the process. No code under test catches it. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** Wraps the pool so that it crashes at each point that `next` returns. */
export function withCrashes(write: WritePool, next: () => CrashPoint | undefined): WritePool {
  return {
    ...write,
    run: async (name, statement) => {
      const point = next()
      if (point === 'before') throw new Crash(`before ${name}`)
      const rows = await write.run(name, statement)
      if (point === 'after') throw new Crash(`after ${name}`)
      return rows
    },
    begin: async <T>(name: string, work: (tx: Transaction) => Promise<T>): Promise<T> => {
      const point = next()
      const result = await write.begin(name, async (tx) => {
        const done = await work(tx)
        if (point === 'before') throw new Crash(`before the commit of ${name}`)
        return done
      })
      if (point === 'after') throw new Crash(`after the commit of ${name}`)
      return result
    },
  }
}
