/** @jsxImportSource preact */
// /console/pictures: the logo, the cover and the gallery of a pro, in one form.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { VNode } from 'preact'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import type { File } from '../../features/files/files/schemas.ts'
import { MAX_GALLERY, type NewPictures, type Pictures } from '../../features/files/pictures/schemas.ts'
import { getPictures, listRefusedPictures, setPictures } from '../../features/files/pictures/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { Text, Uuid } from '../../platform/schema/types.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/buttons.tsx'
import { EMPTY_FORM, Form, type FormState, formStatus } from '../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../ui/headings.tsx'
import { Picture, pictureSources } from '../ui/pictures.tsx'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'
import { UploadField } from '../ui/upload-field.tsx'
import { type FileFields, receivePageForm, submitReceivedForm } from '../ui/uploads.ts'

const PATH = '/console/pictures'
const session = ['pro'] as const
const MAX_AT_ONCE = 10

/** The pictures that there are come as rows of id, caption and position; those to remove and new ones by their ids. */
const PicturesForm = Type.Object({
  logo: Type.Optional(Uuid()),
  cover: Type.Optional(Uuid()),
  gallery: Type.Optional(Type.Array(Uuid(), { maxItems: MAX_AT_ONCE })),
  picture: Type.Optional(Type.Array(Uuid(), { maxItems: MAX_GALLERY })),
  caption: Type.Optional(Type.Array(Text(200), { maxItems: MAX_GALLERY })),
  position: Type.Optional(Type.Array(Text(4), { maxItems: MAX_GALLERY })),
  remove: Type.Optional(Type.Array(Uuid(), { maxItems: MAX_GALLERY + 2 })),
})

const FILES: FileFields = {
  logo: { purpose: 'pro_logo', most: 1 },
  cover: { purpose: 'pro_cover', most: 1 },
  gallery: { purpose: 'pro_gallery', most: MAX_AT_ONCE },
}

export const picturePages = (deps: Deps) =>
  new Elysia({ name: 'picture-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getPicturesPage({ ctx, authenticated: by }) {
        return await renderPictures(ctx, by)
      },
      { session },
    )
    .post(
      PATH,
      async function postPictures({ ctx, authenticated: by }) {
        const pro = ctx.as(actingProOf(by))
        const received = await receivePageForm(pro, by.request, FILES)
        return await submitReceivedForm(
          PicturesForm,
          received,
          async (input) => {
            await setPictures(pro, picturesOf(input, await getPictures(pro)))
            const text = 'Your pictures are saved. New ones are on your page within seconds.'
            return redirectWithFlash(ctx, by.session, PATH, { tone: 'good', text })
          },
          (formState) => renderPictures(ctx, by, formState),
        )
      },
      { session, form: PicturesForm, upload: PicturesForm },
    )

/** The pictures after the form. One without a position comes last. */
function picturesOf(input: Static<typeof PicturesForm>, { logo, cover }: Pictures): NewPictures {
  const { picture = [], caption = [], position = [], gallery: added = [] } = input
  const removed = new Set(input.remove)
  const kept = (file: File | null) => (file && !removed.has(file.id) ? file.id : null)
  const rows = picture.map((fileId, row) => ({
    fileId,
    caption: caption[row] || null,
    position: Number(position[row]) || MAX_GALLERY + 1,
  }))
  const gallery = rows
    .filter(({ fileId }) => !removed.has(fileId))
    .toSorted((a, b) => a.position - b.position)
    .map(({ fileId, caption }) => ({ fileId, caption }))
  return {
    logo: input.logo ?? kept(logo),
    cover: input.cover ?? kept(cover),
    gallery: [...gallery, ...added.map((fileId) => ({ fileId }))],
  }
}

async function renderPictures(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const pro = ctx.as(actingProOf(by))
  const [pictures, refused] = await Promise.all([getPictures(pro), listRefusedPictures(pro)])
  return renderConsolePage(
    ctx,
    by,
    {
      title: 'Pictures',
      content: picturesView(by.session, { ...pictures, refused }, formState),
      scripts: ['upload.js'],
      styles: ['console.css'],
    },
    { ...formStatus(formState), sources: pictureSources(ctx.config) },
  )
}

type Shown = Pictures & { refused: readonly File[] }

const picturesView = (session: Session, { logo, cover, gallery, refused }: Shown, formState: FormState): VNode => (
  <>
    <BackLink href="/console/profile">Profile</BackLink>
    <PageHeading>Pictures</PageHeading>
    <p class="lead">Your page and the search show them. Where and when a picture was taken is removed.</p>
    <Form action={PATH} session={session} formState={formState} hasFiles isNarrow>
      <Section title="Logo">
        {logo && currentOf(logo, 'Your logo', formState)}
        {refusedFor('pro_logo', refused)}
        <UploadField name="logo" label="New logo" purpose="pro_logo" hint="A square picture looks best." />
      </Section>
      <Section title="Cover">
        {cover && currentOf(cover, 'Your cover', formState)}
        {refusedFor('pro_cover', refused)}
        <UploadField
          name="cover"
          label="New cover"
          purpose="pro_cover"
          hint="A wide picture for the top of your page."
        />
      </Section>
      <Section title="Gallery">
        {gallery.map((file, index) => rowOf({ file, index, formState }))}
        {refusedFor('pro_gallery', refused)}
        <UploadField
          name="gallery"
          label="More pictures"
          purpose="pro_gallery"
          most={MAX_AT_ONCE}
          hint={`Of your work. You may have ${MAX_GALLERY} in all.`}
        />
      </Section>
      <Button>Save pictures</Button>
    </Form>
  </>
)

const refusedFor = (purpose: File['purpose'], refused: readonly File[]) =>
  refused
    .filter((file) => file.purpose === purpose)
    .map(({ message }) => <p class="fault">Your last picture was not taken. {message}</p>)

/** A picture, or that it is not ready yet, with a box to remove it. */
const currentOf = (file: File, alt: string, { values }: FormState): VNode => (
  <div class="uploaded">
    {file.state === 'ready' && <Picture picture={file} alt={alt} sizes="10rem" />}
    {file.state === 'received' && (
      <p>
        <Badge tone="wait">Being prepared</Badge> <a href={PATH}>See whether it is ready</a>
      </p>
    )}
    <label class="tick">
      <input type="checkbox" name="remove" value={file.id} checked={values.getAll('remove').includes(file.id)} /> Remove{' '}
      {alt.toLowerCase()}
    </label>
  </div>
)

/** A row of the gallery. What was typed stands again after an error. */
function rowOf({ file, index, formState }: { file: File; index: number; formState: FormState }): VNode {
  const name = `Picture ${index + 1}`
  const row = formState.values.getAll('picture').indexOf(file.id)
  const typed = (field: string) => (row === -1 ? undefined : formState.values.getAll(field)[row])
  return (
    <fieldset class="field">
      <legend>{name}</legend>
      {currentOf(file, name, formState)}
      <input type="hidden" name="picture" value={file.id} />
      <label for={`caption-${index}`}>Caption</label>
      <input
        id={`caption-${index}`}
        name="caption"
        type="text"
        maxlength={200}
        autocomplete="off"
        value={typed('caption') ?? file.caption ?? ''}
      />
      <label for={`position-${index}`}>Position</label>
      <input
        id={`position-${index}`}
        name="position"
        type="number"
        min={1}
        max={MAX_GALLERY}
        value={typed('position') ?? String(index + 1)}
      />
    </fieldset>
  )
}
