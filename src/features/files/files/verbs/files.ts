// Uploads of files, and what their owners see of them.
import { createHash, randomBytes } from 'node:crypto'

import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { transition } from '../../../../transition.ts'
import {
  countFiles,
  deleteUpload,
  findFile,
  insertFile,
  lockUploads,
  saveReceived,
  tellReceived,
} from '../queries.sql.ts'
import { receivedKey } from '../rules/addresses.ts'
import { PURPOSE_RULES, type Purpose } from '../rules/purposes.ts'
import { exceededQuota } from '../rules/quota.ts'
import type { File, StoredFile } from '../schemas.ts'
import { FILE } from '../states.ts'
import { presentFile } from './addresses.ts'

/** The account that uploads, and the pro that it is. */
export interface Uploader {
  readonly accountId: string
  readonly professionalId: string | null
  /** A person without an account, on a page. Visitors share an account, so that their networks are limited and not it. */
  readonly isVisitor?: boolean
}

interface Upload {
  readonly purpose: Purpose
  /** The idempotency key is that of a form with several files: each content is received once. */
  readonly isOfForm?: boolean
  /** Throws what the sender did wrong. */
  readonly content: AsyncIterable<Uint8Array>
}

const DAY_MS = 86_400_000
/** 192 bits. */
const NAME_BYTES = 24

/**
 * Takes a file. On return its content survives a power failure, and a worker decodes it. Its row comes before its content, so that
 * the storage holds nothing without a row, whenever the process dies. Throws file_quota_exceeded, insufficient_scope for a pro's
 * purpose, and what `content` throws.
 */
export async function receiveFile(ctx: Ctx<Uploader>, { purpose, content, isOfForm = false }: Upload): Promise<File> {
  const { accountId } = ctx.actor
  const { id, name } = await ctx.transaction('beginUpload', (ctx) => addFile(ctx, { purpose, status: 'uploading' }))
  try {
    const { measured, bytes, digestOf } = measure(content)
    await ctx.storage.put(receivedKey(name), measured)
    const digest = digestOf()
    const { idempotency } = ctx
    const file = await runIdempotently(
      isOfForm && idempotency ? ctx.as(ctx.actor, { key: `${idempotency.key} ${digest}` }) : ctx,
      { accountId, operation: 'receiveFile', request: { purpose, digest } },
      async (ctx) => {
        transition(FILE, 'file', 'uploading', 'receive')
        const saved = await saveReceived<{ file: StoredFile }>(ctx, { id, bytes: bytes(), now: ctx.clock.now() })
        await tellReceived(ctx)
        return saved?.file
      },
    )
    if (!file) throw new AppError('file_not_found', 'The file was removed while it was uploaded.')
    // A repeated request gets the file of the first.
    if (file.id !== id) await deleteUpload(ctx, { id })
    return presentFile(ctx, file)
  } catch (error) {
    await deleteUpload(ctx, { id })
    throw error
  }
}

interface AddedFile {
  readonly purpose: Purpose
  readonly status: 'uploading' | 'waiting'
  /** Of a file that does not come through the server. */
  readonly bytes?: number
  readonly openUntil?: Date
}

/** The row of a file whose content is to come. Throws file_quota_exceeded, and insufficient_scope for a pro's purpose. */
export async function addFile(ctx: TxCtx<Uploader>, { purpose, ...file }: AddedFile): Promise<StoredFile> {
  const { accountId, professionalId, isVisitor = false } = ctx.actor
  const { ofPro, private: isPrivate } = PURPOSE_RULES[purpose]
  if (ofPro && professionalId === null)
    throw new AppError('insufficient_scope', `Only a pro uploads files for ${purpose}.`)
  const now = ctx.clock.now()
  if (!isVisitor) await refuseOverQuota(ctx, { accountId, now })
  const added = await insertFile<{ file: StoredFile }>(ctx, {
    id: ctx.ids.uuid(),
    name: randomBytes(NAME_BYTES).toString('base64url'),
    accountId,
    professionalId: ofPro ? professionalId : null,
    purpose,
    private: isPrivate,
    ...file,
    now,
  })
  if (!added) throw new Error('The row of a file was not returned.')
  return added.file
}

async function refuseOverQuota(ctx: TxCtx, { accountId, now }: { accountId: string; now: Date }): Promise<void> {
  await lockUploads(ctx, { accountId })
  const counted = await countFiles(ctx, { accountId, since: new Date(now.getTime() - DAY_MS) })
  const exceeded = counted && exceededQuota(counted)
  if (exceeded) throw new AppError('file_quota_exceeded', exceeded)
}

/** A file of the account. Throws file_not_found. */
export const getFile = async (ctx: Ctx<{ accountId: string }>, { id }: { id: string }): Promise<File> =>
  presentFile(ctx, await findStored(ctx, { id }))

/** The same without its addresses. */
export async function findStored(ctx: Ctx<{ accountId: string }>, { id }: { id: string }): Promise<StoredFile> {
  const found = await findFile<{ file: StoredFile }>(ctx, { id, accountId: ctx.actor.accountId })
  if (!found) throw fileNotFound()
  return found.file
}

/** The same for a file that does not exist and another account's. */
export const fileNotFound = () => new AppError('file_not_found', 'You have no file with this id.')

/** The size and the digest of content are known once it was read. */
function measure(content: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  let bytes = 0
  async function* measured() {
    for await (const chunk of content) {
      bytes += chunk.byteLength
      hash.update(chunk)
      yield chunk
    }
  }
  return { measured: measured(), bytes: () => bytes, digestOf: () => hash.digest('base64url') }
}
