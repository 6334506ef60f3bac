// The rules of open times from the design, implemented again without SQL: an oracle for the SQL.
import { type Minutes, type WallClock, addDays, clockText, dateOf, iso, midnight } from './clock-oracle.ts'
import { type BookingTime, type ScheduleSettings, WEEKDAYS } from './schedule.ts'

export interface Situation extends ScheduleSettings {
  now: string
  bookings: BookingTime[]
  blocks: { from: string; to: string }[]
}

export interface ExpectedSlot {
  start: string
  end: string
  startDateTime: string
  available: boolean
}

const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const inMinutes = (instant: string): Minutes => Date.parse(instant) / 60_000

export class SlotOracle {
  readonly #clock: WallClock

  constructor(
    readonly situation: Situation,
    clock: WallClock,
  ) {
    this.#clock = clock
  }

  /** The slots of one local date, each of `minutes`, on the grid of default slots. */
  slots(date: string, minutes: number): ExpectedSlot[] {
    const slots = []
    const clock = this.#clock
    for (const { from, to } of this.#intervals(date))
      for (let reading = from; reading < to; reading += this.situation.defaultSlotMinutes) {
        const start = clock.instantOf(reading)
        if (start === undefined || start + minutes > clock.firstInstantFrom(to)) continue
        const end = clock.read(start + minutes)
        slots.push({
          start: clockText(reading - midnight(date)),
          end: end >= midnight(addDays(date, 1)) ? '24:00' : clockText(end - midnight(date)),
          startDateTime: iso(start),
          available: this.#isFree(start, start + minutes),
        })
      }
    return slots
  }

  /** The first available slot from `date` to 60 days after it. */
  next(date: string, minutes: number): { date: string; time: string } | null {
    for (let day = date; day <= addDays(date, 60); day = addDays(day, 1)) {
      const slot = this.slots(day, minutes).find(({ available }) => available)
      if (slot) return { date: day, time: slot.start }
    }
    return null
  }

  /** True when a booking may start at local `minute` of `date`, on the grid of slots or off it. */
  bookable(date: string, minute: number, minutes: number): boolean {
    const start = this.#clock.instantOf(midnight(date) + minute)
    return start !== undefined && this.#fits(date, start, minutes)
  }

  /** True when a booking may start at that instant. */
  bookableAt(instant: Minutes, minutes: number): boolean {
    return this.#fits(dateOf(this.#clock.read(instant)), instant, minutes)
  }

  #fits(date: string, start: Minutes, minutes: number): boolean {
    const inside = this.#intervals(date).some(
      ({ from, to }) =>
        this.#clock.firstInstantFrom(from) <= start && start + minutes <= this.#clock.firstInstantFrom(to),
    )
    return inside && this.#isFree(start, start + minutes)
  }

  #isFree(start: Minutes, end: Minutes): boolean {
    const { now, leadTimeHours, bufferMinutes, bookings, blocks } = this.situation
    if (start < inMinutes(now) + leadTimeHours * 60) return false
    if (blocks.some(({ from, to }) => start < inMinutes(to) && inMinutes(from) < end)) return false
    return !bookings.some((booking) => {
      if (booking.status !== 'pending' && booking.status !== 'confirmed') return false
      const from = inMinutes(booking.startsAt)
      const to = from + booking.durationMinutes
      return start < to + Math.max(bufferMinutes, booking.bufferMinutes) && from - bufferMinutes < end
    })
  }

  #intervals(date: string): { from: Minutes; to: Minutes }[] {
    const day = midnight(date)
    const weekday = WEEKDAYS[new Date(day * 60_000).getUTCDay()]
    const hours = weekday ? this.situation.businessHours[weekday] : undefined
    return (hours ?? []).map(({ start, end }) => ({ from: day + minuteOf(start), to: day + minuteOf(end) }))
  }
}
