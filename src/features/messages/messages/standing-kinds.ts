// The messages to a pro about how the business stands in the marketplace, with their data.
import type { ProStatus } from '../../business/pros/states.ts'

export interface StandingMessageData {
  /** The pro is found no more, or again. */
  'pro-status': {
    readonly status: ProStatus
    readonly pro: string
    /** Null where the pro did it. */
    readonly operatorReason: string | null
    readonly consoleUrl: string
    /** Of a closed account: when the rest is erased, and the time zone of the pro. */
    readonly erased?: { readonly at: string; readonly timeZone: string }
    /** An operator opened a closed account again. */
    readonly isReopened?: boolean
  }

  /** A mark of the pro ends soon, or has ended. */
  'mark-ends': {
    readonly pro: string
    /** Its name, such as Insurance. */
    readonly mark: string
    /** The last day, such as 2026-12-31. */
    readonly validUntil: string
    readonly isExpired: boolean
    readonly consoleUrl: string
  }

  /** An operator has changed where the pro is. */
  'pro-moved': {
    readonly pro: string
    /** "Chicago, IL". */
    readonly from: string
    readonly to: string
    readonly timeZone: string
    /** Whether the time zone is another one than before. */
    readonly isOtherZone: boolean
    /** How far the pro comes: "25 miles". */
    readonly distance: string
    /** The visits to come, and those of them beyond that distance. */
    readonly visits: number
    readonly outside: number
    readonly operatorReason: string
    readonly consoleUrl: string
  }
}
