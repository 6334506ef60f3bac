// `hearth pros create | plan | pause | resume | close | reopen`: a pro with an account and a login for its owner, its plan, and whether it is found.
import { createUser } from '../auth/users/verbs/users.ts'
import { getMeteredPro } from '../features/agents/metering/verbs.ts'
import { LATER, consequencesOf } from '../features/business/closing/rules/consequences.ts'
import { closePro, getOpenWork, reopenPro } from '../features/business/closing/verbs/close.ts'
import { getPlanOfPro, givePlan } from '../features/business/plans/verbs.ts'
import { changeProStatus, createPro } from '../features/business/pros/verbs.ts'
import { getCatalogNames } from '../features/catalog/services/verbs/names.ts'
import { DEFAULT_RADIUS_MILES } from '../features/search/pros/schemas.ts'
import { typedDistance } from '../platform/text/distance.ts'
import type { Region } from '../platform/text/region.ts'
import { withDeps } from './command-deps.ts'

interface CreateOptions {
  email: string
  place: string
  radius?: string
  phone?: string
  plan: string
  json?: boolean
}

/** Creates the pro and the owner's login, both or none, and prints the password once. */
export const runProsCreate = (businessName: string, { email, place, radius, phone, plan, json }: CreateOptions) =>
  withDeps(async (ctx) => {
    const { region } = await getCatalogNames(ctx)
    const chosen = { place, radius: milesOf(region, radius), phone, plan }
    const { pro, login } = await createPro(ctx, { businessName, email, ...chosen, by: null, createLogin: createUser })
    const { password } = login
    const { baseUrl } = ctx.config
    const url = `${baseUrl}/pros/${pro.slug}`
    if (json) return console.log(JSON.stringify({ ...pro, url, email, password }))
    console.log(`${businessName.trim()} in ${pro.city} has the page ${url} and is found once it offers a service.`)
    if (pro.isOutsideArea) console.log('It does not come to any place of your area: see /console/area.')
    console.log(`The owner logs in at ${baseUrl}/console as ${email} with this password, which is not shown again:`)
    console.log(password)
  })

/** The miles of a distance in the unit of the region. What is no such distance stays, and is refused with its field. */
function milesOf(region: Region, typed: string | undefined): number {
  const distance = typed === undefined ? typedDistance.shown(region, DEFAULT_RADIUS_MILES) : Number(typed)
  return Number.isInteger(distance) && distance > 0 ? typedDistance.miles(region, distance) : distance
}

/** Gives the pro a plan, by default without an end. `until` is its last day. */
export const runProsPlan = (pro: string, plan: string, { until = null }: { until?: string | null }) =>
  withDeps(async (ctx) => {
    const { id: professionalId, businessName } = await getMeteredPro(ctx, { name: pro })
    const isChanged = await givePlan(ctx, { professionalId, plan, until, by: null })
    const given = await getPlanOfPro(ctx, { professionalId })
    const words = `the plan ${given.name}${given.until === null ? '' : ` until ${given.until}`}`
    console.log(isChanged ? `${businessName} has ${words} now.` : `${businessName} had ${words} already.`)
  })

/** Customers do not find the pro until an operator resumes it. The pro is told why. */
export const runProsPause = (pro: string, { reason }: { reason: string }) => changeStatus(pro, 'pause', reason)

/** Customers find the pro again. */
export const runProsResume = (pro: string, { reason }: { reason: string }) => changeStatus(pro, 'resume', reason)

const changeStatus = (pro: string, action: 'pause' | 'resume', operatorReason: string) =>
  withDeps(async (ctx) => {
    const { id: professionalId, businessName } = await getMeteredPro(ctx, { name: pro })
    await changeProStatus(ctx, { professionalId, action, operatorReason, by: null })
    console.log(
      action === 'pause'
        ? `Customers do not find ${businessName} any more. Visits that are booked stay.`
        : `Customers find ${businessName} again.`,
    )
  })

/** Closes the account of the pro; without `yes` it only says what would end. */
export const runProsClose = (pro: string, { reason, yes = false }: { reason: string; yes?: boolean }) =>
  withDeps(async (ctx) => {
    const { id: professionalId, businessName } = await getMeteredPro(ctx, { name: pro })
    const lines = consequencesOf(await getOpenWork(ctx, { professionalId }))
    if (yes) await closePro(ctx, { professionalId, operatorReason: reason, by: null })
    console.log(yes ? `The account of ${businessName} is closed.` : `Closing the account of ${businessName} ends this:`)
    for (const line of lines) console.log(`- ${line}`)
    console.log(LATER)
    if (!yes) console.log('Nothing is changed yet. To do it, add --yes.')
  })

/** Opens a closed account again. */
export const runProsReopen = (pro: string, { reason }: { reason: string }) =>
  withDeps(async (ctx) => {
    const { id: professionalId, businessName } = await getMeteredPro(ctx, { name: pro })
    await reopenPro(ctx, { professionalId, reason, by: null })
    console.log(`${businessName} is open again and paused: the owner logs in as before, and lets customers find it.`)
  })
