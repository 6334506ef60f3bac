// The Elysia plugins of the application. Needs no PostgreSQL or Redis.
import { afterAll, expect, spyOn, test } from 'bun:test'

import { Elysia } from 'elysia'

import { createApp } from '../../src/app.ts'
import { FEATURES, readConfig } from '../../src/config.ts'
import { openDeps } from '../../src/deps.ts'

const deps = openDeps(
  readConfig({
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
    LOG_LEVEL: 'error',
    ...Object.fromEntries(FEATURES.map((name) => [name, 'true'])),
  }),
)
afterAll(() => deps.close())

/** Every plugin that the application and its plugins use. */
function usedPlugins(): Elysia[] {
  const use = spyOn(Elysia.prototype, 'use')
  try {
    createApp(deps)
    return use.mock.calls.flatMap(([plugin]) => ((plugin as unknown) instanceof Elysia ? [plugin as Elysia] : []))
  } finally {
    use.mockRestore()
  }
}

test('every plugin has a unique name, because Elysia drops the hooks of a second plugin with the same name', () => {
  const plugins = usedPlugins()
  expect(plugins.length).toBeGreaterThan(40)
  // Each plugin with routes uses the guard: Elysia is meant to keep one of them.
  const names = plugins.map(({ config }) => config.name).filter((name) => name !== 'guard')
  expect(names).not.toContain(undefined)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('two applications in one process share no declarations: each guards its routes with its own dependencies', () => {
  const hooksOf = (app: ReturnType<typeof createApp>) =>
    app.routes.flatMap(({ hooks }) => [hooks.transform].flat()).filter((hook) => hook !== undefined)
  const first = new Set(hooksOf(createApp(deps)))
  const shared = hooksOf(createApp(deps)).filter((hook) => first.has(hook))
  expect(first.size).toBeGreaterThan(40)
  expect(shared).toEqual([])
})
