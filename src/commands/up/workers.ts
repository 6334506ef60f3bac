// The workers of `hearth up`: all actors under a supervisor, in the log of their own.
import { closeSync } from 'node:fs'

import { ROSTER } from '../../../workers/roster.ts'
import { type Supervisor, type WorkerEvent, startSupervisor, wanted } from '../../../workers/supervisor.ts'
import { readConfig } from '../../config.ts'
import { openLogFile, turnOver } from './log-file.ts'
import type { Environment } from './settings.ts'

export interface WorkersOptions {
  env: Environment
  logFile: string
  note: (line: string) => void
}

/** Starts them. */
export function startWorkers({ env, logFile, note }: WorkersOptions): Supervisor {
  turnOver(logFile)
  const output = openLogFile(logFile)
  const supervisor = startSupervisor({
    actors: wanted(ROSTER, readConfig(env).workerProcesses),
    env,
    output,
    onEvent: (event) => tell(event, note),
  })
  return {
    running: () => supervisor.running(),
    stop: async () => {
      await supervisor.stop()
      closeSync(output)
    },
  }
}

function tell(event: WorkerEvent, note: (line: string) => void): void {
  if (event.kind === 'ended')
    note(`${event.actor} ended (${event.how}); starting it again in ${event.againInMs / 1000} s`)
  if (event.kind === 'hung') note(`${event.actor} does not answer; ending it`)
}
