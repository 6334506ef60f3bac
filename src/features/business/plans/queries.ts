// Plans in the database, where the generated statements need a type of their own.
import type { Ctx } from '../../../ctx.ts'
import { findPlanOfPro } from './queries.sql.ts'
import type { PlanOfPro } from './schemas.ts'

/** What `current_plan` says of a pro. */
export const selectPlanOfPro = (
  ctx: Ctx,
  { professionalId, now }: { professionalId: string; now: Date },
): Promise<PlanOfPro | undefined> => findPlanOfPro<Pick<PlanOfPro, 'endedPlan'>>(ctx, { professionalId, now })
