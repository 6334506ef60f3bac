// A process of the cluster that is restarted whenever it ends, as systemd or Kubernetes would.
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

import { signalIfAlive } from '../../src/local/processes.ts'
import { settlesWithin } from '../../src/platform/clock/deadlines.ts'

/** A process that ends at once must not be started again in a loop. */
const RESTART_DELAY_MS = 500
const STOP_MS = 15_000

/** What can happen to running processes. */
export interface Victim {
  kill(): void
  /** Stops it from running without ending it: its connections stay open and nothing is answered. */
  freeze(): void
  thaw(): void
}

export interface Service extends Victim {
  readonly name: string
  /** Ends it for good: SIGTERM, and SIGKILL when that takes too long. */
  stop(): Promise<void>
}

export interface ServiceOptions {
  name: string
  command: readonly string[]
  env?: Record<string, string>
  logFile: string
}

/** Starts the process and keeps it running until `stop`. */
export function startService({ name, command, env = {}, logFile }: ServiceOptions): Service {
  const stopping = new AbortController()
  let child = spawn()
  function spawn() {
    const log = openSync(logFile, 'a', 0o600)
    try {
      return Bun.spawn([...command], {
        cwd: '/',
        env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', ...env },
        stdio: ['ignore', log, log],
      })
    } finally {
      closeSync(log)
    }
  }
  const running = (async () => {
    for (;;) {
      await child.exited
      if (stopping.signal.aborted) return
      await settlesWithin(sleep(RESTART_DELAY_MS, undefined, { signal: stopping.signal }), RESTART_DELAY_MS + 100)
      if (stopping.signal.aborted) return
      child = spawn()
    }
  })()
  const victim = victimOf(() => [child.pid])
  return {
    ...victim,
    name,
    stop: async () => {
      stopping.abort()
      victim.thaw()
      child.kill('SIGTERM')
      if (!(await settlesWithin(running, STOP_MS))) victim.kill()
      await running
    },
  }
}

/** The processes that `pids` names at the time. */
export function victimOf(pids: () => readonly number[]): Victim {
  const signal = (kind: NodeJS.Signals) => pids().forEach((pid) => signalIfAlive(pid, kind))
  return { kill: () => signal('SIGKILL'), freeze: () => signal('SIGSTOP'), thaw: () => signal('SIGCONT') }
}
