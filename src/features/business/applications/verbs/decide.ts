// Operators decide on applications: they approve one, which makes a pro, ask for more, refuse, or open a refused one again.
import { ensureAccount } from '../../../../auth/accounts/verbs.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { type PageMeta, type PageQuery, pageMeta, pageOf } from '../../../../platform/schema/paging.ts'
import { transition } from '../../../../transition.ts'
import { unitOf } from '../../../catalog/entries/rules/units.ts'
import { type CatalogNames, getCatalogNames } from '../../../catalog/services/verbs/names.ts'
import { changeScheduleIn } from '../../../calendar/schedule/verbs.ts'
import type { OperatorId } from '../../../upkeep/audit/verbs.ts'
import { addOffer } from '../../offers/verbs.ts'
import { NO_PLAN } from '../../plans/schemas.ts'
import { changeProfileIn } from '../../profile/verbs.ts'
import type { CreatedPro } from '../../pros/schemas.ts'
import { type CreateLogin, createPro } from '../../pros/verbs.ts'
import { changeBusinessEntityIn } from '../../storefront/verbs.ts'
import { askForVerification } from '../../verification/verbs.ts'
import { countWaitingApplications, findApplication, findLikenesses, listApplications } from '../queries.sql.ts'
import { publicPlaceOf } from './place.ts'
import type { Application, AppliedService, Likeness, ListedApplication, StoredAnswers } from '../schemas.ts'
import { APPLICATION, type ApplicationState } from '../states.ts'
import { moveApplication, readApplicationForUpdate } from './move-application.ts'

/** Applications of a state, the one that was sent first at the top. */
export async function listApplicationsBy(
  ctx: Ctx,
  { status, ...page }: { status: Exclude<ApplicationState, 'draft'> } & PageQuery,
): Promise<{ applications: ListedApplication[]; meta: PageMeta }> {
  const rows = await listApplications(ctx, { status, ...pageOf(page) })
  return { applications: rows, meta: pageMeta(rows[0]?.total ?? 0, page) }
}

/** How many applications wait for an operator. */
export async function countApplications(ctx: Ctx): Promise<number> {
  const row = await countWaitingApplications(ctx)
  return row?.count ?? 0
}

/** An application that was sent. Throws not_found. */
export async function getApplication(ctx: Ctx, { id }: { id: string }): Promise<Application> {
  return sent(await findApplication<StoredAnswers>(ctx, { id }))
}

/** Pros and other applications that may be the same business: by e-mail address, phone, or name in the same city. */
export const findLikely = async (ctx: Ctx, { application }: { application: Application }): Promise<Likeness[]> => {
  const { id, email, phone, cityId, businessName, professionalId: ownPro } = application
  return await findLikenesses(ctx, {
    id,
    email,
    ownPro,
    // Digits alone: a phone without any is like no other.
    digits: (phone ?? '').replaceAll(/\D/g, '') || '-',
    cityId: cityId ?? 0,
    businessName: businessName ?? '',
  })
}

interface Decision {
  id: string
  by: OperatorId
}

/**
 * Makes the applicant a pro, who is found at once, with what was given. License and insurance are declared, not checked. `createLogin` makes
 * the login of the owner. Throws not_found, invalid_transition, and what {@link createPro} throws.
 */
export const approveApplication = <Login>(
  ctx: Ctx,
  { id, by, createLogin }: Decision & { createLogin: CreateLogin<Login> },
): Promise<CreatedPro> =>
  ctx.transaction('approveApplication', async (ctx) => {
    const application = await getApplicationForUpdate(ctx, id)
    transition(APPLICATION, 'application', application.status, 'approve')
    const names = await getCatalogNames(ctx)
    const { businessName, email, phone, radiusMiles, description } = application
    const { pro } = await createPro(ctx, {
      businessName: businessName ?? '',
      email,
      place: publicPlaceOf(names, application) ?? '',
      radius: radiusMiles ?? 0,
      phone: phone ?? undefined,
      plan: NO_PLAN,
      by,
      createLogin,
    })
    const { id: accountId } = await ensureAccount(ctx, { email, kind: 'pro' })
    const owner = ctx.as({ professionalId: pro.id, accountId })
    if (description !== null) await changeProfileIn(owner, { description })
    await changeScheduleIn(owner, { businessHours: application.businessHours ?? {} })
    for (const service of application.services ?? []) await addApplied(owner, names, service)
    await declare(owner, application)
    await moveApplication(ctx, {
      application: { ...application, professionalId: pro.id },
      action: 'approve',
      operatorWords: null,
      by,
    })
    return pro
  })

/** A service that has left the catalog since is left out. */
async function addApplied(
  ctx: TxCtx<{ professionalId: string }>,
  names: CatalogNames,
  { serviceId, priceType, price, most }: AppliedService,
): Promise<void> {
  const known = names.services.find(({ id }) => id === serviceId)
  if (!known) return
  const unit = priceType === 'per_unit' ? (known.unit ?? 'unit') : unitOf(priceType)
  const isRange = most !== null
  await addOffer(ctx, {
    serviceId,
    priceType,
    unit,
    basePrice: isRange ? null : price,
    minPrice: isRange ? price : null,
    maxPrice: most,
    instantBookEnabled: price !== null,
  })
}

/** What the applicant says of license and insurance waits in the queue of verification. */
async function declare(ctx: TxCtx<{ professionalId: string }>, application: Application): Promise<void> {
  const { licenseNumber, licenseState, licenseExpires, insuranceCarrier, insurancePolicy, insuranceExpires } =
    application
  if (licenseNumber === null && insuranceCarrier === null) return
  await changeBusinessEntityIn(ctx, { licenseNumber, licenseState, insuranceCarrier })
  const note = [
    licenseExpires !== null && `The license ends on ${licenseExpires}.`,
    insurancePolicy !== null && `The insurance policy is ${insurancePolicy}.`,
    insuranceExpires !== null && `The insurance ends on ${insuranceExpires}.`,
  ].filter((it) => it !== false)
  await askForVerification(ctx, {
    ...(licenseNumber !== null && licenseState !== null && { licenseNumber, licenseState }),
    ...(note.length > 0 && { note: note.join(' ') }),
  })
}

/** Asks the applicant for more, or refuses with a reason; both are mailed. Throws not_found and invalid_transition. */
export const answerApplication = (
  ctx: Ctx,
  { id, by, action, words }: Decision & { action: 'ask' | 'refuse'; words: string },
): Promise<Application> =>
  ctx.transaction('answerApplication', async (ctx) => {
    const application = await getApplicationForUpdate(ctx, id)
    return await moveApplication(ctx, { application, action, operatorWords: words, by })
  })

/** Puts a refused application back into the queue. Throws not_found and invalid_transition. */
export const reopenApplication = (ctx: Ctx, { id, by }: Decision): Promise<Application> =>
  ctx.transaction('reopenApplication', async (ctx) => {
    const application = await getApplicationForUpdate(ctx, id)
    return await moveApplication(ctx, { application, action: 'reopen', operatorWords: null, by })
  })

const getApplicationForUpdate = async (ctx: TxCtx, id: string): Promise<Application> =>
  sent(await readApplicationForUpdate(ctx, { id }))

/** A draft is no operator's to read. */
function sent(application: Application | undefined): Application {
  if (!application || application.status === 'draft')
    throw new AppError('not_found', 'No application has this id. One that its applicant has withdrawn is erased.')
  return application
}
