// `hearth up` as a process with a home folder of its own.
import { expect } from 'bun:test'
import { chmodSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { isAlive, readIfExists } from '../../src/local/processes.ts'
import type { UpOptions } from '../../src/commands/up/settings.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'

export const UP = join(import.meta.dir, '../../src/commands/up/up.ts')
const folders: string[] = []
const running: RunningUp[] = []

/** A home folder that `hearth up` may fill. */
export function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'hearth-up-'))
  chmodSync(dir, 0o755)
  folders.push(dir)
  return dir
}

/** Stops what a failed test has left running; for `afterEach`. */
export async function stopRunning(): Promise<void> {
  for (const up of running.splice(0)) if (isAlive(up.pid)) await up.end('SIGINT')
}

/** For `afterAll`. */
export const removeFolders = (): void => folders.forEach((dir) => rmSync(dir, { recursive: true, force: true }))

export interface RunningUp {
  pid: number
  /** Everything printed so far. */
  output(): string
  /** Waits until the text is printed, and returns all output. */
  printed(text: string): Promise<string>
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts `hearth up` with a small seed in its own home folder. */
export function startUp(home: string, env: Record<string, string>, options: UpOptions = {}): RunningUp {
  const script = `const { runUp } = await import('${UP}'); await runUp(${JSON.stringify(options)})`
  const child = Bun.spawn([process.execPath, '-e', script], {
    env: { ...process.env, DATABASE_URL: '', REDIS_URL: '', HEARTH_HOME: home, HEARTH_SEED_PROS: '60', ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let text = ''
  const reading = (async () => {
    for await (const chunk of child.stdout) text += new TextDecoder().decode(chunk)
  })()
  const up: RunningUp = {
    pid: child.pid,
    output: () => text,
    printed: async (wanted) => {
      await waitUntil(() => text.includes(wanted) || child.exitCode !== null, 180_000)
      expect(text).toContain(wanted)
      return text
    },
    end: async (signal) => {
      child.kill(signal)
      await child.exited
      await reading
      return child.exitCode
    },
  }
  running.push(up)
  return up
}

/** Every process of this home folder: the stores by working folder, the servers by environment. */
export const processesOf = (home: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isAlive(Number(name)))
    .filter((pid) => readIfExists(`/proc/${pid}/environ`).includes(`HEARTH_HOME=${home}\0`) || belongsTo(pid, home))

function belongsTo(pid: string, home: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(home)
  } catch {
    // The process ended.
    return false
  }
}
