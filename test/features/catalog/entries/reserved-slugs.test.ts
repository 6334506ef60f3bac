// No slug of the catalog takes the address of another page: the pages of a service in cities are at /<slug>/<city>.
import { expect, test } from 'bun:test'

import { isReservedSlug } from '../../../../src/features/catalog/entries/rules/reserved-slugs.ts'
import { openTestApp } from '../../../support/app.ts'
import { opened } from '../../../support/fixture.ts'

const app = await opened(openTestApp('migrated'))

test('the first part of every route is reserved, as it is and in the singular', () => {
  const parts = app.app.routes.flatMap(({ path }) => {
    const [, first = ''] = path.split('/')
    return /^[a-z]/.test(first) && !first.includes('.') ? [first] : []
  })
  expect(new Set(parts).size).toBeGreaterThan(10)
  const free = [...new Set(parts)].filter(
    (part) => !isReservedSlug(part) || (part.length > 3 && !isReservedSlug(part.replace(/s$/, ''))),
  )
  expect(free).toEqual([])
})
