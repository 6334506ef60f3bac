// Compares ops/directories/ with the agent servers; `--write` (`npm run directories`) updates it. With BASE_URL, FEATURE_… and
// AGENT_PAYMENTS of a host, and a folder as last argument, writes the files of that host there.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { FEATURES, readConfig } from '../src/config.ts'
import { directorySubmission, registryEntry } from '../src/mcp/server/directory-files.ts'

const EXAMPLE = { BASE_URL: 'https://hearth.example', ...Object.fromEntries(FEATURES.map((name) => [name, 'true'])) }

/** The files by name, of the host that the environment describes. */
export function directoryFiles(env: Record<string, string | undefined> = EXAMPLE): Record<string, string> {
  const config = readConfig({ DATABASE_URL: 'postgres://127.0.0.1/hearth', REDIS_URL: 'redis://127.0.0.1', ...env })
  const files = {
    'server.json': registryEntry(config, 'customer'),
    'server-public.json': registryEntry(config, 'public'),
    'submission.json': directorySubmission(config),
  }
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, `${JSON.stringify(file, null, 2)}\n`]))
}

const CHECKED_IN = join(import.meta.dir, '../ops/directories')

if (import.meta.main) {
  const folder = process.argv.slice(2).find((argument) => argument !== '--write')
  const files = directoryFiles(folder === undefined ? EXAMPLE : process.env)
  if (folder !== undefined || process.argv.includes('--write')) {
    mkdirSync(folder ?? CHECKED_IN, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder ?? CHECKED_IN, name), text)
  } else
    for (const [name, text] of Object.entries(files))
      if (readFileSync(join(CHECKED_IN, name), 'utf8') !== text) {
        process.stderr.write(`ops/directories/${name} differs from the agent servers\n`)
        process.exitCode = 1
      }
}
