// `hearth users create | invite | link | list | role | set-password | remove-second-factor | disable | enable`: console users.
import { OPERATOR_ROLES } from '../auth/users/rules/operator-roles.ts'
import { ROLES } from '../auth/users/schemas.ts'
import {
  LINK_HOURS,
  type PasswordLink,
  type PlanLinkMessage,
  createPasswordLink,
} from '../auth/users/verbs/password-links.ts'
import { removeFactor } from '../auth/users/verbs/second-factors.ts'
import { giveOperatorRole } from '../auth/users/verbs/operator-roles.ts'
import { createUser, disableUser, enableUser, inviteUser, listUsers, setPassword } from '../auth/users/verbs/users.ts'
import type { Ctx } from '../ctx.ts'
import { passwordLinkUrl, planFactorMessage } from '../features/messages/messages/verbs/user-links.ts'
import { requireOneOf } from './failure.ts'
import { withDeps } from './command-deps.ts'

interface PasswordOption {
  passwordStdin?: boolean
}

interface InviteOptions {
  role: string
  operatorRole?: string
  pro?: string
  account?: string
  json?: boolean
}

type CreateOptions = PasswordOption & InviteOptions

/** The input of both verbs that make a user. */
const newUserOf = (email: string, { role, operatorRole, pro, account }: InviteOptions) => ({
  email,
  role: requireOneOf(role, ROLES, '--role'),
  ...(operatorRole === undefined
    ? {}
    : { operatorRole: requireOneOf(operatorRole, OPERATOR_ROLES, '--operator-role') }),
  ...(pro === undefined ? {} : { pro }),
  ...(account === undefined ? {} : { account }),
})

/** Creates a user and prints the generated password. */
export const runUsersCreate = (email: string, { passwordStdin, json, ...options }: CreateOptions) =>
  withDeps(async (ctx) => {
    const chosen = await readPassword({ passwordStdin })
    const { password, ...user } = await createUser(ctx, {
      ...newUserOf(email, options),
      ...(chosen === undefined ? {} : { password: chosen }),
    })
    const shown = chosen === undefined ? { password } : {}
    if (json) return console.log(JSON.stringify({ ...user, ...shown }))
    console.log(`${user.email} can log in at ${ctx.config.baseUrl}/console as ${user.role}.`)
    if (chosen === undefined) printPassword(password)
  })

/** The links of commands are passed on by those who run them: where mail is not set up yet, nothing could be sent. */
const notSent: PlanLinkMessage = () => Promise.resolve()

/** Creates a user and prints a link with which they choose their password. */
export const runUsersInvite = (email: string, { json, ...options }: InviteOptions) =>
  withDeps(async (ctx) => {
    const input = { ...newUserOf(email, options), by: null, planMessage: notSent }
    const { user, link } = await inviteUser(ctx, input)
    if (json) return console.log(JSON.stringify({ ...user, link: passwordLinkUrl(ctx, link) }))
    console.log(`${user.email} chooses a password with this link, and logs in as ${user.role}:`)
    printLink(ctx, link)
  })

/** Prints a link with which a user chooses another password. Their current one works until then. */
export const runUsersLink = (email: string, { json }: { json?: boolean }) =>
  withDeps(async (ctx) => {
    const link = await createPasswordLink(ctx, { email, by: null, planMessage: notSent })
    if (json) return console.log(JSON.stringify({ email, link: passwordLinkUrl(ctx, link) }))
    console.log(`${email} chooses another password with this link:`)
    printLink(ctx, link)
  })

/** Lists users. */
export const runUsersList = ({ json }: { json?: boolean }) =>
  withDeps(async (ctx) => {
    const users = await listUsers(ctx)
    if (json) return console.log(JSON.stringify(users))
    if (users.length === 0) return console.log('No users. Create one with `hearth users create`.')
    for (const { email, role, operatorRole, account, lastLoginAt, disabledAt, hasSecondFactor } of users) {
      const state = disabledAt ? 'disabled' : `last login ${lastLoginAt ?? 'never'}`
      console.log(
        `${email}  ${operatorRole === null ? role : `${role} (${operatorRole})`}${account === null || account === email ? '' : ` of ${account}`}  ${state}${hasSecondFactor ? '  second factor' : ''}`,
      )
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

/** Gives an operator another role. */
export const runUsersRole = (email: string, role: string) =>
  withDeps(async (ctx) => {
    const operatorRole = requireOneOf(role, OPERATOR_ROLES, 'The role')
    const isChanged = await giveOperatorRole(ctx, { email, operatorRole })
    console.log(
      isChanged ? `${email} has the role ${operatorRole} now.` : `${email} had the role ${operatorRole} before.`,
    )
  })

/** Removes the second factor of a user who has lost phone and recovery codes. */
export const runUsersRemoveSecondFactor = (email: string) =>
  withDeps(async (ctx) => {
    const isRemoved = await removeFactor(ctx, { email, by: null, planMessage: planFactorMessage })
    console.log(
      isRemoved
        ? `${email} logs in with the password only now.`
        : `${email} had no second factor. Nothing was changed.`,
    )
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

const printLink = (ctx: Ctx, link: PasswordLink) =>
  console.log(
    `\n${passwordLinkUrl(ctx, link)}\n\nIt is shown only once, works once and expires after ${LINK_HOURS} hours.`,
  )

const printPassword = (password: string) => console.log(`\n${password}\n\nThe password is shown only once.`)

/** The password is read from standard input: on the command line it would show in shell history and process lists. */
async function readPassword({ passwordStdin = false }: PasswordOption): Promise<string | undefined> {
  if (!passwordStdin) return undefined
  const [line = ''] = (await Bun.stdin.text()).split(/\r?\n/)
  return line
}
