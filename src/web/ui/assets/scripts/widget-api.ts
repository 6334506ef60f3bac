// What the widget asks of the API, and what it uses of the answers.
import { script } from './widget-script.ts'

export interface Service {
  id: string
  slug: string
  name: string
  /** The pro comes to the customer, so the booking needs an address. */
  atCustomer: boolean
  booking: { instantBookEnabled: boolean }
}

export interface Pro {
  id: string
  businessName: string
  services: Service[]
}

/** Price, deposit and length of a service. Amounts are dollars. */
export interface Terms {
  price: { basePrice: number | null; min: number | null; max: number | null; unit: string | null; currency: string }
  deposit: number
  /** What is paid when booking. */
  dueNow: number
  /** What cancelling costs. */
  cancellation: string
  durationMinutes: number
  /** Why the service cannot be booked. */
  obstacle: { detail: string } | null
}

/** A day of the pro; its times are local, such as "14:15". */
export interface Day {
  date: string
  slots: { start: string; available: boolean; freeCancellationLocal?: string | null }[]
}

export interface Availability {
  availability: Day[]
  nextAvailable: { date: string } | null
  timeZoneName: string
  service: Terms
}

export interface Booked {
  booking: { status: string; confirmationCode: string; createdAt: string }
  manageUrl?: string
  payment?: { amount: number; payUrl: string; expiresAt: string }
}

/** A problem of the API (RFC 9457), as far as the widget reads it. */
interface Problem {
  code?: string
  detail?: string
  errors?: { path: string; message: string }[]
  nextAvailable?: { date: string } | null
  bookingUrl?: string
}

export class RefusedCall extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail)
  }
}

export const base = new URL(script.src).origin
export const { service: onlyService } = script.dataset
export const slug = encodeURIComponent(script.dataset['pro'] ?? '')

interface Call {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** Throws a `RefusedCall`, or what the browser throws for a call that it blocks. */
export async function call<Answer>(path: string, { headers, ...init }: Call = {}): Promise<Answer> {
  const response = await fetch(`${base}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${script.dataset['key'] ?? ''}`, ...headers },
  })
  const body: unknown = await response.json()
  if (!response.ok) throw new RefusedCall(body as Problem)
  return body as Answer
}
