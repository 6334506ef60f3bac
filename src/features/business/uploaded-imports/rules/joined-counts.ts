// The counts of an import that was begun again.
import type { ImportCounts } from '../../imports/schemas.ts'

/**
 * What an import did in all, by what was done before it was interrupted and what it did from its beginning on: it finds those whom it
 * created or changed before unchanged, and refuses the same lines again.
 */
export function joinedCounts(before: ImportCounts, again: ImportCounts): ImportCounts {
  const created = before.created + again.created
  const changed = before.changed + again.changed
  return {
    created,
    changed,
    unchanged: Math.max(0, again.unchanged - before.created - before.changed),
    paused: before.paused + again.paused,
    resumed: before.resumed + again.resumed,
    refused: again.refused,
    invited: before.invited + again.invited,
    outsideArea: before.outsideArea + again.outsideArea,
  }
}
