// The colour and the mark of a marketplace of one's own: readable in both schemes, and everywhere instead of ours.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { MIN_CONTRAST, contrastOf, darkOf, lightContrastOf } from '../../../src/platform/style/accent.ts'
import { letterOf } from '../../../src/platform/style/letter.ts'
import { colour } from '../../../src/platform/style/tokens.ts'
import { updateMarketplace } from '../../../src/features/upkeep/marketplace/verbs.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../support/app.ts'
import { opened } from '../../support/fixture.ts'
import { SITE, nameSite } from '../../support/site.ts'
import { Visitor, createTestUser } from '../../support/visitor.ts'

const app = await opened(openTestApp('migrated'))
const visitor = new Visitor(app)
const answerOf = async (path: string) => await app.app.handle(new Request(app.deps.config.baseUrl + path))

test('without a name of its own a marketplace has our mark and our colour', async () => {
  const { text } = await visitor.get('/about')
  expect(text).toContain('/assets/hearth.svg')
  expect(text).not.toContain('/assets/accent.css')
})

describe('of a marketplace with a name and a colour', () => {
  test('pages have its sheet, its mark and its picture, and nothing of ours', async () => {
    await nameSite(app)
    expect(await waitUntil(async () => (await visitor.get('/about')).text.includes('Maple'), 10_000)).toBe(true)
    const { text } = await visitor.get('/about')
    expect(text).toContain('<link rel="stylesheet" href="/assets/accent.css?v=1b5a9e"')
    expect(text).toContain('<img src="/assets/mark.svg?v=1b5a9e-M"')
    expect(text).toContain('<link rel="icon" type="image/svg+xml" href="/assets/mark.svg?v=1b5a9e-M"')
    expect(text).toContain('/share.jpg?v=1"')
    expect(text).not.toMatch(/hearth\.svg|favicon\.ico|og\.png|icon-180/)
  })

  test('the sheet has the colour in both schemes, and black in print', async () => {
    const { status, text, headers } = await visitor.get('/assets/accent.css?v=1b5a9e')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
    expect(text).toBe(
      `:root{--color-accent:light-dark(#1b5a9e,${darkOf('#1b5a9e')})}@media print{:root{--color-accent:#000}}\n`,
    )
  })

  test('the mark is a drawing of the letter, and the picture of all pages a JPEG', async () => {
    const mark = await visitor.get('/assets/mark.svg?v=1b5a9e-M')
    expect([mark.status, mark.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(mark.text).toContain('fill="#1b5a9e"')
    expect(mark.text).toContain('>M</text>')
    const picture = await answerOf('/share.jpg?v=1')
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect((await picture.bytes()).subarray(0, 2)).toEqual(new Uint8Array([0xff, 0xd8]))
  })

  test.each(['', '?v=', '?v=1b5a9', '?v=1b5a9e-<', '?v=1b5a9e-%22', '?v=red-M', '?v=1b5a9e-MM'])(
    'an address with another version (%s) is not found',
    async (query) => {
      for (const name of ['mark.svg', 'accent.css'])
        expect([name, (await visitor.get(`/assets/${name}${query}`)).status]).toEqual([name, 404])
    },
  )

  test('server cards show the mark', async () => {
    const card = (await (await answerOf('/.well-known/mcp/public-server-card.json')).json()) as {
      icons: { src: string }[]
    }
    expect(card.icons[0]?.src).toBe(`${app.deps.config.baseUrl}/assets/mark.svg?v=1b5a9e-M`)
  })
})

describe('a colour', () => {
  test('that cannot be read is refused with its contrast, on the page and in a file', async () => {
    const operator = new Visitor(app)
    await operator.logIn(await createTestUser(app, 'operator'))
    const { name, country, email } = SITE
    const fields = { name, country, email, accent: '#ffd08a', version: '1' }
    const answer = await operator.post('/console/marketplace', fields)
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringMatching(/contrast of 1\.\d to the page, and text needs 4\.5: choose a darker colour/),
    ])
    expect(updateMarketplace(ctxOf(app.deps), { version: 1, accent: '#999999', by: null })).rejects.toThrow('contrast')
    expect(await app.sql`select from marketplace_versions`).toHaveLength(1)
  })

  test('that is readable in light has a lighter one that is readable in dark', () => {
    const channel = fc.integer({ min: 0, max: 255 })
    const anyColour = fc
      .tuple(channel, channel, channel)
      .map((rgb) => `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`)
    fc.assert(
      fc.property(anyColour, (hex) => {
        const dark = darkOf(hex)
        expect(dark).toMatch(/^#[\da-f]{6}$/)
        for (const ground of ['card', 'paper', 'tint'])
          expect(contrastOf(dark, colour(ground).dark)).toBeGreaterThanOrEqual(MIN_CONTRAST)
      }),
      { numRuns: 300 },
    )
  })

  test('of our own passes what others have to pass', () => {
    expect(lightContrastOf(colour('accent').light)).toBeGreaterThanOrEqual(MIN_CONTRAST)
    expect(contrastOf('#000000', '#ffffff')).toBe(21)
  })
})

test.each([
  ['Maple & Beam', 'M'],
  ['  «élan»', 'É'],
  ['24 Hours', '2'],
  ['***', '•'],
])('the letter of %p is %p', (name, letter) => {
  expect(letterOf(name)).toBe(letter)
})
