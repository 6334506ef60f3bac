// Processes that die between two steps: a write pool whose statements and transactions end in a crash when told to.
import type { Transaction, WritePool } from '../../src/platform/postgres/database.ts'

/** `before`: what was done is rolled back. `after`: it is committed, and nobody hears of it. */
export type CrashPoint = 'before' | 'after'

/** The process is gone: no code of ours catches it to go on. */
export class Crash extends Error {
  override readonly name = 'Crash'
}

/** The pool, with a crash at each point that `next` names. */
export function crashing(write: WritePool, next: () => CrashPoint | undefined): WritePool {
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
