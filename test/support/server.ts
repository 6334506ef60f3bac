// Server processes for tests: `bun src/server.ts` on a free port, with its output collected.
import { join } from 'node:path'

import { findFreePort } from '../../src/local/ports.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { recordEmitted } from './emitted.ts'
import { filesFolderOf, testRedisUrl } from './stores.ts'

const SERVER = join(import.meta.dir, '../../src/server.ts')
const READY_MS = 60_000
const MAX_ATTEMPTS = 5

/**
 * For servers of which each request is to succeed, on a machine whose programs take all of its processors at times: they
 * wait for PostgreSQL for the longest time that can be set.
 */
export const PATIENT = { DATABASE_LIMIT_MS: '6000' }

export interface ServerOptions {
  databaseUrl: string
  /** The Redis of the test run by default. */
  redisUrl?: string
  /** Further variables, such as OTEL_EXPORTER_OTLP_ENDPOINT. */
  env?: Record<string, string>
  /** The program, when it is not the server itself. */
  script?: string
  /** The port, when several servers share it; a free one by default. */
  port?: number
}

/** One line of the log. */
export type LogLine = { msg?: string; level?: string; traceId?: string } & Record<string, unknown>

export interface TestServer {
  readonly url: string
  readonly opsUrl: string
  readonly pid: number
  /** The lines of its log so far. */
  log(): LogLine[]
  /** Everything it has written so far, to both streams. */
  output(): string
  /** Sends SIGTERM and resolves with the exit code. */
  stop(): Promise<number>
  signal(signal: NodeJS.Signals): void
  readonly exited: Promise<number>
}

/**
 * Starts a server and waits until it is ready. Another process may take the port between the check and the start: then
 * the server starts on another one.
 */
export async function startServer(options: ServerOptions): Promise<TestServer> {
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await findFreePort())
    const launched = launch(options, port)
    const opsUrl = () => launched.log().find((line) => line.msg === 'listening')?.['opsUrl']
    const ready = await waitUntil(async () => {
      if (launched.hasEnded()) return true
      const url = opsUrl()
      return typeof url === 'string' && (await answersOk(`${url}/readyz`))
    }, READY_MS)
    const url = opsUrl()
    if (ready && !launched.hasEnded() && typeof url === 'string')
      return { ...launched, url: `http://127.0.0.1:${port}`, opsUrl: url }
    launched.signal('SIGKILL')
    await launched.exited
    if (attempt === MAX_ATTEMPTS || !launched.output().includes('The port is taken'))
      throw new Error(`The server did not become ready. It printed:\n${launched.output()}`)
  }
}

/** Starts a server and returns the problem that its `/readyz` shows, then ends it. */
export async function problemOfStart(options: ServerOptions): Promise<unknown> {
  const launched = launch(options, options.port ?? (await findFreePort()))
  const opsUrl = () => launched.log().find((line) => line.msg === 'listening')?.['opsUrl']
  try {
    if (!(await waitUntil(() => typeof opsUrl() === 'string', READY_MS)))
      throw new Error(`The server does not listen. It printed:\n${launched.output()}`)
    const response = await fetch(`${String(opsUrl())}/readyz`)
    return await response.json()
  } finally {
    await launched.stop()
  }
}

/** Runs the server with a configuration that it cannot start with. Returns its output and exit code. */
export async function runServerUntilExit(env: Record<string, string>): Promise<{ code: number; output: string }> {
  const { exited, output } = launch({ databaseUrl: '', redisUrl: '', env }, await findFreePort())
  return { code: await exited, output: output() }
}

function launch({ databaseUrl, redisUrl, env, script }: ServerOptions, port: number) {
  // The servers of a killed test run end with it.
  const child = Bun.spawn([process.execPath, '--no-orphans', script ?? SERVER], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      FILES_FOLDER: filesFolderOf(databaseUrl),
      REDIS_URL: redisUrl ?? testRedisUrl,
      // Most tests send more requests, and book more, than a client may.
      PUBLIC_RATE_PER_MINUTE: '1000000',
      CODE_LOOKUPS_PER_MINUTE: '1000000',
      CONSOLE_RATE_PER_MINUTE: '1000000',
      LOGINS_PER_ADDRESS: '1000000',
      MAX_UNPAID_BOOKINGS: '1000000',
      ...env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let [stdout, stderr] = ['', '']
  const record = recordEmitted('logs')
  const reading = Promise.all([
    collect(child.stdout, record, (text) => (stdout += text)),
    collect(child.stderr, record, (text) => (stderr += text)),
  ])
  const exited = child.exited.then(async (code) => {
    await reading
    return code
  })
  return {
    pid: child.pid,
    exited,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    output: () => stdout + stderr,
    log: () => stdout.split('\n').flatMap(parseLine),
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
  }
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  record: (chunk: Uint8Array) => void,
  add: (text: string) => void,
) {
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    record(chunk)
    add(decoder.decode(chunk, { stream: true }))
  }
}

function parseLine(line: string): LogLine[] {
  return line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as LogLine] : []
}

const answersOk = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    (response) => response.ok,
    () => false,
  )
