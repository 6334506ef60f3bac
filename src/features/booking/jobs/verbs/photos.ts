// Photos that a pro takes of a job.
import type { Ctx } from '../../../../ctx.ts'
import { invalidField } from '../../../../errors/app-error.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import type { File } from '../../../files/files/schemas.ts'
import { nameOfAddress } from '../../../files/files/verbs/addresses.ts'
import { listJobFiles, usePhotos } from '../../../files/files/verbs/photos.ts'
import { lockJob } from '../queries.sql.ts'
import { type JobReader, getJob, jobNotFound } from './jobs.ts'

/** The account that acts for a pro. */
export interface Pro extends JobReader {
  readonly accountId: string
}

/** The pro's photos of a job, also those that are not ready. Throws job_not_found. */
export async function listJobPhotos(ctx: Ctx<JobReader>, { id }: { id: string }): Promise<File[]> {
  const job = await getJob(ctx, { id })
  return await listJobFiles(ctx, { jobId: job.id })
}

/** Adds uploaded files to a job. Throws job_not_found, and validation_failed for what is no file of the pro's for jobs. */
export const addJobPhotos = (
  ctx: Ctx<Pro>,
  { id, photos }: { id: string; photos: readonly string[] },
): Promise<File[]> => {
  const { accountId, professionalId, onlyMemberId = null } = ctx.actor
  const request = { accountId, operation: 'addJobPhotos', request: { id, photos } }
  return runIdempotently(ctx, request, async (ctx) => {
    if (!(await lockJob(ctx, { id, professionalId, onlyMemberId }))) throw jobNotFound()
    const foreign = photos.findIndex((url) => nameOfAddress(ctx, { url }) === undefined)
    if (foreign >= 0) throw invalidField(`body.photos.${foreign}`, 'must be the `url` of an uploaded file')
    await usePhotos(ctx, { urls: photos, accountId, purpose: 'job', by: { jobId: id }, path: 'body.photos' })
    return await listJobFiles(ctx, { jobId: id })
  })
}
