// How long an application stays when it waits for no operator.
import type { ApplicationState } from '../states.ts'

const DAY_MS = 86_400_000

/** Days after the last change. An applicant who was asked has time to answer; decisions stay as long as other records. */
const DAYS: Readonly<Record<Exclude<ApplicationState, 'sent'>, number>> = {
  draft: 30,
  asked: 90,
  approved: 365,
  refused: 365,
}

/** When an application that is changed now is deleted; null for one that waits for an operator. */
export const expiryOf = (status: ApplicationState, now: Date): Date | null =>
  status === 'sent' ? null : new Date(now.getTime() + DAYS[status] * DAY_MS)
