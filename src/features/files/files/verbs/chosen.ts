// Files that a person chose in a form, by their ids.
import type { Ctx } from '../../../../ctx.ts'
import { waitUntil } from '../../../../platform/clock/deadlines.ts'
import { plural } from '../../../../platform/text/format.ts'
import { selectChosen } from '../queries.sql.ts'
import type { Purpose } from '../rules/purposes.ts'
import type { File, StoredFile } from '../schemas.ts'
import { presentFile } from './addresses.ts'

/** A picture of a phone takes some 2.6 s; of ten, the first are ready when the last has arrived. */
const DECODING_MS = 10_000
const EVERY_MS = 150

export interface Chosen {
  readonly ids: readonly string[]
  readonly purpose: Purpose
  /** For those that are not decoded yet. Otherwise they count as they are: a file may be used from `received` on. */
  readonly mayWait: boolean
}

export interface Choice {
  /** In the order in which they were chosen, without refused ones. */
  readonly files: readonly File[]
  /** The ids of those that a record uses: another record cannot, but a form that is sent twice names them twice. */
  readonly used: ReadonlySet<string>
  /** What became of the others, in words for their sender. */
  readonly refusal: string | undefined
}

/**
 * What became of the files that the account sent for a purpose. Another account's file, and one for something else, are
 * refused like one that does not exist.
 */
export async function chooseFiles(ctx: Ctx<{ accountId: string }>, { ids, purpose, mayWait }: Chosen): Promise<Choice> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return { files: [], used: new Set(), refusal: undefined }
  const chosen = { ids: `{${distinct.join()}}`, accountId: ctx.actor.accountId, purpose }
  let rows: readonly { file: StoredFile; isUsed: boolean }[] = []
  await waitUntil(
    async () => {
      rows = await selectChosen<{ file: StoredFile }>(ctx, chosen)
      return !mayWait || rows.every(({ file }) => file.state !== 'received')
    },
    DECODING_MS,
    EVERY_MS,
  )
  const files = distinct.flatMap((id) => rows.filter(({ file }) => file.id === id).map(({ file }) => file))
  const reasons = files.flatMap((file) => (file.state === 'refused' ? [presentFile(ctx, file).message ?? ''] : []))
  return {
    files: files.filter(({ state }) => state !== 'refused').map((file) => presentFile(ctx, file)),
    used: new Set(rows.filter(({ isUsed }) => isUsed).map(({ file }) => file.id)),
    refusal: refusalOf(reasons, distinct.length - files.length),
  }
}

/** Says what became of photos that were refused for reasons, and of others that are not there or not to be used. */
export function refusalOf(reasons: readonly string[], missing: number): string | undefined {
  const parts = [
    ...(reasons.length > 0 ? [`${were(reasons.length)} not taken`, ...new Set(reasons)] : []),
    ...(missing > 0 ? [`${were(missing)} not kept`, `Choose ${missing === 1 ? 'it' : 'them'} again`] : []),
  ]
  return parts.length === 0 ? undefined : parts.map((part) => part.replace(/\.$/, '')).join('. ')
}

const were = (count: number) => `${plural(count, 'photo')} ${count === 1 ? 'was' : 'were'}`
