// The `hearth` command line. Each command is a file or folder in commands/.
import { Command } from 'commander'

import { exitWithFailure } from './commands/failure.ts'
import { normalEmail } from './platform/schema/email.ts'
import { VERSION } from './platform/version.ts'

/** Runs a command of a module that is loaded only then: most commands need a small part of the program. */
const from =
  <Args extends unknown[]>(load: () => Promise<(...args: Args) => unknown>) =>
  async (...args: Args): Promise<void> => {
    await (
      await load()
    )(...args)
  }

const hearth = new Command('hearth')
  .description('A home-services marketplace server: find a verified pro, see open times, book.')
  .version(VERSION)
  .showHelpAfterError()

hearth
  .command('up')
  .description('start everything in this folder, like `npm start`')
  .option('--empty', 'begin without demo data')
  .option('--demo', 'begin with demo data in the database of DATABASE_URL, too')
  .action(from(async () => (await import('./commands/up/up.ts')).runUp))
hearth
  .command('setup')
  .description('prepare this Debian machine: database, settings, units of systemd, TLS by Caddy, nightly backup')
  .option('--name <text>', 'name of the marketplace')
  .option('--domain <domain>', 'domain under which people reach it')
  .option('--country <code>', 'country that it serves: US or CA')
  .option('--operator <email>', 'login of the first operator, who gets a one-time link', normalEmail)
  .option('--print', 'only show every step and every file')
  .action(from(async () => (await import('./commands/setup/setup.ts')).runSetup))
hearth
  .command('serve')
  .description('run the HTTP server with DATABASE_URL and REDIS_URL')
  .action(async () => {
    await import('./server.ts')
  })
const work = hearth
  .command('work')
  .argument('[actors...]', 'the actors to run (default: all)')
  .description('run the workers with DATABASE_URL and REDIS_URL')
  .option('--processes <n>', 'number of processes per actor')
  .option('--together', 'all actors that have one process in the same one, which takes less memory')
  .action(from(async () => (await import('./commands/work.ts')).runWork))
work
  .command('dead-letters')
  .description('list messages that failed for good, newest first')
  .option('--actor <name>', 'only this actor')
  .option('--retry <id>', 'retry one message')
  .option('--limit <n>', 'maximum number of lines', '50')
  .option('--json', 'print JSON')
  .action(from(async () => (await import('./commands/work.ts')).runDeadLetters))
hearth
  .command('migrate')
  .description('apply pending database migrations')
  .option('--plan', 'only say what it would do: files, locks and sizes of tables')
  .action(from(async () => (await import('./commands/migrate.ts')).runMigrate))
hearth
  .command('seed')
  .description('fill an empty database with the catalog, real US cities and demo pros')
  .option('--pros <n>', 'number of pros', '20000')
  .option('--seed <n>', 'random seed; the same seed gives the same data', '1')
  .action(from(async () => (await import('./commands/seed.ts')).runSeed))
hearth
  .command('doctor')
  .description('check configuration, stores, servers and workers, and explain how to fix problems')
  .option('--launch', 'also check what a marketplace needs before it opens')
  .action(from(async () => (await import('./commands/doctor/doctor.ts')).runDoctor))
hearth
  .command('restored')
  .description('say whether the database is a restored backup, and what it holds; such a copy sends nothing')
  .option('--original', 'declare the copy the original: work starts, what was pending at its point is held')
  .option('--send-pending', 'send what is held, also what the previous server may have sent')
  .action(from(async () => (await import('./commands/restored.ts')).runRestored))
hearth
  .command('mail')
  .description('send e-mail')
  .command('test')
  .argument('<address>', 'whom to send it to', normalEmail)
  .description('send one e-mail by MAIL_URL and say what the mail server answers')
  .action(from(async () => (await import('./commands/mail.ts')).runMailTest))

const keys = hearth.command('keys').description('create, list and revoke API keys')
keys
  .command('create')
  .description('create a key and print it once')
  .option('--preset <name>', 'widget, agent-tools, full-server, webhook-receiver or pro-dashboard')
  .option('--scopes <list>', 'comma-separated scopes instead of a preset')
  .requiredOption('--owner <email>', 'owner; a new address creates a developer account', normalEmail)
  .option('--origin <url>', 'the only web origin that may use it; required for widget keys')
  .option('--rate-multiplier <n>', 'multiplies its rate limits')
  .option('--name <text>', 'description of the key')
  .option('--mode <mode>', 'live, or test for a key with the prefix hearth_test_', 'live')
  .option('--expires <date>', 'day on which it stops working, YYYY-MM-DD (UTC)')
  .option('--json', 'print JSON')
  .action(from(async () => (await import('./commands/keys.ts')).runKeysCreate))
keys
  .command('list')
  .description('list keys, newest first')
  .option('--owner <email>', 'only this owner', normalEmail)
  .option('--json', 'print JSON')
  .action(from(async () => (await import('./commands/keys.ts')).runKeysList))
keys
  .command('rotate')
  .argument('<id>', 'id from `keys list`')
  .description('replace a key with a new one; both work during the overlap')
  .option('--overlap-hours <n>', 'hours that the old key keeps working', '24')
  .option('--json', 'print JSON')
  .action(from(async () => (await import('./commands/keys.ts')).runKeysRotate))
keys
  .command('revoke')
  .argument('<id>', 'id from `keys list`')
  .description('revoke a key permanently')
  .action(from(async () => (await import('./commands/keys.ts')).runKeysRevoke))

const reviews = hearth.command('reviews').description('moderate reviews')
reviews
  .command('list')
  .description('list reviews, newest first')
  .option('--status <state>', 'pending, approved or rejected', 'pending')
  .option('--limit <n>', 'maximum number of lines', '50')
  .option('--json', 'print JSON')
  .action(from(async () => (await import('./commands/reviews.ts')).runReviewsList))
reviews
  .command('approve')
  .argument('<id>', 'id from `reviews list`')
  .description('publish a review')
  .action(from(async () => (await import('./commands/reviews.ts')).runReviewsApprove))
reviews
  .command('reject')
  .argument('<id>', 'id from `reviews list`')
  .description('reject a review')
  .requiredOption('--reason <text>', 'reason; the pro can read it')
  .action(from(async () => (await import('./commands/reviews.ts')).runReviewsReject))

const credits = hearth.command('credits').description('agent tasks of pros: balance and purchases')
credits
  .command('add')
  .argument('<pro>', 'id or slug')
  .argument('<tasks>', 'number of tasks')
  .description('add agent tasks that a pro bought')
  .requiredOption('--reference <text>', 'unique reference of the purchase, such as an invoice number')
  .action(from(async () => (await import('./commands/credits.ts')).runCreditsAdd))
credits
  .command('show')
  .argument('<pro>', 'id or slug')
  .description('show the agent tasks of a pro and the daily usage')
  .option('--month <month>', 'YYYY-MM (default: this month)')
  .option('--json', 'print JSON')
  .action(from(async () => (await import('./commands/credits.ts')).runCreditsShow))

const users = hearth.command('users').description('create, invite, list and disable console users')
const forNewUser = (command: Command) =>
  command
    .argument('<email>', 'login', normalEmail)
    .requiredOption('--role <role>', 'operator, developer or pro')
    .option('--pro <id or slug>', 'for the role pro: the pro they manage')
    .option('--account <email>', 'for the role developer: the account they manage, if not their own', normalEmail)
    .option('--json', 'print JSON')
forNewUser(users.command('create'))
  .description('create a user and print the password once')
  .option('--password-stdin', 'read the password from the first line of standard input')
  .action(from(async () => (await import('./commands/users.ts')).runUsersCreate))
forNewUser(users.command('invite'))
  .description('create a user and print a one-time link, with which they choose their password')
  .action(from(async () => (await import('./commands/users.ts')).runUsersInvite))
users
  .command('link')
  .argument('<email>', 'login', normalEmail)
  .description('print a one-time link, with which a user chooses another password')
  .option('--json', 'print JSON')
  .action(from(async () => (await import('./commands/users.ts')).runUsersLink))
users
  .command('list')
  .description('list users')
  .option('--json', 'print JSON')
  .action(from(async () => (await import('./commands/users.ts')).runUsersList))
users
  .command('set-password')
  .argument('<email>', 'login', normalEmail)
  .description('change the password of a user, log them out and print the password once')
  .option('--password-stdin', 'read the password from the first line of standard input')
  .action(from(async () => (await import('./commands/users.ts')).runUsersSetPassword))
users
  .command('disable')
  .argument('<email>', 'login', normalEmail)
  .description('log a user out and block further logins')
  .action(from(async () => (await import('./commands/users.ts')).runUsersDisable))
users
  .command('enable')
  .argument('<email>', 'login', normalEmail)
  .description('allow a disabled user to log in again')
  .action(from(async () => (await import('./commands/users.ts')).runUsersEnable))

const pros = hearth.command('pros').description('create pros, give them plans, pause them')
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
  .action(from(async () => (await import('./commands/pros.ts')).runProsCreate))
pros
  .command('plan')
  .argument('<pro>', 'id or slug')
  .argument('<plan>', 'none, verified, business, or another plan of /console/plans')
  .description('give a pro a plan instead of the present one')
  .option('--until <date>', 'its last day in the pro’s time zone, such as 2026-12-31; without it the plan has no end')
  .action(from(async () => (await import('./commands/pros.ts')).runProsPlan))
pros
  .command('pause')
  .argument('<pro>', 'id or slug')
  .description('let customers not find a pro until an operator resumes it; booked visits stay')
  .requiredOption('--reason <text>', 'which the pro reads')
  .action(from(async () => (await import('./commands/pros.ts')).runProsPause))
pros
  .command('resume')
  .argument('<pro>', 'id or slug')
  .description('let customers find a paused pro again')
  .requiredOption('--reason <text>', 'which the pro reads')
  .action(from(async () => (await import('./commands/pros.ts')).runProsResume))

const marketplace = hearth.command('marketplace').description('who the marketplace is, as a file')
marketplace
  .command('export')
  .description('print its name, sentence, e-mail address, phone, postal address, country and area as JSON')
  .action(from(async () => (await import('./commands/marketplace.ts')).runMarketplaceExport))
marketplace
  .command('import')
  .argument('<file>', 'JSON as `marketplace export` prints it')
  .description('change what the file names; the rest stays')
  .action(from(async () => (await import('./commands/marketplace.ts')).runMarketplaceImport))

const texts = hearth.command('texts').description('terms, privacy policy and imprint, as files of Markdown')
texts
  .command('export <text>')
  .description('print the terms, privacy or imprint in force')
  .action(from(async () => (await import('./commands/texts.ts')).runTextsExport))
texts
  .command('publish <text> <file>')
  .description('publish the file as the next version of terms, privacy or imprint')
  .action(from(async () => (await import('./commands/texts.ts')).runTextsPublish))

const catalog = hearth
  .command('catalog')
  .description('categories and services: as a file, to begin with, by lines, and merges')
catalog
  .command('export')
  .description('print all categories and services as JSON, with their ids')
  .action(from(async () => (await import('./commands/catalog.ts')).runCatalogExport))
catalog
  .command('import')
  .argument('<file>', 'JSON as `catalog export` prints it')
  .description('add and change what the file names, by id or slug; others stay')
  .option('--dry-run', 'only say what would change')
  .action(from(async () => (await import('./commands/catalog.ts')).runCatalogImport))
catalog
  .command('starter')
  .description('add the services of the starter set that are missing; what is there stays')
  .option('--only <slugs>', 'comma-separated slugs of its categories or services, such as plumbing,house-cleaning')
  .option('--dry-run', 'only say what would change')
  .action(from(async () => (await import('./commands/catalog.ts')).runCatalogStarter))
catalog
  .command('add')
  .argument('<file>', 'lines of name | price | minutes | other names; - for standard input')
  .description('add services by lines, all of them or none')
  .requiredOption('--category <slug>', 'the category that gets them')
  .option('--dry-run', 'only say what would change')
  .action(from(async () => (await import('./commands/catalog.ts')).runCatalogAdd))
catalog
  .command('merge')
  .argument('<slug>', 'of the service or category that becomes part of another one')
  .argument('<into>', 'slug of the other one')
  .description('merge two services, or two categories; it cannot be undone')
  .action(from(async () => (await import('./commands/catalog.ts')).runCatalogMerge))

const privacy = hearth.command('privacy').description('a customer’s copy of their data, and its erasure')
privacy
  .command('export')
  .argument('<email>', 'the customer’s e-mail address', normalEmail)
  .description('print everything that is stored about a customer as JSON')
  .option('--output <file>', 'write it to a new file that only you can read')
  .action(from(async () => (await import('./commands/privacy.ts')).runPrivacyExport))
privacy
  .command('erase')
  .argument('<email>', 'the customer’s e-mail address', normalEmail)
  .description('erase a customer for good; amounts, times and ratings stay')
  .option('--requested-by <text>', 'who asked, for the record, such as a ticket number (default: you)')
  .option('--json', 'print JSON')
  .action(from(async () => (await import('./commands/privacy.ts')).runPrivacyErase))

hearth
  .command('webhooks')
  .description('test webhooks')
  .command('listen')
  .description('receive webhooks on this machine, verify them and print them')
  .option('--port <n>', 'port on 127.0.0.1; 0 picks a free one', '4000')
  .requiredOption('--secret <text>', 'secret of the endpoint, whsec_…')
  .option('--json', 'print one line of JSON per delivery')
  .action(from(async () => (await import('./commands/webhooks.ts')).runWebhooksListen))

hearth
  .command('zones')
  .description('time zones: local times are those of PostgreSQL’s data')
  .command('update')
  .description('after an update of that data: move bookings to the local time that was agreed, and tell both sides')
  .option('--plan', 'only say which bookings would move')
  .action(from(async () => (await import('./commands/zones.ts')).runZonesUpdate))

const mcp = hearth.command('mcp').description('MCP servers over standard input and output, for agents to start')
mcp
  .command('customer')
  .description(
    'customer tools (search, book, request quotes) of HEARTH_URL with HEARTH_API_KEY, or of the stack in this folder',
  )
  .action(from(async () => (await import('./commands/mcp/mcp.ts')).runMcpCustomer))
mcp
  .command('pro')
  .description('pro tools (leads, quotes, jobs) of HEARTH_URL with HEARTH_API_KEY')
  .action(from(async () => (await import('./commands/mcp/mcp.ts')).runMcpPro))

const options: string[] = []
hearth.hook('preAction', (_, command) => void options.push(...command.options.flatMap(({ long }) => long ?? [])))
await hearth.parseAsync().catch((error: unknown) => exitWithFailure(error, options))
