// How long a quote is valid, and how long its link works. The database ends it for every reader by `quote_status` in
// sql/functions/quote_object.sql, and sql/functions/expire_quotes.sql records the end.

const DAY_MS = 86_400_000

/** Unless the pro says otherwise. */
export const VALID_FOR_DAYS = 30
export const MAX_VALID_FOR_DAYS = 365

/** How long the customer's page stays readable after the quote expires. */
const LINK_GRACE_DAYS = 30

/** The end of a quote that is sent now. */
export const validUntilFrom = (now: Date, validForDays: number | null | undefined): Date =>
  new Date(now.getTime() + (validForDays ?? VALID_FOR_DAYS) * DAY_MS)

/** The end of the link to a quote. */
export const linkEnd = (validUntil: Date): Date => new Date(validUntil.getTime() + LINK_GRACE_DAYS * DAY_MS)
