// Plans: operators define them and give them to pros. What a pro's plan is at an instant: sql/functions/current_plan.sql.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { isCalendarDate } from '../../../platform/schema/types.ts'
import { type OperatorId, recordAction, recordPlanAction } from '../../upkeep/audit/verbs.ts'
import { selectPlanOfPro } from './queries.ts'
import {
  findPlanForUpdate,
  findPlanOfProForUpdate,
  insertPlan,
  savePlan,
  savePlanOfPro,
  saveRetirement,
  selectPlans,
} from './queries.sql.ts'
import {
  MAX_PLAN_NAME,
  MAX_PLAN_TASKS,
  NO_PLAN,
  type Plan,
  type PlanId,
  type PlanOfPro,
  type PlanTerms,
  planVersion,
} from './schemas.ts'

const MAX_PRICE_CENTS = 100_000_000

/** All plans: first what pros without one have, retired ones last. */
export const listPlans = (ctx: Ctx): Promise<Plan[]> => selectPlans(ctx)

/** The plans that operators give. */
export async function listPlansOnOffer(ctx: Ctx): Promise<Plan[]> {
  const plans = await listPlans(ctx)
  return plans.filter(({ retiredAt }) => retiredAt === null)
}

/** The plans on offer that include the pro's agent server. */
export async function listAgentPlans(ctx: Ctx): Promise<Plan[]> {
  const plans = await listPlansOnOffer(ctx)
  return plans.filter(({ hasAgentServer }) => hasAgentServer)
}

/** A plan that operators may change. Throws not_found. */
export async function getPlan(ctx: Ctx, { id }: { id: PlanId }): Promise<Plan> {
  const plan = (await listPlans(ctx)).find((it) => it.id === id)
  if (!plan || id === NO_PLAN) throw planNotFound()
  return plan
}

/** Adds a plan, whose id comes from its name and stays. Throws validation_failed, also for a name that another plan has. */
export const addPlan = (ctx: Ctx, { by, ...terms }: { by: OperatorId } & PlanTerms): Promise<{ id: PlanId }> =>
  ctx.transaction('addPlan', async (ctx) => {
    checkTerms(terms)
    const id = idOf(terms.name)
    if (!(await insertPlan(ctx, { id, ...terms })))
      throw invalidField('name', 'is too close to the name of another plan')
    await recordPlanAction(ctx, { action: 'plan.added', planId: id, by, details: { after: terms } })
    return { id }
  })

/**
 * Changes a plan for all pros who have it. More tasks count at once, fewer from the next month on. Returns whether anything changed.
 * `seen` is the {@link planVersion} that was shown; undefined outside of pages. Throws not_found, invalid_transition when the plan is no
 * longer as it was seen, and validation_failed.
 */
export const changePlan = (
  ctx: Ctx,
  { id, by, seen, ...after }: { id: PlanId; by: OperatorId; seen?: string | undefined } & PlanTerms,
): Promise<boolean> =>
  ctx.transaction('changePlan', async (ctx) => {
    checkTerms(after)
    const { name, priceCents, tasks, hasAgentServer } = await getForUpdate(ctx, id)
    const before: PlanTerms = { name, priceCents, tasks, hasAgentServer }
    if (seen !== undefined && seen !== planVersion(before))
      throw new AppError('invalid_transition', 'Another operator changed this meanwhile. Open the page again.')
    const names = Object.keys(before) as (keyof PlanTerms)[]
    if (names.every((it) => before[it] === after[it])) return false
    await savePlan(ctx, { id, ...after })
    await recordPlanAction(ctx, { action: 'plan.changed', planId: id, by, details: { before, after } })
    return true
  })

/** Pros keep a retired plan, and no other pro gets it. Repeating it changes nothing. Throws not_found. */
export const retirePlan = (ctx: Ctx, { id, by }: { id: PlanId; by: OperatorId }): Promise<void> =>
  ctx.transaction('retirePlan', async (ctx) => {
    if ((await getForUpdate(ctx, id)).retiredAt !== null) return
    await saveRetirement(ctx, { id, at: ctx.clock.now() })
    await recordPlanAction(ctx, { action: 'plan.retired', planId: id, by })
  })

/** Offers a retired plan again. Otherwise as {@link retirePlan}. */
export const offerPlan = (ctx: Ctx, { id, by }: { id: PlanId; by: OperatorId }): Promise<void> =>
  ctx.transaction('offerPlan', async (ctx) => {
    if ((await getForUpdate(ctx, id)).retiredAt === null) return
    await saveRetirement(ctx, { id, at: null })
    await recordPlanAction(ctx, { action: 'plan.offered', planId: id, by })
  })

/** The plan that a pro has now. Throws professional_not_found. */
export async function getPlanOfPro(ctx: Ctx, { professionalId }: { professionalId: string }): Promise<PlanOfPro> {
  const plan = await selectPlanOfPro(ctx, { professionalId, now: ctx.clock.now() })
  if (!plan) throw proNotFound()
  return plan
}

/** Throws validation_failed unless the plan is on offer. */
export async function requirePlanOnOffer(ctx: Ctx, { plan }: { plan: PlanId }): Promise<void> {
  const ids = (await listPlansOnOffer(ctx)).map(({ id }) => id)
  if (!ids.includes(plan)) throw invalidField('plan', `must be one of ${ids.join(', ')}`)
}

interface GivenPlan {
  professionalId: string
  plan: PlanId
  /** The last day in the pro's time zone, `YYYY-MM-DD`; null for a plan without an end. */
  until: string | null
  by: OperatorId
}

/**
 * Gives a pro a plan, instead of the one before. Tasks that the month has brought stay. Returns whether anything changed.
 * Throws professional_not_found, and validation_failed for a plan that is not on offer (the pro's own one may get another end) and
 * for an end that is over, or of no plan.
 */
export const givePlan = (ctx: Ctx, { professionalId, plan, until, by }: GivenPlan): Promise<boolean> =>
  ctx.transaction('givePlan', async (ctx) => {
    const before = await findPlanOfProForUpdate(ctx, { professionalId, now: ctx.clock.now() })
    if (!before) throw proNotFound()
    if (plan !== before.plan) await requirePlanOnOffer(ctx, { plan })
    if (until !== null && plan === NO_PLAN) throw invalidField('until', 'belongs to a plan: leave it empty')
    if (until !== null && !isCalendarDate(until)) throw invalidField('until', 'must be a day such as 2026-12-31')
    if (until !== null && until < before.today) throw invalidField('until', `must not be before ${before.today}`)
    if (before.plan === plan && before.until === until) return false
    await savePlanOfPro(ctx, { professionalId, plan, until })
    const details = { before: { plan: before.plan, until: before.until }, after: { plan, until } }
    await recordAction(ctx, { action: 'pro.plan_given', subjectId: professionalId, professionalId, by, details })
    return true
  })

async function getForUpdate(ctx: TxCtx, id: PlanId): Promise<Plan> {
  const plan = id === NO_PLAN ? undefined : await findPlanForUpdate(ctx, { id })
  if (!plan) throw planNotFound()
  return plan
}

const planNotFound = () => new AppError('not_found', 'No plan has this id.')
const proNotFound = () => new AppError('professional_not_found', 'No pro has this id or slug.')

/** "gold-plus", from “Gold Plus”. Letters beyond ASCII lose their accents. */
function idOf(name: string): PlanId {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z\d]+/)
  const id = words.filter(Boolean).join('-')
  if (id === '') throw invalidField('name', 'must have a letter from A to Z or a digit')
  return id
}

function checkTerms({ name, priceCents, tasks }: PlanTerms): void {
  if (name.trim() === '' || name.length > MAX_PLAN_NAME)
    throw invalidField('name', `must have 1 to ${MAX_PLAN_NAME} characters`)
  if (priceCents !== null && (!Number.isInteger(priceCents) || priceCents < 0 || priceCents > MAX_PRICE_CENTS))
    throw invalidField('price', 'must be from 0 to 1,000,000, with at most two decimals')
  if (!Number.isInteger(tasks) || tasks < 0 || tasks > MAX_PLAN_TASKS)
    throw invalidField('tasks', `must be a whole number from 0 to ${MAX_PLAN_TASKS}`)
}
