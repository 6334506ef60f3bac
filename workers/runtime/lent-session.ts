// The session that a supervisor lends to its processes, so that none of them needs one of its own.
import { join } from 'node:path'

import type { Config } from '../../src/config.ts'
import { directUrlOf } from '../../src/platform/postgres/configured-urls.ts'
import { openDirectSession } from '../../src/platform/postgres/direct-session.ts'
import { lendSession } from '../../src/platform/postgres/lent-session.ts'
import { sessionFolder } from '../../src/platform/postgres/shared-session.ts'
import type { SupervisorOptions } from './supervisor.ts'

export interface SupervisedSession {
  /** Variables for the processes. */
  readonly env: SupervisorOptions['env']
  close(): Promise<void>
}

/** Without a private folder on this machine each process has its own session. */
export async function openSupervisedSession(
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl'>,
): Promise<SupervisedSession> {
  const folder = sessionFolder()
  if (!folder) return { env: {}, close: () => Promise.resolve() }
  const path = join(folder, `supervisor-${process.pid}`)
  const session = openDirectSession(directUrlOf(config))
  const lent = await lendSession(session, path)
  return {
    env: { HEARTH_SESSION_SOCKET: path },
    close: async () => {
      lent.close()
      await session.close()
    },
  }
}
