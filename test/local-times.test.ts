// Local times have one source: src/platform/clock/zones.ts, which has PostgreSQL's data.
import { expect, test } from 'bun:test'
import { readSources } from './support/imports.ts'

/** The files that ask the runtime for times or names of zones, and why. All others use UTC on local times. */
const ASKS_RUNTIME: Record<string, string> = {
  'src/platform/clock/zones.ts': 'is the source of local times',
}

/** Without comments and texts in backquotes. */
const codeOf = (text: string) => text.replace(/`[^`]*`/g, '').replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')

/** What makes a local time by the runtime's data, or by the zone of the machine. */
const asksRuntime = (code: string): boolean =>
  [...code.matchAll(/Intl\.DateTimeFormat\(|\.toLocale(?:Date|Time)String\(/g)].some(
    ({ index }) => !/^[^)]*timeZone: 'UTC'/.test(code.slice(index)),
  ) ||
  /\bTemporal\.|\.getTimezoneOffset\(|\.get(Hours|Minutes|Day|Date|Month|FullYear)\(|new Date\([^)]*\)\.toLocaleString\(/.test(
    code,
  )

test('no other file formats in a zone or asks the runtime for its data', () => {
  const asking = readSources(['src', 'workers'])
    .filter(({ text }) => asksRuntime(codeOf(text)))
    .map(({ path }) => path)
  expect(asking.sort()).toEqual(Object.keys(ASKS_RUNTIME).sort())
})

test.each([
  "new Intl.DateTimeFormat('en-US', { dateStyle: 'short' })",
  "new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone })",
  "date.toLocaleDateString('en-US', { timeZone: pro.zone })",
  'new Date(instant).toLocaleString()',
  'Temporal.Now.instant()',
  'date.getHours()',
])('%s would be noticed', (code) => {
  expect(asksRuntime(code)).toBe(true)
})
