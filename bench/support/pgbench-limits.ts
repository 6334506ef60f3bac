// Hearth beside pgbench, which runs the same statement: the rate that PostgreSQL allows on these cores.
import type { Aim } from './result.ts'
import { type Samples, cpuOf, rateOf, ratioTo } from './rounds.ts'

/** The ratios to pgbench; none when it did not run. */
export const pgbenchAims = (samples: Samples, target: number): Aim[] => [
  ...ratioTo(samples, 'pgbench', rateOf).map((value) => ({ name: '× pgbench', value, target })),
  ...ratioTo(samples, 'pgbench', cpuOf).map((value) => ({ name: '× pgbench in CPU', value, lessIsBetter: true })),
]
