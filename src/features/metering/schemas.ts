// Agent tasks in numbers: what a pro has, and what they used.

/** What a pro subscribes to. It brings agent tasks every month: none 0, verified 100, business 1,000. */
export type Plan = 'none' | 'verified' | 'business'

/** What costs a task. Reads and edits do not. */
export type TaskKind = 'run_agent' | 'chat_on_thread' | `prepare_${string}`

/** The most that one top-up may bring. */
export const MAX_TOP_UP = 1_000_000

/** What is there for a pro to use, and what was used. */
export interface TaskBalance {
  plan: Plan
  /** The pro's own month, `YYYY-MM`, and the instant at which the next one begins. */
  month: string
  resetsAt: string
  /** What the plan gave for this month, and what is left of it. */
  allowance: { granted: number; left: number }
  prepaid: number
  /** Tasks under way, and tasks ever done. */
  reserved: number
  spent: number
  /** How many more tasks can be reserved: the rest of the allowance and what was bought. */
  available: number
}

/** One day on the pro's calendar, by when its tasks were reserved. */
export interface UsageDay {
  date: string
  /** Tasks that were done, and of them how many of each kind. */
  settled: number
  byKind: Record<string, number>
  reserved: number
  /** Tasks that cost nothing in the end. */
  released: number
}

export interface Usage {
  month: string
  timeZone: string
  settled: number
  /** Every day of the month, those without tasks too. */
  days: UsageDay[]
}
