// A program that changes all pros in a transaction and never ends it. The argument is the URL of the database.
import { openDatabase } from '../../src/platform/postgres/database.ts'

const database = openDatabase({
  url: process.argv[2] ?? '',
  readConnections: 1,
  writeConnections: 1,
  statementTimeoutMs: 1400,
  waitLimitMs: 60_000,
  applicationName: 'hearth-test-frozen',
})
await database.write.begin('freeze', async (tx) => {
  await tx.run('freeze', (sql) => sql`update professionals set instant_booking_enabled = not instant_booking_enabled`)
  process.stdout.write('changed\n')
  await new Promise(() => setInterval(() => undefined, 1000))
})
