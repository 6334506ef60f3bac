// `hearth pros import`: pros from a file of CSV or JSON lines, as often as the file changes.
import { createWriteStream, existsSync } from 'node:fs'
import { once } from 'node:events'

import { importPros } from '../features/business/imports/verbs/import-pros.ts'
import { faultText, headOfRefused, refusedLine } from '../features/business/imports/verbs/refused-lines.ts'
import type { ImportCounts, RefusedLine } from '../features/business/imports/schemas.ts'
import type { Table } from '../platform/text/tables/lines.ts'
import { plural } from '../platform/text/format.ts'
import { withDeps } from './command-deps.ts'
import { UsageError } from './failure.ts'

interface Options {
  dryRun?: boolean
  pauseMissing?: boolean
  paused?: boolean
  errors?: string
  invitePerMinute?: string
  json?: boolean
}

/** The refused lines that are printed. The file of `--errors` has all. */
const MAX_PRINTED = 20

/** Imports the file, and prints what it did. Exits with 1 when a line was refused. */
export const runProsImport = (path: string, options: Options) =>
  withDeps(async (ctx) => {
    const file = openFile(path)
    const errors = options.errors === undefined ? undefined : new ErrorsFile(options.errors)
    let printed = 0
    const onRefused = async (line: RefusedLine) => {
      if (printed++ < MAX_PRINTED && !options.json) console.log(`line ${line.line}: ${faultText(line.faults)}`)
      await errors?.write(line)
    }
    const { dryRun: isDryRun = false, pauseMissing: pausesMissing = false, invitePerMinute } = options
    const imported = await importPros(ctx, {
      file,
      by: null,
      isDryRun,
      pausesMissing,
      status: options.paused ? 'paused' : 'active',
      invitesPerMinute: invitePerMinute === undefined ? null : Number(invitePerMinute),
      onOpen: (table) => errors?.open(table),
      onRefused,
    })
    await errors?.close()
    const { counts, unknownColumns, stopped } = imported
    if (options.json) console.log(JSON.stringify(imported))
    else {
      if (printed > MAX_PRINTED) console.log(`… and ${printed - MAX_PRINTED} more lines.`)
      if (unknownColumns.length > 0) console.log(`Columns that were not read: ${unknownColumns.join(', ')}.`)
      if (stopped !== undefined) console.log(stopped)
      console.log(summaryOf(counts, isDryRun))
      if (counts.refused > 0 && options.errors !== undefined)
        console.log(`${options.errors} has the refused lines: correct them there, and import that file.`)
    }
    if (counts.refused > 0 || stopped !== undefined) process.exitCode = 1
  })

function openFile(path: string): AsyncIterable<Uint8Array> {
  if (path === '-') return Bun.stdin.stream()
  if (!existsSync(path)) throw new UsageError(`${path} cannot be read. Give the path of a file of CSV or JSON lines.`)
  return Bun.file(path).stream()
}

/** Is written once a line was refused. */
class ErrorsFile {
  #form: Pick<Table, 'format' | 'columns' | 'delimiter'> | undefined
  #stream: ReturnType<typeof createWriteStream> | undefined

  constructor(readonly path: string) {}

  open(form: Pick<Table, 'format' | 'columns' | 'delimiter'>): void {
    this.#form = form
  }

  async write(line: RefusedLine): Promise<void> {
    const form = this.#form
    if (!form) return
    if (!this.#stream) {
      this.#stream = createWriteStream(this.path, { mode: 0o600 })
      this.#stream.write(headOfRefused(form))
    }
    if (!this.#stream.write(refusedLine(form, line))) await once(this.#stream, 'drain')
  }

  async close(): Promise<void> {
    if (!this.#stream) return
    this.#stream.end()
    await once(this.#stream, 'finish')
  }
}

function summaryOf(counts: ImportCounts, isDryRun: boolean): string {
  const { created, changed, unchanged, paused, resumed, refused, invited, outsideArea } = counts
  const parts = [
    `${created} created, ${changed} changed, ${unchanged} unchanged, ${paused} paused, ${refused} refused.`,
    ...(resumed > 0
      ? [`${plural(resumed, 'pro')} of the changed ones ${resumed === 1 ? 'is' : 'are'} found again.`]
      : []),
    ...(invited > 0 ? [`${plural(invited, 'invitation')} will be sent.`] : []),
    ...(outsideArea > 0 ? [`${plural(outsideArea, 'pro')} outside your area: see /console/area.`] : []),
    ...(isDryRun ? ['Nothing was written: this is a dry run.'] : []),
  ]
  return parts.join('\n')
}
