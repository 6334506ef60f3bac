// The .ics of a message puts a visit into a calendar, moves it there, and takes it out.
import { expect, test } from 'bun:test'

import ICAL from 'ical.js'

import type { MessageBooking, MessageData, MessageKind } from '../../../../src/features/messages/messages/kinds.ts'
import { UNNAMED } from '../../../../src/features/upkeep/marketplace/schemas.ts'
import { renderMessage } from '../../../../src/features/messages/messages/templates/render.ts'
import { SAMPLES } from '../../../../src/features/messages/messages/templates/samples.ts'
import { readEvent } from '../../../support/ics.ts'

const options = {
  site: UNNAMED,
  baseUrl: 'https://hearth.example:8443',
  from: 'hello@hearth.example',
  to: 'maria@example.com',
}

const attachmentsOf = (kind: MessageKind, data: unknown) =>
  renderMessage(kind, data as MessageData[typeof kind], options).attachments

function invitationOf(kind: MessageKind, data: unknown) {
  const [file, ...others] = attachmentsOf(kind, data)
  if (!file || others.length > 0) throw new Error(`${kind} has ${others.length} files too many, or none.`)
  return { ...file, event: readEvent(file.content) }
}

const booking = SAMPLES['booking-confirmed'].booking
const manageUrl = SAMPLES['booking-confirmed'].manageUrl

test('a confirmed visit, its move and its cancellation are one event with a growing sequence', () => {
  const moved: MessageBooking = {
    ...booking,
    sequence: 5,
    updatedAt: '2026-05-29T08:00:00Z',
    startsAt: '2026-06-04T14:00:00Z',
    endsAt: '2026-06-04T15:30:00Z',
  }
  const steps = [
    invitationOf('booking-confirmed', { booking, manageUrl }),
    invitationOf('booking-moved', { booking: moved, manageUrl, previousStartsAt: booking.startsAt }),
    invitationOf('booking-cancelled', { booking: { ...moved, status: 'cancelled', sequence: 6 }, manageUrl }),
  ]
  expect(
    steps.map(({ contentType, event }) => [contentType, event.method, event.status, event.sequence, event.start]),
  ).toEqual([
    ['text/calendar; charset=utf-8; method=REQUEST', 'REQUEST', 'CONFIRMED', 2, '2026-06-02T19:15:00.000Z'],
    ['text/calendar; charset=utf-8; method=REQUEST', 'REQUEST', 'CONFIRMED', 5, '2026-06-04T14:00:00.000Z'],
    ['text/calendar; charset=utf-8; method=CANCEL', 'CANCEL', 'CANCELLED', 6, '2026-06-04T14:00:00.000Z'],
  ])
  expect(new Set(steps.map(({ event }) => event.uid))).toEqual(new Set([`booking-${booking.id}@hearth.example`]))
  expect(steps[1]?.event.stamp).toBe('2026-05-29T08:00:00.000Z')
})

test('a visit that was never confirmed has no .ics, and its cancellation neither', () => {
  const never = { ...booking, wasConfirmed: false }
  expect(attachmentsOf('new-booking', { booking: { ...never, status: 'pending' }, consoleUrl: manageUrl })).toEqual([])
  expect(attachmentsOf('booking-cancelled', { booking: { ...never, status: 'cancelled' }, manageUrl })).toEqual([])
  expect(attachmentsOf('booking-held', SAMPLES['booking-held'])).toEqual([])
})

test('the recipient has accepted already, and the sender of the message organizes', () => {
  const { content } = invitationOf('booking-confirmed', { booking, manageUrl })
  const event = new ICAL.Component(ICAL.parse(content) as unknown[]).getFirstSubcomponent('vevent')
  const [organizer, attendee] = ['organizer', 'attendee'].map((name) => event?.getFirstProperty(name))
  expect(String(organizer?.getFirstValue()).toLowerCase()).toBe('mailto:hello@hearth.example')
  expect(organizer?.getFirstParameter('cn')).toBe('Lone Star Plumbing')
  expect(String(attendee?.getFirstValue()).toLowerCase()).toBe('mailto:maria@example.com')
  expect([attendee?.getFirstParameter('partstat'), attendee?.getFirstParameter('rsvp')]).toEqual(['ACCEPTED', 'FALSE'])
})

test('the customer sees the pro, the pro sees the customer', () => {
  const forCustomer = invitationOf('booking-reminder', { booking, manageUrl }).event
  expect(forCustomer.summary).toBe('Drain cleaning with Lone Star Plumbing')
  expect(forCustomer.location).toBe('1204 Barton Springs Rd, Austin, TX, 78704')
  expect(forCustomer.description).toContain(`https://hearth.example:8443/bookings/${booking.code}`)
  expect(forCustomer.description).not.toContain(manageUrl)
  expect(forCustomer.description).not.toContain('side door')
  const forPro = invitationOf('new-booking', { booking, consoleUrl: 'https://hearth.example/console/bookings/1' }).event
  expect(forPro.summary).toBe('Drain cleaning: Maria Gonzalez')
  for (const fact of ['(512) 555-0199', 'maria@example.com', 'Please ring at the side door.'])
    expect(forPro.description).toContain(fact)
})
