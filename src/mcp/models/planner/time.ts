// The pro's time: a day's brief, bookings, open times.
import type { DayBrief } from '../../../features/agents/drafts/schemas.ts'
import { type Recipe, count, listOf, callTool } from './recipe.ts'

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
  const result = yield* callTool('prepare_day_brief', date === undefined ? {} : { date })
  if (result.isError) return void report.push(`The day could not be read: ${result.line}`)
  report.push(...briefLines(result.data['brief'] as DayBrief))
}

/** Tomorrow in the pro's time zone; the list of open times begins today. */
function* tomorrow() {
  const [today] = listOf<OpenDay>(yield* callTool('get_availability', { days: 1 }), 'openTimes')
  return today && new Date(Date.parse(today.date) + DAY_MS).toISOString().slice(0, 10)
}

function briefLines({ date, stops, jobs, gaps, warnings }: DayBrief): string[] {
  const isFree = stops.length === 0 && jobs.length === 0
  return [
    isFree ? `${date}: no bookings.` : `${date}: ${count(stops.length, 'stop')}, ${count(jobs.length, 'job')}.`,
    ...stops.map(({ start, end, service, customer, address, notes, bring }) =>
      [`- ${start}–${end} ${service}, ${customer.name}`, address, notes, bringList(bring)].filter(Boolean).join('; '),
    ),
    ...jobs.map(({ service, customer, address, bring }) =>
      [`- Job: ${service ?? 'work'}`, customer?.name, address, bringList(bring)].filter(Boolean).join('; '),
    ),
    ...(gaps.length > 0 ? [`Free: ${gaps.map(({ start, end }) => `${start}–${end}`).join(', ')}.`] : []),
    ...warnings,
  ]
}

const bringList = (bring: readonly string[]) => (bring.length > 0 ? `bring ${bring.join(', ')}` : null)

export const reportBookings: Recipe = function* ({ report }) {
  for (const status of ['pending', 'confirmed']) {
    const result = yield* callTool('list_bookings', { status, limit: 10 })
    if (result.isError) report.push(`The bookings could not be read: ${result.line}`)
    const bookings = listOf<Booked>(result, 'bookings')
    report.push(`${count(bookings.length, `${status} booking`)} among the latest.`)
    for (const { service, scheduledDate, scheduledTime } of bookings)
      report.push(`- ${scheduledDate} ${scheduledTime}, ${service.name}`)
  }
}

export const reportFreeTimes: Recipe = function* ({ report }) {
  const result = yield* callTool('get_availability', { days: 7 })
  if (result.isError) return void report.push(`The open times could not be read: ${result.line}`)
  for (const { date, starts } of listOf<OpenDay>(result, 'openTimes'))
    report.push(starts.length === 0 ? `${date}: no open times.` : `${date}: ${starts.join(', ')}`)
}
