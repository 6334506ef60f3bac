// The refusal of a service that a pro does not offer.
import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { getCatalogNames } from './names.ts'

/** A service that was merged is refused with the name and the id of the one that it is part of. */
export async function serviceNotOffered(
  ctx: Ctx,
  { serviceId }: { serviceId?: string | null | undefined },
): Promise<AppError> {
  const { services } = await getCatalogNames(ctx)
  const target = services.find(({ formerIds }) => formerIds.includes(serviceId?.toLowerCase() ?? ''))
  return new AppError(
    'service_not_found',
    target
      ? `This service is part of “${target.name}” now. Use its id: ${target.id}.`
      : 'This pro does not offer the service.',
  )
}
