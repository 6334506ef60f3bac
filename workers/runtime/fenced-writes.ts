// A worker that lost the lock of a message's key writes nothing more for this message.
import { AsyncLocalStorage } from 'node:async_hooks'

import type { WritePool } from '../../src/platform/postgres/database.ts'
import type { KeyLock } from './keyed-mutex.ts'

const lockOfMessage = new AsyncLocalStorage<KeyLock>()

/** Runs `work` under a lock: the transactions of {@link fenceWrites} that it starts fail once the lock is lost. */
export const underLock = <T>(lock: KeyLock | undefined, work: () => T): T =>
  lock ? lockOfMessage.run(lock, work) : work()

/**
 * The same pool, whose transactions hold the lock of the current message until they end. PostgreSQL ends a lock with its
 * session, and a new primary does not know it: then another worker may have taken the message already.
 */
export function fenceWrites(write: WritePool): WritePool {
  const begin: WritePool['begin'] = (name, work) => {
    const lock = lockOfMessage.getStore()
    if (!lock) return write.begin(name, work)
    return write.begin(name, async (tx) => {
      await lock.holdUntilEnd(tx)
      return await work(tx)
    })
  }
  return {
    ...write,
    begin,
    run: (name, statement) =>
      lockOfMessage.getStore() ? begin(name, (tx) => tx.run(name, statement)) : write.run(name, statement),
    prepared: (name, text, parameters) =>
      lockOfMessage.getStore()
        ? begin(name, (tx) => tx.prepared(name, text, parameters))
        : write.prepared(name, text, parameters),
  }
}
