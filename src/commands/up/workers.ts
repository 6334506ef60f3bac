// The workers of `hearth up`: all actors under a supervisor, with their own log file.
import { closeSync } from 'node:fs'

import { ACTOR_NAMES, processCounts } from '../../../workers/runtime/actor-names.ts'
import { openSupervisedSession } from '../../../workers/runtime/lent-session.ts'
import { openSupervisorOpsServer } from '../../../workers/runtime/supervisor-ops-server.ts'
import {
  type Supervisor,
  type WorkerEvent,
  withPrivateOpsPorts,
  startSupervisor,
} from '../../../workers/runtime/supervisor.ts'
import { readConfig } from '../../config.ts'
import { openLogFile, rotateLog } from '../../local/log-file.ts'
import type { Environment } from './settings.ts'

export interface WorkersOptions {
  env: Environment
  logFile: string
  note: (line: string) => void
}

/** Starts the supervisor, which starts the workers. */
export async function startWorkers({ env, logFile, note }: WorkersOptions): Promise<Pick<Supervisor, 'stop'>> {
  rotateLog(logFile)
  const output = openLogFile(logFile)
  const config = readConfig(env)
  const session = await openSupervisedSession(config)
  const supervisor = startSupervisor({
    actors: processCounts(ACTOR_NAMES, config.workerProcesses),
    env: { ...withPrivateOpsPorts(env), ...session.env },
    output,
    onEvent: (event) => reportEvent(event, note),
  })
  const ops = openSupervisorOpsServer(config, supervisor)
  return {
    stop: async () => {
      await Promise.all([supervisor.stop(), ops.stop(true)])
      await session.close()
      closeSync(output)
    },
  }
}

function reportEvent(event: WorkerEvent, note: (line: string) => void): void {
  if (event.kind === 'ended') note(`${event.actor} exited (${event.how}); restarting it in ${event.againInMs / 1000} s`)
  if (event.kind === 'hung') note(`${event.actor} does not respond; killing it`)
}
