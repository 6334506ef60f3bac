// The results of a customer's copy and erasure.

/** What must end before a customer can be erased, because someone relies on the customer's data. */
export interface OpenWork {
  /** Confirmation codes of bookings whose visit is not over. */
  bookings: string[]
  /** Ids of jobs that are neither completed nor cancelled. */
  jobs: string[]
  /** Confirmation codes, or ids of quotes, of payments that are being refunded or disputed. */
  refunds: string[]
  /** Ids of open runs of pros' agents that have looked up the customer's records. */
  runs: string[]
}

/** An erasure: what was done, or why nothing was done. */
export type ErasureResult =
  | {
      outcome: 'erased'
      pseudonym: string
      /** Rows changed or deleted, by table. */
      counts: Record<string, number>
    }
  | { outcome: 'open_work'; open: OpenWork }
  | { outcome: 'unknown'; erasedBefore: { pseudonym: string; erasedAt: string } | undefined }

/**
 * Everything that belongs to a customer, in the order of the file. Changes of its shape change `version`. The copy leaves out
 * texts in rows of others or of no single customer (conversations with agents, reasons of blocked time), and copies of what it
 * has already.
 */
export interface CustomerExport {
  format: 'hearth-customer-export'
  version: 5
  exportedAt: string
  email: string
  /** Null for a customer who never signed in. */
  account: {
    createdAt: string
    sessions: { createdAt: string; expiresAt: string }[]
    connectedApps: {
      name: string
      scopes: string[]
      createdAt: string
      lastUsedAt: string | null
      endedAt: string | null
    }[]
  } | null
  /** Pros with whom the customer cannot book. */
  blocks: unknown[]
  /** Whether the customer ended the e-mails that are not essential. */
  suppressedMessages: unknown[]
  /** What the operators of the marketplace keep about the customer: notes, and a block from all pros; null for nothing. */
  operators: unknown
  bookings: unknown[]
  quoteRequests: unknown[]
  jobs: unknown[]
  reviews: unknown[]
  /** The application to join as a pro. */
  applications: unknown[]
  /** The pictures of requests, jobs and reviews, at addresses that end. */
  files: unknown[]
  payments: unknown[]
  /** What pros' agents prepared about the customer's requests, bookings and jobs. */
  preparedWork: unknown[]
  /** The e-mails to the customer. */
  messages: unknown[]
  /** What happened, with the data as it was then, and to whom it was sent. */
  events: unknown[]
  /** What the copy cannot contain, and whom to ask. */
  elsewhere: string
}

/** The lists of a copy that are read in pages. */
export type ListOfExport = Exclude<
  keyof CustomerExport,
  | 'format'
  | 'version'
  | 'exportedAt'
  | 'email'
  | 'account'
  | 'blocks'
  | 'suppressedMessages'
  | 'operators'
  | 'elsewhere'
>
