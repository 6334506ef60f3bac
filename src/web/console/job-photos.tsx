/** @jsxImportSource preact */
// The photos of a job: the pro's own, which only the pro sees.
import { type Static, Type } from '@sinclair/typebox'
import type { VNode } from 'preact'

import type { Ctx } from '../../ctx.ts'
import { type Pro, addJobPhotos } from '../../features/booking/jobs/verbs/photos.ts'
import type { File } from '../../features/files/files/schemas.ts'
import { getFile } from '../../features/files/files/verbs/files.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { longDay } from '../../platform/text/format.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/buttons.tsx'
import { Form, type FormState, type WithCsrfToken } from '../ui/form.tsx'
import { Section } from '../ui/headings.tsx'
import { Gallery } from '../ui/pictures.tsx'
import { UploadField } from '../ui/upload-field.tsx'
import type { FileFields } from '../ui/uploads.ts'

const MAX_AT_ONCE = 10
/** How long the page says that a photo was refused. */
const DAY_MS = 86_400_000

export const JobPhotosForm = Type.Object({
  photos: Type.Optional(Type.Array(Uuid(), { maxItems: MAX_AT_ONCE })),
})

export const JOB_PHOTO_FIELDS: FileFields = { photos: { purpose: 'job', most: MAX_AT_ONCE } }

/** Adds the uploaded files to the job. Throws job_not_found, file_not_found and validation_failed. */
export async function addUploadedPhotos(
  ctx: Ctx<Pro>,
  { id, photos = [] }: Static<typeof JobPhotosForm> & { id: string },
): Promise<void> {
  const files = await Promise.all(photos.map((photo) => getFile(ctx, { id: photo })))
  await addJobPhotos(ctx, { id, photos: files.map(({ url }) => url) })
}

/** The photos that there are, and a field for more. */
export const jobPhotos = (
  session: WithCsrfToken,
  { path, photos, formState, now }: { path: string; photos: readonly File[]; formState: FormState; now: Date },
): VNode => (
  <Section title="Photos">
    <p class="hint">Only you and your team see them.</p>
    <Gallery
      owner="This job"
      pictures={photos
        .filter(({ state }) => state === 'ready')
        .map((photo) => ({ ...photo, caption: longDay(photo.createdAt) }))}
    />
    {photos.some(({ state }) => state === 'received') && (
      <p>
        <Badge tone="wait">Being prepared</Badge> <a href={path}>See whether they are ready</a>
      </p>
    )}
    {photos
      .filter(({ state, createdAt }) => state === 'refused' && Date.parse(createdAt) > now.getTime() - DAY_MS)
      .map(({ message }) => (
        <p class="fault">A photo was not added: {message}</p>
      ))}
    <Form action={`${path}/photos`} session={session} formState={formState} hasFiles isNarrow>
      <UploadField name="photos" label="Add photos" purpose="job" most={MAX_AT_ONCE} />
      <Button>Add photos</Button>
    </Form>
  </Section>
)
