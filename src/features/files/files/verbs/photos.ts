// Photos of requests, reviews and jobs. Their URLs may be anybody's; ours are files of the account that sends them.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { invalidField } from '../../../../errors/app-error.ts'
import { selectJobFiles, selectPhotos, usePhotos as saveUse } from '../queries.sql.ts'
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

/** A photo of a record on a page. */
export interface ShownPhoto {
  /** Where it is seen in large. */
  readonly url: string
  /** Its small size. Null for a photo on another site, which no page loads. */
  readonly thumbnail: string | null
  /** A file that is not there any more was refused. */
  readonly state: File['state']
}

/** The small size of a photo of a published record; null for a photo on another site. */
export const publicThumbnail = (ctx: Ctx, { url }: { url: string }): string | null =>
  thumbnailOf(ctx, { name: nameOfAddress(ctx, { url }), isPrivate: false })

const thumbnailOf = (ctx: Ctx, { name, isPrivate }: { name: string | undefined; isPrivate: boolean }): string | null =>
  name === undefined ? null : addressOfFile(ctx, { file: pictureFile(name, 'small', 'webp'), isPrivate })

/** The photos of records that the caller may see, in the order of their URLs. */
export async function showPhotos(ctx: Ctx, { urls }: { urls: readonly string[] }): Promise<ShownPhoto[]> {
  const names = urls.flatMap((url) => nameOfAddress(ctx, { url }) ?? [])
  const found = names.length === 0 ? [] : await selectPhotos(ctx, { names: `{${names.join()}}` })
  const states = new Map(found.flatMap(({ name, state }) => (state === 'uploading' ? [] : [[name, state] as const])))
  return urls.map((url) => {
    const name = nameOfAddress(ctx, { url })
    return {
      url: shownPhoto(ctx, { url }),
      thumbnail: thumbnailOf(ctx, { name, isPrivate: true }),
      state: name === undefined ? 'ready' : (states.get(name) ?? 'refused'),
    }
  })
}

interface WithPhotos {
  readonly id: string
  readonly photos: readonly { readonly url: string; readonly caption: string | null }[]
}
export type CaptionedPhoto = ShownPhoto & { readonly caption: string | null }

/** The photos of several records, by their ids. */
export async function showPhotosOf(
  ctx: Ctx,
  { records }: { records: readonly WithPhotos[] },
): Promise<ReadonlyMap<string, readonly CaptionedPhoto[]>> {
  const sent = records.flatMap(({ id, photos }) => photos.map((photo) => ({ ...photo, recordId: id })))
  const shown = await showPhotos(ctx, { urls: sent.map(({ url }) => url) })
  const photos = shown.map((photo, index) => ({ ...photo, caption: sent[index]?.caption ?? null }))
  return new Map(records.map(({ id }) => [id, photos.filter((_, index) => sent[index]?.recordId === id)]))
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
