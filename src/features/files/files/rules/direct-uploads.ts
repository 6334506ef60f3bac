// How long a sender may put content into the bucket.

/** How long the address takes content. */
export const ADDRESS_SECONDS = 600
/** How long content may come: the slowest sender begins at the last moment. `remove.ts` waits as long for all uploads. */
export const OPEN_SECONDS = 1200
