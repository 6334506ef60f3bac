// Bookings of a demo pro: past ones, and some in the next two weeks.
import { tradeOf } from '../../features/catalog/entries/starter-set.ts'
import { sources, type Customer, type Customers, type Source } from './customers.ts'
import type { Opening } from './hours.ts'
import { confirmationCode, timeOrderedId } from './ids.ts'
import { dayNumber, dayOfWeek, localInstant } from './local-time.ts'
import type { Offer } from './offers.ts'
import type { Pro } from './pros.ts'
import type { Random } from './random.ts'

export interface Booking {
  id: string
  code: string
  status: 'pending' | 'confirmed' | 'completed' | 'no_show' | 'cancelled'
  offer: Offer
  customer: Customer
  description: string | null
  source: Source
  startMs: number
  durationMinutes: number
  createdMs: number
  confirmedMs: number | null
  cancelledMs: number | null
  completedMs: number | null
  cancellationReason: string | null
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Demo bookings start at 06:00 at the earliest, after any change of daylight saving time. */
const earliestMinute = 360
const reasons = ['Found a better date', 'No longer needed', 'Family emergency', 'Out of town that week', 'Weather']

/** Bookings on different days, so that none overlap even with buffers. Only for pros with instant booking. */
export const makeBookings = (random: Random, pro: Pro, customers: Customers, nowMs: number): Booking[] => {
  if (!pro.instantBooking) return []
  const today = dayNumber(nowMs)
  const firstDay = Math.max(dayNumber(pro.createdMs) + 4, today - 540)
  const past = slots(random, pro, random.poisson(2.3), firstDay, today - 2)
  const upcoming = slots(random, pro, random.poisson(1.1), today + 1, today + 13)
  return [...past, ...upcoming].map((slot) => makeBooking(random, pro, customers.next(), slot, nowMs))
}

interface Slot {
  startMs: number
  durationMinutes: number
  offer: Offer
}

/** Up to `count` slots of the pro's grid, each on a different local date from `firstDay` to `lastDay`. */
const slots = (random: Random, pro: Pro, count: number, firstDay: number, lastDay: number): Slot[] => {
  const byDay = new Map<number, Slot>()
  for (let tries = count * 3; tries > 0 && byDay.size < count && firstDay <= lastDay; tries--) {
    const day = random.integer(firstDay, lastDay)
    const openings = pro.hours.days[dayOfWeek(day)] ?? []
    if (openings.length === 0 || byDay.has(day)) continue
    const slot = slotWithin(random, pro, day, random.pick(openings))
    if (slot) byDay.set(day, slot)
  }
  return [...byDay.values()]
}

const slotWithin = (random: Random, pro: Pro, day: number, opening: Opening): Slot | undefined => {
  const offer = random.pick(pro.offers)
  const preferred = random.chance(0.4) ? (offer.durationMinutes ?? pro.slotMinutes) : pro.slotMinutes
  const first = Math.max(0, Math.ceil((earliestMinute - opening.start) / pro.slotMinutes))
  const firstStart = opening.start + first * pro.slotMinutes
  const durationMinutes = firstStart + preferred <= opening.end ? preferred : pro.slotMinutes
  const steps = Math.floor((opening.end - durationMinutes - firstStart) / pro.slotMinutes)
  if (steps < 0) return undefined
  const minute = firstStart + random.integer(0, steps) * pro.slotMinutes
  return { startMs: localInstant(pro.city.timeZone, day, minute), durationMinutes, offer }
}

const makeBooking = (random: Random, pro: Pro, customer: Customer, slot: Slot, nowMs: number): Booking => {
  const { startMs, durationMinutes } = slot
  const endMs = startMs + durationMinutes * minuteMs
  const earlier = pro.leadTimeHours * hourMs + Math.floor(random.between(0.1, 12) * dayMs)
  const latest = Math.min(startMs - earlier, nowMs - Math.floor(random.between(hourMs, 4 * dayMs)))
  const createdMs = Math.max(pro.createdMs, latest)
  const status = statusOf(random, pro, startMs > nowMs)
  const approvalMs = pro.requiresApproval ? Math.floor(random.between(0.1, 0.9) * hourMs) : 0
  return {
    ...slot,
    id: timeOrderedId(createdMs, random),
    code: confirmationCode(random),
    status,
    customer,
    description: random.chance(0.6) ? random.pick(tradeOf(slot.offer.service).requests) : null,
    source: random.weighted<Source>(sources),
    createdMs,
    confirmedMs: status === 'pending' ? null : createdMs + approvalMs,
    cancelledMs: status === 'cancelled' ? between(random, createdMs + approvalMs, Math.min(startMs, nowMs)) : null,
    completedMs: status === 'completed' ? endMs + random.integer(2, 45) * minuteMs : null,
    cancellationReason: status === 'cancelled' ? random.pick(reasons) : null,
  }
}

const statusOf = (random: Random, pro: Pro, isUpcoming: boolean): Booking['status'] => {
  if (!isUpcoming) {
    return random.weighted<Booking['status']>([
      ['completed', 82],
      ['cancelled', 14],
      ['no_show', 4],
    ])
  }
  if (pro.requiresApproval && random.chance(0.5)) return 'pending'
  return random.chance(0.93) ? 'confirmed' : 'cancelled'
}

const between = (random: Random, low: number, high: number): number => Math.floor(random.between(low, high))
