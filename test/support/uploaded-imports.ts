// Imports by upload in tests: an operator who sends files to the page, and a worker that reads them.
import { type Ctx, ctxOf } from '../../src/ctx.ts'
import { readNextImport } from '../../src/features/business/uploaded-imports/verbs/run.ts'
import { checkUpload, receiveUpload } from '../../src/features/business/uploaded-imports/verbs/uploads.ts'
import type { TestApp } from './app.ts'
import { type Part, sendFormWithFiles } from './form-with-files.ts'
import { bytesOf } from './pro-imports.ts'
import type { Visitor } from './visitor.ts'

export const IMPORT_PAGE = '/console/pros/import'

/** The id at the end of the address of an import's page. */
export const importIdOf = (location: string): string => /[\w-]{36}$/.exec(location)?.[0] ?? ''

export function openUploads(app: TestApp, operator: Visitor) {
  const ctx = ctxOf(app.deps)
  const send = (content: string | Uint8Array, ...fields: Part[]) =>
    sendFormWithFiles(
      app,
      operator,
      [...fields, ['file', typeof content === 'string' ? Buffer.from(content) : content, 'pros of may.csv']],
      { path: IMPORT_PAGE },
    )
  /** The page of a file after its dry run. */
  async function checked(content: string | Uint8Array, ...fields: Part[]) {
    const { status, location, text } = await send(content, ...fields)
    if (status !== 303) throw new Error(`The upload was answered with ${status}: ${text}`)
    const outcome = await readNextImport(ctx)
    return { outcome, page: location, id: importIdOf(location), text: (await operator.get(location)).text }
  }
  return { ctx, send, checked }
}

/** A file that is checked, without the page. Returns its id. */
export async function checkedImport(ctx: Ctx, { by, content }: { by: string; content: string }): Promise<string> {
  const id = await receiveUpload(ctx, { by, fileName: 'pros.csv', content: bytesOf(content) })
  await checkUpload(ctx, { id, by, options: { pausesMissing: false, status: 'active', invitesPerMinute: null } })
  await readNextImport(ctx)
  return id
}
