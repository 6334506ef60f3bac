/** @jsxImportSource preact */
// The pages of the steps of an application, each short enough for a phone.
import type { VNode } from 'preact'

import { STEPS, type Step } from '../../../features/business/applications/rules/steps.ts'
import type { Application } from '../../../features/business/applications/schemas.ts'
import { JOIN_PATH } from '../../../features/business/applications/verbs/move-application.ts'
import type { BusinessHours } from '../../../features/calendar/schedule/schemas.ts'
import type { CustomerSession } from '../../../http/customer-session.ts'
import { typedDistance } from '../../../platform/text/distance.ts'
import { priceOf } from '../../../platform/text/format.ts'
import { Button } from '../../ui/buttons.tsx'
import { Fields } from '../../ui/define-form.tsx'
import { Form, type FormState } from '../../ui/form.tsx'
import { BackLink } from '../../ui/headings.tsx'
import { HoursFields } from '../../ui/hours-form.tsx'
import type { Page } from '../../ui/layout.tsx'
import { ServedArea } from '../served-area.tsx'
import {
  type ServiceRow,
  BusinessForm,
  LicenseForm,
  ServicesForm,
  placeFormIn,
  priceFieldsOf,
  pricesFormOf,
} from './forms.ts'
import { previewOf } from './preview-view.tsx'
import type { StepData, UsualPrice } from './read-step.ts'
import { withdrawal } from './status-view.tsx'

export interface ShownStep extends StepData {
  readonly step: Step
  readonly application: Application | undefined
  readonly formState: FormState
}

const TITLES: Readonly<Record<Step, string>> = {
  business: 'Your business',
  place: 'Where you work',
  services: 'What you do',
  prices: 'Your prices',
  hours: 'When you work',
  license: 'License and insurance',
  preview: 'Look it through and send it',
}

/** The proof of the e-mail address is the first step. */
const numberOf = (step: Step): number => STEPS.indexOf(step) + 2

export function stepPage(session: CustomerSession, shown: ShownStep): Page {
  const { step, application } = shown
  const before = STEPS[STEPS.indexOf(step) - 1]
  return {
    title: `Apply to join: ${TITLES[step]}`,
    styles: [step === 'hours' ? 'console.css' : 'search.css'],
    content: (
      <div class={step === 'preview' ? 'text-page' : 'narrow'}>
        {before && <BackLink href={`${JOIN_PATH}/${before}`}>{TITLES[before]}</BackLink>}
        <p class="quiet">
          Step {numberOf(step)} of {STEPS.length + 1}
        </p>
        <h1>{TITLES[step]}</h1>
        {application?.status === 'asked' && application.operatorWords !== null && (
          <div class="notice wait">
            <p>We asked:</p>
            <p class="prose">{application.operatorWords}</p>
          </div>
        )}
        {CONTENTS[step](session, shown)}
        {withdrawal(session, application?.status)}
      </div>
    ),
  }
}

type Content = (session: CustomerSession, shown: ShownStep) => VNode

const next = <Button>Save and go on</Button>

const business: Content = (session, { application, formState }) => (
  <>
    <p>
      You apply as <strong>{session.customerEmail}</strong>.
    </p>
    <Form of={BusinessForm} action={`${JOIN_PATH}/business`} session={session} formState={formState}>
      <Fields of={BusinessForm} values={application} />
      {next}
    </Form>
  </>
)

const place: Content = (session, { application, formState, region, radiusMiles, isOutsideArea }) => {
  const form = placeFormIn(region)
  return (
    <>
      <ServedArea />
      {isOutsideArea && outsideNotice}
      <Form of={form} action={`${JOIN_PATH}/place`} session={session} formState={formState}>
        <Fields of={form} values={{ ...application, radius: typedDistance.shown(region, radiusMiles) }} />
        {next}
      </Form>
    </>
  )
}

const outsideNotice = (
  <p class="notice wait">
    You come to no place that we serve yet. Come further, or send the application all the same: we may grow there.
  </p>
)

const services: Content = (session, { application, formState, categories, services }) => (
  <>
    <p>Choose what you offer. You can change it later.</p>
    <Form of={ServicesForm} action={`${JOIN_PATH}/services`} session={session} formState={formState}>
      <Fields
        of={ServicesForm}
        values={{ services: (application?.services ?? []).map(({ serviceId }) => serviceId) }}
        choices={{
          services: categories.flatMap((category) =>
            services
              .filter(({ categoryId }) => categoryId === category.id)
              .map(({ id, name }) => ({ value: id, label: name, group: category.name })),
          ),
        }}
      />
      {next}
    </Form>
  </>
)

const prices: Content = (session, { application, formState, services, usual, region }) => {
  const form = pricesFormOf(services)
  const values = Object.fromEntries(
    (application?.services ?? []).flatMap(({ serviceId, priceType, price, most }) => {
      const names = priceFieldsOf(serviceId)
      return [
        [names.type, priceType],
        [names.price, price],
        [names.most, most],
      ]
    }),
  )
  return (
    <>
      <p>Customers see these prices. Leave a price empty, and they ask you for a quote.</p>
      <Form of={form} action={`${JOIN_PATH}/prices`} session={session} formState={formState}>
        {services.map((service) => {
          const names = priceFieldsOf(service.id)
          return (
            <section>
              <h2>{service.name}</h2>
              <Fields
                of={form}
                names={[names.type]}
                values={values}
                more={{ [names.type]: { label: `${service.name}: you charge` } }}
              />
              <div class="side-by-side">
                <Fields
                  of={form}
                  names={[names.price, names.most]}
                  values={values}
                  more={{
                    [names.price]: { label: `${service.name}: price, ${region.currency}` },
                    [names.most]: { label: `${service.name}: up to, ${region.currency}` },
                  }}
                />
              </div>
              <p class="hint">{usualText(service, usual.get(service.id), region.currency)}</p>
            </section>
          )
        })}
        {next}
      </Form>
    </>
  )
}

function usualText({ unit }: ServiceRow, usual: UsualPrice | undefined, currency: string): string {
  if (!usual) return 'We know too few prices of others for this yet.'
  const shown = (price: { basePrice: number | null; min: number | null; max: number | null }) =>
    priceOf({ ...price, unit, currency })
  const range = shown({ basePrice: null, min: usual.min, max: usual.max })
  return `Usual ${usual.place === null ? 'elsewhere' : `in ${usual.place}`}: ${range}, half of them up to ${shown({ basePrice: usual.median, min: null, max: null })}.`
}

const OFFICE = [{ start: '09:00', end: '17:00' }]
const USUAL_HOURS: BusinessHours = {
  monday: OFFICE,
  tuesday: OFFICE,
  wednesday: OFFICE,
  thursday: OFFICE,
  friday: OFFICE,
}

const hours: Content = (session, { application, formState }) => (
  <HoursFields
    action={`${JOIN_PATH}/hours`}
    session={session}
    hours={application?.businessHours ?? USUAL_HOURS}
    formState={formState}
    button="Save and go on"
  />
)

const license: Content = (session, { application, formState, states, city }) => (
  <>
    <p>
      Leave empty what you do not have. Customers see the license and the insurer as what you say of yourself, until we
      have checked them.
    </p>
    <Form of={LicenseForm} action={`${JOIN_PATH}/license`} session={session} formState={formState}>
      <Fields
        of={LicenseForm}
        values={{ ...application, licenseState: application?.licenseState ?? city?.state }}
        choices={{ licenseState: states.map(({ code, name }) => ({ value: code, label: name })) }}
      />
      {next}
    </Form>
  </>
)

const preview: Content = (session, shown) => (
  <>
    {shown.isOutsideArea && outsideNotice}
    {previewOf(shown)}
    <Form action={`${JOIN_PATH}/preview`} session={session} formState={shown.formState}>
      <Button>Send the application</Button>
    </Form>
    <p class="hint">A person reads it and answers by e-mail. Until then you cannot change it.</p>
  </>
)

const CONTENTS: Readonly<Record<Step, Content>> = { business, place, services, prices, hours, license, preview }
