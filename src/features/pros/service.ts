// Pros: searched, and shown one by one.
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { idOrSlug } from './identifier.ts'
import { findProfessionalDetail } from './profile-queries.ts'

/** A pro as JSON text (ProfessionalDetail). Throws professional_not_found. */
export async function getPro({ read }: Deps, pro: string): Promise<string> {
  const body = await findProfessionalDetail(read, idOrSlug(pro))
  if (body === undefined) throw new AppError('professional_not_found', 'No pro has this id or slug.')
  return body
}

export const findPros = async (_deps: Deps, _query: unknown): Promise<string> => '{}'
