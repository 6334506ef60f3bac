// Real server processes for tests: `bun src/server.ts` on a port of its own, with everything it says collected.
import { join } from 'node:path'

import { findFreePort } from '../../src/local/ports.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { recordEmitted } from './emitted.ts'
import { testRedisUrl } from './stores.ts'

const SERVER = join(import.meta.dir, '../../src/server.ts')
const READY_MS = 20_000
const MAX_ATTEMPTS = 5

export interface ServerOptions {
  databaseUrl: string
  /** Redis of the test run unless named. */
  redisUrl?: string
  /** Further variables, such as OTEL_EXPORTER_OTLP_ENDPOINT. */
  env?: Record<string, string>
  /** The program, when it is not the server itself. */
  script?: string
}

/** One line of the log. */
export type LogLine = { msg?: string; level?: string; traceId?: string } & Record<string, unknown>

export interface TestServer {
  readonly url: string
  readonly opsUrl: string
  readonly pid: number
  /** The lines of its log so far. */
  log(): LogLine[]
  /** Everything it wrote so far, to both streams. */
  output(): string
  /** SIGTERM, then its exit code. */
  stop(): Promise<number>
  signal(signal: NodeJS.Signals): void
  readonly exited: Promise<number>
}

/**
 * Starts a server and waits until it is ready. Somebody else may take the port between the look and the start: then it is
 * started on another one.
 */
export async function startServer(options: ServerOptions): Promise<TestServer> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort()
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
      throw new Error(`The server did not become ready. It said:\n${launched.output()}`)
  }
}

/** Runs the server with a configuration it cannot start with; gives what it said and its exit code. */
export async function runServerUntilExit(env: Record<string, string>): Promise<{ code: number; output: string }> {
  const { exited, output } = launch({ databaseUrl: '', redisUrl: '', env }, await findFreePort())
  return { code: await exited, output: output() }
}

function launch({ databaseUrl, redisUrl, env, script }: ServerOptions, port: number) {
  // A test run that is killed takes its servers with it.
  const child = Bun.spawn([process.execPath, '--no-orphans', script ?? SERVER], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl ?? testRedisUrl,
      // Tests of other things send more than a client may.
      PUBLIC_RATE_PER_MINUTE: '1000000',
      CODE_LOOKUPS_PER_MINUTE: '1000000',
      CONSOLE_RATE_PER_MINUTE: '1000000',
      LOGINS_PER_ADDRESS: '1000000',
      ...env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let [said, complained] = ['', '']
  const keep = recordEmitted('logs')
  const reading = Promise.all([
    collect(child.stdout, keep, (text) => (said += text)),
    collect(child.stderr, keep, (text) => (complained += text)),
  ])
  const exited = child.exited.then(async (code) => {
    await reading
    return code
  })
  return {
    pid: child.pid,
    exited,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    output: () => said + complained,
    log: () => said.split('\n').flatMap(parseLine),
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
  }
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  keep: (chunk: Uint8Array) => void,
  add: (text: string) => void,
) {
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    keep(chunk)
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
