// The addresses of files: those of public ones never change, and those of private ones are signed and end.
import { timingSafeEqual } from 'node:crypto'

import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { StoredObject } from '../../../../platform/storage/storage.ts'
import { findServed } from '../queries.sql.ts'
import { FILES_PATH, documentFile, parseAddress, pictureFile, readyKey } from '../rules/addresses.ts'
import { REFUSALS } from '../rules/refusals.ts'
import type { File, StoredFile } from '../schemas.ts'

/** How long the address of a private file is valid: at least this long, and up to one step more. */
const SIGNED_MS = 10 * 60_000
/** Addresses that are made within a step are the same, so that a browser that reads a page again has the picture already. */
const STEP_MS = 5 * 60_000

const originOf = (ctx: Ctx): string => ctx.config.files.baseUrl ?? ctx.config.baseUrl

/** The file with its addresses. */
export function presentFile(ctx: Ctx, { name, sizes, ...file }: StoredFile): File {
  const addressOf = (part: string) => addressOfFile(ctx, { file: part, isPrivate: file.private })
  const isDocument = file.type === 'application/pdf'
  return {
    ...file,
    message: file.reason === null ? null : REFUSALS[file.reason],
    url: addressOf(isDocument ? documentFile(name) : pictureFile(name, 'large', 'webp')),
    sizes: sizes.map(({ size, width, height }) => ({
      size,
      width,
      height,
      avif: addressOf(pictureFile(name, size, 'avif')),
      webp: addressOf(pictureFile(name, size, 'webp')),
    })),
  }
}

/** The address of one part of a file; that of a private one is signed and ends. */
export function addressOfFile(ctx: Ctx, { file, isPrivate }: { file: string; isPrivate: boolean }): string {
  const address = `${originOf(ctx)}${FILES_PATH}/${file}`
  if (!isPrivate) return address
  const expires = (Math.ceil(ctx.clock.now().getTime() / STEP_MS) * STEP_MS + SIGNED_MS) / 1000
  return `${address}?expires=${expires}&signature=${signatureOf(ctx, { file, expires })}`
}

/** The name of the file that an address of ours belongs to, signed or not; undefined for any other URL. */
export function nameOfAddress(ctx: Ctx, { url }: { url: string }): string | undefined {
  const prefix = `${originOf(ctx)}${FILES_PATH}/`
  const [address = ''] = url.split('?')
  return address.startsWith(prefix) ? parseAddress(address.slice(prefix.length))?.name : undefined
}

export interface ServedFile {
  readonly object: StoredObject
  readonly type: string
  readonly isPrivate: boolean
}

/** What is served at an address. Throws not_found, also for a private file without a signature that holds. */
export async function openFile(
  ctx: Ctx,
  { file, expires, signature }: { file: string; expires?: string | undefined; signature?: string | undefined },
): Promise<ServedFile> {
  const address = parseAddress(file)
  const found = address && (await findServed(ctx, { name: address.name }))
  if (!found || (found.private && !isSigned(ctx, { file, expires, signature }))) throw notServed()
  const object = await ctx.storage.get(readyKey(file))
  if (!object) throw notServed()
  return { object, type: address.type, isPrivate: found.private }
}

function isSigned(
  ctx: Ctx,
  { file, expires, signature = '' }: { file: string; expires: string | undefined; signature: string | undefined },
): boolean {
  if (!/^\d{1,12}$/.test(expires ?? '') || Number(expires) * 1000 <= ctx.clock.now().getTime()) return false
  const [due, given] = [signatureOf(ctx, { file, expires: Number(expires) }), signature].map((text) =>
    Buffer.from(text),
  )
  return due !== undefined && given !== undefined && due.length === given.length && timingSafeEqual(due, given)
}

const signatureOf = (ctx: Ctx, { file, expires }: { file: string; expires: number }): string =>
  ctx.encryption.digest('address of a private file', `${file} ${expires}`)

const notServed = () => new AppError('not_found', 'No file is at this address, or the address has ended.')
