// `hearth users create | list | set-password | disable | enable`: who may use the console.
import { ROLES, isRole } from '../auth/users/schemas.ts'
import { createUser, disableUser, enableUser, listUsers, setPassword } from '../auth/users/verbs/users.ts'
import { UsageError } from './failure.ts'
import { withDeps } from './command-deps.ts'

interface PasswordOption {
  passwordStdin?: boolean
}

type CreateOptions = PasswordOption & { role: string; pro?: string; account?: string; json?: boolean }

/** Makes a user and prints the password, unless it was given. */
export const runUsersCreate = (email: string, { role, pro, account, passwordStdin, json }: CreateOptions) =>
  withDeps(async (deps) => {
    if (!isRole(role)) throw new UsageError(`--role takes ${ROLES.join(', ')}, not "${role}".`)
    const given = await readPassword({ passwordStdin })
    const { password, ...user } = await createUser(deps, {
      email,
      role,
      ...(given === undefined ? {} : { password: given }),
      ...(pro === undefined ? {} : { pro }),
      ...(account === undefined ? {} : { account }),
    })
    const shown = given === undefined ? { password } : {}
    if (json) return console.log(JSON.stringify({ ...user, ...shown }))
    console.log(`${user.email} can log in at ${deps.config.baseUrl}/console, as ${user.role}.`)
    if (given === undefined) printPassword(password)
  })

/** Lists users. */
export const runUsersList = ({ json }: { json?: boolean }) =>
  withDeps(async (deps) => {
    const users = await listUsers(deps)
    if (json) return console.log(JSON.stringify(users))
    if (users.length === 0) return console.log('No users. `hearth users create` makes one.')
    for (const { email, role, account, lastLoginAt, disabledAt } of users) {
      const state = disabledAt ? 'disabled' : `last here ${lastLoginAt ?? 'never'}`
      console.log(`${email}  ${role}${account === null || account === email ? '' : ` of ${account}`}  ${state}`)
    }
  })

/** Gives a user another password and prints it, unless it was given. */
export const runUsersSetPassword = (email: string, options: PasswordOption) =>
  withDeps(async (deps) => {
    const given = await readPassword(options)
    const password = await setPassword(deps, email, given)
    console.log(`${email} has another password and is logged out everywhere.`)
    if (given === undefined) printPassword(password)
  })

/** Logs a user out for good. */
export const runUsersDisable = (email: string) =>
  withDeps(async (deps) => {
    await disableUser(deps, email)
    console.log(`${email} is logged out and cannot log in.`)
  })

/** Lets a disabled user log in again. */
export const runUsersEnable = (email: string) =>
  withDeps(async (deps) => {
    await enableUser(deps, email)
    console.log(`${email} can log in again.`)
  })

const printPassword = (password: string) => console.log(`\n${password}\n\nThis is the only time the password is shown.`)

/** A password on the command line would stand in the shell's history and in lists of processes. */
async function readPassword({ passwordStdin = false }: PasswordOption): Promise<string | undefined> {
  if (!passwordStdin) return undefined
  const [line = ''] = (await Bun.stdin.text()).split(/\r?\n/)
  return line
}
