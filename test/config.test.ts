// The configuration and its documentation.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { FEATURES, readConfig } from '../src/config.ts'
import { VARIABLES } from '../src/config-variables.ts'

const root = join(import.meta.dir, '..')
const documented = new Set(VARIABLES.map(({ name }) => name))

test('every variable that the configuration reads is documented', () => {
  const names = readFileSync(join(root, 'src/config.ts'), 'utf8').matchAll(/'([A-Z]+(?:_[A-Z]+)+|PORT|HOST)'/g)
  const missing = Array.from(names, ([, name = '']) => name).filter(
    // OpenTelemetry documents its own.
    (name) => !documented.has(name) && !name.startsWith('OTEL_'),
  )
  expect(missing).toEqual([])
})

test('every feature flag is documented, and no other one', () => {
  const flags = [...documented].filter((name) => name.startsWith('FEATURE_'))
  expect(flags.sort()).toEqual([...FEATURES].sort())
})

/** The variables whose documented default is one value. */
const DEFAULTS = VARIABLES.flatMap(({ name, default: text }) => {
  const [, value] = /^`([^`]+)`$/.exec(text) ?? []
  return value !== undefined && /^[A-Z][A-Z_]+$/.test(name) ? [[name, value] as const] : []
})
/** Those whose default is not what the configuration reads, and why. */
const OTHERWISE: Record<string, string> = {
  HEARTH_HOME: '`hearth up` reads it, before there is a configuration',
  HEARTH_SEED_PROS: '`hearth up` reads it, before there is a configuration',
  BASE_URL: 'made of other variables',
  DATABASE_READ_URL: 'the value of another variable',
  OTEL_TRACES_SAMPLER: 'where it is set, OpenTelemetry has another default for its argument',
}
/** The others need these. */
const ENVIRONMENT = {
  DATABASE_URL: 'postgres://hearth@localhost/hearth',
  REDIS_URL: 'redis://localhost',
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
  AGENT_MODEL: 'a-model',
  FILES_S3_BUCKET: 'a-bucket',
  FILES_S3_ACCESS_KEY_ID: 'an-id',
  FILES_S3_SECRET_ACCESS_KEY: 'a-secret',
  AGENT_MODEL_KEY: 'a-key',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
}

test('the documented defaults are those of the configuration', () => {
  const values = DEFAULTS.filter(([name]) => !OTHERWISE[name])
  expect(values.length).toBeGreaterThan(25)
  const usual = readConfig(ENVIRONMENT)
  for (const [name, value] of values) {
    expect({ name, config: readConfig({ ...ENVIRONMENT, [name]: value }) }).toEqual({ name, config: usual })
    if (!/^\d+$/.test(value)) continue
    const other = readConfig({ ...ENVIRONMENT, [name]: String(Number(value) + 1) })
    expect({ name, isRead: !Bun.deepEquals(other, usual) }).toEqual({ name, isRead: true })
  }
})
