// Plans as operators define them, and the plan of a pro.

/** The id of a plan, such as `business`. It never changes. */
export type PlanId = string

/** The id of what a pro without a plan has. Operators cannot change it. */
export const NO_PLAN = 'none'

/** The plans of the contract, which every marketplace begins with. */
export const FIRST_PLANS = [NO_PLAN, 'verified', 'business'] as const

export const MAX_PLAN_NAME = 50
export const MAX_PLAN_PRICE = 1_000_000
export const MAX_PLAN_TASKS = 1_000_000

export interface PlanTerms {
  readonly name: string
  /** Per month; null for a plan without a price. */
  readonly priceCents: number | null
  /** Agent tasks per month. */
  readonly tasks: number
  /** Whether the pro may connect an agent to the pro server. */
  readonly hasAgentServer: boolean
}

/** Changes whenever a term of the plan changes: a form says which terms were shown. */
export const planVersion = ({ name, priceCents, tasks, hasAgentServer }: PlanTerms): string =>
  Bun.hash(JSON.stringify([name, priceCents, tasks, hasAgentServer])).toString(36)

export interface Plan extends PlanTerms {
  readonly id: PlanId
  /** Pros keep a retired plan; no other pro gets it. */
  readonly retiredAt: string | null
}

/** What a pro has now. */
export interface PlanOfPro {
  readonly id: PlanId
  readonly name: string
  /** The last day in the pro's time zone, `YYYY-MM-DD`; null without an end. */
  readonly until: string | null
  readonly endedPlan: EndedPlan | null
}

/** The plan whose last day is over. */
export interface EndedPlan {
  readonly name: string
  readonly until: string
}
