// How long a proposal of an agent waits for its pro. The database ends it for every reader by `proposal_status` in
// sql/functions/proposals.sql.

const LIFETIME_DAYS = 7

/** When a proposal that is made now expires. */
export const expiryOf = (now: Date): Date => new Date(now.getTime() + LIFETIME_DAYS * 86_400_000)
