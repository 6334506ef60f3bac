// Written by `npm run schema` from payments.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** The payment of a provider's intent. */
export const findPaymentOfIntent = statement('findPaymentOfIntent', { nullable: ['bookingId', 'quoteId', 'intentId', 'clientSecret', 'capturedCents', 'capturedCurrency', 'capturedAt'] }) as One<'write',
  { intentId: string; provider: string },
  { id: string; bookingId: string | null; quoteId: string | null; professionalId: string; status: 'requires_payment' | 'failed' | 'succeeded' | 'expired' | 'refunding' | 'refunded'; amountCents: number; currency: 'USD' | 'CAD'; provider: 'sandbox' | 'stripe'; intentId: string | null; clientSecret: string | null; expiresAt: string; capturedCents: number | null; capturedCurrency: string | null; capturedAt: string | null }>

export const startReading = statement('startReading') as One<'write',
  { id: string },
  { readings: number }>

export const isTestPro = statement('isTestPro') as One<'write',
  { professionalId: string },
  { isTest: boolean }>

export const countUnhandled = statement('countUnhandled') as One<'write',
  { now: string | Date; providers: readonly string[] },
  { payments: number; refunds: number }>

/** The payments of bookings. */
export const selectPaymentsOf = statement('selectPaymentsOf', { nullable: ['bookingId', 'quoteId', 'intentId', 'clientSecret', 'capturedCents', 'capturedCurrency', 'capturedAt'] }) as Many<'write',
  { bookingIds: readonly string[] },
  { id: string; bookingId: string | null; quoteId: string | null; professionalId: string; status: 'requires_payment' | 'failed' | 'succeeded' | 'expired' | 'refunding' | 'refunded'; amountCents: number; currency: 'USD' | 'CAD'; provider: 'sandbox' | 'stripe'; intentId: string | null; clientSecret: string | null; expiresAt: string; capturedCents: number | null; capturedCurrency: string | null; capturedAt: string | null }>

export const insertDepositPayment = statement('insertDepositPayment') as Exec<'tx',
  { id: string; quoteId: string; professionalId: string; depositCents: number; provider: string; expiresAt: string | Date; now: string | Date }>

/** Stores the provider's intent. Of concurrent callers the first one's intent is stored, and all of them get it. */
export const attachIntent = statement('attachIntent', { nullable: ['bookingId', 'quoteId', 'intentId', 'clientSecret', 'capturedCents', 'capturedCurrency', 'capturedAt'] }) as One<'write',
  { intentId: string; clientSecret: string; paymentId: string },
  { id: string; bookingId: string | null; quoteId: string | null; professionalId: string; status: 'requires_payment' | 'failed' | 'succeeded' | 'expired' | 'refunding' | 'refunded'; amountCents: number; currency: 'USD' | 'CAD'; provider: 'sandbox' | 'stripe'; intentId: string | null; clientSecret: string | null; expiresAt: string; capturedCents: number | null; capturedCurrency: string | null; capturedAt: string | null }>

export const insertNotification = statement('insertNotification') as Many<'tx',
  { provider: string; id: string; now: string | Date },
  { id: string }>

/** Marks the payment of a cancelled booking as kept. */
export const retainPayment = statement('retainPayment') as Exec<'tx',
  { id: string }>

export const findPayment = statement('findPayment', { nullable: ['bookingId', 'quoteId', 'intentId', 'clientSecret', 'capturedCents', 'capturedCurrency', 'capturedAt'] }) as One<'write',
  { id: string },
  { id: string; bookingId: string | null; quoteId: string | null; professionalId: string; status: 'requires_payment' | 'failed' | 'succeeded' | 'expired' | 'refunding' | 'refunded'; amountCents: number; currency: 'USD' | 'CAD'; provider: 'sandbox' | 'stripe'; intentId: string | null; clientSecret: string | null; expiresAt: string; capturedCents: number | null; capturedCurrency: string | null; capturedAt: string | null }>

export const findPaymentByClientSecret = statement('findPaymentByClientSecret', { nullable: ['bookingId', 'quoteId', 'intentId', 'clientSecret', 'capturedCents', 'capturedCurrency', 'capturedAt'] }) as One<'write',
  { clientSecret: string },
  { id: string; bookingId: string | null; quoteId: string | null; professionalId: string; status: 'requires_payment' | 'failed' | 'succeeded' | 'expired' | 'refunding' | 'refunded'; amountCents: number; currency: 'USD' | 'CAD'; provider: 'sandbox' | 'stripe'; intentId: string | null; clientSecret: string | null; expiresAt: string; capturedCents: number | null; capturedCurrency: string | null; capturedAt: string | null }>

/** The payment of the booking, or of the quote whose visit it is. */
export const findCapturedOfBooking = statement('findCapturedOfBooking', { nullable: ['bookingId', 'quoteId', 'intentId', 'clientSecret', 'capturedCents', 'capturedCurrency', 'capturedAt'] }) as One<'write',
  { bookingId: string },
  { id: string; bookingId: string | null; quoteId: string | null; professionalId: string; status: 'requires_payment' | 'failed' | 'succeeded' | 'expired' | 'refunding' | 'refunded'; amountCents: number; currency: 'USD' | 'CAD'; provider: 'sandbox' | 'stripe'; intentId: string | null; clientSecret: string | null; expiresAt: string; capturedCents: number | null; capturedCurrency: string | null; capturedAt: string | null }>

export const findCapturedOfQuote = statement('findCapturedOfQuote', { nullable: ['bookingId', 'quoteId', 'intentId', 'clientSecret', 'capturedCents', 'capturedCurrency', 'capturedAt'] }) as One<'write',
  { quoteId: string },
  { id: string; bookingId: string | null; quoteId: string | null; professionalId: string; status: 'requires_payment' | 'failed' | 'succeeded' | 'expired' | 'refunding' | 'refunded'; amountCents: number; currency: 'USD' | 'CAD'; provider: 'sandbox' | 'stripe'; intentId: string | null; clientSecret: string | null; expiresAt: string; capturedCents: number | null; capturedCurrency: string | null; capturedAt: string | null }>

export const lockPayment = statement('lockPayment', { nullable: ['bookingId', 'quoteId', 'intentId', 'clientSecret', 'capturedCents', 'capturedCurrency', 'capturedAt'] }) as One<'tx',
  { id: string },
  { id: string; bookingId: string | null; quoteId: string | null; professionalId: string; status: 'requires_payment' | 'failed' | 'succeeded' | 'expired' | 'refunding' | 'refunded'; amountCents: number; currency: 'USD' | 'CAD'; provider: 'sandbox' | 'stripe'; intentId: string | null; clientSecret: string | null; expiresAt: string; capturedCents: number | null; capturedCurrency: string | null; capturedAt: string | null }>

export const lockPaymentOfBooking = statement('lockPaymentOfBooking', { nullable: ['bookingId', 'quoteId', 'intentId', 'clientSecret', 'capturedCents', 'capturedCurrency', 'capturedAt'] }) as One<'tx',
  { bookingId: string },
  { id: string; bookingId: string | null; quoteId: string | null; professionalId: string; status: 'requires_payment' | 'failed' | 'succeeded' | 'expired' | 'refunding' | 'refunded'; amountCents: number; currency: 'USD' | 'CAD'; provider: 'sandbox' | 'stripe'; intentId: string | null; clientSecret: string | null; expiresAt: string; capturedCents: number | null; capturedCurrency: string | null; capturedAt: string | null }>

/** The one that is due or paid. */
export const lockPaymentOfQuote = statement('lockPaymentOfQuote', { nullable: ['bookingId', 'quoteId', 'intentId', 'clientSecret', 'capturedCents', 'capturedCurrency', 'capturedAt'] }) as One<'tx',
  { quoteId: string },
  { id: string; bookingId: string | null; quoteId: string | null; professionalId: string; status: 'requires_payment' | 'failed' | 'succeeded' | 'expired' | 'refunding' | 'refunded'; amountCents: number; currency: 'USD' | 'CAD'; provider: 'sandbox' | 'stripe'; intentId: string | null; clientSecret: string | null; expiresAt: string; capturedCents: number | null; capturedCurrency: string | null; capturedAt: string | null }>

export const savePayment = statement('savePayment') as Exec<'tx',
  { status: string; amountCents?: number | null; currency?: string | null; at?: string | Date | null; intentId?: string | null; id: string }>
