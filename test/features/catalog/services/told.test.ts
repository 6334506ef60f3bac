// What was understood is told, and so is what was not: through the API, the search page and the agent tools alike.
import { describe, expect, test } from 'bun:test'

import type { Professional, SearchMeta } from '../../../../src/features/search/pros/schemas.ts'
import { waitUntil } from '../../../../src/platform/clock/deadlines.ts'
import { CUSTOMER_SERVER, agentKey, callTool } from '../../../support/agents.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'
import { Visitor } from '../../../support/visitor.ts'

const app = await opened(openTestApp())
const key = await agentKey(app)
const visitor = new Visitor(app)

interface Page {
  professionals: Professional[]
  meta: SearchMeta
}

async function search(query: Record<string, string>): Promise<Page> {
  const response = await app.send(`/api/v1/pros?${new URLSearchParams(query).toString()}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Page
}

const idsOf = ({ professionals }: { professionals: { id: string }[] }) => professionals.map(({ id }) => id)
const pageOf = (query: Record<string, string>) => visitor.get(`/?${new URLSearchParams(query).toString()}`)

describe('a misspelled name', () => {
  test.each([
    [{ service: 'plummer' }, 'Plumber', null, [['plummer', 'plumber']]],
    [{ service: 'locksmth' }, 'Locksmith', null, [['locksmth', 'locksmith']]],
    [{ place: 'Philidelphia' }, null, 'Philadelphia, PA', [['philidelphia', 'Philadelphia, PA']]],
    [{ q: 'plumbers austn tx' }, 'Plumber', 'Austin, TX', [['austn tx', 'Austin, TX']]],
    [
      { q: 'plumer near Pheonix' },
      'Plumber',
      'Phoenix, AZ',
      [
        ['plumer', 'plumber'],
        ['pheonix', 'Phoenix, AZ'],
      ],
    ],
    [
      { q: 'electrision in dalas' },
      'Electrician',
      'Dallas, TX',
      [
        ['electrision', 'electrician'],
        ['dalas', 'Dallas, TX'],
      ],
    ],
  ] as const)('%p means %s in %s, and is said to be corrected', async (query, service, place, corrected) => {
    const { professionals, meta } = await search(query)
    const { understood } = meta
    expect([understood?.service?.name ?? null, understood?.place?.displayName ?? null]).toEqual([service, place])
    expect(understood?.corrected).toEqual(corrected.map(([typed, read]) => ({ typed, read })))
    expect([professionals.length > 0, meta.suggestions]).toEqual([true, undefined])
  })

  test('is said to be corrected on the page and by the tool', async () => {
    const { text } = await pageOf({ service: 'plummer', place: 'Austin, TX' })
    expect(text).toContain('Showing plumbers: “plummer” was read as “plumber”.')
    const { texts } = await callTool(app, CUSTOMER_SERVER, key, 'search_pros', { q: 'plummer in Austin, TX' })
    expect(texts[1]).toContain('“plummer” was read as “plumber”.')
  })
})

describe('words beside a known service', () => {
  test('are ignored when they say nothing about it, and said when they are unknown', async () => {
    const { professionals, meta } = await search({ q: 'cheap purple plumbers in austin tx tonight under $120' })
    expect(professionals.length).toBeGreaterThan(0)
    expect(meta.understood?.ignored).toEqual(['cheap', 'tonight', 'under', '120'])
    expect(meta.understood?.notUnderstood).toEqual(['purple'])
    // A word of the service's name is not ignored, although it says little by itself.
    const cleaning = await search({ q: 'house cleaning every two weeks in austin tx' })
    expect(cleaning.meta.understood?.ignored).toEqual(['every two weeks'])
    const { texts } = await callTool(app, CUSTOMER_SERVER, key, 'search_pros', { q: 'purple plumbers in austin tx' })
    expect(texts[1]).toContain('Not understood: “purple”.')
  })
})

describe('a service that is not on offer', () => {
  const phrase = 'dog walker in Austin, TX'

  test('is not understood, rather than not found', async () => {
    const { professionals, meta } = await search({ q: phrase })
    expect([professionals, meta.total]).toEqual([[], 0])
    expect(meta.understood).toMatchObject({ service: null, category: null, notUnderstood: ['dog walker'] })
    expect(meta.suggestions).toEqual({ service: [] })
    expect((await search({ service: 'iphone screen repair' })).meta.suggestions).toEqual({ service: [] })
  })

  test('is said to be unknown on the page and by the tools, never to have no pros there', async () => {
    const { text } = await pageOf({ service: phrase })
    expect(text).toContain('<h1>We do not know this service</h1>')
    expect(text).toContain('No service or place is known for: “dog walker”.')
    const found = await callTool(app, CUSTOMER_SERVER, key, 'search_pros', { q: phrase })
    expect(found.texts[1]).toStartWith(
      'No service or place is known for: “dog walker”. Ask the person which service they need; list_services has them all.',
    )
    const listed = await callTool(app, CUSTOMER_SERVER, key, 'list_services', { q: 'dog walker' })
    expect(listed.texts[1]).toContain('No such service is known.')
    for (const shown of [text, ...found.texts, ...listed.texts]) expect(shown).not.toMatch(/No pro|no pros/)
  })
})

describe('a place', () => {
  test('that has namesakes means the most populous, and its namesakes are named', async () => {
    const { meta } = await search({ q: 'plumber springfield' })
    expect(meta.understood?.place?.displayName).toBe('Springfield, MO')
    const states = meta.understood?.namesakes?.map(({ state }) => state) ?? []
    expect(states).toEqual(expect.arrayContaining(['MA', 'IL', 'OR', 'OH']))
    const { texts } = await callTool(app, CUSTOMER_SERVER, key, 'search_pros', { q: 'plumber springfield' })
    expect(texts[1]).toContain(`Springfield is also in ${states.join(', ')}: add the state to search there.`)
    expect((await search({ q: 'plumber springfield il' })).meta.understood).not.toHaveProperty('namesakes')
  })

  test('may be a county or region, whose cities are searched', async () => {
    for (const [place, name] of [
      ['orange county', 'Orange County, CA'],
      ['Orange County, Florida', 'Orange County, FL'],
      ['long island', 'Long Island, NY'],
    ] as const) {
      const [region, phrase] = await Promise.all([search({ place }), search({ q: `pros in ${place}` })])
      expect(region.meta.understood?.place).toMatchObject({ type: 'region', displayName: name })
      expect(region.meta.total).toBeGreaterThan(0)
      expect(idsOf(phrase)).toEqual(idsOf(region))
      const { coordinates, radius = 0, state } = region.meta.understood?.place ?? {}
      for (const { location } of region.professionals) {
        expect(location?.state).toBe(state ?? '')
        const north = (location?.latitude ?? 0) - (coordinates?.latitude ?? 0)
        expect(Math.abs(north) * 69).toBeLessThan(radius + 5)
      }
      const nearest = await search({ place, radius: '25' })
      expect(nearest.professionals[0]?.distance).toBeNumber()
    }
  })
})

describe('a phrase that an operator adds', () => {
  const added = async (phrase: string, kind: string, means: string | null) => {
    await app.sql`insert into search_words (phrase, kind, means) values (${phrase}, ${kind}, ${means})`
  }
  const understood = async (q: string) => {
    const { understood: { service, place } = {}, suggestions } = (await search({ q })).meta
    return [service?.slug, place?.displayName, suggestions?.service !== undefined]
  }
  const reads = (q: string, expected: unknown) =>
    waitUntil(async () => JSON.stringify(await understood(q)) === JSON.stringify(expected), 10_000)

  test('is understood without a restart, and replaces a built-in one', async () => {
    expect(await understood('gizmo in Austin, TX')).toEqual([undefined, 'Austin, TX', true])
    await added('gizmo', 'service', 'tv-mounting')
    expect(await reads('gizmo in Austin, TX', ['tv-mounting', 'Austin, TX', false])).toBe(true)
    await added('doodad', 'same', 'gizmo')
    expect(await reads('doodad', ['tv-mounting', undefined, false])).toBe(true)
    await added('The Old Quarter', 'place', 'Austin, TX')
    expect(await reads('gizmo old quarter', ['tv-mounting', undefined, false])).toBe(true)
    expect(await reads('gizmo in the old quarter', ['tv-mounting', 'Austin, TX', false])).toBe(true)
    await added('plomero', 'elsewhere', null)
    expect(await reads('plomero', [undefined, undefined, true])).toBe(true)
    expect(await understood('a good plumber in Austin, TX')).toEqual(['plumber', 'Austin, TX', false])
  })
})

describe('an unknown name', () => {
  test.each([
    [{ service: 'mount a samsung' }, 'service', 'TV Mounting'],
    [{ category: 'roofng' }, 'category', 'Roofing & Gutters'],
    [{ city: 'Pheonix' }, 'place', 'Phoenix, AZ'],
    [{ city: 'Los Angelos' }, 'place', 'Los Angeles, CA'],
    [{ city: 'Austn', state: 'TX' }, 'place', 'Austin, TX'],
    [{ place: 'Austin, VT' }, 'place', 'Austin, TX'],
    [{ q: 'plumbers austin vt' }, 'place', 'Austin, TX'],
  ] as const)('%p gives an empty page and the nearest names', async (query, part, nearest) => {
    const { professionals, meta } = await search(query)
    expect([professionals, meta.total]).toEqual([[], 0])
    const names = (meta.suggestions?.[part] ?? []).map((it) => ('displayName' in it ? it.displayName : it.name))
    expect(names.length).toBeLessThanOrEqual(5)
    expect(names).toContain(nearest)
  })

  test('is offered as links on the page and in words by the tool', async () => {
    const { text } = await pageOf({ service: 'plumber', place: 'Austin, VT' })
    expect(text).toContain('Did you mean')
    expect(text).toContain('<a href="/?service=Plumber&amp;place=Austin%2C+TX">Plumber in Austin, TX</a>')
    const { texts } = await callTool(app, CUSTOMER_SERVER, key, 'search_pros', { q: 'plumber austin vt' })
    expect(texts[1]).toContain('Did you mean: Austin, TX')
  })

  test('that resembles nothing has empty suggestions, and a known name has none', async () => {
    expect((await search({ service: 'qqqq' })).meta).toMatchObject({ total: 0, suggestions: { service: [] } })
    expect((await search({ service: 'plumber', city: 'Austin' })).meta).not.toHaveProperty('suggestions')
    expect((await search({ service: 'plumber', city: 'Austin' })).meta).not.toHaveProperty('understood')
  })
})
