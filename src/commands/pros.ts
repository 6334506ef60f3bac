// `hearth pros create`: a pro with an account, and a login for its owner.
import { createUser } from '../auth/users/verbs/users.ts'
import { createPro } from '../features/business/pros/verbs.ts'
import { PLANS } from '../features/business/pros/schemas.ts'
import { requireOneOf } from './failure.ts'
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
    const chosen = { place, radius: Number(radius), phone, plan: requireOneOf(plan, PLANS, '--plan') }
    const { pro, login } = await createPro(ctx, { businessName, email, ...chosen, by: null, createLogin: createUser })
    const { password } = login
    const { baseUrl } = ctx.config
    const url = `${baseUrl}/pros/${pro.slug}`
    if (json) return console.log(JSON.stringify({ ...pro, url, email, password }))
    console.log(`${businessName.trim()} in ${pro.city} has the page ${url} and is found once it offers a service.`)
    console.log(`The owner logs in at ${baseUrl}/console as ${email} with this password, which is not shown again:`)
    console.log(password)
  })
