// The hours of a line: `mon-fri 8:00-17:00; sat 9am-1pm`, `24/7`, or an object of JSON as the API has it. Days that are left out are closed.
import { type BusinessHours, WEEKDAYS, type Weekday } from '../../../calendar/schedule/schemas.ts'

const MAX_INTERVALS = 4
const DAY_MINUTES = 24 * 60
const FORM = 'must be like “mon-fri 8:00-17:00; sat 9:00-13:00”, or 24/7'

/** The hours of all days, or what is wrong with the text. */
export function readHours(text: string): BusinessHours | string {
  const days = Object.fromEntries(WEEKDAYS.map((day) => [day, [] as [number, number][]])) as Record<
    Weekday,
    [number, number][]
  >
  const parts = text.startsWith('{') ? partsOfJson(text) : text.split(/[;|\n]/).map((part) => part.trim().toLowerCase())
  if (!parts) return FORM
  for (const part of parts) {
    if (part === '') continue
    const [, from = '', to = from, times = ''] =
      /^([a-z]+)\.?(?:\s*(?:-|–|to)\s*([a-z]+)\.?)?:?\s+(.+)$/.exec(part === '24/7' ? 'mon-sun 0-24' : part) ?? []
    const [first, last] = [dayOf(from), dayOf(to)]
    if (first < 0 || last < 0) return FORM
    const intervals = times === 'closed' ? [] : times.split(/[,+&]/).map(readInterval)
    if (!intervals.every((one): one is [number, number] => one !== undefined)) return FORM
    for (let day = first; ; day = (day + 1) % 7) {
      days[WEEKDAYS[day] ?? 'monday'].push(...intervals)
      if (day === last) break
    }
  }
  return checked(days)
}

function partsOfJson(text: string): string[] | undefined {
  try {
    return Object.entries(JSON.parse(text) as Record<string, { start: string; end: string }[]>).flatMap(
      ([day, intervals]) => intervals.map(({ start, end }) => `${day} ${start}-${end}`),
    )
  } catch {
    return undefined
  }
}

/** By a beginning of at least two letters: "mo", "thurs"; -1 for other words. */
const dayOf = (word: string) => (word.length < 2 ? -1 : WEEKDAYS.findIndex((day) => day.startsWith(word)))

function readInterval(text: string): [number, number] | undefined {
  const [start, end, more] = text.split(/\s*(?:-|–|to)\s*/).map((time) => readTime(time.trim()))
  return start === undefined || end === undefined || more !== undefined || end <= start ? undefined : [start, end]
}

/** "8", "8:30", "17:00", "5pm", "24:00" in minutes. */
function readTime(text: string): number | undefined {
  const [, hours = '', minutes = '0', half] = /^(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm)?$/.exec(text) ?? []
  if (hours === '' || Number(minutes) > 59 || (half !== undefined && (Number(hours) < 1 || Number(hours) > 12)))
    return undefined
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0)
  const time = hour * 60 + Number(minutes)
  return time <= DAY_MINUTES ? time : undefined
}

function checked(days: Record<Weekday, [number, number][]>): BusinessHours | string {
  for (const day of WEEKDAYS) {
    days[day].sort(([one], [other]) => one - other)
    if (days[day].length > MAX_INTERVALS) return `has more than ${MAX_INTERVALS} intervals on ${day}`
    if (days[day].some(([start], at) => at > 0 && start < (days[day][at - 1]?.[1] ?? 0)))
      return `has hours that overlap on ${day}`
  }
  return Object.fromEntries(
    WEEKDAYS.map((day) => [day, days[day].map(([start, end]) => ({ start: clock(start), end: clock(end) }))]),
  )
}

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
