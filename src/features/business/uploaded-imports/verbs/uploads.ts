// The file of an import, from its upload until an operator starts the import.
import type { Ctx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { firstCharacters, plainName } from '../../../../platform/text/plain.ts'
import { transition } from '../../../../transition.ts'
import { recordAction } from '../../../upkeep/audit/verbs.ts'
import type { ImportCounts } from '../../imports/schemas.ts'
import {
  deleteUpload,
  endKeeping,
  findImport,
  findUpload,
  insertImport,
  lockImport,
  saveContent,
  saveReceived,
  saveStarted,
  selectImports,
  selectOutdated,
} from '../queries.sql.ts'
import type { ImportFindings, ListedImport, UploadOptions, UploadedImport } from '../schemas.ts'
import { IMPORT } from '../states.ts'

const DAY_MS = 86_400_000
const MAX_NAME = 200
const MAX_LISTED = 50

export const contentKey = (id: string): string => `imports/${id}`
export const refusedKey = (id: string): string => `imports/${id}-refused`

/** Files are kept for a day after the last that was done with them. */
export const keptUntil = ({ clock }: Pick<Ctx, 'clock'>): Date => new Date(clock.now().getTime() + DAY_MS)

/**
 * Takes a file, and returns the id of its import, which waits for its options. Its row comes before its content, so that the storage
 * holds nothing without a row. Throws validation_failed for an empty file, and what `content` throws.
 */
export async function receiveUpload(
  ctx: Ctx,
  { by, fileName, content }: { by: string; fileName: string; content: AsyncIterable<Uint8Array> },
): Promise<string> {
  const id = ctx.ids.uuid()
  const name = firstCharacters(plainName(fileName).trim(), MAX_NAME) || 'file'
  await insertImport(ctx, { id, by, name, now: ctx.clock.now(), keptUntil: keptUntil(ctx) })
  let bytes = 0
  const counted = async function* () {
    for await (const chunk of content) {
      bytes += chunk.byteLength
      yield chunk
    }
  }
  try {
    await ctx.storage.put(contentKey(id), counted())
    if (bytes === 0) throw invalidField('file', 'is empty')
    await saveContent(ctx, { id, bytes })
    return id
  } catch (error) {
    await ctx.storage.delete(contentKey(id))
    await deleteUpload(ctx, { id })
    throw error
  }
}

/** The file that a form sent before, when something else in it was wrong; undefined once it is gone, or its import is under way. */
export const findWaitingUpload = (ctx: Ctx, input: { id: string; by: string }) => findUpload(ctx, input)

/**
 * Has a worker read the file in a dry run. Nothing happens for a file that is read already: the form was sent twice. Throws
 * validation_failed for a file that is gone, or that another operator sent.
 */
export const checkUpload = (
  ctx: Ctx,
  { id, by, options }: { id: string; by: string; options: UploadOptions },
): Promise<void> =>
  ctx.transaction('checkUpload', async (ctx) => {
    const found = await lockImport(ctx, { id })
    const gone = invalidField('file', 'was removed meanwhile: choose it again')
    if (!found) throw gone
    if (found.status !== 'uploading') return
    if (found.by !== by || found.bytes === null || found.keptUntil === null) throw gone
    transition(IMPORT, 'import', found.status, 'receive')
    await saveReceived(ctx, { id, options: JSON.stringify(options), now: ctx.clock.now(), keptUntil: keptUntil(ctx) })
  })

/**
 * Has a worker import the file, as its dry run said. Nothing happens for one that was started already: the button was pressed twice.
 * Throws file_not_found, and validation_failed for a file that is gone, or whose dry run is not over.
 */
export const startImport = (ctx: Ctx, { id, by }: { id: string; by: string }): Promise<void> =>
  ctx.transaction('startImport', async (ctx) => {
    const found = await lockImport<{ options: UploadOptions; preview: ImportCounts | null }>(ctx, { id })
    if (!found) throw importNotFound()
    const { status, name, options, preview } = found
    if (status === 'running' || status === 'done') return
    if (found.keptUntil === null)
      throw new AppError('validation_failed', 'The file was removed a day after its dry run. Upload it again.')
    transition(IMPORT, 'import', status, 'start')
    await saveStarted(ctx, { id, by, now: ctx.clock.now(), keptUntil: keptUntil(ctx) })
    const details = { name, options, counts: preview }
    await recordAction(ctx, { action: 'import.started', subjectId: id, professionalId: null, by, details })
  })

/** An import that was uploaded. Throws file_not_found. */
export async function getImport(ctx: Ctx, { id }: { id: string }): Promise<UploadedImport> {
  const found = await findImport<{
    options: UploadOptions
    preview: ImportCounts | null
    counts: ImportCounts | null
    findings: ImportFindings | null
  }>(ctx, { id })
  if (!found) throw importNotFound()
  return { ...found, bytes: found.bytes ?? 0 }
}

/** The last imports that were uploaded, the latest first. */
export const listImports = (ctx: Ctx): Promise<ListedImport[]> =>
  selectImports<{ preview: ImportCounts | null; counts: ImportCounts | null }>(ctx, { limit: MAX_LISTED })

/** The lines that the last reading of the file refused, as a file. Throws file_not_found. */
export async function getRefusedLines(
  ctx: Ctx,
  { id }: { id: string },
): Promise<Pick<UploadedImport, 'name' | 'format'> & { content: ReadableStream<Uint8Array> }> {
  const { name, format, findings } = await getImport(ctx, { id })
  const stored = findings && findings.refused.length > 0 ? await ctx.storage.get(refusedKey(id)) : undefined
  if (!stored) throw new AppError('file_not_found', 'The refused lines are kept for a day. Upload the file again.')
  return { name, format, content: stored.stream() }
}

const importNotFound = () => new AppError('file_not_found', 'No import has this id.')

/** Removes files that are kept no longer from the storage. Returns how many. */
export async function removeOutdated(ctx: Ctx, { limit }: { limit: number }): Promise<number> {
  const outdated = await selectOutdated(ctx, { now: ctx.clock.now(), limit })
  for (const { id } of outdated) {
    await ctx.storage.delete(contentKey(id))
    await ctx.storage.delete(refusedKey(id))
    await endKeeping(ctx, { id })
  }
  return outdated.length
}
