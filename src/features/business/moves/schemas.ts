// A move of a pro: another place, time zone and reach.
/** What is typed to move a pro. */
export interface MoveInput {
  readonly professionalId: string
  /** An address, a postal code or a city. The street is not kept. */
  readonly place: string
  /** Whether distances are measured from the middle of the city. */
  readonly isPlaceHidden: boolean
  readonly radiusMiles: number
}

/** Where the pro is or will be. */
export interface PlaceOfPro {
  /** "Denver, CO". */
  readonly city: string
  readonly timeZone: string
  readonly radiusMiles: number
}

/** A visit that is booked. */
export interface VisitToCome {
  readonly id: string
  readonly startsAt: string
  readonly serviceName: string
  /** "Austin, TX"; null where no address is known. */
  readonly city: string | null
}

/** What a move would change, before it is done. */
export interface PlannedMove {
  readonly businessName: string
  readonly from: PlaceOfPro
  readonly to: PlaceOfPro
  /** When the earliest day opens, such as 09:00; null for a pro who is never open. */
  readonly opensAt: string | null
  /** Whether the pro would come to no place of the marketplace's area. */
  readonly isOutsideArea: boolean
  /** All visits to come, the soonest first, up to {@link MAX_VISITS}. */
  readonly visits: readonly VisitToCome[]
  /** Those of them whose address lies beyond the new reach. */
  readonly outside: readonly VisitToCome[]
  /** How many of them have no address that is known. */
  readonly unknown: number
  /** Tells this plan apart from others: what an operator or a pro has seen. */
  readonly version: string
}

/** A pro's visits of a year: up to 14 on each day. */
export const MAX_VISITS = 5000
