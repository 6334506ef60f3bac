// A pro's logo, cover and gallery.
import { type Viewer, testAccountOf } from '../../../auth/caller.ts'
import type { Ctx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { idOrSlug } from '../../../platform/schema/id-or-slug.ts'
import type { File, StoredFile } from '../files/schemas.ts'
import { presentFile } from '../files/verbs/addresses.ts'
import {
  endPictures,
  lockPictures,
  selectLogos,
  selectPictures,
  selectPublicPictures,
  selectRefusedPictures,
  usePictures,
} from './queries.sql.ts'
import type { NewPictures, Pictures, PublicPicture, PublicPictures } from './schemas.ts'

/** The pictures that the pro uses, also those that are not decoded yet. */
export async function getPictures(ctx: Ctx<{ professionalId: string }>): Promise<Pictures> {
  const found = await selectPictures<{ file: StoredFile }>(ctx, { professionalId: ctx.actor.professionalId })
  return placed(
    found.map(({ file }) => presentFile(ctx, file)),
    (file) => file,
  )
}

/** Pictures that were refused after the pro began to use them, so that the pro learns why. They end with the next change. */
export async function listRefusedPictures(ctx: Ctx<{ professionalId: string }>): Promise<File[]> {
  const found = await selectRefusedPictures<{ file: StoredFile }>(ctx, { professionalId: ctx.actor.professionalId })
  return found.map(({ file }) => presentFile(ctx, file))
}

/**
 * Replaces the pictures. Those that are used no more are deleted after a day. Throws validation_failed for a file that is not the
 * pro's, was uploaded for another purpose, was refused, or is named twice.
 */
export const setPictures = (
  ctx: Ctx<{ professionalId: string }>,
  { logo, cover, gallery }: NewPictures,
): Promise<Pictures> =>
  ctx.transaction('setPictures', async (ctx) => {
    const { professionalId } = ctx.actor
    const wanted = [
      ...(logo ? [{ path: 'body.logo', id: logo, purpose: 'pro_logo', caption: null, position: 0 }] : []),
      ...(cover ? [{ path: 'body.cover', id: cover, purpose: 'pro_cover', caption: null, position: 0 }] : []),
      ...gallery.map(({ fileId, caption }, position) => ({
        path: `body.gallery.${position}.fileId`,
        id: fileId,
        purpose: 'pro_gallery',
        caption: caption || null,
        position,
      })),
    ]
    await lockPictures(ctx, { professionalId })
    const used = await usePictures(ctx, { wanted: JSON.stringify(wanted), professionalId })
    const found = new Set(used.map(({ id }) => id))
    for (const { id, path } of wanted)
      if (!found.delete(id.toLowerCase()))
        throw invalidField(path, 'must be a file of yours for this purpose that is not refused, and named once')
    await endPictures(ctx, { professionalId, kept: `{${used.map(({ id }) => id).join()}}`, now: ctx.clock.now() })
    return await getPictures(ctx)
  })

/** What everybody sees of a pro's pictures. Throws professional_not_found. */
export async function getPublicPictures(ctx: Ctx<Viewer>, { pro }: { pro: string }): Promise<PublicPictures> {
  const found = await selectPublicPictures<{ file: StoredFile | null }>(ctx, {
    ...idOrSlug(pro),
    testAccountId: testAccountOf(ctx.actor),
  })
  if (found.length === 0) throw new AppError('professional_not_found', 'No pro has this id.')
  const files = found.flatMap(({ file }) => (file ? [presentFile(ctx, file)] : []))
  return placed(files, publicPicture)
}

/** The logos of pros that the caller has found, by their ids; those of pros without one are missing. */
export async function listLogos(
  ctx: Ctx,
  { ids }: { ids: readonly string[] },
): Promise<ReadonlyMap<string, PublicPicture>> {
  if (ids.length === 0) return new Map()
  const found = await selectLogos<{ professionalId: string; file: StoredFile }>(ctx, { ids: `{${ids.join()}}` })
  return new Map(found.map(({ professionalId, file }) => [professionalId, publicPicture(presentFile(ctx, file))]))
}

const publicPicture = ({ url, width, height, placeholder, sizes, caption }: File): PublicPicture => ({
  url,
  width,
  height,
  placeholder,
  sizes,
  caption,
})

/** By their purposes. */
function placed<T>(
  files: readonly File[],
  shown: (file: File) => T,
): { logo: T | null; cover: T | null; gallery: T[] } {
  const of = (purpose: File['purpose']) => files.filter((file) => file.purpose === purpose).map(shown)
  return { logo: of('pro_logo')[0] ?? null, cover: of('pro_cover')[0] ?? null, gallery: of('pro_gallery') }
}
