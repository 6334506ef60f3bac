// Server processes under test: started on a port of their own, waited for, their CPU time and memory read.
import { readFileSync } from 'node:fs'

import { findFreePort } from '../../src/local/ports.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { cpuMs } from './cpu.ts'
import { ROOT } from './stores.ts'

const READY_MS = 30_000

export interface TestedServer {
  readonly url: string
  readonly pids: readonly number[]
  /** CPU time of its processes so far. */
  cpuMs(): number
  /** Resident memory of its processes, in MB. */
  memoryMb(): number
  stop(): Promise<void>
}

export interface ServerOptions {
  command: readonly string[]
  env: Record<string, string>
  /** Answers 200 when it is ready. */
  readyPath: string
  /** So many processes share the port. */
  processes?: number
}

/** Starts a server, given its port as PORT, and waits until it answers. */
export async function startServer({ command, env, readyPath, processes = 1 }: ServerOptions): Promise<TestedServer> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const children = Array.from({ length: processes }, () =>
    Bun.spawn([...command], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', ...env, PORT: String(port) },
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  )
  const answers = () =>
    fetch(url + readyPath).then(
      ({ ok }) => ok,
      () => false,
    )
  const stop = async () => {
    for (const child of children) child.kill('SIGTERM')
    await Promise.all(children.map(({ exited }) => exited))
  }
  const ended = () => children.some(({ exitCode }) => exitCode !== null)
  if (!(await waitUntil(async () => ended() || (await answers()), READY_MS, 50)) || ended()) {
    await stop()
    throw new Error(`A server did not become ready: ${command.join(' ')}`)
  }
  const pids = children.map(({ pid }) => pid)
  return {
    url,
    pids,
    cpuMs: () => pids.reduce((sum, pid) => sum + cpuMs(pid), 0),
    memoryMb: () => pids.reduce((sum, pid) => sum + residentMb(pid), 0),
    stop,
  }
}

/** proc(5): VmRSS of /proc/<pid>/status, in kB. */
const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
