// Operators' programs list, create and invite pros, and change what customers find of them. Each write does what a page of the console
// does, once per Idempotency-Key.
import { type OperatorCaller, operatorOf } from '../../../auth/caller.ts'
import { inviteUser } from '../../../auth/users/verbs/users.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { inBody } from '../../../http/field-errors.ts'
import { runOnce } from '../../../idempotency/verbs.ts'
import { isUuid } from '../../../platform/schema/types.ts'
import { getCatalogNames } from '../../catalog/services/verbs/names.ts'
import { planInvitation } from '../../messages/messages/verbs/user-links.ts'
import { recordAction } from '../../upkeep/audit/verbs.ts'
import { closePro, reopenPro } from '../closing/verbs/close.ts'
import { NO_PLAN } from '../plans/schemas.ts'
import { type CreateLogin, changeProStatus, createPro } from '../pros/verbs.ts'
import { refuseVerification, setMarks } from '../verification/verbs.ts'
import { findByExternalId, selectPros } from './queries.sql.ts'
import type {
  NewMarks,
  NewPlatformPro,
  NewProStatus,
  NewRefusal,
  PlatformPro,
  PlatformProAnswer,
  PlatformProCreated,
  PlatformProList,
  PlatformProsQuery,
} from './schemas.ts'

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const PAGE = 50

type ByOperator = Ctx<OperatorCaller>

/** One page of the pros that match, in the order in which they came; test pros are not among them. */
export async function listProsAsOperator(
  ctx: Ctx,
  { status, externalId, q = '', limit = PAGE, cursor = FIRST_ID }: PlatformProsQuery,
): Promise<PlatformProList> {
  const text = q.trim()
  const only = externalId === undefined ? (isUuid(text) ? text : undefined) : await idOfExternal(ctx, { externalId })
  if (only === null || (only !== undefined && only < cursor)) return { pros: [], nextCursor: null }
  const range = { firstId: only ?? cursor, lastId: only ?? LAST_ID }
  const rows = await selectPros<Services>(ctx, {
    ...range,
    now: ctx.clock.now(),
    status: status ?? null,
    q: text,
    limit: limit + 1,
  })
  return { pros: rows.slice(0, limit).map((row) => shown(ctx, row)), nextCursor: rows[limit]?.id ?? null }
}

const idOfExternal = async (ctx: Ctx, { externalId }: { externalId: string }): Promise<string | null> =>
  (await findByExternalId(ctx, { externalId }))?.id ?? null

/** Throws professional_not_found. */
export async function getProAsOperator(ctx: Ctx, { id }: { id: string }): Promise<PlatformPro> {
  const [row] = await selectPros<Services>(ctx, {
    now: ctx.clock.now(),
    firstId: id,
    lastId: id,
    status: null,
    q: '',
    limit: 1,
  })
  if (!row) throw new AppError('professional_not_found', 'No pro has this id.')
  return shown(ctx, row)
}

/**
 * Creates a pro as `createPro` does, with an invitation of the owner if that is wanted. Throws validation_failed, which names every field
 * that is wrong.
 */
export async function createProAsOperator(ctx: ByOperator, input: NewPlatformPro): Promise<PlatformProCreated> {
  // Before the transaction: the first call of a process builds an index.
  await getCatalogNames(ctx)
  const { invite = false, serviceRadiusMiles: radius, plan = NO_PLAN, ...says } = input
  const createLogin = invite ? inviteOwner(ctx) : noLogin
  const create = async (ctx: TxCtx<OperatorCaller>) => {
    const { pro } = await createPro(ctx, { ...says, radius, plan, by: operatorOf(ctx), createLogin })
    return { pro: await getProAsOperator(ctx, pro), isOutsideArea: pro.isOutsideArea }
  }
  return await inBody(() => runOnce(ctx, { operation: 'createProAsOperator', request: input }, create), {
    radius: 'serviceRadiusMiles',
  })
}

const noLogin: CreateLogin<undefined> = () => Promise.resolve(undefined)

const inviteOwner =
  (by: ByOperator): CreateLogin<unknown> =>
  (ctx, owner) =>
    inviteUser(ctx, { ...owner, by: operatorOf(by), planMessage: planInvitation })

/** Makes the log-in of a pro's owner, who is sent a link. Throws professional_not_found, user_exists, and invalid_transition for a closed account. */
export const inviteProAsOperator = (ctx: ByOperator, { id }: { id: string }): Promise<PlatformProAnswer> =>
  runOnce(ctx, { operation: 'inviteProAsOperator', request: { id } }, async (ctx) => {
    const { status, owner } = await getProAsOperator(ctx, { id })
    if (status === 'closed') throw new AppError('invalid_transition', 'The account is closed: reopen it first.')
    // Also an owner who logs in with another address by now: the former one gets no second log-in.
    if (owner.hasLogin) throw new AppError('user_exists', 'The owner has a log-in already.')
    const by = operatorOf(ctx)
    const { user } = await inviteUser(ctx, {
      email: owner.email,
      role: 'pro',
      pro: id,
      by,
      planMessage: planInvitation,
    })
    const details = { userId: user.id }
    await recordAction(ctx, { action: 'member.invited', subjectId: id, professionalId: id, by, details })
    return { pro: await getProAsOperator(ctx, { id }) }
  })

/** Pauses, resumes, closes or reopens a pro, who is told why. Throws professional_not_found and invalid_transition. */
export const changeProStatusAsOperator = (
  ctx: ByOperator,
  { id, ...change }: { id: string } & NewProStatus,
): Promise<PlatformProAnswer> =>
  runOnce(ctx, { operation: 'changeProStatusAsOperator', request: { id, ...change } }, async (ctx) => {
    const { action, reason } = change
    const entry = { professionalId: id, by: operatorOf(ctx) }
    if (action === 'close') await closePro(ctx, { ...entry, operatorReason: reason })
    else if (action === 'reopen') await reopenPro(ctx, { ...entry, reason })
    else await changeProStatus(ctx, { ...entry, action, operatorReason: reason })
    return { pro: await getProAsOperator(ctx, { id }) }
  })

/** Sets what was checked of a pro. The same marks once more change nothing. Throws professional_not_found. */
export const setMarksAsOperator = (
  ctx: ByOperator,
  { id, reason, ...marks }: { id: string } & NewMarks,
): Promise<PlatformProAnswer> =>
  ctx.transaction('setMarksAsOperator', async (ctx) => {
    await setMarks(ctx, { professionalId: id, marks, reason, by: operatorOf(ctx) })
    return { pro: await getProAsOperator(ctx, { id }) }
  })

/** Refuses a pro's request to be verified. Throws professional_not_found, and invalid_transition without a request that waits. */
export const refuseVerificationAsOperator = (
  ctx: ByOperator,
  { id, reason }: { id: string } & NewRefusal,
): Promise<PlatformProAnswer> =>
  runOnce(ctx, { operation: 'refuseVerificationAsOperator', request: { id, reason } }, async (ctx) => {
    await refuseVerification(ctx, { professionalId: id, reason, by: operatorOf(ctx) })
    return { pro: await getProAsOperator(ctx, { id }) }
  })

type Services = Pick<PlatformPro, 'services'>
type Row = Awaited<ReturnType<typeof selectPros<Services>>>[number]

const shown = ({ config }: Ctx, row: Row): PlatformPro => ({
  id: row.id,
  externalId: row.externalId,
  slug: row.slug,
  businessName: row.businessName,
  profileUrl: `${config.baseUrl}/pros/${row.slug}`,
  status: row.status,
  pausedByOperator: row.pausedByOperator,
  owner: { email: row.email, hasLogin: row.hasLogin },
  phone: row.phone,
  website: row.website,
  place: {
    city: row.city,
    state: row.state,
    latitude: row.latitude,
    longitude: row.longitude,
    timeZone: row.timeZone,
  },
  serviceRadiusMiles: row.serviceRadiusMiles,
  plan: row.planId,
  marks: {
    verified: row.verified,
    backgroundCheck: row.backgroundCheck,
    insurance: row.insurance,
    credentials: row.credentials,
  },
  declared: {
    legalName: row.legalName,
    licenseNumber: row.licenseNumber,
    licenseState: row.licenseState,
    insuranceCarrier: row.insuranceCarrier,
  },
  askedForVerificationAt: row.askedAt,
  services: row.services,
  closing:
    row.closedAt && row.eraseAt ? { closedAt: row.closedAt, eraseAt: row.eraseAt, erasedAt: row.erasedAt } : null,
  createdAt: row.createdAt,
})
