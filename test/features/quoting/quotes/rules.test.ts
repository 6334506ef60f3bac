// The rules of quotes that the database holds, too: both answer the same for every case of a table.
import { describe, expect, test } from 'bun:test'

import { VALID_FOR_DAYS, linkEnd, validUntilFrom } from '../../../../src/features/quoting/quotes/rules/validity.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { opened } from '../../../support/fixture.ts'
import { storedRow } from '../../../support/stored-row.ts'

const database = await opened(openTestDatabase())
const SENT_AT = new Date('2026-03-01T09:00:00Z')

describe('a quote', () => {
  test('is valid for 30 days, unless the pro says otherwise, and its link for 30 more', () => {
    expect(VALID_FOR_DAYS).toBe(30)
    expect(validUntilFrom(SENT_AT, undefined).toISOString()).toBe('2026-03-31T09:00:00.000Z')
    expect(validUntilFrom(SENT_AT, 2).toISOString()).toBe('2026-03-03T09:00:00.000Z')
    expect(linkEnd(validUntilFrom(SENT_AT, 2)).toISOString()).toBe('2026-04-02T09:00:00.000Z')
  })

  test.each([
    { name: 'that was sent is open until its end', status: 'sent', afterEndMs: -1, read: 'sent' },
    { name: 'that was sent expires at its end', status: 'sent', afterEndMs: 0, read: 'expired' },
    { name: 'that was viewed expires at its end', status: 'viewed', afterEndMs: 0, read: 'expired' },
    { name: 'that was accepted stays so', status: 'accepted', afterEndMs: 1, read: 'accepted' },
    { name: 'that was declined stays so', status: 'declined', afterEndMs: 1, read: 'declined' },
    { name: 'that is a draft stays so', status: 'draft', afterEndMs: 1, read: 'draft' },
  ])('$name', async ({ status, afterEndMs, read }) => {
    const validUntil = validUntilFrom(SENT_AT, 3)
    const quote = storedRow(database.sql, 'quotes', { status, valid_until: validUntil.toISOString() })
    const at = new Date(validUntil.getTime() + afterEndMs).toISOString()
    const [found] = await database.sql<{ status: string }[]>`select quote_status(${quote}, ${at}) as status`
    expect(found?.status).toBe(read)
  })
})
