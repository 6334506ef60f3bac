// Who may log in to the console of `npm start`: an operator, the demo pro and the demo developer.
import type { Deps } from '../../deps.ts'
import { createUser, enableUser, listUsers, setPassword, type NewUser } from '../../auth/users/verbs/users.ts'
import { isCorrectPassword } from '../../auth/users/verbs/sessions.ts'

export interface DemoLogin {
  email: string
  password: string
}

/** The operator, with the others besides. */
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
  /** As the file has it; a stack of an earlier version has none. */
  saved: DemoConsole | undefined
}

/** Logins that work: those that are kept, if they still do, or else with new passwords. */
export async function prepareLogins(
  deps: Deps,
  { baseUrl, pro, developer, saved }: LoginOptions,
): Promise<DemoConsole> {
  const operator = await prepareLogin(deps, { email: 'operator@demo.example', role: 'operator' }, saved)
  return {
    url: `${baseUrl}/console`,
    ...operator,
    pro: await prepareLogin(deps, { email: 'pro@demo.example', role: 'pro', pro }, saved?.pro),
    developer: await prepareLogin(deps, { email: developer, role: 'developer' }, saved?.developer),
  }
}

async function prepareLogin(deps: Deps, wish: NewUser, kept: DemoLogin | undefined): Promise<DemoLogin> {
  const { email } = wish
  if (kept?.email === email && (await isCorrectPassword(deps, email, kept.password)))
    return { email, password: kept.password }
  const isKnown = (await listUsers(deps)).some((user) => user.email === email)
  if (!isKnown) return { email, password: (await createUser(deps, wish)).password }
  await enableUser(deps, email)
  return { email, password: await setPassword(deps, email) }
}
