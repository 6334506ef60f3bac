// The logo and the icon of the marketplace: received from operators and files, decoded, and sent to everyone.
import { createHash } from 'node:crypto'

import type { Ctx, TxCtx } from '../../../ctx.ts'
import { oncePerDeps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { BRAND_KINDS, type BrandKind } from '../../../platform/pictures/brand.ts'
import { openBrandDecoder } from '../../../platform/pictures/isolated-decoder.ts'
import { findBrandFile, findBrandPicture, insertBrandPicture, lockBrandPicture } from './queries.sql.ts'
export { findBrandPicture }
import type { BrandSize } from './rules/addresses.ts'
import { BRAND_REFUSALS } from './rules/refusals.ts'
import type { BrandPicture } from './schemas.ts'

const decoderOf = oncePerDeps(() => openBrandDecoder())

/**
 * Decodes a picture and keeps it; versions of the marketplace show it. The same picture has the same id. Throws validation_failed
 * that says what is wrong with it.
 */
export async function receiveBrandPicture(
  ctx: Ctx,
  { kind, bytes }: { kind: BrandKind; bytes: Uint8Array },
): Promise<BrandPicture> {
  const decoded = await decoderOf(ctx).decode({ bytes, kind })
  if (decoded.kind === 'refused') throw new AppError('validation_failed', BRAND_REFUSALS[decoded.reason])
  const { width, height, whole, screen, tab } = decoded
  const id = createHash('sha256').update(`${kind} `).update(whole).digest('hex').slice(0, 32)
  await insertBrandPicture(ctx, {
    id,
    kind,
    width,
    height,
    whole: Buffer.from(whole),
    screen: screen && Buffer.from(screen),
    tab: tab && Buffer.from(tab),
    now: ctx.clock.now(),
  })
  return { id, width, height }
}

/** The picture of this kind with this id, also before a version shows it. Throws validation_failed for one that is not there. */
export async function getBrandPicture(ctx: Ctx, { kind, id }: { kind: BrandKind; id: string }): Promise<BrandPicture> {
  const found = await findBrandPicture(ctx, { kind, id })
  if (!found) throw notThere(kind)
  return found
}

const notThere = (kind: BrandKind) => invalidField(kind, 'is not there any more: choose it again')

/** Keeps the pictures that a version is to show until it is saved. Throws validation_failed for one that is not there. */
export async function requireBrandPictures(
  ctx: TxCtx,
  shown: Readonly<Record<BrandKind, BrandPicture | null>>,
): Promise<void> {
  for (const kind of BRAND_KINDS) {
    const id = shown[kind]?.id
    if (id !== undefined && (await lockBrandPicture(ctx, { id, kind })).length === 0) throw notThere(kind)
  }
}

/** The PNG of a picture in a size. Throws not_found. */
export async function readBrandPicture(
  ctx: Ctx,
  { id, size = 'whole' }: { id: string; size?: BrandSize },
): Promise<Uint8Array<ArrayBuffer>> {
  const found = await findBrandFile(ctx, { id, size })
  if (!found) throw new AppError('not_found', 'No picture is at this address.')
  return new Uint8Array(found.bytes)
}

/** The picture within a text, as files hold it. */
export const pictureUrlOf = async (ctx: Ctx, picture: BrandPicture | null): Promise<string | null> =>
  picture && `data:image/png;base64,${Buffer.from(await readBrandPicture(ctx, picture)).toString('base64')}`

type PictureUrls = { readonly [Kind in BrandKind]: string | null | undefined }

/** The pictures of a file; what it leaves out is left out. Throws validation_failed that says what is wrong with one. */
export async function receivePictureUrls(
  ctx: Ctx,
  urls: PictureUrls,
): Promise<{ -readonly [Kind in BrandKind]?: BrandPicture | null }> {
  const received: { -readonly [Kind in BrandKind]?: BrandPicture | null } = {}
  for (const kind of BRAND_KINDS) {
    const url = urls[kind]
    if (url === undefined) continue
    received[kind] = url === null ? null : await receiveOf(ctx, { kind, url })
  }
  return received
}

async function receiveOf(ctx: Ctx, { kind, url }: { kind: BrandKind; url: string }): Promise<BrandPicture> {
  try {
    return await receiveBrandPicture(ctx, { kind, bytes: Buffer.from(url.slice(url.indexOf(',') + 1), 'base64') })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'validation_failed')) throw error
    throw invalidField(kind, error.detail)
  }
}
