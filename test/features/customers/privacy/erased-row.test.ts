// What an erasure leaves of a row, and of a copy of it.
import { describe, expect, test } from 'bun:test'

import { eraseRow } from '../../../../src/features/customers/privacy/erased-row.ts'

const PSEUDONYM = 'erased-1@erased.invalid'
const erase = (table: string, row: object, records: string[] = []) =>
  eraseRow(table, { ...row }, { pseudonym: PSEUDONYM, records: new Set(records) })

describe('a row', () => {
  test('keeps city, state and ZIP code, and a reason that Hearth wrote', () => {
    const address = { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' }
    expect(erase('bookings', { address })).toMatchObject({ address: { city: 'Austin', state: 'TX', zipCode: '78701' } })
    const reason = { cancellation_reason: 'payment_expired', cancelled_by: 'hearth' }
    expect(erase('bookings', reason)).toMatchObject(reason)
    expect(erase('bookings', { ...reason, cancelled_by: 'customer' })).toMatchObject({
      cancellation_reason: '[erased]',
    })
  })

  test('that was erased before does not change', () => {
    const once = erase('bookings', {
      customer_name: 'Ann Lee-Smith',
      customer_email: 'ann@test.example',
      description: 'x',
    })
    expect(erase('bookings', once)).toEqual(once)
  })

  test('loses what the pro wrote in it, and keeps amounts', () => {
    const line = { description: 'Work for Ann', quantity: 2, unitPrice: 5, amount: 10 }
    expect(erase('quotes', { message: 'Dear Ann', payment_terms: 'Ann pays', line_items: [line] })).toMatchObject({
      message: null,
      payment_terms: null,
      line_items: [{ ...line, description: '[erased]' }],
    })
  })
})

describe('an event', () => {
  test('loses the texts of both sides and keeps what names the pro', () => {
    const professional = { businessName: 'Ann & Co', description: 'Plumbers' }
    const object = { id: '1', customer: { name: 'Ann', email: 'ann@test.example' }, description: 'x', professional }
    const proResponse = { content: 'Thank you, Ann', respondedAt: '2026-01-01T00:00:00Z' }
    expect(erase('outbox_events', { data: { object: { ...object, paymentTerms: 'x', proResponse } } })).toEqual({
      data: {
        object: {
          id: '1',
          customer: { name: 'Erased customer', email: PSEUDONYM },
          description: '[erased]',
          professional,
          paymentTerms: null,
          proResponse: { ...proResponse, content: 'This reply was removed together with the review.' },
        },
      },
    })
  })
})

describe('a pro’s brief of a day', () => {
  const stop = (bookingId: string, name: string) => ({
    bookingId,
    start: '09:00',
    service: 'Cleaning',
    customer: { name, phone: '1' },
    address: null,
    notes: `for ${name}`,
    bring: ['A ladder'],
  })
  const job = (jobId: string) => ({
    jobId,
    customer: { name: jobId, phone: null },
    address: 'x',
    bring: [`2 × ${jobId}`],
  })
  const warning = (name: string) => `09:00 Cleaning has no address: ask ${name}.`

  test('keeps the erased customer’s visit without the customer, and those of others as they are', () => {
    const content = {
      stops: [stop('b1', 'the'), stop('b2', 'Ben')],
      jobs: [job('j1'), job('j2')],
      warnings: [warning('the'), warning('Ben'), 'the end of the day is late'],
    }
    expect(erase('prepared_work', { content }, ['b1', 'j1'])).toEqual({
      content: {
        stops: [
          { ...stop('b1', 'the'), customer: { name: 'Erased customer', phone: null }, notes: null },
          stop('b2', 'Ben'),
        ],
        jobs: [
          { jobId: 'j1', customer: { name: 'Erased customer', phone: null }, address: null, bring: [] },
          job('j2'),
        ],
        warnings: [warning('Ben'), 'the end of the day is late'],
      },
    })
  })
})
