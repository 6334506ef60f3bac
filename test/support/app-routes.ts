// The application's routes with their schemas and access, listed without stores.
import type { TSchema } from '@sinclair/typebox'

import { createApp } from '../../src/app.ts'
import type { Access } from '../../src/auth/access.ts'
import { FEATURES, readConfig } from '../../src/config.ts'
import { openDeps } from '../../src/deps.ts'
import { ACCESS_KEY, FORM_KEY } from '../../src/http/guard.ts'

export interface Route {
  method: string
  path: string
  hooks: { params?: TSchema; query?: TSchema; body?: TSchema; detail?: Detail }
}

interface Detail {
  hide?: boolean
  [ACCESS_KEY]?: Access
  [FORM_KEY]?: TSchema
}

const described = openDeps(
  readConfig({
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
    LOG_LEVEL: 'error',
    ...Object.fromEntries(FEATURES.map((name) => [name, 'true'])),
  }),
)
/** Before the tests of a file run, so that they can be listed by route. */
export const routes = (createApp(described).routes as unknown as Route[]).filter(({ method }) => method !== 'ALL')
await described.close()

/** The method and path, as in the tables of rules. */
export const nameOf = ({ method, path }: Route) => `${method} ${path}`

/** Parameter names that identify an owned object. */
const ID_FIELD = /(id|ids|email|code|token|secret)$/i

/** The parameters of a route that identify objects: all in its path, and the ids in body and query. */
export function idsOf({ path, hooks }: Route): string[] {
  const named = (place: string, schema: TSchema | undefined) =>
    Object.entries((schema?.['properties'] ?? {}) as Record<string, TSchema>)
      .filter(([name, property]) => ID_FIELD.test(name) && !/^zip/i.test(name) && !isChoice(property))
      .map(([name]) => `${place}.${name}`)
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => `path.${name}`)
  return [...inPath, ...named('query', hooks.query), ...named('body', bodyOf(hooks))]
}

const isChoice = ({ anyOf }: TSchema) => (anyOf as TSchema[] | undefined)?.every((option) => 'const' in option) ?? false
const bodyOf = (hooks: Route['hooks']) => hooks.body ?? hooks.detail?.[FORM_KEY]
export const hasBody = ({ hooks }: Route) => bodyOf(hooks) !== undefined
/** The access that the guard enforces; undefined for documents. */
export const accessOf = ({ hooks }: Route): Access | undefined => hooks.detail?.[ACCESS_KEY]
/** Pages for people who are logged in to the console, and for signed-in customers. */
export const isPage = (route: Route) => accessOf(route)?.session !== undefined || accessOf(route)?.customer === true
