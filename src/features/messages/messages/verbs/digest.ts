// The digest: what is more than a recipient gets in an hour, told in one message.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { type DigestPart, type MessageData, type MessageKind, RESERVED_KINDS, kindsWhere } from '../kinds.ts'
import { type ClaimedMessage, callJoinDigest, selectDigestParts } from '../queries/messages.ts'
import { withLinks } from './links.ts'

const OPTIONAL_KINDS = kindsWhere(({ isEssential }) => !isEssential)

/** Joins a claimed message, and those that wait for the same reason, into the recipient's next digest, in one transaction. */
export const joinDigest = (ctx: TxCtx, message: Pick<ClaimedMessage, 'id' | 'attempts' | 'kind'>): Promise<boolean> =>
  callJoinDigest(ctx, { ...message, likeKinds: kindsLike(message.kind), now: ctx.clock.now() })

/** The kinds of which the recipient got too many when this one is one too many. */
function kindsLike(kind: MessageKind): readonly MessageKind[] {
  if (RESERVED_KINDS.includes(kind)) return RESERVED_KINDS
  if (OPTIONAL_KINDS.includes(kind)) return OPTIONAL_KINDS
  return kindsWhere(({ isSecret }) => !isSecret).filter((one) => one !== 'digest' && !RESERVED_KINDS.includes(one))
}

/** What the digest tells now, with links; undefined when nothing of it is so any more. */
export async function digestData(ctx: Ctx, { id }: { id: number }): Promise<MessageData['digest'] | undefined> {
  const stored = await selectDigestParts(ctx, { digestId: id, optionalKinds: OPTIONAL_KINDS, now: ctx.clock.now() })
  const parts: DigestPart[] = []
  for (const { kind, data, bookingId } of stored)
    parts.push({ kind, data: await withLinks(ctx, { kind, data, bookingId }) } as DigestPart)
  return parts.length === 0 ? undefined : { parts }
}
