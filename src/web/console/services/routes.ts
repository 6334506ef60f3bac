// /console/services: what a pro offers and for how much, with packages; services are added and ended here.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { unitOf } from '../../../features/catalog/entries/rules/units.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Offer } from '../../../features/business/offers/schemas.ts'
import {
  addOffer,
  changeOffer,
  listFurtherServices,
  listOffers,
  removeOffer,
} from '../../../features/business/offers/verbs.ts'
import { linesOf } from '../../../http/form.ts'
import { guard } from '../../../http/guard.ts'
import { type AuthenticatedRequest, actingProOf } from '../../../http/session.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirect, redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { runAction, submitForm } from '../../ui/submit.ts'
import { NewOfferForm, PackageForm, PriceForm } from './forms.ts'
import { SERVICES_PATH as PATH, offerView, servicesView } from './view.tsx'

const session = ['pro'] as const
const styles = ['console.css'] as const

const params = Type.Object({ id: Uuid() })

export const servicePages = (deps: Deps) =>
  new Elysia({ name: 'service-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getServicesPage({ ctx, authenticated: by }) {
        return await renderServices(ctx, by)
      },
      { session },
    )
    .post(
      PATH,
      async function postNewOffer({ ctx, authenticated: by }) {
        return await submitForm(
          NewOfferForm,
          by.form,
          async ({ serviceId, ...input }) => {
            const { name } = await addOffer(ctx.as(actingProOf(by)), { serviceId, ...priceOf(input) })
            const text = `You now offer ${name}. Customers find you for it.`
            return redirectWithFlash(ctx, by.session, `${PATH}/${serviceId}`, { tone: 'good', text })
          },
          (formState) => renderServices(ctx, by, formState),
        )
      },
      { session, form: NewOfferForm },
    )
    .use(offerPages(deps))

const offerPages = (deps: Deps) =>
  new Elysia({ name: 'offer-pages' })
    .use(guard(deps))
    .get(
      `${PATH}/:id`,
      async function getOfferPage({ ctx, authenticated: by, params: { id } }) {
        return await renderOffer(ctx, by, id)
      },
      { session, params },
    )
    .post(
      `${PATH}/:id`,
      async function postOffer({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          PriceForm,
          by.form,
          async (input) => {
            await changeOffer(ctx.as(actingProOf(by)), { serviceId: id, ...priceOf(input) })
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text: 'The service is saved.' })
          },
          (priceState) => renderOffer(ctx, by, id, { priceState }),
        )
      },
      { session, params, form: PriceForm },
    )
    .get(`${PATH}/:id/package`, ({ params: { id } }) => redirect(`${PATH}/${id}`), { session, params })
    .post(
      `${PATH}/:id/package`,
      async function postPackage({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          PackageForm,
          by.form,
          async (input) => {
            const pro = actingProOf(by)
            const { package: old } = await getOffer(ctx, by, id)
            await changeOffer(ctx.as(pro), { serviceId: id, packageKind: old?.kind ?? 'standard', ...packageOf(input) })
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text: 'The package is saved.' })
          },
          (packageState) => renderOffer(ctx, by, id, { packageState }),
        )
      },
      { session, params, form: PackageForm },
    )
    .post(
      `${PATH}/:id/package/delete`,
      async function postPackageRemoval({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, `${PATH}/${id}`, async () => {
          await changeOffer(ctx.as(actingProOf(by)), { serviceId: id, packageKind: null })
          return 'The package is no longer offered. Bookings of it stay.'
        })
      },
      { session, params },
    )
    .post(
      `${PATH}/:id/delete`,
      async function postOfferRemoval({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, PATH, async () => {
          await removeOffer(ctx.as(actingProOf(by)), { serviceId: id })
          return 'You no longer offer this service. Bookings and quotes of it stay.'
        })
      },
      { session, params },
    )

/** The form's price. Fields that the price type does not have, and empty ones, are cleared. */
function priceOf({ priceType, unit, basePrice, minPrice, maxPrice, description, ...rest }: Static<typeof PriceForm>) {
  return {
    ...rest,
    priceType,
    unit: priceType === 'per_unit' ? (unit ?? null) : unitOf(priceType),
    basePrice: basePrice ?? null,
    minPrice: minPrice ?? null,
    maxPrice: maxPrice ?? null,
    description: description ?? null,
  }
}

const packageOf = ({ includes = '', bedrooms, bathrooms, ...rest }: Static<typeof PackageForm>) => ({
  ...rest,
  includes: linesOf(includes, 20),
  bedrooms: bedrooms ?? null,
  bathrooms: bathrooms ?? null,
})

async function getOffer(ctx: Ctx, by: AuthenticatedRequest, id: string): Promise<Offer> {
  const { services } = await listOffers(ctx.as(actingProOf(by)))
  const offer = services.find(({ serviceId }) => serviceId === id)
  if (!offer) throw new AppError('service_not_found', 'You do not offer this service.')
  return offer
}

async function renderServices(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const pro = actingProOf(by)
  const [{ services }, further] = await Promise.all([listOffers(ctx.as(pro)), listFurtherServices(ctx.as(pro))])
  const content = servicesView(by.session, services, further, formState)
  return renderConsolePage(ctx, by, { title: 'Services and prices', content, styles }, formStatus(formState))
}

async function renderOffer(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: string,
  { priceState = EMPTY_FORM, packageState = EMPTY_FORM } = {},
): Promise<Response> {
  const offer = await getOffer(ctx, by, id)
  const hasPackages = ctx.config.features.has('FEATURE_OFFER_PACKAGES')
  const content = offerView(by.session, offer, { priceState, packageState, hasPackages })
  const status = formStatus(priceState === EMPTY_FORM ? packageState : priceState)
  return renderConsolePage(ctx, by, { title: offer.name, content, styles }, status)
}
