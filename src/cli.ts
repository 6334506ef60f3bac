// The `hearth` command: what it can do, a line each. Every command is a file in commands/.
import { Command } from 'commander'

import { runCreditsAdd, runCreditsShow } from './commands/credits.ts'
import { runKeysCreate, runKeysList, runKeysRevoke, runKeysRotate } from './commands/keys.ts'
import { runDoctor } from './commands/doctor/doctor.ts'
import { exitWithFailure } from './commands/failure.ts'
import { runMcpCustomer, runMcpPro } from './commands/mcp/mcp.ts'
import { runMigrate } from './commands/migrate.ts'
import { runReviewsApprove, runReviewsList, runReviewsReject } from './commands/reviews.ts'
import { runSeed } from './commands/seed.ts'
import { runUp } from './commands/up/up.ts'
import { runUsersCreate, runUsersDisable, runUsersEnable, runUsersList, runUsersSetPassword } from './commands/users.ts'
import { runWebhooksListen } from './commands/webhooks.ts'
import { runDeadLetters, runWork } from './commands/work.ts'

const hearth = new Command('hearth')
  .description('A home-services marketplace server: find a verified pro, see open times, book.')
  .version('0.1.0')
  .showHelpAfterError()

hearth.command('up').description('start everything in this folder, as `npm start` does').action(runUp)
hearth
  .command('serve')
  .description('run the HTTP server on the stores of DATABASE_URL and REDIS_URL')
  .action(async () => {
    await import('./server.ts')
  })
const work = hearth
  .command('work')
  .argument('[actors...]', 'which; all without it')
  .description('run the workers on the stores of DATABASE_URL and REDIS_URL')
  .option('--processes <n>', 'how many of each')
  .action(runWork)
work
  .command('dead-letters')
  .description('list messages that a worker gave up, newest first')
  .option('--actor <name>', 'of this actor only')
  .option('--retry <id>', 'have one tried again')
  .option('--limit <n>', 'how many', '50')
  .option('--json', 'print JSON')
  .action(runDeadLetters)
hearth.command('migrate').description('bring the database to the schema of this version').action(runMigrate)
hearth
  .command('seed')
  .description('fill an empty database with the catalog, real US cities and demo pros')
  .option('--pros <n>', 'how many pros', '20000')
  .option('--seed <n>', 'the same number gives the same data', '1')
  .action(runSeed)
hearth
  .command('doctor')
  .description('check configuration, stores, servers and workers; say what is wrong and what to do about it')
  .action(runDoctor)

const keys = hearth.command('keys').description('make, list and revoke API keys')
keys
  .command('create')
  .description('make a key; it is shown this once')
  .option('--preset <name>', 'widget, agent-tools, full-server, webhook-receiver or pro-dashboard')
  .option('--scopes <list>', 'scopes instead of a preset, separated by commas')
  .requiredOption('--owner <email>', 'whose key it is; an unknown address makes a developer account')
  .option('--origin <url>', 'the only origin whose pages may use it; widget keys need one')
  .option('--rate-multiplier <n>', 'all its limits, times this')
  .option('--name <text>', 'what it is for')
  .option('--expires <date>', 'the day it stops working, YYYY-MM-DD')
  .option('--json', 'print JSON')
  .action(runKeysCreate)
keys
  .command('list')
  .description('list keys, newest first')
  .option('--owner <email>', 'of this owner only')
  .option('--json', 'print JSON')
  .action(runKeysList)
keys
  .command('rotate')
  .argument('<id>', 'the id that `keys list` shows')
  .description('make a key that takes the place of another; both work for a while')
  .option('--overlap-hours <n>', 'how long the old one still works', '24')
  .option('--json', 'print JSON')
  .action(runKeysRotate)
keys
  .command('revoke')
  .argument('<id>', 'the id that `keys list` shows')
  .description('revoke a key for good')
  .action(runKeysRevoke)

const reviews = hearth.command('reviews').description('moderate reviews')
reviews
  .command('list')
  .description('list reviews, newest first')
  .option('--status <state>', 'pending, approved or rejected', 'pending')
  .option('--limit <n>', 'how many', '50')
  .option('--json', 'print JSON')
  .action(runReviewsList)
reviews
  .command('approve')
  .argument('<id>', 'the id that `reviews list` shows')
  .description('publish a review')
  .action(runReviewsApprove)
reviews
  .command('reject')
  .argument('<id>', 'the id that `reviews list` shows')
  .description('refuse to publish a review')
  .requiredOption('--reason <text>', 'why; the pro can read it')
  .action(runReviewsReject)

const credits = hearth.command('credits').description('agent tasks of pros: what they have, and what they buy')
credits
  .command('add')
  .argument('<pro>', 'id or slug')
  .argument('<tasks>', 'how many')
  .description('add agent tasks that a pro has bought')
  .requiredOption('--reference <text>', 'what names the purchase, such as an invoice; it counts once')
  .action(runCreditsAdd)
credits
  .command('show')
  .argument('<pro>', 'id or slug')
  .description('show the agent tasks of a pro, and what was used by day')
  .option('--month <month>', 'YYYY-MM; this month without it')
  .option('--json', 'print JSON')
  .action(runCreditsShow)

const users = hearth.command('users').description('make, list and disable people who may use the console')
users
  .command('create')
  .argument('<email>', 'what they log in with')
  .description('make a user; the password is shown this once')
  .requiredOption('--role <role>', 'operator, developer or pro')
  .option('--pro <id or slug>', 'with the role pro: whose bookings, leads and keys they see')
  .option('--account <email>', 'with the role developer: whose keys and webhooks, if not their own')
  .option('--password-stdin', 'take the password from the first line of standard input')
  .option('--json', 'print JSON')
  .action(runUsersCreate)
users.command('list').description('list users').option('--json', 'print JSON').action(runUsersList)
users
  .command('set-password')
  .argument('<email>')
  .description('give a user another password and log them out; it is shown this once')
  .option('--password-stdin', 'take the password from the first line of standard input')
  .action(runUsersSetPassword)
users.command('disable').argument('<email>').description('log a user out for good').action(runUsersDisable)
users.command('enable').argument('<email>').description('let a disabled user log in again').action(runUsersEnable)

hearth
  .command('webhooks')
  .description('try webhooks out')
  .command('listen')
  .description('receive webhooks on this machine, verify them and print them')
  .option('--port <n>', 'the port of 127.0.0.1; 0 picks a free one', '4000')
  .requiredOption('--secret <text>', 'the secret of the endpoint, whsec_…')
  .option('--json', 'print a line of JSON for each')
  .action(runWebhooksListen)

const mcp = hearth.command('mcp').description('the agent servers over standard input and output, for agents to start')
mcp
  .command('customer')
  .description('search, book, ask for quotes: of HEARTH_URL with HEARTH_API_KEY, or of what runs in this folder')
  .action(runMcpCustomer)
mcp.command('pro').description('leads, quotes, jobs of a pro: of HEARTH_URL with HEARTH_API_KEY').action(runMcpPro)

await hearth.parseAsync().catch(exitWithFailure)
