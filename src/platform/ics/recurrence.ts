// Expands recurrence rules (RFC 5545 §3.3.10). ical.js reads them; rrule-temporal expands them: ical.js's own iterator is
// wrong for BYWEEKNO, most BYSETPOS and yearly BYMONTHDAY, and never ends for some rules.
import type ICAL from 'ical.js'
import { RRuleTemporal } from 'rrule-temporal'

/** A local time: milliseconds since 1970 as if the clock showed UTC. */
export type Wall = number

export const wallOf = ({ year, month, day, hour, minute, second, isDate }: ICAL.Time): Wall =>
  isDate ? Date.UTC(year, month - 1, day) : Date.UTC(year, month - 1, day, hour, minute, second)

export interface RuleSpan {
  /** The first time, by the clock of `zone`. */
  start: Wall
  /** An IANA zone. With `UTC` the results are local times as `start` is. */
  zone: string
  /** The last instant that UNTIL allows, or with `UTC` the last local time. */
  until: number | null
  /** Only times of this span are wanted. */
  after: number
  before: number
  /** How many steps the rule may take; {@link MAX_STEPS} by default. */
  maxSteps?: number
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** A rule that takes more work than this is not a calendar's: a daily event of 50 years takes 18,000 steps. */
const MAX_STEPS = 20_000
const MAX_CANDIDATES = 50_000

/**
 * The times of a rule within a span; `start` is one of them, whether the rule says so or not. Local times that the clock skips
 * are not times of a rule. Throws for a rule that is invalid or takes too much work.
 */
export function expandRule(rule: ICAL.Recur, span: RuleSpan): number[] {
  const { start, zone, until, after, before, maxSteps = MAX_STEPS } = span
  if (until !== null && until < after) return []
  const parts = rule
    .toString()
    .split(';')
    .filter((part) => !part.startsWith('UNTIL='))
  // `between` of rrule-temporal 2.2.8 takes the wrong days of a week that is named without a weekday.
  if (rule.parts['BYWEEKNO'] && !rule.parts['BYDAY']) parts.push(`BYDAY=${WEEKDAYS[new Date(start).getUTCDay()]}`)
  if (until !== null) parts.push(`UNTIL=${basicForm(until)}Z`)
  const series = new RRuleTemporal({
    rruleString: `DTSTART;TZID=${zone}:${basicForm(start)}\nRRULE:${parts.join(';')}`,
    includeDtstart: true,
    maxIterations: maxSteps,
    maxCandidateEvaluations: MAX_CANDIDATES,
    cache: false,
  })
  return series.between(new Date(after), new Date(before), true).map(({ epochMilliseconds }) => epochMilliseconds)
}

/** `20261122T090000` */
const basicForm = (wall: Wall): string => new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
