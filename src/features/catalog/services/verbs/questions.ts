// What requests for a quote of a service are asked.
import type { Ctx } from '../../../../ctx.ts'
import type { Question } from '../schemas.ts'
import { getCatalogNames } from './names.ts'

/** In the order in which they are asked; without a service, and of one that is not offered, none. */
export async function listQuestions(
  ctx: Ctx,
  { serviceId }: { serviceId: string | null | undefined },
): Promise<readonly Question[]> {
  const { services } = await getCatalogNames(ctx)
  return services.find(({ id }) => id === serviceId?.toLowerCase())?.questions ?? []
}

/** Those of several services, by id. */
export async function listQuestionsOf(
  ctx: Ctx,
  { serviceIds }: { serviceIds: readonly string[] },
): Promise<ReadonlyMap<string, readonly Question[]>> {
  const { services } = await getCatalogNames(ctx)
  return new Map(services.filter(({ id }) => serviceIds.includes(id)).map(({ id, questions }) => [id, questions]))
}
