// The work that a signed-in customer may review, and the request to be erased.
import type { Booking } from '../../booking/bookings/schemas.ts'
import type { OpenWork } from '../privacy/schemas.ts'

/** Who a customer is and where, as last given. */
export interface Contact {
  name: string
  phone: string | null
  address: Booking['address']
}

/** A booking whose visit is over, or a completed job. */
export interface FinishedWork {
  kind: 'booking' | 'job'
  id: string
  professionalId: string
  businessName: string
  /** Null for a job without a listed service. */
  serviceName: string | null
  /** As the customer typed it; null when another person may have. */
  customerName: string | null
  /** When the visit ended or the job was completed. */
  endedAt: string
  /** The day of that on the pro's clock. */
  day: string
  /** The customer has reviewed it, and the review was not rejected. */
  isReviewed: boolean
}

/** A request to be erased that was not carried out yet. */
export interface ErasureRequest {
  requestedAt: string
  /** It waits for a worker; otherwise it was refused, or failed. */
  isDue: boolean
  /** What prevents the erasure; null when it failed for another reason. */
  openWork: OpenWork | null
}
