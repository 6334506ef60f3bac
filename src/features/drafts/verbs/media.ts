// Photos of a piece of work: what the customer sent with the request, and what they showed in reviews.
import type { Deps } from '../../../deps.ts'
import type { ActingPro } from '../../rfqs/verbs/rfqs.ts'
import { getJob } from '../../jobs/verbs.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { getLead } from '../../rfqs/verbs/rfqs.ts'
import type { JobMedia } from '../schemas.ts'
import { selectMedia } from '../queries.ts'

/** Throws validation_failed unless exactly one is named, job_not_found, rfq_not_found. */
export async function listJobMedia(
  deps: Deps,
  pro: ActingPro,
  { jobId, leadId }: { jobId?: string | undefined; leadId?: string | undefined },
): Promise<JobMedia> {
  if ((jobId === undefined) === (leadId === undefined))
    throw invalidField('body.jobId', 'must be given, or leadId: exactly one of the two')
  const found =
    jobId === undefined
      ? { rfqId: (await getLead(deps, pro, leadId ?? '')).id, jobId: null }
      : { rfqId: (await getJob(deps, pro, jobId)).rfqId, jobId }
  return { media: await selectMedia(deps.read, pro.professionalId, found) }
}
