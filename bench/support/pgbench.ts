// The upper limit: pgbench sends the server's own statements on as many connections as the server has.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { findPostgres } from '../../src/local/binaries.ts'
import { BENCH_FOLDER } from './stores.ts'

/** The most script files that pgbench accepts. */
const MAX_SCRIPTS = 128
/** Threads of pgbench. Its own work is small. */
const THREADS = 1

const MAX_SECONDS = 30

export type Parameter = string | number | boolean | readonly (string | number)[] | null

/** Script files that call one statement with varying parameters. */
export interface PgbenchCalls {
  readonly files: readonly string[]
  /** Calls per file. pgbench counts a file as one transaction. */
  readonly perFile: number
}

/**
 * Writes the calls as scripts. As with the server's driver, the statement is prepared once per connection and each call
 * sends its parameters as text.
 */
export function writeCalls(name: string, statement: string, calls: readonly (readonly Parameter[])[]): PgbenchCalls {
  const perFile = Math.max(1, Math.floor(calls.length / MAX_SCRIPTS))
  const prepare = `\\if :is_prepared\n\\else\nprepare benchmarked as ${statement.trim()};\n\\set is_prepared true\n\\endif\n`
  const texts: string[] = []
  for (let at = 0; at + perFile <= calls.length && texts.length < MAX_SCRIPTS; at += perFile)
    texts.push(
      calls
        .slice(at, at + perFile)
        .map((parameters) => `execute benchmarked(${parameters.map(literal).join(', ')});\n`)
        .join(''),
    )
  return {
    files: writeScripts(
      name,
      texts.map((text) => prepare + text),
    ),
    perFile,
  }
}

/** Writes one script that varies its own parameters, for example by a sequence. */
export const writeScript = (name: string, script: string): PgbenchCalls => ({
  files: writeScripts(name, [script]),
  perFile: 1,
})

export interface PgbenchReport {
  calls: number
  perSecond: number
  /** ms */
  meanMs: number
}

/** On `connections`, for some seconds or some scripts per connection. */
type PgbenchLoad = { connections: number } & ({ seconds: number } | { transactions: number })

/**
 * Runs random scripts. When a busy machine completes no script in some seconds, it retries for twice as long. Throws
 * pgbench's error output when it fails.
 */
export async function runPgbench(
  url: string,
  { files, perFile }: PgbenchCalls,
  load: PgbenchLoad,
): Promise<PgbenchReport> {
  const binaries = await findPostgres()
  if (!binaries) throw new Error('PostgreSQL was not found. Install it to run pgbench.')
  const command = [
    join(binaries.folder, 'pgbench'),
    '-n',
    '--protocol=simple',
    '--define=is_prepared=false',
    `--client=${load.connections}`,
    `--jobs=${THREADS}`,
    'seconds' in load ? `--time=${load.seconds}` : `--transactions=${load.transactions}`,
    ...files.map((file) => `--file=${file}`),
    url,
  ]
  const child = Bun.spawn(command, {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // The server's long-lived connections use a generic plan; new ones would plan their first five calls.
    env: { ...process.env, PGOPTIONS: '-c jit=off -c plan_cache_mode=force_generic_plan -c enable_seqscan=off' },
  })
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1])
  const report = {
    calls: number(/actually processed: (\d+)/) * perFile,
    perSecond: number(/^tps = ([\d.]+)/m) * perFile,
    meanMs: number(/latency average = ([\d.]+)/) / perFile,
  }
  if (code !== 0) throw new Error(`pgbench failed: ${stderr || stdout}`)
  if (report.calls > 0) return report
  if (!('seconds' in load) || load.seconds > MAX_SECONDS) throw new Error(`pgbench completed no script: ${stdout}`)
  return runPgbench(url, { files, perFile }, { ...load, seconds: load.seconds * 2 })
}

function writeScripts(name: string, texts: readonly string[]): string[] {
  const folder = join(BENCH_FOLDER, 'pgbench', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return texts.map((text, index) => {
    const file = join(folder, `${index}.sql`)
    writeFileSync(file, text)
    return file
  })
}

/** A parameter as a quoted literal without a type, like the text that the driver sends. */
export function literal(value: Parameter): string {
  if (value === null) return 'null'
  const text = typeof value === 'object' ? `{${value.join(',')}}` : String(value)
  return `'${text.replaceAll("'", "''")}'`
}
