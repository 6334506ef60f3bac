// Applications to join as a pro: what an applicant gives, step by step, and what operators see of it.
import type { BusinessHours } from '../../calendar/schedule/schemas.ts'
import type { PriceType } from '../../catalog/entries/schemas.ts'
import type { ApplicationState } from './states.ts'

/** A service that an applicant offers. Without a price, customers ask for quotes. */
export interface AppliedService {
  readonly serviceId: string
  readonly priceType: PriceType
  /** In the currency of the marketplace. */
  readonly price: number | null
  /** With it, `price` is the lowest price. */
  readonly most: number | null
}

export const MAX_SERVICES = 20

export interface BusinessStep {
  readonly businessName: string
  readonly personName: string
  readonly phone: string
  readonly description: string | null
}

export interface PlaceStep {
  /** As it was typed: an address, a postal code or a city. Only operators read it. */
  readonly place: string
  /** Whether customers are shown the middle of the city. */
  readonly isPlaceHidden: boolean
  readonly radiusMiles: number
}

export interface DeclaredStep {
  readonly licenseNumber: string | null
  readonly licenseState: string | null
  /** Dates as `2027-03-31`. */
  readonly licenseExpires: string | null
  readonly insuranceCarrier: string | null
  readonly insurancePolicy: string | null
  readonly insuranceExpires: string | null
}

type NotYet<Step> = { readonly [Name in keyof Step]: Step[Name] | null }

/** What an applicant gives. What is null was not given yet, or was left out. */
export interface Answers extends NotYet<BusinessStep>, NotYet<Omit<PlaceStep, 'isPlaceHidden'>>, DeclaredStep {
  readonly isPlaceHidden: boolean
  readonly cityId: number | null
  readonly services: readonly AppliedService[] | null
  readonly businessHours: BusinessHours | null
  /** Whether the applicant has seen the step of license and insurance. */
  readonly hasDeclared: boolean
}

export interface Application extends Answers {
  readonly id: string
  readonly email: string
  readonly status: ApplicationState
  /** What an operator asked, or why it was refused. */
  readonly operatorWords: string | null
  /** Of the pro that it became. */
  readonly professionalId: string | null
  readonly createdAt: string
  readonly sentAt: string | null
}

/** What is stored as JSON. */
export type StoredAnswers = Pick<Application, 'services' | 'businessHours'>

/** An application in the queue. */
export interface ListedApplication {
  readonly id: string
  readonly businessName: string | null
  readonly personName: string | null
  /** "Columbus, OH". */
  readonly city: string
  /** How many the applicant offers. */
  readonly services: number
  readonly sentAt: string | null
}

/** A pro or an applicant who may be the same business. */
export interface Likeness {
  readonly kind: 'pro' | 'application'
  readonly id: string
  readonly businessName: string
  readonly sameEmail: boolean
  readonly samePhone: boolean
  readonly sameName: boolean
}
