// Uploads that do not pass the server: the sender puts the content into the bucket, and then says that it is there.
import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { transition } from '../../../../transition.ts'
import { findUpload, saveReceived, tellReceived } from '../queries.sql.ts'
import { receivedKey } from '../rules/addresses.ts'
import { ADDRESS_SECONDS, OPEN_SECONDS } from '../rules/direct-uploads.ts'
import type { File, NewUpload, StartedUpload, StoredFile } from '../schemas.ts'
import { FILE } from '../states.ts'
import { presentFile } from './addresses.ts'
import { type Uploader, addFile, fileNotFound, findStored } from './files.ts'

/**
 * A file without its content, and the address that takes exactly this content. The address follows from the row, so that a repeated
 * request gets the same. Throws direct_uploads_not_configured without a bucket, file_quota_exceeded, and insufficient_scope for a pro's
 * purpose.
 */
export async function startUpload(
  ctx: Ctx<Uploader>,
  { purpose, size, contentType }: NewUpload,
): Promise<StartedUpload> {
  const { accountId } = ctx.actor
  const { signUpload } = ctx.storage
  const type = contentType ?? 'application/octet-stream'
  if (!signUpload)
    throw new AppError(
      'direct_uploads_not_configured',
      'This site has no bucket to upload to. Send the file as a part of a `multipart/form-data` body.',
    )
  const file = await runIdempotently(
    ctx,
    { accountId, operation: 'startUpload', request: { purpose, size, type } },
    (ctx) => {
      const openUntil = new Date(ctx.clock.now().getTime() + OPEN_SECONDS * 1000)
      return addFile(ctx, { purpose, status: 'waiting', bytes: size, openUntil })
    },
  )
  const at = new Date(file.createdAt)
  return {
    ...presentFile(ctx, file),
    upload: {
      url: await signUpload(receivedKey(file.name), { bytes: size, type, at, seconds: ADDRESS_SECONDS }),
      method: 'PUT',
      headers: { 'content-type': type },
      expiresAt: new Date(at.getTime() + ADDRESS_SECONDS * 1000).toISOString(),
    },
  }
}

/**
 * Takes a file whose content is in the bucket: from then on it is like any other. A file that was taken before stays as it is. Throws
 * file_not_found, and upload_incomplete while the content is missing or has another size.
 */
export async function completeUpload(ctx: Ctx<{ accountId: string }>, { id }: { id: string }): Promise<File> {
  const { accountId } = ctx.actor
  const upload = await findUpload(ctx, { id, accountId })
  if (!upload) throw fileNotFound()
  const bytes = upload.status === 'waiting' ? await sizeOf(ctx, upload) : undefined
  const file = await runIdempotently(
    ctx,
    { accountId, operation: 'completeUpload', request: { id } },
    async (ctx): Promise<StoredFile> => {
      if (bytes === undefined) return await findStored(ctx, { id })
      transition(FILE, 'file', upload.status, 'receive')
      const saved = await saveReceived<{ file: StoredFile }>(ctx, { id, bytes, now: ctx.clock.now() })
      // Another request was first, or the file was removed.
      if (!saved) return await findStored(ctx, { id })
      await tellReceived(ctx)
      return saved.file
    },
  )
  return presentFile(ctx, file)
}

/** The size of the content in the bucket, which must be the announced one. */
async function sizeOf(ctx: Ctx, { name, bytes }: { name: string; bytes: number | null }): Promise<number> {
  const stored = await ctx.storage.get(receivedKey(name))
  if (!stored)
    throw new AppError('upload_incomplete', 'The content is not there yet. Send it to the address of the upload first.')
  if (stored.bytes !== bytes)
    throw new AppError('upload_incomplete', `The content has ${stored.bytes} bytes instead of ${bytes}. Send it again.`)
  return stored.bytes
}
