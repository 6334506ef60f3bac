// Compares docs/operators/configuration.md with src/config-variables.ts; `--write` (`npm run configuration`) updates it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { VARIABLES } from '../src/config-variables.ts'

const FILE = join(import.meta.dir, '../docs/operators/configuration.md')

const text = `# Configuration

<!-- Written by \`npm run configuration\` from src/config-variables.ts; \`npm run check\` compares it. Do not edit. -->

Hearth is configured by environment variables. All are optional with \`npm start\`. A wrong value stops the start with one line that
names the variable.

| variable | default | meaning |
|---|---|---|
${VARIABLES.map(({ name, default: value, meaning }) => `| \`${name}\` | ${value} | ${meaning} |`).join('\n')}
`

if (process.argv.includes('--write')) writeFileSync(FILE, text)
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('docs/operators/configuration.md differs from src/config-variables.ts\n')
  process.exitCode = 1
}
