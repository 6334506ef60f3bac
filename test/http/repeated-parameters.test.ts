// A query parameter that is given twice is refused with its name: the server cannot know which of its values was meant.
import { expect, test } from 'bun:test'

import { PRESETS } from '../../src/auth/scopes.ts'
import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { createOperatorWithKey } from '../support/operator-keys.ts'
import { quotingPro } from '../support/quotes.ts'

interface Operation {
  parameters?: { in: string; name: string }[]
}

const app = await opened(openTestApp())
const keys = [
  await app.key([...PRESETS['full-server'], 'webhooks:manage']),
  (await quotingPro(app)).key,
  await app.key([...PRESETS['full-server'], ...PRESETS['agent-tools']], await app.client()),
  (await createOperatorWithKey(app)).key,
]

test('on every route that has parameters', async () => {
  const { baseUrl } = app.deps.config
  const get = (path: string, key?: string) =>
    app.app.handle(new Request(`${baseUrl}${path}`, { headers: key ? { authorization: `Bearer ${key}` } : {} }))
  const { paths } = (await (await get('/openapi.json')).json()) as { paths: Record<string, { get?: Operation }> }
  const checked: string[] = []
  for (const [template, { get: operation }] of Object.entries(paths)) {
    const names = (operation?.parameters ?? []).filter((it) => it.in === 'query').map(({ name }) => name)
    if (names.length === 0) continue
    // A required parameter that is missing is named first.
    const others = (name: string) => names.filter((one) => one !== name).map((one) => `&${one}=1`)
    const path = template.replaceAll(/\{\w+\}/g, crypto.randomUUID())
    for (const name of names) {
      const url = `${path}?${name}=1${others(name).join('')}&${name}=1`
      const answers = await Promise.all(keys.map(async (key) => await (await get(url, key)).text()))
      expect([url, answers.some((text) => text.includes(`query.${name}: must be given once`))]).toEqual([url, true])
      checked.push(url)
    }
  }
  expect(checked.length).toBeGreaterThan(30)
})

test('a parameter is given once, however it is written, and pages ignore what they do not know', async () => {
  const get = (path: string) => app.app.handle(new Request(`${app.deps.config.baseUrl}${path}`))
  expect((await get('/api/v1/cities?limit=5&state=TX')).status).toBe(200)
  for (const query of ['limit=5&limit=5', 'limit=5&state=TX&%6Cimit=6', 'limit&limit=5'])
    expect([query, (await get(`/api/v1/cities?${query}`)).status]).toEqual([query, 400])
  expect((await get('/?utm_source=a&utm_source=b')).status).toBe(200)
})
