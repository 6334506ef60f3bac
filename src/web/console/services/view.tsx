/** @jsxImportSource preact */
// The views of a pro's services: the list with a form to add one, and one service with its price and package.
import type { FurtherService, Offer } from '../../../features/business/offers/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { duration, plural, priceOf, shortMoney } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { type FormState, EMPTY_FORM, ActionButton, Form } from '../../ui/form.tsx'
import { Fields } from '../../ui/define-form.tsx'
import { Disclosure, Button } from '../../ui/buttons.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonRow } from '../../ui/buttons.tsx'
import { EmptyState } from '../../ui/lists.tsx'
import { NewOfferForm, PackageForm, PriceForm } from './forms.ts'

export const SERVICES_PATH = '/console/services'

export const servicesView = (
  session: Session,
  offers: readonly Offer[],
  further: readonly FurtherService[],
  formState: FormState,
): VNode => (
  <>
    <PageHeading>Services and prices</PageHeading>
    <p class="lead">Customers find you for these services and see these prices.</p>
    {offers.length === 0 ? (
      <EmptyState title="No services yet">Add the first one: customers can find and book you then.</EmptyState>
    ) : (
      <ul class="cards-list">{offers.map(offerCard)}</ul>
    )}
    {further.length > 0 && (
      <Disclosure label="Add a service" isOpen={formState !== EMPTY_FORM || offers.length === 0}>
        {newOfferForm(session, further, formState)}
      </Disclosure>
    )}
  </>
)

const offerPrice = ({ basePrice, minPrice, maxPrice, unit }: Offer) =>
  priceOf({ basePrice, min: minPrice, max: maxPrice, unit, currency: 'USD' })

const offerCard = (offer: Offer): VNode => (
  <li>
    <h2>
      <a href={`${SERVICES_PATH}/${offer.serviceId}`}>{offer.name}</a>
    </h2>
    <p>
      <strong>{offerPrice(offer)}</strong>
    </p>
    <p class="hint">{duration(offer.durationMinutes)}</p>
    {offer.instantBookEnabled ? <Badge tone="good">Can be booked</Badge> : <Badge>Quotes only</Badge>}{' '}
    {offer.package && <Badge>{`Package: ${shortMoney(offer.package.price)}`}</Badge>}
  </li>
)

const newOfferForm = (session: Session, further: readonly FurtherService[], formState: FormState): VNode => (
  <Form of={NewOfferForm} action={SERVICES_PATH} isNarrow session={session} formState={formState}>
    <Fields
      of={NewOfferForm}
      names={['serviceId']}
      choices={{ serviceId: further.map(({ id, name, category }) => ({ value: id, label: `${category}: ${name}` })) }}
    />
    {priceFields({ priceType: 'flat', durationMinutes: 60, instantBookEnabled: true })}
    <Button>Add service</Button>
  </Form>
)

interface OfferForms {
  priceState: FormState
  packageState: FormState
  hasPackages: boolean
}

export const offerView = (
  session: Session,
  offer: Offer,
  { priceState, packageState, hasPackages }: OfferForms,
): VNode => (
  <>
    <BackLink href={SERVICES_PATH}>Services and prices</BackLink>
    <PageHeading
      beside={offer.instantBookEnabled ? <Badge tone="good">Can be booked</Badge> : <Badge>Quotes only</Badge>}
    >
      {offer.name}
    </PageHeading>
    <p class="lead">
      {offerPrice(offer)}, {duration(offer.durationMinutes)}
    </p>
    <Form
      of={PriceForm}
      action={`${SERVICES_PATH}/${offer.serviceId}`}
      isNarrow
      session={session}
      formState={priceState}
    >
      {priceFields({ ...offer, unit: offer.priceType === 'per_unit' ? offer.unit : null })}
      <Button>Save service</Button>
    </Form>
    {hasPackages && <Section title="Package">{packagePart(session, offer, packageState)}</Section>}
    <Section title="No longer offer it">
      <Disclosure label="End this service">
        <p>
          Customers no longer find you for {offer.name}. Bookings and quotes that you have stay as they are.{' '}
          {offer.package && 'Its package ends, too.'}
        </p>
        <ActionButton
          session={session}
          action={`${SERVICES_PATH}/${offer.serviceId}/delete`}
          label="End service"
          look="danger"
        />
      </Disclosure>
    </Section>
  </>
)

const priceFields = (values: Partial<Offer>): VNode => (
  <>
    <Fields of={PriceForm} names={['priceType', 'unit', 'basePrice']} values={values} />
    <div class="side-by-side">
      <Fields of={PriceForm} names={['minPrice', 'maxPrice']} values={values} />
    </div>
    <p class="hint">
      Enter a price or a range. Without either, customers ask you for a quote. A deposit is set in the{' '}
      <a href="/console/settings">booking settings</a>.
    </p>
    <Fields of={PriceForm} names={['durationMinutes', 'instantBookEnabled', 'description']} values={values} />
  </>
)

function packageFields(own: Offer['package'], name: string): VNode {
  const values = own ? { ...own, packageName: own.name, packagePrice: own.price } : { packageName: name }
  return (
    <>
      <Fields of={PackageForm} names={['packageName', 'packagePrice', 'cadence', 'includes']} values={values} />
      <div class="side-by-side">
        <Fields of={PackageForm} names={['bedrooms', 'bathrooms']} values={values} />
      </div>
    </>
  )
}

function packagePart(session: Session, { serviceId, package: own, name }: Offer, formState: FormState): VNode {
  const path = `${SERVICES_PATH}/${serviceId}/package`
  const form = (
    <Form of={PackageForm} action={path} isNarrow session={session} formState={formState}>
      {packageFields(own, name)}
      <Button look="quiet">Save package</Button>
    </Form>
  )
  if (!own)
    return (
      <>
        <p>A package is this service at a fixed price, which customers can compare and book.</p>
        <Disclosure label="Create a package" isOpen={formState !== EMPTY_FORM}>
          {form}
        </Disclosure>
      </>
    )
  return (
    <>
      <p>
        <a href={`/packages/${own.sku}`}>{own.name}</a>: {shortMoney(own.price)}, {plural(own.includes.length, 'item')}{' '}
        included
      </p>
      <ButtonRow>
        <Disclosure label="Edit the package" isOpen={formState !== EMPTY_FORM}>
          {form}
        </Disclosure>
        <Disclosure label="End the package">
          <p>Customers can no longer book it. Bookings of it stay.</p>
          <ActionButton session={session} action={`${path}/delete`} label="End package" look="danger" />
        </Disclosure>
      </ButtonRow>
    </>
  )
}
