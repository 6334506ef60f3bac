// SQL of the sources of a draft quote: the service, past work, and the pro's usual terms.

/** An accepted quote, with its completed job if there is one. */
export interface PastWork {
  amountCents: number
  quotedCents: number
  /** In the service's unit; null when unknown. */
  units: number | null
  /** The price per unit. */
  unitCents: number | null
  isCompleted: boolean
  /** Days from start to completion, at least 1. */
  days: number | null
}

export interface QuoteTerms {
  businessName: string
  state: string
  depositRequired: boolean
  depositPercentage: number | null
  /** From the last sent quote that had terms. */
  paymentTerms: string | null
}
