// What names a customer in texts of others, and what does not.
import { describe, expect, test } from 'bun:test'

import { eraseRow, openRedactor } from '../../../src/features/privacy/redaction.ts'

const PSEUDONYM = 'erased-1@erased.invalid'
const values = {
  email: 'ann@customers.test.example',
  names: ['Ann Lee-Smith'],
  phones: ['+1 (737) 555-7710'],
  streets: ['1 Main Street'],
  texts: ['Blue door', 'The gutter at the back of the house leaks at its corner.'],
  references: ['019a9f0c-5d3c-7e1f-a1b2-c3d4e5f60718', 'HTH-0123456789AB'],
}
const open = (sharedNames: string[] = []) => openRedactor(values, { pseudonym: PSEUDONYM, sharedNames })

describe('a text of others', () => {
  test.each([
    ['Write to ANN@customers.test.example.', 'Write to [erased].'],
    ['Call 737-555-7710 or 17375557710.', 'Call [erased] or [erased].'],
    ['ann lee-smith,\n1  main street', '[erased],\n[erased]'],
    ['HTH-0123456789AB: Ann, blue door', 'HTH-0123456789AB: …, [erased]'],
    [values.email, PSEUDONYM],
  ])('%j becomes %j', (text, redacted) => {
    expect(open().mentions(text)).toBe(true)
    expect(open().redact(text)).toBe(redacted)
  })

  test.each(['Ann called about the blue door.', '11 Main Street', 'joann@customers.test.example', 'Order 27375557710'])(
    '%j may be about another customer',
    (text) => expect(open().mentions(text)).toBe(false),
  )

  test('a name that another customer has, too, stays in texts without another mention of this one', () => {
    expect(open(['ann lee-smith']).mentions('Ann Lee-Smith called.')).toBe(false)
    expect(open(['ann lee-smith']).redact('Ann Lee-Smith, 1 Main Street')).toBe('[erased], [erased]')
  })
})

describe('a row', () => {
  const erased = (row: object) =>
    eraseRow('bookings', { ...row }, { pseudonym: PSEUDONYM, isOwn: true, redactor: open() })

  test('keeps city, state and ZIP code, and a reason that Hearth wrote', () => {
    const address = { street: '1 Main Street', city: 'Austin', state: 'TX', zipCode: '78701' }
    expect(erased({ address })).toMatchObject({ address: { city: 'Austin', state: 'TX', zipCode: '78701' } })
    const reason = { cancellation_reason: 'payment_expired', cancelled_by: 'hearth' }
    expect(erased(reason)).toMatchObject(reason)
    expect(erased({ ...reason, cancelled_by: 'customer' })).toMatchObject({ cancellation_reason: '[erased]' })
  })

  test('that was erased before does not change', () => {
    const once = erased({ customer_name: 'Ann Lee-Smith', customer_email: values.email, description: 'Blue door' })
    expect(erased(once)).toEqual(once)
  })
})
