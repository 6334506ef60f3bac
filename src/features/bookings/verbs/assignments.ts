// Bookings that are given to members of the pro's team.
import type { Transaction } from '../../../platform/postgres/database.ts'
import { releaseAssignments } from '../queries/changes.ts'

/** Takes what is still to come from a member who leaves; what is over keeps their name. */
export const releaseAssignmentsOf = (tx: Transaction, professionalId: string, memberId: string): Promise<void> =>
  releaseAssignments(tx, professionalId, memberId)
