// The commands about people: console users, pros and customers.
import type { Command } from 'commander'

import { normalEmail } from '../../platform/schema/email.ts'
import { from } from './from.ts'

/** `hearth users`. */
export function addUsers(hearth: Command): void {
  const users = hearth.command('users').description('create, invite, list and disable console users')
  const forNewUser = (command: Command) =>
    command
      .argument('<email>', 'login', normalEmail)
      .requiredOption('--role <role>', 'operator, developer or pro')
      .option('--operator-role <role>', 'for an operator: administrator (if not given), support, moderation or finance')
      .option('--pro <id or slug>', 'for the role pro: the pro they manage')
      .option('--account <email>', 'for the role developer: the account they manage, if not their own', normalEmail)
      .option('--json', 'print JSON')
  forNewUser(users.command('create'))
    .description('create a user and print the password once')
    .option('--password-stdin', 'read the password from the first line of standard input')
    .action(from(async () => (await import('../users.ts')).runUsersCreate))
  forNewUser(users.command('invite'))
    .description('create a user and print a one-time link, with which they choose their password')
    .action(from(async () => (await import('../users.ts')).runUsersInvite))
  users
    .command('link')
    .argument('<email>', 'login', normalEmail)
    .description('print a one-time link, with which a user chooses another password')
    .option('--json', 'print JSON')
    .action(from(async () => (await import('../users.ts')).runUsersLink))
  users
    .command('list')
    .description('list users')
    .option('--json', 'print JSON')
    .action(from(async () => (await import('../users.ts')).runUsersList))
  users
    .command('role')
    .argument('<email>', 'login', normalEmail)
    .argument('<role>', 'administrator, support, moderation or finance')
    .description('give an operator another role')
    .action(from(async () => (await import('../users.ts')).runUsersRole))
  users
    .command('set-password')
    .argument('<email>', 'login', normalEmail)
    .description('change the password of a user, log them out and print the password once')
    .option('--password-stdin', 'read the password from the first line of standard input')
    .action(from(async () => (await import('../users.ts')).runUsersSetPassword))
  users
    .command('remove-second-factor')
    .argument('<email>', 'login', normalEmail)
    .description('remove the second factor of a user who has lost phone and recovery codes')
    .action(from(async () => (await import('../users.ts')).runUsersRemoveSecondFactor))
  users
    .command('disable')
    .argument('<email>', 'login', normalEmail)
    .description('log a user out and block further logins')
    .action(from(async () => (await import('../users.ts')).runUsersDisable))
  users
    .command('enable')
    .argument('<email>', 'login', normalEmail)
    .description('allow a disabled user to log in again')
    .action(from(async () => (await import('../users.ts')).runUsersEnable))
}

/** `hearth pros`. */
export function addPros(hearth: Command): void {
  const pros = hearth.command('pros').description('create and import pros, give them plans, pause and close them')
  pros
    .command('create')
    .argument('<business name>')
    .description('create a pro with a login for its owner, and print the password once')
    .requiredOption('--email <email>', 'of the owner, for the account and the login', normalEmail)
    .requiredOption('--place <place>', 'city or postal code, such as "Columbus, OH" or "M5V 1A1"')
    .option(
      '--radius <distance>',
      'how far the pro comes, in miles, or in Canada in kilometres; without it 25 miles or 40 km',
    )
    .option('--phone <number>', 'for customers')
    .option('--plan <plan>', 'none, verified, business, or another plan of /console/plans', 'none')
    .option('--json', 'print JSON')
    .action(from(async () => (await import('../pros.ts')).runProsCreate))
  pros
    .command('import')
    .argument('<file>', 'CSV or JSON lines, or - for standard input')
    .description('create and change pros by a file, which can be imported again')
    .option('--dry-run', 'only say what would be done')
    .option('--pause-missing', 'pause the pros of former imports who are not in the file')
    .option('--paused', 'let new pros not be found until their owners log in and resume')
    .option('--errors <file>', 'write refused lines to a file, to correct and import again')
    .option('--invite-per-minute <number>', 'send pros without a log-in a link to their page, so many in a minute')
    .option('--json', 'print JSON')
    .action(from(async () => (await import('../pros-import.ts')).runProsImport))
  pros
    .command('plan')
    .argument('<pro>', 'id or slug')
    .argument('<plan>', 'none, verified, business, or another plan of /console/plans')
    .description('give a pro a plan instead of the present one')
    .option('--until <date>', 'its last day in the pro’s time zone, such as 2026-12-31; without it the plan has no end')
    .action(from(async () => (await import('../pros.ts')).runProsPlan))
  addStatuses(pros)
}

/** Whether customers find a pro. */
function addStatuses(pros: Command): void {
  pros
    .command('pause')
    .argument('<pro>', 'id or slug')
    .description('let customers not find a pro until an operator resumes it; booked visits stay')
    .requiredOption('--reason <text>', 'which the pro reads')
    .action(from(async () => (await import('../pros.ts')).runProsPause))
  pros
    .command('resume')
    .argument('<pro>', 'id or slug')
    .description('let customers find a paused pro again')
    .requiredOption('--reason <text>', 'which the pro reads')
    .action(from(async () => (await import('../pros.ts')).runProsResume))
  pros
    .command('close')
    .argument('<pro>', 'id or slug')
    .description(
      'close the account of a pro: open bookings are cancelled with refunds; without --yes only say what would end',
    )
    .requiredOption('--reason <text>', 'which the pro reads')
    .option('--yes', 'do it')
    .action(from(async () => (await import('../pros.ts')).runProsClose))
  pros
    .command('reopen')
    .argument('<pro>', 'id or slug')
    .description('open a closed account again that is not erased yet; what was cancelled stays so')
    .requiredOption('--reason <text>', 'which the pro reads')
    .action(from(async () => (await import('../pros.ts')).runProsReopen))
}

/** `hearth credits`. */
export function addCredits(hearth: Command): void {
  const credits = hearth.command('credits').description('agent tasks of pros: balance and purchases')
  credits
    .command('add')
    .argument('<pro>', 'id or slug')
    .argument('<tasks>', 'number of tasks')
    .description('add agent tasks that a pro bought')
    .requiredOption('--reference <text>', 'unique reference of the purchase, such as an invoice number')
    .action(from(async () => (await import('../credits.ts')).runCreditsAdd))
  credits
    .command('show')
    .argument('<pro>', 'id or slug')
    .description('show the agent tasks of a pro and the daily usage')
    .option('--month <month>', 'YYYY-MM (default: this month)')
    .option('--json', 'print JSON')
    .action(from(async () => (await import('../credits.ts')).runCreditsShow))
}

/** `hearth privacy`. */
export function addPrivacy(hearth: Command): void {
  const privacy = hearth.command('privacy').description('a customer’s copy of their data, and its erasure')
  privacy
    .command('export')
    .argument('<email>', 'the customer’s e-mail address', normalEmail)
    .description('print everything that is stored about a customer as JSON')
    .option('--output <file>', 'write it to a new file that only you can read')
    .action(from(async () => (await import('../privacy.ts')).runPrivacyExport))
  privacy
    .command('erase')
    .argument('<email>', 'the customer’s e-mail address', normalEmail)
    .description('erase a customer for good; amounts, times and ratings stay')
    .option('--requested-by <text>', 'who asked, for the record, such as a ticket number (default: you)')
    .option('--json', 'print JSON')
    .action(from(async () => (await import('../privacy.ts')).runPrivacyErase))
}
