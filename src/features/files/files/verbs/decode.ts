// Decodes files that were received. Any number of processes may do so at once.
import type { Ctx } from '../../../../ctx.ts'
import { oncePerDeps } from '../../../../deps.ts'
import type { Picture } from '../../../../platform/pictures/decode.ts'
import { type IsolatedDecoding, openIsolatedDecoder } from '../../../../platform/pictures/isolated-decoder.ts'
import { bytesOf } from '../../../../platform/storage/storage.ts'
import { StoreUnavailable } from '../../../../platform/store-error.ts'
import { transition } from '../../../../transition.ts'
import { claimFile, endClaim, findDecodingBacklog, postponeFile, saveReady, saveRefused } from '../queries.sql.ts'
import { documentFile, pictureFile, readyKey, receivedKey } from '../rules/addresses.ts'
import { PURPOSE_RULES, type Purpose } from '../rules/purposes.ts'
import { type FileState, FILE } from '../states.ts'

/** The actor that decodes files. */
export const DECODING_ACTOR = 'decode-files'

/** When the claim of a process that died ends: after the longest decoding and a slow storage. */
const CLAIM_MS = 5 * 60_000
/** A file that took down its process so often is refused: it may be the reason. */
const MAX_CLAIMS = 3
/** Until a storage is tried again that could not be used. */
const POSTPONED_MS = 30_000

export type DecodingOutcome = 'ready' | 'refused' | 'cleared' | 'postponed'

interface Claimed {
  readonly id: string
  readonly name: string
  readonly purpose: Purpose
  readonly status: FileState
  readonly bytes: number | null
  readonly claims: number
}

const decoderOf = oncePerDeps(() => openIsolatedDecoder())

/** Ends the process that decodes, once it has decoded the file in progress. */
export const closeDecoder = (ctx: Ctx) => decoderOf(ctx).close()

/** The number of files that wait, and for how many seconds the first has. */
export const decodingBacklog = async (ctx: Ctx) =>
  (await findDecodingBacklog(ctx, { now: ctx.clock.now() })) ?? { waiting: 0, oldestSeconds: 0 }

/**
 * Decodes the file that has been due for the longest time. Its original is removed after the outcome was saved: a process that
 * dies in between leaves the file due, and the next one removes it. Returns undefined when no file is due.
 */
export async function decodeNextFile(ctx: Ctx): Promise<DecodingOutcome | undefined> {
  const now = ctx.clock.now()
  const file = await claimFile(ctx, { now, until: new Date(now.getTime() + CLAIM_MS) })
  if (!file) return undefined
  try {
    const outcome = file.status === 'received' ? await decodeFile(ctx, file) : 'cleared'
    await ctx.storage.delete(receivedKey(file.name))
    await endClaim(ctx, { id: file.id, now: ctx.clock.now() })
    return outcome
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    ctx.log.warn({ err: error, fileId: file.id }, 'a file waits for the storage')
    await postponeFile(ctx, { id: file.id, at: new Date(ctx.clock.now().getTime() + POSTPONED_MS) })
    return 'postponed'
  }
}

async function decodeFile(ctx: Ctx, { id, status, ...file }: Claimed): Promise<DecodingOutcome> {
  const { name } = file
  const decoded = await decodedContent(ctx, file)
  const now = ctx.clock.now()
  if (decoded.kind === 'refused') {
    transition(FILE, 'file', status, 'refuse')
    await saveRefused(ctx, { id, reason: decoded.reason, now })
    return 'refused'
  }
  transition(FILE, 'file', status, 'accept')
  if (decoded.kind === 'picture') await storeSizes(ctx, { name, picture: decoded })
  // Without a row the file was erased meanwhile, and the last removal takes what was stored here.
  await saveReady(ctx, { id, type: decoded.type, ...shownOf(decoded), now })
  return 'ready'
}

async function decodedContent(
  ctx: Ctx,
  { name, purpose, bytes: length, claims }: Omit<Claimed, 'id' | 'status'>,
): Promise<IsolatedDecoding> {
  if (claims > MAX_CLAIMS) return { kind: 'refused', reason: 'crashed' }
  const original = await ctx.storage.get(receivedKey(name))
  // Where a sender stores the content, others may replace it until the address ends.
  const bytes = original && (await bytesOf(original, length ?? 0))
  if (!bytes) return { kind: 'refused', reason: 'damaged' }
  const decoded = await decoderOf(ctx).decode({ bytes, mayBeDocument: PURPOSE_RULES[purpose].mayBeDocument })
  if (decoded.kind === 'document') await ctx.storage.put(readyKey(documentFile(name)), bytes)
  return decoded
}

async function storeSizes(ctx: Ctx, { name, picture }: { name: string; picture: Picture }): Promise<void> {
  for (const { size, format, bytes } of picture.variants)
    await ctx.storage.put(readyKey(pictureFile(name, size, format)), bytes)
}

/** What people see of a picture before it is loaded. */
function shownOf(decoded: Exclude<IsolatedDecoding, { kind: 'refused' }>) {
  if (decoded.kind === 'document') return { sizes: '[]' }
  const { width, height, placeholder, variants } = decoded
  const sizes = variants
    .filter(({ format }) => format === 'webp')
    .map(({ size, width, height }) => ({ size, width, height }))
  return { width, height, placeholder, sizes: JSON.stringify(sizes) }
}
