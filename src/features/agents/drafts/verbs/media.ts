// Photos of work, from the customer's request and reviews.
import type { Ctx } from '../../../../ctx.ts'
import { type ActingPro, getLead } from '../../../quoting/rfqs/verbs/rfqs.ts'
import { getJob } from '../../../booking/jobs/verbs/jobs.ts'
import { invalidField } from '../../../../errors/app-error.ts'
import { listJobFiles, shownPhoto } from '../../../files/files/verbs/photos.ts'
import type { JobMedia } from '../schemas.ts'
import { selectMedia } from '../queries/pro-records.sql.ts'

/** Photos of a job or a lead. Throws validation_failed unless exactly one is named, job_not_found and rfq_not_found. */
export async function listJobMedia(
  ctx: Ctx<ActingPro>,
  { jobId, leadId }: { jobId?: string | undefined; leadId?: string | undefined },
): Promise<JobMedia> {
  if ((jobId === undefined) === (leadId === undefined))
    throw invalidField('body.jobId', 'give exactly one of jobId and leadId')
  const ref =
    jobId === undefined
      ? { rfqId: (await getLead(ctx, { id: leadId ?? '' })).id, jobId: null }
      : { rfqId: (await getJob(ctx, { id: jobId })).rfqId, jobId }
  const sent = await selectMedia(ctx, { ...ref, professionalId: ctx.actor.professionalId })
  const files = ref.jobId === null ? [] : await listJobFiles(ctx, { jobId: ref.jobId })
  const own = files.filter(({ state }) => state === 'ready')
  return {
    media: [
      ...sent.map((photo) => ({ ...photo, url: shownPhoto(ctx, photo) })),
      ...own.map(({ url, caption, createdAt }) => ({ url, caption, from: 'pro' as const, at: createdAt })),
    ],
  }
}
