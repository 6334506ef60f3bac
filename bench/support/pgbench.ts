// The limit: the very statements that the server runs, sent by pgbench on as many connections, with nothing in between.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { findPostgres } from '../../src/local/binaries.ts'
import { BENCH_FOLDER } from './stores.ts'

/** Files that pgbench takes at most. */
const MAX_FILES = 128
/** Threads of pgbench; its own work is little. */
const THREADS = 1

const MOST_SECONDS = 30

export type Parameter = string | number | boolean | readonly (string | number)[] | null

/** Calls of one statement with varying parameters, ready for pgbench. */
export interface PgbenchCalls {
  readonly files: readonly string[]
  /** Calls per file: what pgbench counts as one transaction. */
  readonly perFile: number
}

/**
 * Writes the calls down. The statement is prepared once per connection, as the server's driver does it; each call then
 * brings its parameters as text, as the driver does too.
 */
export function keepCalls(name: string, statement: string, calls: readonly (readonly Parameter[])[]): PgbenchCalls {
  const perFile = Math.max(1, Math.floor(calls.length / MAX_FILES))
  const prepare = `\\if :ready\n\\else\nprepare called as ${statement.trim()};\n\\set ready true\n\\endif\n`
  const texts: string[] = []
  for (let at = 0; at + perFile <= calls.length && texts.length < MAX_FILES; at += perFile)
    texts.push(
      calls
        .slice(at, at + perFile)
        .map((parameters) => `execute called(${parameters.map(literal).join(', ')});\n`)
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

/** Writes one script that makes its own variety, such as by a sequence. */
export const keepScript = (name: string, script: string): PgbenchCalls => ({
  files: writeScripts(name, [script]),
  perFile: 1,
})

export interface PgbenchReport {
  calls: number
  perSecond: number
  /** ms */
  meanMs: number
}

/**
 * Runs the calls at random for some seconds on `connections`; on a machine so busy that no script comes to its end, for twice
 * as long. Throws with pgbench's own words when it fails.
 */
export async function runPgbench(
  url: string,
  { files, perFile }: PgbenchCalls,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<PgbenchReport> {
  const binaries = await findPostgres()
  if (!binaries) throw new Error('There is no PostgreSQL here.')
  const command = [
    join(binaries.folder, 'pgbench'),
    '-n',
    '--protocol=simple',
    '--define=ready=false',
    `--client=${connections}`,
    `--jobs=${THREADS}`,
    `--time=${seconds}`,
    ...files.map((file) => `--file=${file}`),
    url,
  ]
  const child = Bun.spawn(command, {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // A server's connections are old and have settled for one plan; those of a round are new.
    env: { ...process.env, PGOPTIONS: '-c jit=off -c plan_cache_mode=force_generic_plan -c enable_seqscan=off' },
  })
  const [code, said, complained] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  const number = (pattern: RegExp) => Number(pattern.exec(said)?.[1])
  const report = {
    calls: number(/actually processed: (\d+)/) * perFile,
    perSecond: number(/^tps = ([\d.]+)/m) * perFile,
    meanMs: number(/latency average = ([\d.]+)/) / perFile,
  }
  if (code !== 0 || seconds > MOST_SECONDS) throw new Error(`pgbench failed: ${complained || said}`)
  return report.calls > 0 ? report : runPgbench(url, { files, perFile }, { connections, seconds: seconds * 2 })
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

/** A parameter as the driver sends it: text, of the type the statement says. */
export function literal(value: Parameter): string {
  if (value === null) return 'null'
  const text = typeof value === 'object' ? `{${value.join(',')}}` : String(value)
  return `'${text.replaceAll("'", "''")}'`
}
