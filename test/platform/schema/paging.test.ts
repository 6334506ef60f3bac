// The page of a list, and whether there is more.
import { expect, test } from 'bun:test'

import { Value } from '@sinclair/typebox/value'

import { PageQuery, pageMeta, pageOf } from '../../../src/platform/schema/paging.ts'

test('a list has twenty items a page, and says that there is more until its last item is shown', () => {
  expect(pageOf({})).toEqual({ limit: 20, offset: 0 })
  expect(pageMeta(21, {})).toEqual({ total: 21, limit: 20, offset: 0, hasMore: true })
  expect(pageMeta(20, {})).toMatchObject({ hasMore: false })
  expect(pageMeta(21, { offset: 20 })).toMatchObject({ hasMore: false })
  expect(pageMeta(21, { limit: 1, offset: 19 })).toMatchObject({ hasMore: true })
  expect(pageMeta(0, { offset: 100 })).toMatchObject({ hasMore: false })
})

test('a page has 1 to 50 items and starts at the first or a later one', () => {
  for (const good of [{ limit: 1 }, { limit: 50 }, { offset: 0 }, { offset: 1_000_000_000 }])
    expect([good, Value.Check(PageQuery, good)]).toEqual([good, true])
  for (const bad of [{ limit: 0 }, { limit: 51 }, { limit: 1.5 }, { offset: -1 }, { offset: 1_000_000_001 }])
    expect([bad, Value.Check(PageQuery, bad)]).toEqual([bad, false])
})
