// Imports of pros in tests: a file as a text, bytes or a stream, and what was refused of it.
import { ctxOf } from '../../src/ctx.ts'
import type { ImportOptions, RefusedLine } from '../../src/features/business/imports/schemas.ts'
import { type Imported, importPros } from '../../src/features/business/imports/verbs/import-pros.ts'
import { faultText, headOfRefused, refusedLine } from '../../src/features/business/imports/verbs/refused-lines.ts'
import type { AppError } from '../../src/errors/app-error.ts'
import type { Table } from '../../src/platform/text/tables/lines.ts'
import type { openTestApp } from './app.ts'

export const HEAD = 'external_id,business,email,place,services'
export type Content = string | Uint8Array | AsyncIterable<Uint8Array>

export async function* bytesOf(content: Content): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield Buffer.from(content)
  else if (content instanceof Uint8Array) yield content
  else yield* content
}

interface Outcome extends Imported {
  refused: string[]
  /** The file of the refused lines. */
  errors: string
}

/** A file of one pro, with an id and an address of its own. */
export const proFile = (
  id: string,
  { name = 'Oak Works', services = 'plumber: 95/hour', place = 'Columbus OH', more = [''] } = {},
) =>
  `${HEAD}${more.map((column) => column && `,${column.split('=')[0]}`).join('')}\n${id},${name},${id}@import.example,${place},${services}${more.map((column) => column && `,${column.split('=')[1]}`).join('')}\n`

export function openImports({ deps }: Awaited<ReturnType<typeof openTestApp>>) {
  const ctx = ctxOf(deps)
  async function importFile(content: Content, options: Partial<ImportOptions> = {}): Promise<Outcome> {
    const lines: RefusedLine[] = []
    let form: Pick<Table, 'format' | 'columns' | 'delimiter'> = { format: 'csv', columns: [], delimiter: ',' }
    const imported = await importPros(ctx, {
      file: bytesOf(content),
      by: null,
      isDryRun: false,
      pausesMissing: false,
      status: 'active',
      invitesPerMinute: null,
      onOpen: (table) => void (form = table),
      onRefused: (line) => void lines.push(line),
      ...options,
    })
    return {
      ...imported,
      refused: lines.map(({ line, faults }) => `${line}: ${faultText(faults)}`),
      errors: headOfRefused(form) + lines.map((line) => refusedLine(form, line)).join(''),
    }
  }

  /** Why the file as a whole is refused. */
  const refusalOf = (content: Content) =>
    importFile(content).then(
      () => 'imported',
      ({ errors = [] }: AppError) => errors.map(({ path, message }) => `${path} ${message}`).join('; '),
    )
  return { ctx, importFile, refusalOf }
}
