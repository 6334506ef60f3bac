// Writes a part of an import, in its transaction: a statement for each kind of change, whatever the number of pros.
import type { TxCtx } from '../../../../ctx.ts'
import { changeScheduleIn } from '../../../calendar/schedule/verbs.ts'
import { givePlan } from '../../plans/verbs.ts'
import { NO_PLAN } from '../../plans/schemas.ts'
import { changeProStatus, slugOf } from '../../pros/verbs.ts'
import { DEFAULT_RADIUS_MILES } from '../../../search/pros/schemas.ts'
import type { ImportOptions } from '../schemas.ts'
import { readHours } from '../rules/hours-cell.ts'
import * as queries from '../queries.sql.ts'
import { type KnownPro, type Plan, changedColumns } from './plan-lines.ts'

const USUAL_HOURS = readHours('mon-fri 9:00-17:00')
/** The pro and the operators read it in the log of the pro. */
const BY_STATUS = 'The file of pros says so.'

type Creation = Plan & { id: string; newAccountId: string }
type Change = Plan & { pro: KnownPro }

/** Creates the pros of these lines. Returns their ids in the order of the lines. */
export async function createPros(
  ctx: TxCtx,
  { plans, by, status }: { plans: readonly Plan[] } & Pick<ImportOptions, 'by' | 'status'>,
): Promise<string[]> {
  if (plans.length === 0) return []
  const now = ctx.clock.now()
  const created: Creation[] = plans.map((plan) => ({
    ...plan,
    id: ctx.ids.uuid(),
    newAccountId: plan.accountId ?? ctx.ids.uuid(),
  }))
  const accounts = created.filter(({ accountId }) => accountId === undefined)
  await queries.insertAccounts(ctx, {
    pros: JSON.stringify(accounts.map(({ newAccountId: id, fields: { email } }) => ({ id, email }))),
    now,
  })
  const rows = rowsOf(created)
  await queries.lockSlugs(ctx, { slugs: [...new Set(rows.map(({ slug }) => slug))] })
  await queries.insertImportedPros(ctx, { pros: JSON.stringify(rows), now })
  await saveOffers(ctx, created)
  const active = created.filter(({ fields }) => (fields.status ?? status) === 'active')
  await queries.activatePros(ctx, { ids: active.map(({ id }) => id) })
  await saveLines(ctx, created)
  const entries = created.map(({ id, line, fields }) => ({
    id: ctx.ids.uuid(),
    action: 'pro.created',
    professionalId: id,
    details: {
      plan: fields.plan ?? NO_PLAN,
      radius: fields.radius ?? DEFAULT_RADIUS_MILES,
      externalId: line.externalId,
    },
  }))
  await queries.insertImportEntries(ctx, { entries: JSON.stringify(entries), by, now })
  return created.map(({ id }) => id)
}

function rowsOf(created: readonly Creation[]) {
  const ranks = new Map<string, number>()
  return created.map(({ id, newAccountId: accountId, line, fields }) => {
    const { citySlug = '', ...place } = fields.place ?? {}
    const slug = slugOf(fields.businessName ?? '', citySlug)
    const rank = ranks.get(slug) ?? 0
    ranks.set(slug, rank + 1)
    return {
      ...place,
      id,
      accountId,
      externalId: line.externalId,
      slug,
      rank,
      businessName: fields.businessName,
      phone: fields.phone,
      website: fields.website,
      description: fields.description,
      radius: fields.radius ?? DEFAULT_RADIUS_MILES,
      plan: fields.plan ?? NO_PLAN,
      years: fields.yearsOfExperience,
      emergency: fields.acceptsEmergency ?? false,
      hours: fields.hours ?? USUAL_HOURS,
    }
  })
}

/** Changes what the lines say otherwise than before. Returns how many pros are found again. */
export async function changePros(
  ctx: TxCtx,
  { plans, by }: { plans: readonly Change[] } & Pick<ImportOptions, 'by'>,
): Promise<number> {
  if (plans.length === 0) return 0
  const now = ctx.clock.now()
  const moved = plans.flatMap(({ pro, fields: { email } }) =>
    email === undefined || pro.hasLogin ? [] : { id: pro.accountId, email },
  )
  await queries.updateAddresses(ctx, { accounts: JSON.stringify(moved) })
  await queries.updateImportedPros(ctx, {
    pros: JSON.stringify(plans.map(({ pro: { id }, fields }) => ({ id, fields }))),
    now,
  })
  await saveOffers(
    ctx,
    plans.map((plan) => ({ ...plan, id: plan.pro.id })),
  )
  await saveLines(
    ctx,
    plans.map((plan) => ({ ...plan, id: plan.pro.id })),
  )
  const entries = plans.map(({ pro, line }) => ({
    id: ctx.ids.uuid(),
    action: 'pro.imported',
    professionalId: pro.id,
    details: { columns: changedColumns(line, pro.given) },
  }))
  await queries.insertImportEntries(ctx, { entries: JSON.stringify(entries), by, now })
  let resumed = 0
  for (const plan of plans) resumed += Number(await changeBesides(ctx, { plan, by }))
  return resumed
}

/** What has rules of its own: status, plan and hours. Returns whether the pro is found again after it was missing. */
async function changeBesides(ctx: TxCtx, { plan, by }: { plan: Change } & Pick<ImportOptions, 'by'>): Promise<boolean> {
  const { pro, fields } = plan
  const professionalId = pro.id
  if (fields.plan !== undefined) await givePlan(ctx, { professionalId, plan: fields.plan, until: null, by })
  if (fields.hours)
    await changeScheduleIn(ctx.as({ professionalId, accountId: pro.accountId }), { businessHours: fields.hours })
  const isBack = pro.isMissing && pro.status === 'paused' && (fields.status ?? plan.line.given.status) !== 'paused'
  const wanted = isBack ? 'active' : (fields.status ?? pro.status)
  if (wanted !== pro.status)
    await changeProStatus(ctx, {
      professionalId,
      action: wanted === 'active' ? 'resume' : 'pause',
      by,
      operatorReason: BY_STATUS,
    })
  return isBack
}

async function saveOffers(ctx: TxCtx, plans: readonly (Plan & { id: string })[]): Promise<void> {
  const removed = plans.flatMap(({ id: professionalId, fields }) =>
    (fields.services?.removed ?? []).map((serviceId) => ({ professionalId, serviceId })),
  )
  const offered = plans.flatMap(({ id: professionalId, fields }) =>
    (fields.services?.offered ?? []).map((offer) => ({ professionalId, ...offer })),
  )
  if (removed.length > 0) await queries.deleteImportedOffers(ctx, { offers: JSON.stringify(removed) })
  if (offered.length > 0) await queries.saveImportedOffers(ctx, { offers: JSON.stringify(offered) })
}

const saveLines = (ctx: TxCtx, plans: readonly (Plan & { id: string })[]): Promise<void> =>
  queries.saveGiven(ctx, {
    pros: JSON.stringify(plans.map(({ id, line: { given } }) => ({ id, given }))),
    now: ctx.clock.now(),
  })
