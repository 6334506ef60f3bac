// Server processes under test: starts them on a free port, waits until they respond, reads their CPU time and memory.
import { readFileSync } from 'node:fs'

import { findFreePort } from '../../src/local/ports.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { cpuMs } from './cpu.ts'
import { ROOT } from './stores.ts'

const READY_MS = 30_000

export interface TestedServer {
  readonly url: string
  readonly pids: readonly number[]
  /** CPU time of its processes so far, in ms. */
  cpuMs(): number
  /** Resident memory of its processes, in MB. */
  memoryMb(): number
  stop(): Promise<void>
}

export interface ServerOptions {
  command: readonly string[]
  env: Record<string, string>
  /** A path that responds 200 when the server is ready. */
  readyPath: string
  /** Number of processes that share the port. */
  processes?: number
  /** The folder it runs in, by default this checkout. */
  folder?: string
}

/** Starts a server with its port in PORT and waits until it is ready. Throws after 30 seconds. */
export async function startServer(options: ServerOptions): Promise<TestedServer> {
  const { command, env, readyPath, processes = 1, folder = ROOT } = options
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const children = Array.from({ length: processes }, () =>
    Bun.spawn([...command], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', ...env, PORT: String(port) },
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  )
  const isReady = () =>
    fetch(url + readyPath).then(
      ({ ok }) => ok,
      () => false,
    )
  const stop = async () => {
    for (const child of children) child.kill('SIGTERM')
    await Promise.all(children.map(({ exited }) => exited))
  }
  const hasExited = () => children.some(({ exitCode }) => exitCode !== null)
  if (!(await waitUntil(async () => hasExited() || (await isReady()), READY_MS, 50)) || hasExited()) {
    await stop()
    throw new Error(`The server did not become ready: ${command.join(' ')}`)
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
export const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
