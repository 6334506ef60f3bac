// The pro's time: a brief for a day, bookings, what is still open.
import type { DayBrief } from '../../../features/drafts/schemas.ts'
import { type Recipe, counted, listIn, use } from './recipe.ts'

interface OpenDay {
  date: string
  starts: string[]
}
interface Booked {
  status: string
  scheduledDate: string
  scheduledTime: string
  service: { name: string }
}

const DAY_MS = 86_400_000

export const planDay: Recipe = function* ({ goal, report }) {
  const date = /\btomorrow\b/i.test(goal) ? yield* tomorrow() : undefined
  const seen = yield* use('prepare_day_brief', date === undefined ? {} : { date })
  if (seen.isError) return void report.push(`The day could not be read: ${seen.line}`)
  report.push(...briefLines(seen.data['brief'] as DayBrief))
}

/** The day after today on the pro's own calendar, which the first of the open days is. */
function* tomorrow() {
  const [today] = listIn<OpenDay>(yield* use('get_availability', { days: 1 }), 'openTimes')
  return today && new Date(Date.parse(today.date) + DAY_MS).toISOString().slice(0, 10)
}

function briefLines({ date, stops, jobs, gaps, warnings }: DayBrief): string[] {
  const isFree = stops.length === 0 && jobs.length === 0
  return [
    isFree
      ? `${date}: nothing is booked.`
      : `${date}: ${counted(stops.length, 'stop')}, ${counted(jobs.length, 'job')}.`,
    ...stops.map(({ start, end, service, customer, address, notes, bring }) =>
      [`- ${start}–${end} ${service}, ${customer.name}`, address, notes, carried(bring)].filter(Boolean).join('; '),
    ),
    ...jobs.map(({ service, customer, address, bring }) =>
      [`- Job: ${service ?? 'work'}`, customer?.name, address, carried(bring)].filter(Boolean).join('; '),
    ),
    ...(gaps.length > 0 ? [`Free: ${gaps.map(({ start, end }) => `${start}–${end}`).join(', ')}.`] : []),
    ...warnings,
  ]
}

const carried = (bring: readonly string[]) => (bring.length > 0 ? `bring ${bring.join(', ')}` : null)

export const tellBookings: Recipe = function* ({ report }) {
  for (const status of ['pending', 'confirmed']) {
    const seen = yield* use('list_bookings', { status, limit: 10 })
    if (seen.isError) report.push(`The bookings could not be read: ${seen.line}`)
    const bookings = listIn<Booked>(seen, 'bookings')
    report.push(`${counted(bookings.length, `${status} booking`)} among the latest.`)
    for (const { service, scheduledDate, scheduledTime } of bookings)
      report.push(`- ${scheduledDate} ${scheduledTime}, ${service.name}`)
  }
}

export const tellFreeTimes: Recipe = function* ({ report }) {
  const seen = yield* use('get_availability', { days: 7 })
  if (seen.isError) return void report.push(`The open times could not be read: ${seen.line}`)
  for (const { date, starts } of listIn<OpenDay>(seen, 'openTimes'))
    report.push(starts.length === 0 ? `${date}: nothing is open.` : `${date}: ${starts.join(', ')}`)
}
