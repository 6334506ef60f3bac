// Local times computed with Intl alone: a slow and simple oracle for the SQL, with minutes and a linear scan.

/** Minutes since 1970-01-01T00:00Z. A "reading" is local time written as if it were UTC. */
export type Minutes = number

const QUARTER = 15
const DAY = 24 * 60

/** The reading of `date` (YYYY-MM-DD) at midnight. */
export const midnight = (date: string): Minutes => Date.parse(`${date}T00:00Z`) / 60_000
export const dateOf = (reading: Minutes): string => new Date(reading * 60_000).toISOString().slice(0, 10)
export const addDays = (date: string, days: number): string => dateOf(midnight(date) + days * DAY)
export const iso = (instant: Minutes): string => new Date(instant * 60_000).toISOString()

/** `570` to `09:30`. */
export const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** The local clock of one time zone. */
export class WallClock {
  readonly #format: Intl.DateTimeFormat
  readonly #offsets = new Map<number, number>()

  constructor(readonly zone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
  }

  /** Minutes ahead of UTC. The zones we test changed their clocks at whole quarters of an hour since 1980. */
  offset(instant: Minutes): number {
    const quarter = Math.floor(instant / QUARTER)
    const cached = this.#offsets.get(quarter)
    if (cached !== undefined) return cached
    const parts = Object.fromEntries(
      this.#format.formatToParts(quarter * QUARTER * 60_000).map((part) => [part.type, Number(part.value)]),
    ) as Record<string, number>
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
    const offset = Date.UTC(year, month - 1, day, hour, minute) / 60_000 - quarter * QUARTER
    this.#offsets.set(quarter, offset)
    return offset
  }

  read(instant: Minutes): Minutes {
    return instant + this.offset(instant)
  }

  /** The first instant at which the clock reads `reading` or later. */
  firstInstantFrom(reading: Minutes): Minutes {
    // No zone is further ahead of UTC than 15 hours.
    for (let quarter = Math.floor(reading / QUARTER) * QUARTER - 15 * 60; ; quarter += QUARTER) {
      const offset = this.offset(quarter)
      if (quarter + QUARTER - 1 + offset >= reading) return Math.max(quarter, reading - offset)
    }
  }

  /** The first instant at which the clock reads exactly `reading`, if it ever does. */
  instantOf(reading: Minutes): Minutes | undefined {
    const instant = this.firstInstantFrom(reading)
    return this.read(instant) === reading ? instant : undefined
  }

  /** The local dates from `from` to `to` on which daylight saving time starts or ends. */
  changes(from: string, to: string): string[] {
    const dates = []
    for (let instant = midnight(from); instant < midnight(to); instant += DAY) {
      if (this.offset(instant) === this.offset(instant + DAY)) continue
      let change = instant
      while (this.offset(change) === this.offset(instant)) change += QUARTER
      dates.push(dateOf(this.read(change)))
    }
    return dates
  }
}
