// The URL in an error's `type` explains its code, as a page for people and as JSON for programs.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import type { Browser } from 'playwright-core'
import { Fragment, h } from 'preact'

import { ERRORS, type ErrorCode } from '../../src/errors/app-error.ts'
import { renderMarkup } from '../../src/platform/text/markup.tsx'
import { BROWSER_START_MS, openBrowser, watchPage } from '../support/browser.ts'
import { cloneDatabase } from '../support/database.ts'
import { startServer } from '../support/server.ts'
import { opened } from '../support/fixture.ts'
import { escaped } from '../support/escaped.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]
const clone = await opened(cloneDatabase('migrated'), 'drop')
const server = await opened(startServer({ databaseUrl: clone.url }), 'stop')

const get = (path: string, accept?: string) => fetch(`${server.url}${path}`, { headers: accept ? { accept } : {} })

describe.each(CODES)('%s', (code) => {
  const { status, title, meaning, remedy } = ERRORS[code]

  test('has a page with its title, code, status, meaning and remedy', async () => {
    const response = await get(`/problems/${code}`, 'text/html,application/xhtml+xml,*/*;q=0.8')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const page = await response.text()
    expect(page).toContain(`<title>${escaped(title)} · Hearth</title>`)
    for (const text of [`<code>${code}</code>`, `>${status}<`]) expect(page).toContain(text)
    for (const text of [meaning, remedy]) for (const part of text.split('`')) expect(page).toContain(escaped(part))
  })

  test('is described in JSON for programs, with an example of the error', async () => {
    const response = await get(`/problems/${code}`, 'application/json')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('vary')).toContain('Accept')
    const described = (await response.json()) as { type: string; example: Record<string, unknown> }
    expect(described).toMatchObject({ code, status, title, meaning, remedy })
    expect(described.type).toEndWith(`/problems/${code}`)
    expect(described.example).toMatchObject({ type: described.type, title, status, code })
  })

  test('is explained in whole sentences', () => {
    for (const text of [meaning, remedy]) expect(text).toMatch(/^[A-Z][^]{20,}\.$/)
  })
})

test.each([
  ['/nowhere', 'text/html; charset=utf-8'],
  ['/apiary', 'text/html; charset=utf-8'],
  ['/api', 'application/problem+json'],
  ['/api?city=x', 'application/problem+json'],
  ['/api/v1/nowhere', 'application/problem+json'],
  ['/.well-known/nothing', 'application/problem+json'],
  ['/openapi.json/more', 'application/problem+json'],
])('a browser that opens the unknown path %s gets %s', async (path, type) => {
  const response = await get(path, 'text/html,application/xhtml+xml,*/*;q=0.8')
  expect([response.status, response.headers.get('content-type')]).toEqual([404, type])
})

test('the index lists exactly the existing codes, by status', async () => {
  const page = await (await get('/problems')).text()
  const listed = [...page.matchAll(/href="\/problems\/(\w+)"/g)].map(([, code]) => code as ErrorCode)
  expect(listed.toSorted()).toEqual(CODES.toSorted())
  const statuses = listed.map((code) => ERRORS[code].status)
  expect(statuses).toEqual(statuses.toSorted((a, b) => a - b))
  const { problems } = (await (await get('/problems', 'application/json')).json()) as { problems: object[] }
  expect(problems).toHaveLength(CODES.length)
})

test.each(['nonsense', '__proto__', 'constructor', 'toString', '%3Cscript%3E', 'Not_Found'])(
  'the unknown code %s is a 404',
  async (code) => {
    const response = await get(`/problems/${code}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
  },
)

test('values in a page are escaped, elements are not', () => {
  const evil = `<script>alert("1")</script>&'`
  expect(renderMarkup(h('p', { title: evil }, evil))).toBe(
    `<p title="&lt;script>alert(&quot;1&quot;)&lt;/script>&amp;'">&lt;script>alert(&quot;1&quot;)&lt;/script>&amp;'</p>`,
  )
  expect(renderMarkup(h(Fragment, null, [h('b', null, '<'), '<', 0, false, null, undefined]))).toBe('<b>&lt;</b>&lt;0')
})

describe('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  }, BROWSER_START_MS)
  afterAll(() => browser.close())

  test('the pages fit a phone, load nothing from other servers and violate no content policy', async () => {
    const { page, outside, errors, screenshot } = await watchPage(browser)
    await page.setViewportSize({ width: 360, height: 760 })
    await page.goto(`${server.url}/problems`)
    await screenshot('problems-phone')
    for (const code of CODES) {
      await page.goto(`${server.url}/problems/${code}`)
      expect(await page.locator('h1').innerText()).toBe(ERRORS[code].title)
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect([code, overflow]).toEqual([code, 0])
    }
    await page.goto(`${server.url}/problems/slot_unavailable`)
    await screenshot('problem-phone')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await screenshot('problem-dark')
    expect([outside, errors]).toEqual([[], []])
    // One page per code, and each feature adds codes.
  }, 90_000)
})
