// /console/profile: how a pro presents the business, in four forms, with a link to the public page.
import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { changeProfile, getProfile } from '../../../features/business/profile/verbs.ts'
import type { PublicTexts } from '../../../features/business/storefront/schemas.ts'
import {
  changeBusinessEntity,
  changePublicTexts,
  changeSiteConfig,
  getBusinessEntity,
  getPublicTexts,
  getSiteConfig,
} from '../../../features/business/storefront/verbs.ts'
import { linesOf } from '../../../http/form.ts'
import { guard } from '../../../http/guard.ts'
import { type AuthenticatedRequest, actingProOf } from '../../../http/session.ts'
import { firstCharacters, plainName } from '../../../platform/text/plain.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirect, redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { getRegion } from '../../../features/upkeep/marketplace/verbs.ts'
import { typedDistance } from '../../../platform/text/distance.ts'
import { BusinessForm, ProfileForm, SiteForm, TextsForm, profileFormIn } from './forms.ts'
import { NO_STATES, PROFILE_PATH as PATH, type ProfileStates, profileView } from './view.tsx'

const session = ['pro'] as const

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

const NO_LOOK = { themeColor: null, heroTitle: null, heroText: null, callToAction: null, callToActionLabel: null }

export const consoleProfilePages = (deps: Deps) =>
  new Elysia({ name: 'console-profile-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getProfilePage({ ctx, authenticated: by }) {
        return await renderProfile(ctx, by)
      },
      { session },
    )
    .post(
      PATH,
      async function postProfile({ ctx, authenticated: by }) {
        const region = await getRegion(ctx)
        const save = async (input: Static<typeof ProfileForm>) => {
          await changeProfile(ctx.as(actingProOf(by)), {
            ...input,
            serviceRadiusMiles: typedDistance.miles(region, input.serviceRadiusMiles),
            description: input.description ?? null,
            yearsOfExperience: input.yearsOfExperience ?? null,
          })
          return saved(ctx, by)
        }
        const form = profileFormIn(region)
        return await submitForm(form, by.form, save, (profileState) => renderProfile(ctx, by, { profileState }))
      },
      { session, form: ProfileForm },
    )
    .get(`${PATH}/business`, () => redirect(PATH), { session })
    .get(`${PATH}/texts`, () => redirect(PATH), { session })
    .post(
      `${PATH}/business`,
      async function postBusiness({ ctx, authenticated: by }) {
        const save = async (input: Static<typeof BusinessForm>) => {
          await changeBusinessEntity(ctx.as(actingProOf(by)), { ...NO_PAPERS, ...input })
          return saved(ctx, by)
        }
        return await submitForm(BusinessForm, by.form, save, (businessState) =>
          renderProfile(ctx, by, { businessState }),
        )
      },
      { session, form: BusinessForm },
    )
    .post(
      `${PATH}/texts`,
      async function postTexts({ ctx, authenticated: by }) {
        const save = async (input: Static<typeof TextsForm>) => {
          const { headline = null, about = null, serviceAreas = null, highlights = '', languages = '' } = input
          const lists = {
            highlights: linesOf(highlights, 10),
            languages: linesOf(languages, 10).map((line) => firstCharacters(line, 50)),
            faq: faqOf(input),
          }
          await changePublicTexts(ctx.as(actingProOf(by)), { headline, about, serviceAreas, ...lists })
          return saved(ctx, by)
        }
        return await submitForm(TextsForm, by.form, save, (textsState) => renderProfile(ctx, by, { textsState }))
      },
      { session, form: TextsForm },
    )
    .get(`${PATH}/site`, () => redirect(PATH), { session })
    .post(
      `${PATH}/site`,
      async function postSite({ ctx, authenticated: by }) {
        const save = async (input: Static<typeof SiteForm>) => {
          const { sections: order } = await getSiteConfig(ctx.as(actingProOf(by)))
          const kept = order.filter((name) => input.sections.includes(name))
          const added = input.sections.filter((name) => !order.includes(name))
          await changeSiteConfig(ctx.as(actingProOf(by)), { ...NO_LOOK, ...input, sections: [...kept, ...added] })
          return saved(ctx, by)
        }
        return await submitForm(SiteForm, by.form, save, (siteState) => renderProfile(ctx, by, { siteState }))
      },
      { session, form: SiteForm },
    )

const faqOf = ({ question = [], answer = [] }: Static<typeof TextsForm>): PublicTexts['faq'] =>
  question.flatMap((text, row) =>
    text === '' ? [] : [{ question: firstCharacters(plainName(text), 200), answer: answer[row] ?? '' }],
  )

const saved = (deps: Deps, by: AuthenticatedRequest) =>
  redirectWithFlash(deps, by.session, PATH, { tone: 'good', text: 'Your profile is saved. Your page shows it now.' })

async function renderProfile(
  ctx: Ctx,
  by: AuthenticatedRequest,
  states: Partial<ProfileStates> = {},
): Promise<Response> {
  const pro = actingProOf(by)
  const [profile, business, texts, site] = await Promise.all([
    getProfile(ctx.as(pro)),
    getBusinessEntity(ctx.as(pro)),
    getPublicTexts(ctx.as(pro)),
    getSiteConfig(ctx.as(pro)),
  ])
  const content = profileView(by.session, { profile, business, texts, site, ...NO_STATES, ...states })
  const [failed = EMPTY_FORM] = Object.values(states)
  return renderConsolePage(ctx, by, { title: 'Profile', content, styles: ['console.css'] }, formStatus(failed))
}
