// The `hearth` command line. Each command is a file or folder in commands/.
import { Command } from 'commander'

import { exitWithFailure } from './commands/failure.ts'
import { from } from './commands/program/from.ts'
import { addCatalog, addMarketplace, addReviews, addTexts } from './commands/program/marketplace.ts'
import { addCredits, addPrivacy, addPros, addUsers } from './commands/program/people.ts'
import { normalEmail } from './platform/schema/email.ts'
import { VERSION } from './platform/version.ts'

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
  .option('--preset <name>', 'widget, agent-tools, full-server, webhook-receiver, pro-dashboard or platform')
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

for (const add of [addReviews, addCredits, addUsers, addPros, addMarketplace, addTexts, addCatalog, addPrivacy])
  add(hearth)

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
