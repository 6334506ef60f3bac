// A streaming replica of another PostgreSQL, as a private cluster of its own.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { findPostgres } from './binaries.ts'
import { type LocalPostgres, openPostgres } from './postgres.ts'
import type { Profile } from './postgres-settings.ts'
import { runTool } from './processes.ts'
import { LocalSetupError } from './setup-error.ts'
import { passwordFileIn, prepareFolder } from './store-folder.ts'

/** Copies the whole cluster of `url`, a superuser's over TCP, into the empty folder `dir`, and starts it as its replica. */
export async function openStandby(dir: string, url: string, profile: Profile): Promise<LocalPostgres> {
  // PostgreSQL's user enters the folder.
  chmodSync(dir, 0o755)
  const folder = await prepareFolder(dir, 'postgres', ['postgres', 'nobody'])
  const binaries = await findPostgres()
  if (!binaries) throw new LocalSetupError('This machine has no PostgreSQL with PostGIS.')
  const { username, password, hostname, port } = new URL(url)
  const source = `host=${hostname} port=${port} user=${username} password=${password}`
  const options = ['-D', join(folder.path, 'data'), '-d', source, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
  const copied = await runTool([join(binaries.folder, 'pg_basebackup'), ...options], { account: folder.account })
  if (!copied.ok) throw new LocalSetupError(`pg_basebackup failed: ${copied.output}`)
  writeFileSync(passwordFileIn(folder), password, { mode: 0o600 })
  return await openPostgres({ dir, profile, note: () => undefined })
}
