// The ctx of queries whose test has no more than a connection.
import { type TxCtx, ctxOf } from '../../src/ctx.ts'
import type { Deps } from '../../src/deps.ts'
import type { LaggingRunner } from '../../src/platform/postgres/database.ts'

/** A ctx whose pools and whose transaction are the runner. */
export const ctxOn = (runner: LaggingRunner): TxCtx<undefined> => {
  const pools = { read: runner, replicas: runner, write: runner, tx: runner }
  return Object.assign(ctxOf(pools as unknown as Deps), { tx: runner }) as unknown as TxCtx<undefined>
}
