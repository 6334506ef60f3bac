// What a customer's agent can do about an error, in the names of its tools, and the nearest right ids.
import type { Viewer } from '../../auth/caller.ts'
import type { Ctx } from '../../ctx.ts'
import { AppError, type ErrorCode, invalidFields } from '../../errors/app-error.ts'
import { getCatalogNames } from '../../features/catalog/services/verbs/names.ts'
import { getPro } from '../../features/search/pros/verbs/pros.ts'

export const customerRemedies: Partial<Record<ErrorCode, string>> = {
  professional_not_found: 'Take `professionals[].id` from search_pros.',
  job_not_found: 'Nothing to review yet. get_quote_request shows whether a quote was accepted.',
  duplicate_review: 'The customer’s review is there already and cannot be changed. Tell them, and do not call again.',
  review_too_early: 'Tell the person when the visit is over, and call again after that.',
  no_visit_to_review: 'There is no visit to review: tell the person. Do not call again.',
  service_not_found: 'Use an id of `offered`, or find a pro for this service with search_pros.',
  package_not_found: 'Take the id or sku from list_packages.',
  property_not_found: 'Take the id from list_properties.',
  booking_not_found: 'Use `manageUrl` or the confirmation code exactly as book_appointment or the e-mail gave it.',
  rfq_not_found: 'Use `requestUrl` exactly as request_quote or the e-mail gave it.',
  slot_unavailable: 'Call query_availability again and let the person choose another time.',
  instant_booking_disabled: 'Call request_quote for this pro, or search_pros with `instantBook` true.',
  service_unpriced: 'Call request_quote for this pro, or search_pros for another one.',
  service_too_long: 'Call request_quote for this pro.',
  outside_service_area: 'Offer the person the pros of `nearest`, or call search_pros with their ZIP code as `place`.',
  hold_expired: 'Call query_availability, then book_appointment with a new `idempotencyKey`.',
  idempotency_mismatch: 'Send another `idempotencyKey`. Reuse one only to repeat the same call.',
  own_business: 'Only the customer does this, never the business itself. Do not call again.',
  address_unproven: 'Give the person `bookingUrl`: there they choose the time, get a code by e-mail and book.',
  customer_blocked: 'Call search_pros and offer the person another pro.',
}

/** Adds what the pro does offer, and the ids that names stand for. */
export async function explainToCustomer(
  ctx: Ctx<Viewer>,
  error: AppError,
  { professionalId, serviceId }: Record<string, unknown>,
): Promise<AppError> {
  if (error.code === 'service_not_found' && typeof professionalId === 'string')
    return withOffered(error, await servicesOf(ctx, professionalId))
  // A sentence about fields that no tool has.
  const detail = error.detail.replace(/ To review the pro in general, leave out .*$/, '')
  if (detail !== error.detail) return new AppError(error.code, detail, { extensions: error.extensions })
  if (error.code !== 'validation_failed' || !error.errors) return error
  const ids: Record<string, string | undefined> = {
    serviceId: typeof serviceId === 'string' ? await findServiceId(ctx, serviceId) : undefined,
    professionalId: typeof professionalId === 'string' ? await findProId(ctx, professionalId) : undefined,
  }
  const explained = error.errors.map(({ path, message }) => ({
    path,
    message: ids[path] === undefined ? message : `${message} (did you mean ${ids[path]}?)`,
  }))
  return invalidFields(explained)
}

interface Ref {
  readonly id: string
  readonly name: string
}

const MAX_OFFERED = 20

function withOffered(error: AppError, offered: readonly Ref[]): AppError {
  const names = offered.map(({ id, name }) => `${name} (${id})`).join(', ')
  const detail = offered.length === 0 ? error.detail : `${error.detail} The pro offers: ${names}.`
  return new AppError(error.code, detail, { extensions: { ...error.extensions, offered } })
}

async function servicesOf(ctx: Ctx<Viewer>, professionalId: string): Promise<Ref[]> {
  const { services } = JSON.parse(await getPro(ctx, { pro: professionalId })) as { services: Ref[] }
  return services.slice(0, MAX_OFFERED).map(({ id, name }) => ({ id, name }))
}

/** Names and slugs stand for a service, exactly or nearly. */
async function findServiceId(ctx: Ctx, text: string): Promise<string | undefined> {
  const names = await getCatalogNames(ctx)
  const name = text.slice(0, MAX_NAME)
  const service = names.offering(name)?.service ?? names.servicesLike(name, 1)[0]
  return service && `${service.id}, ${service.name}`
}

const MAX_NAME = 200

async function findProId(ctx: Ctx<Viewer>, slug: string): Promise<string | undefined> {
  try {
    const { id, businessName } = JSON.parse(await getPro(ctx, { pro: slug })) as { id: string; businessName: string }
    return slug === id ? undefined : `${id}, ${businessName}`
  } catch (error) {
    if (error instanceof AppError && error.code === 'professional_not_found') return undefined
    throw error
  }
}
