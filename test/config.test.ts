// The configuration and its documentation.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { FEATURES } from '../src/config.ts'

const root = join(import.meta.dir, '..')
const documented = new Set(
  Array.from(
    readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm),
    ([, name = '']) => name,
  ),
)

test('every variable that the configuration reads is in the README’s table', () => {
  const names = readFileSync(join(root, 'src/config.ts'), 'utf8').matchAll(/'([A-Z]+(?:_[A-Z]+)+|PORT|HOST)'/g)
  const missing = Array.from(names, ([, name = '']) => name).filter(
    // OpenTelemetry documents its own.
    (name) => !documented.has(name) && !name.startsWith('OTEL_'),
  )
  expect(missing).toEqual([])
})

test('every feature flag is in the README’s table, and no other one', () => {
  const flags = [...documented].filter((name) => name.startsWith('FEATURE_'))
  expect(flags.sort()).toEqual([...FEATURES].sort())
})
