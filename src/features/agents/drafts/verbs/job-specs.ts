// Job specifications: scope, site, price and open points on one page.
import type { Ctx } from '../../../../ctx.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import type { ActingPro } from '../../../quoting/rfqs/verbs/rfqs.ts'
import { questionsFor } from './assessments.ts'
import { type JobSpec, type SubjectRef, formatAddress } from '../schemas.ts'
import { insertPrepared } from '../queries/prepared-work.ts'
import { type Subject, getSubject, subjectColumns } from './subject.ts'

/** Prepares a specification and stores it. Throws as {@link getSubject}. */
export const prepareJobSpec = (ctx: Ctx<ActingPro>, ref: SubjectRef): Promise<JobSpec> =>
  runIdempotently(ctx, { accountId: ctx.actor.accountId, operation: 'prepareJobSpec', request: ref }, async (ctx) => {
    const subject = await getSubject(ctx, ref)
    const content = specOf(subject)
    const { professionalId } = ctx.actor
    const row = { id: ctx.ids.uuid(), professionalId, content, now: ctx.clock.now() }
    await insertPrepared(ctx, { ...subjectColumns(subject), ...row, kind: 'job_spec' })
    return content
  })

function specOf(subject: Subject): JobSpec {
  const { about, service, customer, quote, visit, preferredDate, timeline, photos, description } = subject
  const items = quote?.lineItems.filter(({ amount }) => amount > 0) ?? []
  const work = items.map(({ description: item, quantity }) => ({ item, quantity }))
  const scope = work.length > 0 || !service ? work : [{ item: service.name, quantity: quote?.units ?? 1 }]
  return {
    about,
    title: `${service?.name ?? 'Work'} for ${customer.name}`,
    request: description,
    customer: { name: customer.name, phone: customer.phone },
    address: formatAddress(subject.address),
    scope,
    price: quote && { amount: quote.amount, deposit: quote.depositAmount, terms: quote.paymentTerms },
    estimatedDays: quote?.estimatedDays ?? null,
    wanted: visit ? `${visit.date} at ${visit.time}` : (preferredDate ?? timeline),
    photos,
    doneWhen: scope.map(({ item, quantity }) => `${quantity} × ${item}: done, shown to ${customer.name}`),
    open: [
      ...questionsFor(subject),
      ...(about.type === 'lead' && quote?.status !== 'accepted' ? ['The customer has not agreed to a quote yet.'] : []),
    ],
  }
}
