// Pros come into a marketplace: an operator creates one, who then has a page, is found once it offers something, and is booked. They
// pause, and are found again.
import { ensureAccount } from '../../../auth/accounts/verbs.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { transition } from '../../../transition.ts'
import { AppError, invalidField, invalidFields } from '../../../errors/app-error.ts'
import { isEmail } from '../../../platform/schema/types.ts'
import { typedDistance } from '../../../platform/text/distance.ts'
import { localized } from '../../../platform/text/region.ts'
import { placeIn } from '../../catalog/services/verbs/place-of-business.ts'
import { type CatalogNames, getCatalogNames } from '../../catalog/services/verbs/names.ts'
import { citySlug, wordsOf } from '../../catalog/services/words.ts'
import { type OperatorId, recordAction } from '../../upkeep/audit/verbs.ts'
import { isServed } from '../../upkeep/marketplace/rules/area.ts'
import { getMarketplace } from '../../upkeep/marketplace/verbs.ts'
import { requirePlanOnOffer } from '../plans/verbs.ts'
import { planMessage } from '../../messages/messages/verbs/plan-message.ts'
import { hasExternalId, insertPro, lockProStatus, lockSlug, saveProStatus } from './queries.sql.ts'
import { type CreatedPro, MAX_RADIUS_MILES, type NewPro } from './schemas.ts'
import { PRO, type ProStatus } from './states.ts'

export type CreateLogin<Login> = (ctx: Ctx, user: { email: string; role: 'pro'; pro: string }) => Promise<Login>

const MAX_NAME = 200
/** A slug has 200 letters, of which the city takes up to 100. */
const MAX_SLUG_NAME = 90

/**
 * Creates a pro with its account and what `createLogin` makes, all or nothing. The pro is active, has no services yet and no mark.
 * Throws what `createLogin` throws, and validation_failed, which names every field that is wrong, such as a place that is not known,
 * an address whose account has a pro or is no pro's, and an external id of another pro.
 */
export async function createPro<Login>(
  ctx: Ctx,
  { by, createLogin, ...input }: { by: OperatorId; createLogin: CreateLogin<Login> } & NewPro,
): Promise<{ pro: CreatedPro; login: Login }> {
  // Before the transaction: the first call of a process builds an index.
  const names = await getCatalogNames(ctx)
  const { city, place } = checkNewPro(names, input)
  const { area } = await getMarketplace(ctx)
  await requirePlanOnOffer(ctx, { plan: input.plan })
  const slug = slugOf(input.businessName, citySlug(city))
  return await ctx.transaction('createPro', async (ctx) => {
    const account = await ensureAccount(ctx, { email: input.email, kind: 'pro' })
    if (account.kind !== 'pro') throw invalidField('email', 'belongs to an account that is not a pro’s')
    await lockSlug(ctx, { slug })
    const id = ctx.ids.uuid()
    const row = await insertPro(ctx, {
      id,
      accountId: account.id,
      externalId: input.externalId,
      slug,
      businessName: input.businessName.trim(),
      phone: input.phone,
      cityId: city.id,
      latitude: place.latitude,
      longitude: place.longitude,
      radius: input.radius,
      plan: input.plan,
      now: ctx.clock.now(),
    })
    if (!row) throw await takenField(ctx, input)
    const { plan, radius } = input
    await recordAction(ctx, { action: 'pro.created', subjectId: id, professionalId: id, by, details: { plan, radius } })
    const isOutsideArea = !isServed(area, place, radius)
    const pro = { id, slug: row.slug, city: `${city.name}, ${city.state}`, timeZone: row.timeZone, isOutsideArea }
    return { pro, login: await createLogin(ctx, { email: input.email, role: 'pro', pro: id }) }
  })
}

const takenField = async (ctx: TxCtx, { externalId }: NewPro): Promise<AppError> =>
  externalId !== undefined && (await hasExternalId(ctx, { externalId }))?.has === true
    ? invalidField('externalId', 'is the id of another pro')
    : invalidField('email', 'belongs to a pro already')

/** "oak-plumbing-columbus-oh", with room for a number. Of letters beyond ASCII those without accents stay. */
export function slugOf(businessName: string, ofCity: string): string {
  const words = wordsOf(businessName).map((word) => word.normalize('NFKD').replace(/[^a-z\d]/g, ''))
  const name = words.filter(Boolean).join('-').slice(0, MAX_SLUG_NAME).replace(/-$/, '')
  return [name, ofCity].filter(Boolean).join('-')
}

function checkNewPro(names: CatalogNames, { businessName, email, place: text, radius, phone = '' }: NewPro) {
  const found = placeIn(names, text)
  const name = businessName.trim()
  const errors = [
    {
      path: 'businessName',
      isWrong: name === '' || name.length > MAX_NAME,
      message: `must have 1 to ${MAX_NAME} characters`,
    },
    { path: 'email', isWrong: !isEmail(email), message: 'must be an e-mail address' },
    {
      path: 'place',
      isWrong: !found,
      message: localized(names.region, 'must be a city of the catalog or a ZIP code, such as "Columbus, OH" or 43215'),
    },
    {
      path: 'radius',
      isWrong: !Number.isInteger(radius) || radius < 1 || radius > MAX_RADIUS_MILES,
      message: `must be a whole number of ${typedDistance.unit(names.region)} from 1 to ${typedDistance.shown(names.region, MAX_RADIUS_MILES)}`,
    },
    { path: 'phone', isWrong: phone.length > 50, message: 'must have at most 50 characters' },
  ].filter(({ isWrong }) => isWrong)
  if (errors.length > 0) throw invalidFields(errors.map(({ path, message }) => ({ path, message })))
  if (!found) throw new AppError('internal', 'A place that is not known was taken.')
  return { city: found.city, place: found.point }
}

interface StatusChange {
  professionalId: string
  action: 'pause' | 'resume'
  /** The user who causes it; null for the command line. */
  by: OperatorId
  /** Of an operator, whom the pro's own log-ins cannot overrule; null where the pro does it. */
  operatorReason: string | null
}

/**
 * Pauses a pro, who then is not found and takes no new bookings, requests and quotes, or ends the pause, with an entry of the audit log and
 * a message to the owner. Visits that are booked stay. Throws professional_not_found, and invalid_transition for a pro who is so already, or
 * who ends the pause of an operator.
 */
export const changeProStatus = (
  ctx: Ctx,
  { professionalId, action, by, operatorReason }: StatusChange,
): Promise<void> =>
  ctx.transaction('changeProStatus', async (ctx) => {
    const { status, pausedByOperator: isHeld, businessName, email } = await getProForChange(ctx, { professionalId })
    const isOperator = operatorReason !== null
    if (isHeld && !isOperator)
      throw new AppError('invalid_transition', 'We have paused your page: only we can let customers find it again.')
    // An operator takes over the pause of a pro.
    const isTakenOver = action === 'pause' && status === 'paused' && isOperator && !isHeld
    const next = isTakenOver ? status : transition(PRO, 'pro', status, action)
    await saveStatus(ctx, { professionalId, status: next, pausedByOperator: isOperator && next === 'paused' })
    const entry = { subjectId: professionalId, professionalId, by, reason: operatorReason }
    await recordAction(ctx, { action: action === 'pause' ? 'pro.paused' : 'pro.resumed', ...entry })
    const consoleUrl = `${ctx.config.baseUrl}/console/settings`
    const data = { status: next, pro: businessName, operatorReason, consoleUrl }
    await planMessage(ctx, { kind: 'pro-status', to: email, data, key: `pro-status:${ctx.ids.uuid()}`, professionalId })
  })

/** The status of a pro with what a message about it names, locked until the transaction ends. Throws professional_not_found. */
export async function getProForChange(ctx: TxCtx, { professionalId }: { professionalId: string }) {
  const found = await lockProStatus(ctx, { id: professionalId })
  if (!found) throw proNotFound()
  return found
}

/** Saves the status of a locked pro. */
export const saveStatus = (
  ctx: TxCtx,
  { professionalId: id, ...status }: { professionalId: string; status: ProStatus; pausedByOperator: boolean },
): Promise<void> => saveProStatus(ctx, { id, ...status, now: ctx.clock.now() })

const proNotFound = () => new AppError('professional_not_found', 'No pro has this id.')
