// `hearth users create | list | set-password | disable | enable`: console users.
import { ROLES } from '../auth/users/schemas.ts'
import { createUser, disableUser, enableUser, listUsers, setPassword } from '../auth/users/verbs/users.ts'
import { requireOneOf } from './failure.ts'
import { withDeps } from './command-deps.ts'

interface PasswordOption {
  passwordStdin?: boolean
}

type CreateOptions = PasswordOption & { role: string; pro?: string; account?: string; json?: boolean }

/** Creates a user and prints the generated password. */
export const runUsersCreate = (email: string, { role, pro, account, passwordStdin, json }: CreateOptions) =>
  withDeps(async (ctx) => {
    const chosen = await readPassword({ passwordStdin })
    const { password, ...user } = await createUser(ctx, {
      email,
      role: requireOneOf(role, ROLES, '--role'),
      ...(chosen === undefined ? {} : { password: chosen }),
      ...(pro === undefined ? {} : { pro }),
      ...(account === undefined ? {} : { account }),
    })
    const shown = chosen === undefined ? { password } : {}
    if (json) return console.log(JSON.stringify({ ...user, ...shown }))
    console.log(`${user.email} can log in at ${ctx.config.baseUrl}/console as ${user.role}.`)
    if (chosen === undefined) printPassword(password)
  })

/** Lists users. */
export const runUsersList = ({ json }: { json?: boolean }) =>
  withDeps(async (ctx) => {
    const users = await listUsers(ctx)
    if (json) return console.log(JSON.stringify(users))
    if (users.length === 0) return console.log('No users. Create one with `hearth users create`.')
    for (const { email, role, account, lastLoginAt, disabledAt } of users) {
      const state = disabledAt ? 'disabled' : `last login ${lastLoginAt ?? 'never'}`
      console.log(`${email}  ${role}${account === null || account === email ? '' : ` of ${account}`}  ${state}`)
    }
  })

/** Changes the password of a user and prints it when it was generated. */
export const runUsersSetPassword = (email: string, options: PasswordOption) =>
  withDeps(async (ctx) => {
    const chosen = await readPassword(options)
    const password = await setPassword(ctx, { email, password: chosen })
    console.log(
      `${email} has a new password and is logged out everywhere. Connected apps have lost their access; API keys keep working.`,
    )
    if (chosen === undefined) printPassword(password)
  })

/** Logs a user out and blocks further logins. */
export const runUsersDisable = (email: string) =>
  withDeps(async (ctx) => {
    await disableUser(ctx, { email })
    console.log(
      `${email} is logged out and can no longer log in. Connected apps have lost their access; API keys keep working.`,
    )
  })

/** Allows a disabled user to log in again. */
export const runUsersEnable = (email: string) =>
  withDeps(async (ctx) => {
    await enableUser(ctx, { email })
    console.log(`${email} can log in again.`)
  })

const printPassword = (password: string) => console.log(`\n${password}\n\nThe password is shown only once.`)

/** The password is read from standard input: on the command line it would show in shell history and process lists. */
async function readPassword({ passwordStdin = false }: PasswordOption): Promise<string | undefined> {
  if (!passwordStdin) return undefined
  const [line = ''] = (await Bun.stdin.text()).split(/\r?\n/)
  return line
}
