// `hearth pros create | plan`: a pro with an account and a login for its owner, and the plan of a pro.
import { createUser } from '../auth/users/verbs/users.ts'
import { getMeteredPro } from '../features/agents/metering/verbs.ts'
import { getPlanOfPro, givePlan } from '../features/business/plans/verbs.ts'
import { createPro } from '../features/business/pros/verbs.ts'
import { withDeps } from './command-deps.ts'

interface CreateOptions {
  email: string
  place: string
  radius: string
  phone?: string
  plan: string
  json?: boolean
}

/** Creates the pro and the owner's login, both or none, and prints the password once. */
export const runProsCreate = (businessName: string, { email, place, radius, phone, plan, json }: CreateOptions) =>
  withDeps(async (ctx) => {
    const chosen = { place, radius: Number(radius), phone, plan }
    const { pro, login } = await createPro(ctx, { businessName, email, ...chosen, by: null, createLogin: createUser })
    const { password } = login
    const { baseUrl } = ctx.config
    const url = `${baseUrl}/pros/${pro.slug}`
    if (json) return console.log(JSON.stringify({ ...pro, url, email, password }))
    console.log(`${businessName.trim()} in ${pro.city} has the page ${url} and is found once it offers a service.`)
    console.log(`The owner logs in at ${baseUrl}/console as ${email} with this password, which is not shown again:`)
    console.log(password)
  })

/** Gives the pro a plan, by default without an end. `until` is its last day. */
export const runProsPlan = (pro: string, plan: string, { until = null }: { until?: string | null }) =>
  withDeps(async (ctx) => {
    const { id: professionalId, businessName } = await getMeteredPro(ctx, { name: pro })
    const isChanged = await givePlan(ctx, { professionalId, plan, until, by: null })
    const given = await getPlanOfPro(ctx, { professionalId })
    const words = `the plan ${given.name}${given.until === null ? '' : ` until ${given.until}`}`
    console.log(isChanged ? `${businessName} has ${words} now.` : `${businessName} had ${words} already.`)
  })
