// /for-pros/join: a person applies to join as a pro, step by step, and sees where the application stands.
import { type AnyElysia, Elysia } from 'elysia'

import { publicPage } from '../../../auth/access.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { placeIn } from '../../../features/catalog/services/verbs/place-of-business.ts'
import { type Step, nextStep, stepAfter } from '../../../features/business/applications/rules/steps.ts'
import type { Answers } from '../../../features/business/applications/schemas.ts'
import {
  findOwnApplication,
  hasOwnAccount,
  saveStep,
  sendApplication,
  withdrawApplication,
} from '../../../features/business/applications/verbs/apply.ts'
import { JOIN_PATH } from '../../../features/business/applications/verbs/move-application.ts'
import { getCatalogNames } from '../../../features/catalog/services/verbs/names.ts'
import { getDefaults, getRegion } from '../../../features/upkeep/marketplace/verbs.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { type CustomerRequest, findCustomerSession } from '../../../http/customer-session.ts'
import { guard } from '../../../http/guard.ts'
import { typedDistance } from '../../../platform/text/distance.ts'
import { localized } from '../../../platform/text/region.ts'
import { renderSignIn } from '../../my/sign-in.ts'
import { EMPTY_FORM, type FormState, formStatus } from '../../ui/form.tsx'
import { HoursForm, hoursIn } from '../../ui/hours-form.tsx'
import { MY_PAGE, redirect, renderCustomerPage } from '../../ui/responses.tsx'
import { runAction, submitForm } from '../../ui/submit.ts'
import {
  BusinessForm,
  LicenseForm,
  PlaceForm,
  PricesForm,
  ServicesForm,
  placeFormIn,
  priceFieldsOf,
  pricesFormOf,
} from './forms.ts'
import { readStep } from './read-step.ts'
import { stepPage } from './steps-view.tsx'
import { WITHDRAW_PATH, noApplicationPage, statusPage } from './status-view.tsx'

const pathOf = (step: Step) => `${JOIN_PATH}/${step}`

export const joinPages = (deps: Deps) =>
  new Elysia({ name: 'join-pages' })
    .use(guard(deps))
    .get(
      JOIN_PATH,
      async function getJoin({ ctx, request }) {
        const customer = await findCustomerSession(deps, request)
        if (!customer) return renderSignIn(deps, request, { next: JOIN_PATH })
        const by = ctx.as(customer)
        const application = await findOwnApplication(by)
        if (application?.status === 'draft') return redirect(pathOf(nextStep(application)))
        const obstacle = application ? undefined : await obstacleTo(by)
        if (!application && obstacle === undefined) return redirect(pathOf('business'))
        const page = application ? statusPage(application, customer) : noApplicationPage(customer, obstacle)
        return renderCustomerPage(ctx, { request, customer }, page)
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      WITHDRAW_PATH,
      ({ ctx, signedIn: { customer } }) =>
        runAction(ctx, { session: customer }, MY_PAGE, async () => {
          await withdrawApplication(ctx.as(customer))
          return 'Your application is withdrawn, and what you gave us is erased.'
        }),
      { customer: true },
    )
    .use(stepPages(deps))
    .use(priceAndSendPages(deps))

/** Why the customer cannot begin an application. */
async function obstacleTo(ctx: Parameters<typeof hasOwnAccount>[0]): Promise<'account' | 'invitation' | undefined> {
  if (await hasOwnAccount(ctx)) return 'account'
  return (await getDefaults(ctx)).prosMayJoin ? undefined : 'invitation'
}

/** The pages of the steps whose forms are the same for all. */
const stepPages = (deps: Deps): AnyElysia =>
  new Elysia({ name: 'join-step-pages' })
    .use(guard(deps))
    .get(pathOf('business'), ({ ctx, signedIn }) => renderStep(ctx, signedIn, 'business'), { customer: true })
    .post(
      pathOf('business'),
      ({ ctx, signedIn: by }) =>
        submitForm(
          BusinessForm,
          by.form,
          ({ description = null, ...input }) => save(ctx, by, 'business', { ...input, description }),
          (state) => renderStep(ctx, by, 'business', state),
        ),
      { customer: true, form: BusinessForm },
    )
    .get(pathOf('place'), ({ ctx, signedIn }) => renderStep(ctx, signedIn, 'place'), { customer: true })
    .post(pathOf('place'), ({ ctx, signedIn }) => postPlace(ctx, signedIn), { customer: true, form: PlaceForm })
    .get(pathOf('services'), ({ ctx, signedIn }) => renderStep(ctx, signedIn, 'services'), { customer: true })
    .post(
      pathOf('services'),
      ({ ctx, signedIn: by }) =>
        submitForm(
          ServicesForm,
          by.form,
          async ({ services: chosen = [] }) => {
            const [names, application] = [await getCatalogNames(ctx), await findOwnApplication(ctx.as(by.customer))]
            const services = chosen.flatMap((serviceId) => {
              const known = names.services.find(({ id }) => id === serviceId)
              const before = application?.services?.find((it) => it.serviceId === serviceId)
              return known ? [before ?? { serviceId, priceType: known.priceType, price: null, most: null }] : []
            })
            if (services.length === 0) throw invalidField('services', 'choose at least one')
            return await save(ctx, by, 'services', { services })
          },
          (state) => renderStep(ctx, by, 'services', state),
        ),
      { customer: true, form: ServicesForm },
    )
    .get(pathOf('hours'), ({ ctx, signedIn }) => renderStep(ctx, signedIn, 'hours'), { customer: true })
    .post(
      pathOf('hours'),
      ({ ctx, signedIn: by }) =>
        submitForm(
          HoursForm,
          by.form,
          (days) => save(ctx, by, 'hours', { businessHours: hoursIn(days) }),
          (state) => renderStep(ctx, by, 'hours', state),
        ),
      { customer: true, form: HoursForm },
    )

const priceAndSendPages = (deps: Deps): AnyElysia =>
  new Elysia({ name: 'join-send-pages' })
    .use(guard(deps))
    .get(pathOf('prices'), ({ ctx, signedIn }) => renderStep(ctx, signedIn, 'prices'), { customer: true })
    .post(pathOf('prices'), ({ ctx, signedIn }) => postPrices(ctx, signedIn), { customer: true, form: PricesForm })
    .get(pathOf('license'), ({ ctx, signedIn }) => renderStep(ctx, signedIn, 'license'), { customer: true })
    .post(
      pathOf('license'),
      ({ ctx, signedIn: by }) =>
        submitForm(
          LicenseForm,
          by.form,
          ({ licenseNumber = null, licenseState, licenseExpires = null, ...insurance }) =>
            save(ctx, by, 'license', {
              hasDeclared: true,
              licenseNumber,
              // The list has a state chosen also for those without a license.
              licenseState: licenseNumber === null ? null : (licenseState ?? null),
              licenseExpires,
              insuranceCarrier: insurance.insuranceCarrier ?? null,
              insurancePolicy: insurance.insurancePolicy ?? null,
              insuranceExpires: insurance.insuranceExpires ?? null,
            }),
          (state) => renderStep(ctx, by, 'license', state),
        ),
      { customer: true, form: LicenseForm },
    )
    .get(pathOf('preview'), ({ ctx, signedIn }) => renderStep(ctx, signedIn, 'preview'), { customer: true })
    .post(
      pathOf('preview'),
      async function postApplication({ ctx, signedIn: by }) {
        return await submitForm(
          PricesForm,
          by.form,
          async () => {
            await sendApplication(ctx.as(by.customer))
            return redirect(JOIN_PATH)
          },
          (state) => renderStep(ctx, by, 'preview', state),
        )
      },
      { customer: true, form: PricesForm },
    )

async function save(ctx: Ctx, { customer }: CustomerRequest, step: Step, answers: Partial<Answers>): Promise<Response> {
  const saved = await saveStep(ctx.as(customer), answers)
  return redirect(pathOf(stepAfter(step, saved)))
}

async function postPlace(ctx: Ctx, by: CustomerRequest): Promise<Response> {
  const region = await getRegion(ctx)
  return await submitForm(
    placeFormIn(region),
    by.form,
    async ({ place, isPlaceHidden, radius }) => {
      const found = placeIn(await getCatalogNames(ctx), place)
      if (!found)
        throw invalidField(
          'place',
          localized(region, 'is not known: enter an address with its city, such as "Columbus, OH", or its ZIP code'),
        )
      const radiusMiles = typedDistance.miles(region, radius)
      return await save(ctx, by, 'place', { place, isPlaceHidden, radiusMiles, cityId: found.city.id })
    },
    (state) => renderStep(ctx, by, 'place', state),
  )
}

async function postPrices(ctx: Ctx, by: CustomerRequest): Promise<Response> {
  const application = await findOwnApplication(ctx.as(by.customer))
  const { services } = await getCatalogNames(ctx)
  const chosen = application?.services ?? []
  const form = pricesFormOf(services.filter(({ id }) => chosen.some(({ serviceId }) => serviceId === id)))
  return await submitForm(
    form,
    by.form,
    (input: Readonly<Record<string, unknown>>) => {
      const priced = chosen.map((service) => {
        const { type, price, most } = priceFieldsOf(service.serviceId)
        const priceType = (input[type] ?? service.priceType) as typeof service.priceType
        return {
          ...service,
          priceType,
          price: (input[price] ?? null) as number | null,
          most: (input[most] ?? null) as number | null,
        }
      })
      return save(ctx, by, 'prices', { services: priced })
    },
    (state) => renderStep(ctx, by, 'prices', state),
  )
}

/** The page of a step, as far as the application can be changed. */
async function renderStep(
  ctx: Ctx,
  by: CustomerRequest,
  step: Step,
  formState: FormState = EMPTY_FORM,
): Promise<Response> {
  const customer = ctx.as(by.customer)
  const application = await findOwnApplication(customer)
  if (!application && (step !== 'business' || (await obstacleTo(customer)))) return redirect(JOIN_PATH)
  if (application && application.status !== 'draft' && application.status !== 'asked') return redirect(JOIN_PATH)
  const shown = await readStep(ctx, { step, application })
  return renderCustomerPage(
    ctx,
    by,
    stepPage(by.customer, { ...shown, step, application, formState }),
    formStatus(formState),
  )
}
