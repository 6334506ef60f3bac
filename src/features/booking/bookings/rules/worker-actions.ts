// What a worker may do with a visit that is assigned to them. Owners and dispatchers do all else.
import type { ProAction } from '../action-schemas.ts'

const ACTIONS: ReadonlySet<ProAction['action']> = new Set(['complete'])

/** Whether a person may take the action. `onlyMemberId` is the member whose visits alone they see; null for owners and dispatchers. */
export const mayTake = (onlyMemberId: string | null, action: ProAction['action']): boolean =>
  onlyMemberId === null || ACTIONS.has(action)
