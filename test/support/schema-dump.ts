// What pg_dump says of a database, without what differs between its versions, and without the record of migrations.
import { join } from 'node:path'

import { findPostgres } from '../../src/local/binaries.ts'
import { LocalSetupError } from '../../src/local/setup-error.ts'

const RECORDS = 'schema_files'

export const schemaDump = (url: string): Promise<string> =>
  pgDump(url, ['--schema-only', '--no-owner', '--no-privileges', `--exclude-table=${RECORDS}`])

/** The rows of all tables, a line each, in any order. */
export async function dataDump(url: string): Promise<string[]> {
  const text = await pgDump(url, ['--data-only', `--exclude-table=${RECORDS}`])
  return text.split('\n').toSorted()
}

async function pgDump(url: string, options: readonly string[]): Promise<string> {
  const binaries = await findPostgres()
  const program = binaries ? join(binaries.folder, 'pg_dump') : 'pg_dump'
  const target = new URL(url)
  const password = decodeURIComponent(target.password)
  target.password = ''
  const child = Bun.spawn(
    [program, ...options, target.href],
    // Not in the arguments, where every user of the machine could read it.
    { env: { ...process.env, PGPASSWORD: password }, stderr: 'pipe' },
  )
  const [text, complaints] = await Promise.all([child.stdout.text(), child.stderr.text()])
  if ((await child.exited) !== 0) throw new LocalSetupError(`pg_dump failed: ${complaints.trim()}`)
  return normalise(text)
}

/** Without its comments, its settings and its random \restrict tokens. */
function normalise(dump: string): string {
  const noise =
    /^(--$|-- (Name|Dumped|PostgreSQL|Data for)\b.*|SET \w+ = .*|SELECT pg_catalog\.set_config.*|\\(un)?restrict .*|COMMENT ON EXTENSION .*)$/
  const lines = dump.split('\n').filter((line) => !noise.test(line))
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`
}
