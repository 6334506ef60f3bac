/** @jsxImportSource preact */
// /console/marketplace/pictures: the logo and the icon of the marketplace, in one form.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { VNode } from 'preact'

import { requestContextOf } from '../../auth/request-context.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { brandPath } from '../../features/upkeep/brand-pictures/rules/addresses.ts'
import { type BrandPicture, PICTURE_ID, PictureId } from '../../features/upkeep/brand-pictures/schemas.ts'
import { findBrandPicture, getBrandPicture, receiveBrandPicture } from '../../features/upkeep/brand-pictures/verbs.ts'
import type { Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { updateMarketplace } from '../../features/upkeep/marketplace/verbs.ts'
import { guard } from '../../http/guard.ts'
import type { ReceivedForm } from '../../http/receive-form.ts'
import type { AuthenticatedRequest } from '../../http/session.ts'
import { trafficOf } from '../../http/traffic.ts'
import { BRAND_KINDS, type BrandKind, ICON_SIDES } from '../../platform/pictures/brand.ts'
import { Integer } from '../../platform/schema/numbers.ts'
import { OneOf } from '../../platform/schema/types.ts'
import { Brand } from '../ui/brand.tsx'
import { Button } from '../ui/buttons.tsx'
import { markUrl } from '../ui/face.ts'
import { FileInput, Labelled } from '../ui/fields.tsx'
import { EMPTY_FORM, Form, type FormState, formStatus } from '../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../ui/headings.tsx'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'
import { readSite } from '../ui/site.tsx'
import { receiveFormOf, submitReceivedForm } from '../ui/uploads.ts'

const PARENT = '/console/marketplace'
export const BRAND_PICTURES_PATH = `${PARENT}/pictures`
const session = ['operator'] as const

/** The pictures come by their ids, once they are received. */
const PicturesForm = Type.Object({
  logo: Type.Optional(PictureId),
  icon: Type.Optional(PictureId),
  remove: Type.Optional(Type.Array(OneOf(BRAND_KINDS), { maxItems: BRAND_KINDS.length })),
  version: Integer({ minimum: 0, maximum: 1_000_000_000 }),
})

export const brandPicturePages = (deps: Deps) =>
  new Elysia({ name: 'brand-picture-pages' })
    .use(guard(deps))
    .get(
      BRAND_PICTURES_PATH,
      async function getBrandPictures({ ctx, authenticated: by }) {
        return await renderPictures(ctx, by)
      },
      { session },
    )
    .post(
      BRAND_PICTURES_PATH,
      async function postBrandPictures({ ctx, authenticated: by }) {
        return await submitReceivedForm(
          PicturesForm,
          await receivePictures(ctx, by),
          (input) => save(ctx, by, input),
          (formState) => renderPictures(ctx, by, formState),
        )
      },
      { session, form: PicturesForm, upload: PicturesForm },
    )

/** The form with the ids of its pictures. What is wrong with one is said beside its field, and the other is kept. */
async function receivePictures(ctx: Ctx, { request, session }: AuthenticatedRequest): Promise<ReceivedForm> {
  const sent = new Map<BrandKind, Uint8Array>()
  const { form, errors } = await receiveFormOf(ctx.as(session), request, {
    most: { logo: 1, icon: 1 },
    take: async ({ field, content }) => {
      sent.set(field, Buffer.concat(await Array.fromAsync(content)))
      return ''
    },
  })
  const left = new URLSearchParams([...form].filter(([, value]) => value !== ''))
  const faults = { ...errors }
  // The request counts as waiting: another process decodes.
  const goOn = trafficOf(ctx).pause(requestContextOf(request))
  try {
    for (const [kind, bytes] of sent) {
      left.delete(kind)
      const received = await receiveOne(ctx, { kind, bytes })
      if (typeof received === 'string') faults[kind] = received
      else left.set(kind, received.id)
    }
  } finally {
    goOn()
  }
  return { form: left, errors: faults }
}

/** The picture, or what is wrong with it. */
async function receiveOne(ctx: Ctx, sent: { kind: BrandKind; bytes: Uint8Array }): Promise<BrandPicture | string> {
  try {
    return await receiveBrandPicture(ctx, sent)
  } catch (error) {
    if (error instanceof AppError && error.code === 'validation_failed') return error.detail
    throw error
  }
}

async function save(ctx: Ctx, by: AuthenticatedRequest, input: Static<typeof PicturesForm>): Promise<Response> {
  const { version, remove = [] } = input
  const changes: { -readonly [Kind in BrandKind]?: BrandPicture | null } = {}
  for (const kind of BRAND_KINDS) {
    const id = input[kind]
    if (id !== undefined) changes[kind] = await getBrandPicture(ctx, { kind, id })
    else if (remove.includes(kind)) changes[kind] = null
  }
  if (Object.keys(changes).length === 0)
    throw new AppError('validation_failed', 'Choose a picture, or tick the one to remove.')
  await updateMarketplace(ctx, { ...changes, version, by: by.session.userId })
  const text = 'Saved. Pages, messages and agent servers show it from now on.'
  return redirectWithFlash(ctx, by.session, BRAND_PICTURES_PATH, { tone: 'good', text })
}

async function renderPictures(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const site = await readSite(ctx, by)
  const chosen = await chosenIn(ctx, formState)
  const content = (
    <>
      <BackLink href={PARENT}>Marketplace</BackLink>
      <PageHeading>Logo and icon</PageHeading>
      <p class="lead">
        Without them, pages and messages begin with your name, and a drawn mark in your colour stands beside it.
      </p>
      <Form action={BRAND_PICTURES_PATH} session={by.session} formState={formState} hasFiles isNarrow>
        {preview(site, { ...site, ...chosen })}
        {KINDS.map(({ kind, title, hint }) => (
          <Section title={title}>
            {site[kind] && currentOf(kind, formState)}
            {fieldOf({ kind, hint, chosen: chosen[kind] })}
          </Section>
        ))}
        <input type="hidden" name="version" value={String(site.version)} />
        <Button>Save</Button>
      </Form>
    </>
  )
  return renderConsolePage(
    ctx,
    by,
    { title: 'Logo and icon', content, scripts: ['brand.js'], styles: ['operator.css'] },
    { ...formStatus(formState), sources: { 'img-src': "'self' data:" } },
  )
}

const KINDS = [
  {
    kind: 'logo',
    title: 'Logo',
    hint: 'Wide or square. Stands at the top of pages and messages, in place of mark and name: it should show the name.',
  },
  {
    kind: 'icon',
    title: 'Icon',
    hint: `Square, best ${ICON_SIDES.whole} × ${ICON_SIDES.whole} pixels. In tabs, on phones, in lists of assistants, in pictures beside links, and beside your name where there is no logo.`,
  },
] as const

/** The pictures of a form that is shown again. One that was removed meanwhile is left out. */
async function chosenIn(ctx: Ctx, { values }: FormState): Promise<{ -readonly [Kind in BrandKind]?: BrandPicture }> {
  const chosen: { -readonly [Kind in BrandKind]?: BrandPicture } = {}
  for (const kind of BRAND_KINDS) {
    const id = values.get(kind) ?? ''
    const found = PICTURE_ID.test(id) ? await findBrandPicture(ctx, { kind, id }) : undefined
    if (found) chosen[kind] = found
  }
  return chosen
}

/** How pages begin, by day and in the dark; the script brand.js shows what is chosen before it is saved. */
const preview = (saved: Marketplace, shown: Marketplace): VNode => (
  <figure
    class="grounds"
    id="grounds"
    data-name={saved.name}
    data-mark={markUrl({ ...saved, icon: null })}
    data-logo={shown.logo && brandPath({ id: shown.logo.id })}
    data-icon={shown.icon && brandPath({ id: shown.icon.id })}
  >
    <figcaption class="hint">How pages begin, by day and in the dark, and the icon of a tab and a phone</figcaption>
    {(['day', 'dark'] as const).map((ground) => (
      <div class={`ground ${ground}`}>
        <p class="brand">
          <Brand site={shown} />
        </p>
        <p class="icons">
          <img src={markUrl(shown)} alt="" width="16" height="16" />{' '}
          <img class="sent" src={markUrl(shown)} alt="" width="48" height="48" />
        </p>
      </div>
    ))}
  </figure>
)

const currentOf = (kind: BrandKind, { values }: FormState): VNode => (
  <p>
    <label class="tick">
      <input type="checkbox" name="remove" value={kind} checked={values.getAll('remove').includes(kind)} /> Remove the{' '}
      {kind}
    </label>
  </p>
)

interface PictureField {
  kind: BrandKind
  hint: string
  /** Of a form that is shown again. */
  chosen: BrandPicture | undefined
}

const fieldOf = ({ kind, hint, chosen }: PictureField): VNode => {
  const field = {
    name: kind,
    label: `New ${kind}`,
    isOptional: true,
    saysOptional: false,
    hint: `${hint} JPEG, PNG, WebP or AVIF, up to 15 MB.`,
  }
  return (
    <Labelled field={field}>
      <FileInput field={field} />
      {chosen && (
        <p>
          <label class="tick">
            <input type="checkbox" name={kind} value={chosen.id} checked /> Your {kind} is uploaded, and not saved yet.
          </label>
        </p>
      )}
    </Labelled>
  )
}
