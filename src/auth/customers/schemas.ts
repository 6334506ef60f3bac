// Customers who are signed in.

/**
 * A customer who has proven to read the mail of the address. Verbs give them the records with this address, and no others: not
 * those that the account created.
 */
export interface CustomerCaller {
  /** Owns the customer's reviews and idempotency records. */
  readonly accountId: string
  /** In its normal form. */
  readonly customerEmail: string
}
