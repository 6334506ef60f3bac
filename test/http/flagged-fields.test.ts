// Fields that a flag turns off: the document leaves them out, and the server refuses them.
import { expect, test } from 'bun:test'

import { createApp } from '../../src/app.ts'
import { PRESETS } from '../../src/auth/scopes.ts'
import { FEATURES, type Feature } from '../../src/config.ts'
import { FLAGGED_FIELDS_KEY, type FlaggedFields } from '../../src/http/flagged-fields.ts'
import { type OpenApiDocument, buildDocument, isOperation } from '../../src/http/openapi/openapi.ts'
import { templateOf } from '../../src/http/openapi/operation.ts'
import { findBookableSlot, openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { validRequests } from '../support/valid-requests.ts'

const app = await opened(openTestApp())
const { routes } = app.app
const slot = await findBookableSlot(app)
const [owner] = await app.sql<{ email: string }[]>`
  select a.email from professionals p join accounts a on a.id = p.account_id where p.id = ${slot.professionalId}`
const key = await app.key([...PRESETS['full-server'], ...PRESETS['pro-dashboard']], owner?.email)

const flagged = routes.filter(isOperation).flatMap(({ method, path, hooks }) => {
  const fields = (hooks.detail as { [FLAGGED_FIELDS_KEY]?: FlaggedFields } | undefined)?.[FLAGGED_FIELDS_KEY] ?? {}
  return Object.entries(fields).map(([field, feature]) => ({ name: `${method} ${path}`, method, path, field, feature }))
})

/** The names of the parameters and of the fields of the body. */
function fieldsOf(
  { paths, components }: OpenApiDocument,
  { method, path }: { method: string; path: string },
): string[] {
  const operation = paths[templateOf(path)]?.[method.toLowerCase()]
  const parameters = (operation?.['parameters'] ?? []) as { name?: string }[]
  const ref = JSON.stringify(operation?.requestBody?.content['application/json']?.schema ?? {})
  const schema: { properties?: object } | undefined = components['schemas']?.[/\/(\w+)"/.exec(ref)?.[1] ?? '']
  return [...parameters.flatMap(({ name }) => name ?? []), ...Object.keys(schema?.properties ?? {})]
}

/** Values of the fields, where a valid request of the route has none. */
const VALUES: Record<string, string> = { packageId: '00000000-0000-7000-8000-000000000000' }

/** A valid request of the route with the field. */
function requestWith({ name, method, path, field }: (typeof flagged)[number]): Request {
  const { body, query, ...valid } = validRequests(slot)[name] ?? {}
  const value = body?.[field] ?? query?.[field] ?? VALUES[field]
  const url = Object.entries(valid.path ?? {}).reduce((url, [part, id]) => url.replace(`:${part}`, id), path)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return method === 'GET'
    ? new Request(`http://localhost${url}?${field}=${query?.[field] ?? VALUES[field]}`, { headers })
    : new Request(`http://localhost${url}`, {
        method,
        headers,
        body: JSON.stringify({ ...body, ...CHANGES[name], [field]: value }),
      })
}

/** Changes to the valid requests, so that nothing else in them is refused first. */
const CHANGES: Record<string, object> = {
  'PATCH /api/pro/services': Object.fromEntries(
    ['packageKind', 'packageName', 'packagePrice', 'includes', 'cadence', 'bedrooms', 'bathrooms'].map((field) => [
      field,
      undefined,
    ]),
  ),
}

test.each(FEATURES)('without %s the document leaves out the fields that need it, and they are refused', async (off) => {
  const config = { ...app.deps.config, features: new Set<Feature>(FEATURES.filter((one) => one !== off)) }
  const [all, fewer] = [buildDocument(routes, app.deps.config), buildDocument(routes, config)]
  const other = createApp({ ...app.deps, config })
  for (const route of flagged.filter(({ feature }) => feature === off)) {
    const { name, field } = route
    const isListed = [all, fewer].map((document) => fieldsOf(document, route).includes(field))
    const answer = await other.handle(requestWith(route))
    const { errors = [] } = (await answer.json()) as { errors?: { path: string; message: string }[] }
    expect([name, field, isListed, answer.status, errors.map(({ path }) => path.split('.').at(-1))]).toEqual([
      name,
      field,
      [true, false],
      400,
      [field],
    ])
    expect(errors[0]?.message).toContain('this server does not offer')
  }
})

test('without features no field of a request is about one', () => {
  const config = { ...app.deps.config, features: new Set<Feature>() }
  const document = buildDocument(createApp({ ...app.deps, config }).routes, config)
  const names = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((method) => fieldsOf(document, { method, path })),
  )
  expect(names.filter((name) => /package|cadence|property|thread/i.test(name))).toEqual([])
  expect(new Set(flagged.map(({ field }) => field)).size).toBeGreaterThan(5)
})
