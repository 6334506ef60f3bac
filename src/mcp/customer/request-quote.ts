// request_quote: POST /rfqs for a model.
import { Type } from '@sinclair/typebox'

import { actsForPro } from '../../auth/accounts/verbs.ts'
import { addressProofOfAgent } from '../../auth/address-proof.ts'
import { NewRfq, RfqReceipt } from '../../features/quoting/rfqs/schemas.ts'
import { listOpenQuestions } from '../../features/quoting/rfqs/verbs/answers.ts'
import { getPresentRequest, requestUrl } from '../../features/quoting/rfqs/verbs/follow-link.ts'
import { createRfq } from '../../features/quoting/rfqs/verbs/rfqs.ts'
import { requireServiceArea } from '../../features/search/pros/verbs/service-area.ts'
import { Email, Nullable, Uri } from '../../platform/schema/types.ts'
import { defineCustomerTool, described } from '../server/tool.ts'
import { ownAddress } from './whose-booking.ts'

const { source: _, sourceAgentId: __, customer, ...inputFields } = NewRfq.properties
const { email: ___, ...contact } = customer.properties

export const requestQuote = defineCustomerTool({
  name: 'request_quote',
  title: 'Request a quote',
  description:
    'Request a quote from a pro who takes no instant bookings, or for work that needs a look first. Describe the work as the person would: what, where, how large, how urgent. The pro, who must come to the address, answers the customer by e-mail with a link, where a person accepts or declines.',
  access: 'write',
  quotes: 'names',
  hints: { destructive: false, idempotent: false, openWorld: true },
  idempotent: true,
  input: Type.Object({
    ...inputFields,
    description: described(inputFields.description),
    answers: described(inputFields.answers, 'To the service’s `questions`: ask the person'),
    serviceId: described(inputFields.serviceId, 'Leave it out for work that the pro does not list'),
    customer: Type.Object(
      { ...contact, email: Type.Optional(Email({ description: 'Required unless the customer is signed in' })) },
      { additionalProperties: false },
    ),
  }),
  output: Type.Object({
    rfq: RfqReceipt,
    openQuestions: Type.Array(Type.String()),
    requestUrl: Nullable(Uri({ description: 'For the customer only; null for the pro’s own key' })),
  }),
  call: async (ctx, input) => {
    const email = ownAddress(ctx.actor, 'customer.email', input.customer.email)
    const request = { ...input, customer: { ...input.customer, email }, source: 'agent' } as const
    const customer = { ...ctx.actor, addressProof: addressProofOfAgent(ctx.actor) }
    await requireServiceArea(ctx, request)
    const value = await createRfq(ctx.as(customer), request)
    const rfq = ctx.idempotency?.isReplay ? await getPresentRequest(ctx, { id: value.rfq.id }) : value.rfq
    const isByPro = await actsForPro(ctx, { professionalId: rfq.professional.id })
    const openQuestions = await listOpenQuestions(ctx, { serviceId: rfq.service?.id, answers: rfq.answers })
    return { rfq, openQuestions, requestUrl: isByPro ? null : requestUrl(ctx, { rfqId: rfq.id }) }
  },
  next: ({ rfq: { status, professional, customer }, openQuestions }) =>
    status === 'new'
      ? [
          `${professional.businessName} has the request and answers ${customer.email} with a quote. The request is free. get_quote_request shows the answer.`,
          ...(openQuestions.length > 0
            ? [`Still open, and the pro may ask the person: ${openQuestions.join(' ')}`]
            : []),
        ].join(' ')
      : 'The pro has answered: get_quote_request.',
})
