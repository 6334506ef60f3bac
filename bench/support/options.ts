// The command line of `npm run bench`.
import { parseArgs } from 'node:util'

import type { Rounds } from './rounds.ts'

export interface RunOptions {
  /** Beginnings of the names of scenarios; none selects all. */
  words: readonly string[]
  pros: number
  quick: boolean
  profile: boolean
  /** Writes the results to the baseline. */
  baseline: boolean
  /** The baseline's results of a noisy day instead of its usual ones. */
  noisy: boolean
  /** Only creates the data. */
  load: boolean
  /** The commit of an older build to run beside this one. */
  against?: string
  rounds: Rounds
}

const PROS = 1_000_000
const QUICK_PROS = 100_000

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
      profile: { type: 'boolean', default: false },
      baseline: { type: 'boolean', default: false },
      noisy: { type: 'boolean', default: false },
      load: { type: 'boolean', default: false },
      against: { type: 'string' },
      pros: { type: 'string' },
      rounds: { type: 'string' },
    },
  })
  const { against, quick, noisy, baseline } = values
  if (noisy && !baseline) throw new Error('--noisy says where --baseline writes. Give both.')
  if (noisy && quick) throw new Error('The noisy column is of complete rounds. Leave out --quick.')
  const rounds = quick ? { rounds: 3, seconds: 0.4, warmUpSeconds: 0.8 } : { rounds: 5, seconds: 2, warmUpSeconds: 15 }
  return {
    words: positionals,
    pros: count('--pros', values.pros) ?? (quick ? QUICK_PROS : PROS),
    quick,
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
