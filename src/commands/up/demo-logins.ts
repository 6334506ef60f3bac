// The console users of `npm start`: an operator, the demo pro and the demo developer.
import type { Ctx } from '../../ctx.ts'
import { createUser, enableUser, listUsers, setPassword, type NewUser } from '../../auth/users/verbs/users.ts'
import { isCorrectPassword } from '../../auth/users/verbs/sessions.ts'

export interface DemoLogin {
  email: string
  password: string
}

/** The operator's login, and the logins of the other users. */
export interface DemoConsole extends DemoLogin {
  url: string
  pro: DemoLogin
  developer: DemoLogin
}

interface LoginOptions {
  baseUrl: string
  /** Slug of the demo pro. */
  pro: string
  /** The account of the demo developer. */
  developer: string
  /** From the file; a stack of an earlier version has none. */
  saved: DemoConsole | undefined
}

/** Working logins: the saved ones if they still work, else new passwords. */
export async function prepareLogins(ctx: Ctx, { baseUrl, pro, developer, saved }: LoginOptions): Promise<DemoConsole> {
  const operator = await prepareLogin(ctx, { email: 'operator@demo.example', role: 'operator' }, saved)
  return {
    url: `${baseUrl}/console`,
    ...operator,
    pro: await prepareLogin(ctx, { email: 'pro@demo.example', role: 'pro', pro }, saved?.pro),
    developer: await prepareLogin(ctx, { email: developer, role: 'developer' }, saved?.developer),
  }
}

async function prepareLogin(ctx: Ctx, user: NewUser, saved: DemoLogin | undefined): Promise<DemoLogin> {
  const { email } = user
  if (saved?.email === email && (await isCorrectPassword(ctx, { email, password: saved.password })))
    return { email, password: saved.password }
  const exists = (await listUsers(ctx)).some((other) => other.email === email)
  if (!exists) return { email, password: (await createUser(ctx, user)).password }
  await enableUser(ctx, { email })
  return { email, password: await setPassword(ctx, { email }) }
}
