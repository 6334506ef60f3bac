// /console/profile: how a pro presents the business, in three forms, with a link to the public page.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { invalidField } from '../../errors/app-error.ts'
import type { Profile } from '../../features/profile/schemas.ts'
import { changeProfile, getProfile } from '../../features/profile/verbs.ts'
import type { BusinessEntity, PublicTexts } from '../../features/storefront/schemas.ts'
import {
  changeBusinessEntity,
  changePublicTexts,
  getBusinessEntity,
  getPublicTexts,
} from '../../features/storefront/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, actingProOf } from '../../http/session.ts'
import { FreeText, HttpUrl, Name, Text } from '../../platform/schema/types.ts'
import { timeZoneName } from '../../platform/text/format.ts'
import { type Html, html } from '../../platform/text/html.ts'
import {
  type FormState,
  EMPTY_FORM,
  checkbox,
  csrfField,
  formStatus,
  problemBox,
  textArea,
  textField,
} from '../ui/forms.ts'
import { badge, pageHeading, section } from '../ui/parts.ts'
import { redirect, redirectWithFlash, renderConsolePage } from '../ui/responses.ts'
import { submitForm } from '../ui/submit.ts'

const PATH = '/console/profile'
const session = ['pro'] as const

const ProfileForm = Type.Object({
  businessName: Name(),
  description: Type.Optional(FreeText()),
  serviceRadiusMiles: Type.Integer({ minimum: 1, maximum: 500 }),
  acceptsEmergency: Type.Boolean(),
})
const BusinessForm = Type.Object({
  phone: Type.Optional(Text(50)),
  website: Type.Optional(HttpUrl()),
  foundedYear: Type.Optional(Type.Integer({ minimum: 1800, maximum: 2100 })),
  legalName: Type.Optional(Text(200)),
  licenseNumber: Type.Optional(Text(100)),
  licenseState: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
  insuranceCarrier: Type.Optional(Text(200)),
})
const TextsForm = Type.Object({
  headline: Type.Optional(Text(200)),
  about: Type.Optional(FreeText()),
  serviceAreas: Type.Optional(Text(1000)),
  /** One per line. */
  highlights: Type.Optional(Text(2000)),
})

/** An empty field removes its value. */
const NO_PAPERS = {
  phone: null,
  website: null,
  foundedYear: null,
  legalName: null,
  licenseNumber: null,
  licenseState: null,
  insuranceCarrier: null,
}

export const consoleProfilePages = (deps: Deps) =>
  new Elysia({ name: 'console-profile-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getProfilePage({ authenticated: by }) {
        return await renderProfile(deps, by)
      },
      { session },
    )
    .post(
      PATH,
      async function postProfile({ authenticated: by }) {
        const save = async (input: Static<typeof ProfileForm>) => {
          await changeProfile(deps, actingProOf(by), { ...input, description: input.description ?? null })
          return saved(deps, by)
        }
        return await submitForm(ProfileForm, by.form, save, (profileState) => renderProfile(deps, by, { profileState }))
      },
      { session, form: ProfileForm },
    )
    .get(`${PATH}/business`, () => redirect(PATH), { session })
    .get(`${PATH}/texts`, () => redirect(PATH), { session })
    .post(
      `${PATH}/business`,
      async function postBusiness({ authenticated: by }) {
        const save = async (input: Static<typeof BusinessForm>) => {
          if ((input.licenseNumber === undefined) !== (input.licenseState === undefined))
            throw invalidField('licenseState', 'enter the number and the state of the license, or neither')
          await changeBusinessEntity(deps, actingProOf(by), { ...NO_PAPERS, ...input })
          return saved(deps, by)
        }
        return await submitForm(BusinessForm, by.form, save, (businessState) =>
          renderProfile(deps, by, { businessState }),
        )
      },
      { session, form: BusinessForm },
    )
    .post(
      `${PATH}/texts`,
      async function postTexts({ authenticated: by }) {
        const save = async ({ highlights = '', ...input }: Static<typeof TextsForm>) => {
          const texts = { headline: null, about: null, serviceAreas: null, ...input }
          await changePublicTexts(deps, actingProOf(by), { ...texts, highlights: lines(highlights) })
          return saved(deps, by)
        }
        return await submitForm(TextsForm, by.form, save, (textsState) => renderProfile(deps, by, { textsState }))
      },
      { session, form: TextsForm },
    )

/** Up to ten lines. */
const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim().slice(0, 200))
    .filter(Boolean)
    .slice(0, 10)

const saved = (deps: Deps, by: AuthenticatedRequest) =>
  redirectWithFlash(deps, by.session, PATH, { tone: 'good', text: 'Your profile is saved. Your page shows it now.' })

async function renderProfile(
  deps: Deps,
  by: AuthenticatedRequest,
  { profileState = EMPTY_FORM, businessState = EMPTY_FORM, textsState = EMPTY_FORM } = {},
): Promise<Response> {
  const pro = actingProOf(by)
  const [profile, business, texts] = await Promise.all([
    getProfile(deps, pro),
    getBusinessEntity(deps, pro),
    getPublicTexts(deps, pro),
  ])
  const form = (action: string, formState: FormState, content: Html) =>
    html`<form method="post" action="${action}" class="narrow-form">
      ${csrfField(by.session)} ${problemBox(formState)} ${content}
      <button>Save</button>
    </form>`
  const { city, state } = profile.location
  const content = html`
    ${pageHeading('Profile', html`${profile.verified && badge('Verified', 'good')} <a class="button quiet" href="/pros/${profile.slug}">See your page</a>`)}
    <p class="lead">You work around ${city}, ${state}, in ${timeZoneName(profile.timezone)}.</p>
    ${section('Your business', form(PATH, profileState, profileFields(profile, profileState)))}
    ${section('Contact and papers', form(`${PATH}/business`, businessState, businessFields(business, businessState)))}
    ${section('Texts of your page', form(`${PATH}/texts`, textsState, textFields(texts, textsState)))}
  `
  const failed = [profileState, businessState, textsState].find((formState) => formState !== EMPTY_FORM) ?? EMPTY_FORM
  return renderConsolePage(deps, by, { title: 'Profile', content, styles: ['console.css'] }, formStatus(failed))
}

const profileFields = (profile: Profile, formState: FormState): Html => html`
  ${textField({ name: 'businessName', label: 'Business name', value: profile.businessName, maxLength: 200, formState })}
  ${textArea({ name: 'description', label: 'What you do', isOptional: true, rows: 4, maxLength: 5000, value: profile.description ?? '', formState })}
  ${textField({ name: 'serviceRadiusMiles', label: 'How far you drive, miles', type: 'number', min: 1, max: 500, value: String(profile.serviceRadiusMiles), formState })}
  ${checkbox({ name: 'acceptsEmergency', label: 'I take emergencies', ...(profile.acceptsEmergency ? { value: 'on' } : {}), formState })}
`

const businessFields = (business: BusinessEntity, formState: FormState): Html => html`
  ${textField({ name: 'phone', label: 'Phone', isOptional: true, maxLength: 50, autocomplete: 'tel', value: business.phone ?? '', formState })}
  ${textField({ name: 'website', label: 'Website', type: 'url', isOptional: true, hint: 'With https:// in front.', maxLength: 2048, value: business.website ?? '', formState })}
  ${textField({ name: 'foundedYear', label: 'In business since', type: 'number', min: 1800, max: 2100, isOptional: true, value: String(business.foundedYear ?? ''), formState })}
  ${textField({ name: 'legalName', label: 'Legal name', isOptional: true, maxLength: 200, value: business.legalName ?? '', formState })}
  <div class="side-by-side">
    ${textField({ name: 'licenseNumber', label: 'License number', isOptional: true, maxLength: 100, value: business.licenseNumber ?? '', formState })}
    ${textField({ name: 'licenseState', label: 'License state', isOptional: true, hint: 'Two letters, such as TX.', maxLength: 2, value: business.licenseState ?? '', formState })}
  </div>
  ${textField({ name: 'insuranceCarrier', label: 'Insurance', isOptional: true, maxLength: 200, value: business.insuranceCarrier ?? '', formState })}
`

const textFields = (texts: PublicTexts, formState: FormState): Html => html`
  ${textField({ name: 'headline', label: 'Headline', isOptional: true, hint: 'One line under your name.', maxLength: 200, value: texts.headline ?? '', formState })}
  ${textArea({ name: 'about', label: 'About you', isOptional: true, rows: 5, maxLength: 5000, value: texts.about ?? '', formState })}
  ${textArea({ name: 'serviceAreas', label: 'Where you work', isOptional: true, rows: 2, maxLength: 1000, value: texts.serviceAreas ?? '', formState })}
  ${textArea({ name: 'highlights', label: 'Your strengths', isOptional: true, hint: 'One per line, up to ten.', rows: 4, maxLength: 2000, value: texts.highlights.join('\n'), formState })}
`
