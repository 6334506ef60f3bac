// The links in messages. They are added when a message is sent: most are secrets, which need not be stored.
import type { Ctx } from '../../../../ctx.ts'
import { presentPayment } from '../../../../payments/verbs/payments.ts'
import { manageUrl } from '../../../booking/bookings/verbs/manage-link.ts'
import { customerUrl, isLinkValid } from '../../../quoting/quotes/verbs/link-tokens.ts'
import { requestUrl } from '../../../quoting/rfqs/verbs/follow-link.ts'
import type { MessageBooking, MessageData, MessageKind, MessageQuote } from '../kinds.ts'
import { MESSAGE_KINDS } from '../kind-facts.ts'

const UNSUBSCRIBE = 'unsubscribe'

/** The page on which a recipient ends messages that are not essential. It does not expire. */
export const unsubscribeUrl = (ctx: Ctx, { email }: { email: string }): string =>
  `${ctx.config.baseUrl}/unsubscribe/${ctx.encryption.linkToken(UNSUBSCRIBE, email)}`

/** The address in such a link; undefined for a forged one. */
export const readUnsubscribeToken = (ctx: Ctx, { token }: { token: string }): string | undefined =>
  ctx.encryption.readLinkToken(UNSUBSCRIBE, token, ctx.clock.now())?.id

interface Stored {
  readonly booking?: MessageBooking
  readonly quote?: MessageQuote
  readonly request?: { readonly id: string }
  readonly rfqId?: string
  readonly jobId?: string
  readonly paymentId?: string
  readonly visit?: { readonly pro: { readonly slug: string } }
}

/** The customer's messages go to the customer only: their links prove who reads the mail of the address. */
const MAILED = { isMailed: true } as const

type Linker = (ctx: Ctx, data: Stored, bookingId: string | null) => Promise<object> | object

const forCustomer: Linker = (ctx: Ctx, _data, bookingId) => ({
  manageUrl: manageUrl(ctx, { ...MAILED, bookingId: given(bookingId) }),
})

const forPayer: Linker = async (ctx: Ctx, data, bookingId) => ({
  manageUrl: manageUrl(ctx, { ...MAILED, bookingId: given(bookingId) }),
  payUrl: (await presentPayment(ctx, { paymentId: given(data.paymentId) })).payUrl,
})

const forQuoted: Linker = (ctx: Ctx, { quote }) => {
  const { id, validUntil } = given(quote)
  return { quoteUrl: customerUrl(ctx, { ...MAILED, quoteId: id, validUntil: new Date(validUntil) }) }
}

/** The page of the quote, or the list of requests once the quote's link has ended. */
const forRefunded: Linker = (ctx: Ctx, { quote }) => {
  const { id, validUntil } = given(quote)
  const until = new Date(validUntil)
  return {
    quoteUrl: isLinkValid(ctx, { validUntil: until })
      ? customerUrl(ctx, { ...MAILED, quoteId: id, validUntil: until })
      : `${ctx.config.baseUrl}/my/requests`,
  }
}

const inConsole =
  (pathOf: (data: Stored, bookingId: string | null) => string): Linker =>
  (ctx, data, bookingId) => ({ consoleUrl: `${ctx.config.baseUrl}/console${pathOf(data, bookingId)}` })

const ofBooking = inConsole((_data, bookingId) => `/bookings/${given(bookingId)}`)
const ofLead = inConsole(({ rfqId }) => `/leads/${given(rfqId)}`)

/** The links of the kinds that the database plans; planMessage gets the others with their links. */
const LINKERS: { readonly [Kind in MessageKind]?: Linker } = {
  'booking-received': forCustomer,
  'booking-held': forPayer,
  'booking-confirmed': forCustomer,
  'booking-time-proposed': forCustomer,
  'booking-moved': forCustomer,
  'booking-cancelled': forCustomer,
  'booking-refunded': forCustomer,
  'booking-refund-failed': forCustomer,
  'booking-reminder': forCustomer,
  'hold-expiring': forPayer,
  'guest-visit': (ctx, { visit }) => ({ proUrl: `${ctx.config.baseUrl}/pros/${given(visit).pro.slug}` }),
  'request-sent': (ctx, { rfqId }) => ({ requestUrl: requestUrl(ctx, { rfqId: given(rfqId) }) }),
  'quote-received': forQuoted,
  'quote-expiring': forQuoted,
  'quote-refunded': forRefunded,
  'quote-refund-failed': forRefunded,
  'review-invitation': (ctx, _data, bookingId) => ({
    reviewUrl: `${manageUrl(ctx, { ...MAILED, bookingId: given(bookingId) })}/review`,
  }),
  'new-booking': ofBooking,
  'booking-cancelled-for-pro': ofBooking,
  'booking-moved-for-pro': ofBooking,
  'payment-received': inConsole(({ rfqId }, bookingId) =>
    rfqId === undefined ? `/bookings/${given(bookingId)}` : `/leads/${rfqId}`,
  ),
  'new-request': inConsole(({ request }) => `/leads/${given(request).id}`),
  'request-lost': ofLead,
  'quote-accepted': ofLead,
  'job-cancelled-for-pro': inConsole(({ jobId }) => `/jobs/${given(jobId)}`),
  'quote-declined': ofLead,
  'new-review': inConsole(() => ''),
  'tasks-used-up': inConsole(() => '/credits'),
}

/** Replaces links that operators see, who must not act for a recipient. */
const HIDDEN = '/#only-the-recipient-has-this-link'

/** The data of a message with links that lead nowhere. */
export function withHiddenLinks<Kind extends MessageKind>(
  ctx: Ctx,
  { kind, data }: { kind: Kind; data: object },
): MessageData[Kind] {
  const url = `${ctx.config.baseUrl}${HIDDEN}`
  const links =
    MESSAGE_KINDS[kind].audience === 'customer'
      ? { manageUrl: url, payUrl: url, quoteUrl: url, requestUrl: url, reviewUrl: url, proUrl: url, joinUrl: url }
      : { consoleUrl: url }
  return { ...data, ...links } as MessageData[Kind]
}

/** The data of a message with its links. Throws when the payment provider does not answer. */
export async function withLinks<Kind extends MessageKind>(
  ctx: Ctx,
  { kind, data, bookingId }: { kind: Kind; data: object; bookingId: string | null },
): Promise<MessageData[Kind]> {
  const links = await LINKERS[kind]?.(ctx, data, bookingId)
  // A planned message already has its links, which are those of the code that planned it.
  return { ...links, ...data } as MessageData[Kind]
}

function given<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('The data of a message is incomplete.')
  return value
}
