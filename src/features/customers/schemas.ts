// What a signed-in customer may review.

/** A booking whose visit is over, or a completed job. */
export interface FinishedWork {
  kind: 'booking' | 'job'
  id: string
  professionalId: string
  businessName: string
  /** Null for a job without a listed service. */
  serviceName: string | null
  customerName: string
  /** When the visit ended or the job was completed. */
  endedAt: string
  /** The day of that on the pro's clock. */
  day: string
  /** The customer has reviewed it, and the review was not rejected. */
  isReviewed: boolean
}
