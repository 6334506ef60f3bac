// The command line of `npm run bench`.
import { parseArgs } from 'node:util'

import type { Rounds } from './rounds.ts'

export interface RunOptions {
  /** Beginnings of the names of scenarios; none selects all. */
  words: readonly string[]
  pros: number
  quick: boolean
  /** Every scenario with the least data and time: whether it runs, not what it measures. */
  smoke: boolean
  profile: boolean
  /** Writes the results to the baseline. */
  baseline: boolean
  /** The baseline's results of a noisy day instead of its usual ones. */
  noisy: boolean
  /** The data of `size`. */
  size: SizeOptions
  /** Only creates the data. */
  load: boolean
  /** The commit of an older build to run beside this one. */
  against?: string
  rounds: Rounds
}

export const PROS = 1_000_000
/** A system of size: at most so many pros and bookings, and no more than so much disk. */
export interface SizeOptions {
  pros: number
  bookings: number
  diskGb: number
}

const SIZES: Record<'full' | 'quick' | 'smoke', SizeOptions> = {
  full: { pros: 5_000_000, bookings: 20_000_000, diskGb: 50 },
  quick: { pros: 20_000, bookings: 200_000, diskGb: 5 },
  smoke: { pros: 1000, bookings: 4000, diskGb: 1 },
}

const QUICK_PROS = 100_000
const SMOKE_PROS = 1000

/** The load clients open their connections and build their requests in the first 0.1 to 0.2 s. */
const START_SECONDS = 0.25
const ROUNDS: Record<'full' | 'quick' | 'smoke', Rounds> = {
  full: { rounds: 5, seconds: 2, warmUpSeconds: 15, startSeconds: START_SECONDS },
  quick: { rounds: 3, seconds: 0.4, warmUpSeconds: 0.8, startSeconds: START_SECONDS },
  smoke: { rounds: 1, seconds: 0.1, warmUpSeconds: 0, startSeconds: 0.05 },
}

/** Whether the run has the number of pros that the table's rows have. */
export const isUsualSize = ({ pros, quick }: Pick<RunOptions, 'pros' | 'quick'>): boolean =>
  pros === (quick ? QUICK_PROS : PROS)

/** Parses the command line. Throws with a message for the terminal. */
export function parseOptions(args: readonly string[]): RunOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      smoke: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      baseline: { type: 'boolean', default: false },
      noisy: { type: 'boolean', default: false },
      load: { type: 'boolean', default: false },
      against: { type: 'string' },
      pros: { type: 'string' },
      rounds: { type: 'string' },
      bookings: { type: 'string' },
      'disk-gb': { type: 'string' },
    },
  })
  const { against, smoke, noisy, baseline } = values
  const quick = values.quick || smoke
  if (noisy && !baseline) throw new Error('--noisy says where --baseline writes. Give both.')
  if (noisy && quick) throw new Error('The noisy column is of complete rounds. Leave out --quick.')
  if (smoke && baseline) throw new Error('--smoke measures nothing that --baseline could keep. Leave one out.')
  const form = smoke ? 'smoke' : quick ? 'quick' : 'full'
  const [rounds, size] = [ROUNDS[form], SIZES[form]]
  return {
    words: positionals,
    pros: count('--pros', values.pros) ?? (smoke ? SMOKE_PROS : quick ? QUICK_PROS : PROS),
    quick,
    smoke,
    size: {
      pros: count('--pros', values.pros) ?? size.pros,
      bookings: count('--bookings', values.bookings) ?? size.bookings,
      diskGb: count('--disk-gb', values['disk-gb']) ?? size.diskGb,
    },
    profile: values.profile,
    baseline,
    noisy,
    load: values.load,
    ...(against === undefined ? {} : { against }),
    rounds: { ...rounds, rounds: count('--rounds', values.rounds) ?? rounds.rounds },
  }
}

function count(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text.replaceAll(/[,_]/g, ''))
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} takes a number, not ${text}.`)
  return value
}
