// Photos of requests, reviews and jobs. Their URLs may be anybody's; ours are files of the account that sends them.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { invalidField } from '../../../../errors/app-error.ts'
import { selectJobFiles, usePhotos as saveUse } from '../queries.sql.ts'
import { pictureFile } from '../rules/addresses.ts'
import type { Purpose } from '../rules/purposes.ts'
import type { File, StoredFile } from '../schemas.ts'
import { addressOfFile, nameOfAddress, presentFile } from './addresses.ts'

interface Use {
  readonly urls: readonly string[]
  readonly accountId: string
  readonly purpose: Purpose
  readonly by: { readonly rfqId?: string; readonly reviewId?: string; readonly jobId?: string }
  /** Names the list in errors. */
  readonly path: string
}

/** The URL as it is stored: that of a file without its signature. */
export function storedPhoto(ctx: Ctx, { url }: { url: string }): string {
  const name = nameOfAddress(ctx, { url })
  return name === undefined ? url : addressOfFile(ctx, { file: pictureFile(name, 'large', 'webp'), isPrivate: false })
}

/**
 * Lets a request, review or job use the files among the URLs. Throws validation_failed for a file that is not the account's, was
 * sent for something else, was refused, or is in use.
 */
export async function usePhotos(ctx: TxCtx, { urls, accountId, purpose, by, path }: Use): Promise<void> {
  const names = urls.map((url) => nameOfAddress(ctx, { url }))
  const ours = names.filter((name) => name !== undefined)
  if (ours.length === 0) return
  const used = await saveUse(ctx, { names: `{${ours.join()}}`, accountId, purpose, ...by })
  const found = new Set(used.map(({ name }) => name))
  for (const [index, name] of names.entries())
    if (name !== undefined && !found.delete(name))
      throw invalidField(`${path}.${index}`, `must be a file of yours for ${purpose} that is not refused or in use`)
}

/** The URL with a signature, if it is that of a file: who may read the record may see its photos. */
export function shownPhoto(ctx: Ctx, { url }: { url: string }): string {
  const name = nameOfAddress(ctx, { url })
  return name === undefined ? url : addressOfFile(ctx, { file: pictureFile(name, 'large', 'webp'), isPrivate: true })
}

/** Files that the pro added to a job, oldest first, also those that are not ready. */
export async function listJobFiles(
  ctx: Ctx<{ professionalId: string }>,
  { jobId }: { jobId: string },
): Promise<File[]> {
  const { professionalId } = ctx.actor
  const found = await selectJobFiles<{ file: StoredFile }>(ctx, { jobId, professionalId })
  return found.map(({ file }) => presentFile(ctx, file))
}
