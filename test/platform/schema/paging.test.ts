// The page of a list, and whether there is more.
import { expect, test } from 'bun:test'

import { pageMeta, pageOf } from '../../../src/platform/schema/paging.ts'

test('a list has twenty items a page, and says that there is more until its last item is shown', () => {
  expect(pageOf({})).toEqual({ limit: 20, offset: 0 })
  expect(pageMeta(21, {})).toEqual({ total: 21, limit: 20, offset: 0, hasMore: true })
  expect(pageMeta(20, {})).toMatchObject({ hasMore: false })
  expect(pageMeta(21, { offset: 20 })).toMatchObject({ hasMore: false })
  expect(pageMeta(21, { limit: 1, offset: 19 })).toMatchObject({ hasMore: true })
  expect(pageMeta(0, { offset: 100 })).toMatchObject({ hasMore: false })
})
