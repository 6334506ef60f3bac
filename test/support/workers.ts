// Worker processes for tests: an actor's file run by Bun, with its output collected.
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { recordEmitted } from './emitted.ts'
import { filesFolderOf, testRedisUrl } from './stores.ts'

export interface TestWorker {
  readonly pid: number
  output(): string
  /** Waits until the output contains the text. */
  waitForOutput(text: string): Promise<void>
  kill(): Promise<void>
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number>
  signal(signal: NodeJS.Signals): void
  readonly exited: Promise<number>
}

export interface TestWorkerOptions {
  databaseUrl: string
  redisUrl?: string
  env?: Record<string, string>
  args?: string[]
}

/** Starts `script` as a worker. */
export function startWorker(script: string, { databaseUrl, redisUrl, env, args = [] }: TestWorkerOptions): TestWorker {
  const child = Bun.spawn([process.execPath, script, ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: databaseUrl,
      FILES_FOLDER: filesFolderOf(databaseUrl),
      REDIS_URL: redisUrl ?? testRedisUrl,
      ...env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let output = ''
  const record = recordEmitted('logs')
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      record(chunk)
      output += decoder.decode(chunk, { stream: true })
    }
  }
  const reading = Promise.all([collect(child.stdout), collect(child.stderr)])
  const exited = child.exited.then(async (code) => {
    // A grandchild may hold the pipe open.
    await Promise.race([reading, Bun.sleep(500)])
    return code
  })
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return exited
  }
  return {
    pid: child.pid,
    output: () => output,
    waitForOutput: async (text) => {
      if (!(await waitUntil(() => output.includes(text), 30_000)))
        throw new Error(`The worker did not print "${text}". It printed:\n${output}`)
    },
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    signal: (signal) => child.kill(signal),
    exited,
  }
}
