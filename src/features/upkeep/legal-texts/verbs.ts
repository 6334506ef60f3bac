// Legal texts: each change is a new version, and none is ever changed or removed.
import type { Ctx } from '../../../ctx.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { type OperatorId, recordMarketplaceAction } from '../audit/verbs.ts'
import { findLegalText, insertLegalText, listLegalTexts, listLegalVersions } from './queries.sql.ts'
import { LEGAL_KINDS, type LegalKind, type LegalTexts } from './schemas.ts'

/** The texts with their versions. Throws StoreUnavailable. */
export async function getLegalTexts(ctx: Ctx): Promise<LegalTexts> {
  const rows = await listLegalTexts(ctx)
  return Object.fromEntries(
    LEGAL_KINDS.flatMap((kind) => {
      const ofKind = rows.filter((row) => row.kind === kind)
      const [last, ...former] = ofKind.map(({ version, at, isEmpty }) => ({ version, at, isEmpty }))
      return last ? [[kind, { ...last, content: ofKind[0]?.content ?? '', former }] as const] : []
    }),
  )
}

/** What a version says; undefined if there is no such version. */
export const findVersion = async (
  ctx: Ctx,
  version: { kind: LegalKind; version: number },
): Promise<string | undefined> => (await findLegalText(ctx, version))?.content

const SHOWN_VERSIONS = 50

/** The last versions, the newest first: when they were published, and by whom. */
export const listVersionsOf = (ctx: Ctx, { kind }: { kind: LegalKind }) =>
  listLegalVersions(ctx, { kind, limit: SHOWN_VERSIONS })

/** With one kind of line break, and without blank ends: how a text is kept and compared. */
export const normalText = (content: string): string =>
  content
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\S\n]+$/gm, '')
    .trim()

export interface NewText {
  readonly kind: LegalKind
  /** The version that the new one follows; 0 before the first. */
  readonly version: number
  readonly content: string
  readonly by: OperatorId
}

/**
 * Publishes the next version of a text. Throws validation_failed when another operator has published one since `version` was
 * read, and for what is in force already.
 */
export async function publishText(ctx: Ctx, { kind, version, content, by }: NewText): Promise<void> {
  const text = normalText(content)
  const before = version === 0 ? '' : await findVersion(ctx, { kind, version })
  if (text === before)
    throw invalidField('content', text === '' ? 'is empty' : 'is what is in force already: change it first')
  await ctx.transaction('publishText', async (ctx) => {
    const next = { kind, version: version + 1, content: text, byUserId: by, now: ctx.clock.now() }
    if (before === undefined || !(await insertLegalText(ctx, next)))
      throw invalidField(
        'content',
        'is not published, as another operator has just published a version: read it, then preview yours again',
      )
    await recordMarketplaceAction(ctx, { action: 'text.published', by, details: { kind, version: version + 1 } })
  })
}
