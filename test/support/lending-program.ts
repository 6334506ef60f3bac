// A program that has a group's session with PostgreSQL and lends it. The argument is the URL of the database.
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { openGroupSession } from '../../src/platform/postgres/shared-session.ts'

const session = openGroupSession(process.argv[2] ?? '')
session.listen('keys_changed')
await waitUntil(() => session.isListening(), 10_000)
await session.tryLock('of the lender')
process.stdout.write('listening\n')
