// The digest: one message in place of those beyond the hourly limit of a recipient.
import { OPTIONAL_KINDS } from './secret-data.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import type { DigestPart, MessageData, MessageKind } from '../kinds.ts'
import { RESERVED_KINDS, kindsWhere, knownKind } from '../kind-facts.ts'
import { type ClaimedMessage, callJoinDigest, selectDigestParts } from '../queries/messages.ts'
import { withLinks } from './links.ts'

/**
 * Moves a claimed message into the recipient’s next digest, together with the messages that the same limit delays, in one
 * transaction.
 */
export const joinDigest = (ctx: TxCtx, message: Pick<ClaimedMessage, 'id' | 'attempts' | 'kind'>): Promise<boolean> =>
  callJoinDigest(ctx, { ...message, likeKinds: kindsLike(message.kind), now: ctx.clock.now() })

/** The kinds that share an hourly limit with this kind. */
function kindsLike(stored: string): readonly MessageKind[] {
  const kind = knownKind(stored)
  if (RESERVED_KINDS.includes(kind)) return RESERVED_KINDS
  if (OPTIONAL_KINDS.includes(kind)) return OPTIONAL_KINDS
  return kindsWhere(({ isSecret }) => !isSecret).filter((one) => one !== 'digest' && !RESERVED_KINDS.includes(one))
}

/** The current content of the digest, with links; undefined when nothing in it is true any more. */
export async function digestData(ctx: Ctx, { id }: { id: number }): Promise<MessageData['digest'] | undefined> {
  const stored = await selectDigestParts(ctx, { digestId: id, optionalKinds: OPTIONAL_KINDS, now: ctx.clock.now() })
  const parts: DigestPart[] = []
  for (const { data, bookingId, ...part } of stored) {
    const kind = knownKind(part.kind)
    parts.push({ kind, data: await withLinks(ctx, { kind, data, bookingId }) } as DigestPart)
  }
  return parts.length === 0 ? undefined : { parts }
}
