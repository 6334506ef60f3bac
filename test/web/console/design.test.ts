// The gallery of the components: all are in it, photographed in both widths, and without a fault in both schemes.
import { afterEach, expect, test } from 'bun:test'
import { join } from 'node:path'

import { designPages } from '../../../src/web/console/design.tsx'
import { checkPage, useConsole } from '../../support/console.ts'
import { ROOT, filesUnder } from '../../support/imports.ts'

const PATH = '/console/design'
/** Parts of a form or of other components, forms that need a session, codes for other devices, and what pages say of the site. */
const PARTS = new Set([
  'ActionButton',
  'ActionForm',
  'AnyInput',
  'Brand',
  'Contact',
  'Distance',
  'CsrfField',
  'FieldGroup',
  'FileInput',
  'FormerVersions',
  'FormContext',
  'IconLink',
  'QrCode',
  'ForThoseWhoMay',
  'PermittedLink',
  'HoursFields',
  'HoursForm',
  'IdempotencyField',
  'InForce',
  'Labelled',
  'OfRegion',
  'ProblemBox',
  'Said',
  'SiteContext',
  'SiteName',
  'TermsOfBooking',
  'TextInForce',
])

const world = await useConsole()
const watched = await world.logIn('developer')
afterEach(() => expect([watched.outside, watched.errors]).toEqual([[], []]))

test('the gallery shows every component', async () => {
  const read = (path: string) => Bun.file(join(ROOT, path)).text()
  const files = filesUnder('src/web/ui').filter((path) => path.endsWith('.tsx'))
  const texts = await Promise.all(files.map(read))
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^export (?:const|function) ([A-Z][a-z]\w*)/gm)].map(([, name]) => name ?? ''),
  )
  expect(names.length).toBeGreaterThan(25)
  const gallery = await read('src/web/console/design.tsx')
  expect(names.filter((name) => !PARTS.has(name) && !gallery.includes(`<${name}`))).toEqual([])
})

test('the gallery passes the page check in both schemes and widths', async () => {
  await watched.page.goto(world.url + PATH)
  await watched.page.getByRole('heading', { name: 'Refused form' }).waitFor()
  await checkPage(watched, 'console-design')
})

test('there is no gallery in production', () => {
  const { deps } = world.app
  const inProduction = designPages({ ...deps, config: { ...deps.config, environment: 'production' } })
  expect(inProduction.routes.map(({ path }) => path)).not.toContain(PATH)
  expect(designPages(deps).routes.map(({ path }) => path)).toContain(PATH)
})
