// A program that changes pros in a transaction and never ends it. Arguments: the URL of the database, and the ids of the pros with
// commas between them; all pros without.
import { openDatabase } from '../../src/platform/postgres/open-database.ts'

const [url = '', ids] = process.argv.slice(2)
const database = openDatabase({
  url,
  readConnections: 1,
  writeConnections: 1,
  statementTimeoutMs: 1400,
  waitLimitMs: 60_000,
  applicationName: 'hearth-test-frozen',
})
await database.write.begin('freeze', async (tx) => {
  await tx.run(
    'freeze',
    (sql) => sql`
      update professionals set instant_booking_enabled = not instant_booking_enabled
      where ${ids?.split(',') ?? null}::uuid[] is null or id = any (${ids?.split(',') ?? null}::uuid[])`,
  )
  process.stdout.write('changed\n')
  await new Promise(() => setInterval(() => undefined, 1000))
})
