// What customers and pros agreed, kept by the tests' own rules and arithmetic: never read back from Hearth.

/** What a pro offers now. */
export interface Offered {
  serviceId: string
  serviceName: string
  businessName: string
  price: Price
  minutes: number
  slotMinutes: number
  package: OfferedPackage | null
  /** In percent; null for no deposit. */
  depositPercentage: number | null
  requiresApproval: boolean
}

export interface Price {
  type: 'flat' | 'hourly' | 'per_unit'
  unit: string | null
  base: number | null
  min: number | null
  max: number | null
}

export interface OfferedPackage {
  id: string
  name: string
  includes: string[]
  cents: number
  minutes: number
}

export type PaymentStatus = 'requires_payment' | 'failed' | 'succeeded' | 'expired' | 'refunded'

/** A payment in cents. */
export interface AgreedPayment {
  fee: number
  deposit: number
  status: PaymentStatus
}

/** A booking as it was agreed, and what has happened to it since. */
export interface AgreedBooking {
  id: string
  code: string
  clientSecret: string | null
  service: { id: string; name: string }
  package: { id: string; name: string; includes: string[]; price: number } | null
  price: { type: string; basePrice: number | null; min: number | null; max: number | null; unit: string | null }
  startsMs: number
  minutes: number
  email: string
  address: object | null
  payment: AgreedPayment | null
  holdEndsMs: number | null
  status: 'pending' | 'confirmed' | 'completed' | 'no_show' | 'cancelled'
  cancelled: { by: 'customer' | 'pro' | 'hearth'; reason: string | null } | null
  movedLate: boolean
}

const FREE_MS = 24 * 3_600_000

const dollars = (cents: number | null) => (cents === null ? null : cents / 100)

/** A share in whole cents; half a cent is rounded up. Percentages have at most 2 decimals. */
export function shareOf(cents: number, percentage: number): number {
  const share = Math.floor((cents * Math.round(percentage * 100) + 5000) / 10_000)
  // A smaller deposit is not asked.
  return share < 50 ? 0 : share
}

/** The terms of a booking that is made now. */
export function agreedTerms(offered: Offered, isPackage: boolean, feeCents: number) {
  const chosen = isPackage ? offered.package : null
  const { price } = offered
  const basis = chosen?.cents ?? price.base ?? price.min
  const deposit = offered.depositPercentage === null ? 0 : shareOf(basis ?? 0, offered.depositPercentage)
  return {
    service: { id: offered.serviceId, name: offered.serviceName },
    package: chosen && { id: chosen.id, name: chosen.name, includes: chosen.includes, price: chosen.cents / 100 },
    price: chosen
      ? { type: 'flat', basePrice: chosen.cents / 100, min: null, max: null, unit: null }
      : {
          type: price.type,
          basePrice: dollars(price.base),
          min: dollars(price.min),
          max: dollars(price.max),
          unit: price.unit,
        },
    payment: feeCents + deposit > 0 ? { fee: feeCents, deposit, status: 'requires_payment' as PaymentStatus } : null,
  }
}

/** Ends an unpaid hold. */
export function passTime(it: AgreedBooking, nowMs: number): void {
  if (it.holdEndsMs === null || it.holdEndsMs > nowMs) return
  end(it, 'hearth', 'payment_expired', false)
}

/** Cancels, and closes the payment: an unpaid one expires, a paid one is refunded or kept. */
export function end(it: AgreedBooking, by: 'customer' | 'pro' | 'hearth', reason: string | null, keep: boolean): void {
  it.status = 'cancelled'
  it.cancelled = { by, reason }
  it.holdEndsMs = null
  if (it.payment?.status === 'succeeded') it.payment.status = keep ? 'succeeded' : 'refunded'
  else if (it.payment && it.payment.status !== 'refunded') it.payment.status = 'expired'
}

/** The provider takes the money: in time it confirms the booking, later it is given back. */
export function capture(it: AgreedBooking, requiresApproval: boolean): void {
  if (!it.payment || it.payment.status === 'succeeded' || it.payment.status === 'refunded') return
  if (it.holdEndsMs === null) {
    it.payment.status = 'refunded'
    return
  }
  it.payment.status = 'succeeded'
  it.holdEndsMs = null
  it.status = requiresApproval ? 'pending' : 'confirmed'
}

/** Whether a customer who cancels now loses the payment. */
export const keepsPayment = ({ status, movedLate, startsMs }: AgreedBooking, nowMs: number): boolean =>
  status === 'confirmed' && (movedLate || startsMs - FREE_MS < nowMs)

const LOCAL = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Chicago', dateStyle: 'short', timeStyle: 'short' })
export const localTime = (ms: number): { date: string; time: string } => {
  const [date = '', time = ''] = LOCAL.format(new Date(ms)).split(' ')
  return { date, time }
}

/** The booking in every look-up, list and tool. */
export function shownBooking(it: AgreedBooking) {
  const { date, time } = localTime(it.startsMs)
  return {
    id: it.id,
    status: it.status,
    scheduledDate: date,
    scheduledTime: time,
    durationMinutes: it.minutes,
    service: it.service,
    package: it.package,
    price: { ...it.price, currency: 'USD' },
    payment: it.payment && shownPayment(it.payment),
    holdExpiresAt: it.holdEndsMs === null ? null : new Date(it.holdEndsMs).toISOString(),
    address: it.address,
    cancelledBy: it.cancelled?.by ?? null,
    cancellationReason: it.cancelled?.reason ?? null,
  }
}

export function shownPayment({ fee, deposit, status }: AgreedPayment) {
  const amount = (fee + deposit) / 100
  const refund = status === 'refunded' ? { amount, currency: 'USD', status: 'done' } : null
  return { status, amount, fee: fee / 100, deposit: deposit / 100, currency: 'USD', refund }
}

/** "$80", "$80.50". */
const brief = (dollars: number) => `$${Number.isInteger(dollars) ? dollars : dollars.toFixed(2)}`

/** The texts that the pages of a booking contain. */
export function pageTexts({ service, package: chosen, price, payment, cancelled }: AgreedBooking): string[] {
  const lowest = price.min ?? price.basePrice
  return [
    service.name,
    ...(chosen ? [chosen.name, ...chosen.includes] : []),
    ...(lowest === null ? [] : [brief(lowest), ` per ${price.unit ?? 'visit'}`]),
    ...(payment ? [`$${((payment.fee + payment.deposit) / 100).toFixed(2)}`, ...PAYMENT_TEXTS[payment.status]] : []),
    ...(cancelled ? [REASONS[cancelled.reason ?? ''] ?? cancelled.reason ?? 'cancelled it.'] : []),
  ]
}

const PAYMENT_TEXTS: Record<PaymentStatus, string[]> = {
  requires_payment: ['not paid yet'],
  failed: ['the last attempt to pay failed'],
  succeeded: ['paid on'],
  expired: ['not paid in time'],
  refunded: ['was refunded'],
}

const REASONS: Record<string, string> = {
  payment_expired: 'It was not paid in time.',
  not_answered: 'did not confirm it before its start.',
}
