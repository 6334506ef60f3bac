// Balances and usage of agent tasks.
import type { EndedPlan, PlanId } from '../../business/plans/schemas.ts'

/** Work that costs a task. Reads and edits are free. */
export type TaskKind = 'run_agent' | 'chat_on_thread' | `prepare_${string}`

/** Tasks per top-up. */
export const MAX_TOP_UP = 1_000_000

export interface TaskBalance {
  /** The plan at this time, `none` also after the last day of one. */
  plan: PlanId
  planName: string
  /** The last day of the plan in the pro's time zone; null without an end. */
  planUntil: string | null
  endedPlan: EndedPlan | null
  /** Whether the plan includes the pro's agent server. */
  hasAgentServer: boolean
  /** The tasks that the next month brings: none if the plan ends before. */
  nextAllowance: number
  /** The month in the pro's time zone, `YYYY-MM`, and the instant at which the next one begins. */
  month: string
  resetsAt: string
  /** The plan's tasks for this month, and the rest of them. */
  allowance: { granted: number; left: number }
  prepaid: number
  /** Tasks in progress, and all tasks ever settled. */
  reserved: number
  spent: number
  /** Tasks that can be reserved: the rest of the allowance plus the prepaid tasks. */
  available: number
}

/** One day in the pro's time zone; tasks count on the day of their reservation. */
export interface UsageDay {
  date: string
  /** Settled tasks, in total and by kind. */
  settled: number
  byKind: Record<string, number>
  reserved: number
  released: number
}

export interface Usage {
  month: string
  timeZone: string
  settled: number
  /** Every day of the month, including days without tasks. */
  days: UsageDay[]
}
