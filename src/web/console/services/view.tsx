/** @jsxImportSource preact */
// The views of a pro's services: the list with a form to add one, and one service with its price and package.
import type { FurtherService, Offer } from '../../../features/business/offers/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { duration, plural, priceOf, shortMoney } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { type FormState, EMPTY_FORM, ActionButton, Form } from '../../ui/form.tsx'
import { Checkbox, SelectField, TextArea, TextField } from '../../ui/fields.tsx'
import { Disclosure, Button } from '../../ui/buttons.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonRow } from '../../ui/buttons.tsx'
import { EmptyState } from '../../ui/lists.tsx'

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
  <Form action={SERVICES_PATH} isNarrow session={session} formState={formState}>
    <SelectField
      name="serviceId"
      label="Service"
      choices={further.map(({ id, name, category }) => ({ value: id, label: `${category}: ${name}` }))}
    />
    {priceFields()}
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
    <Form action={`${SERVICES_PATH}/${offer.serviceId}`} isNarrow session={session} formState={priceState}>
      {priceFields(offer)}
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

const PRICE_TYPES = [
  { value: 'flat', label: 'For the visit' },
  { value: 'hourly', label: 'Per hour' },
  { value: 'per_unit', label: 'Per unit, such as a square foot' },
]

/** Price, length and how it is booked. The deposit is the same for all services and is in the booking settings. */
function priceFields(offer?: Offer): VNode {
  const dollars = (name: 'basePrice' | 'minPrice' | 'maxPrice', label: string) => (
    <TextField
      name={name}
      label={label}
      type="number"
      min={0}
      step={0.01}
      isOptional
      value={String(offer?.[name] ?? '')}
    />
  )
  return (
    <>
      <SelectField name="priceType" label="You charge" choices={PRICE_TYPES} value={offer?.priceType ?? 'flat'} />
      <TextField
        name="unit"
        label="Unit"
        isOptional
        hint="Only with a price per unit, such as “square foot”."
        maxLength={40}
        value={offer?.priceType === 'per_unit' ? (offer.unit ?? '') : ''}
      />
      {dollars('basePrice', 'Price, US dollars')}
      <div class="side-by-side">
        {dollars('minPrice', 'Lowest price')}
        {dollars('maxPrice', 'Highest price')}
      </div>
      <p class="hint">
        Enter a price or a range. Without either, customers ask you for a quote. A deposit is set in the{' '}
        <a href="/console/settings">booking settings</a>.
      </p>
      <TextField
        name="durationMinutes"
        label="How long it takes, minutes"
        type="number"
        min={15}
        max={720}
        step={5}
        value={String(offer?.durationMinutes ?? 60)}
      />
      <Checkbox
        name="instantBookEnabled"
        label="Customers can book it online"
        {...((offer?.instantBookEnabled ?? true) ? { value: 'on' } : {})}
      />
      <TextArea
        name="description"
        label="What customers should know"
        isOptional
        maxLength={5000}
        value={offer?.description ?? ''}
      />
    </>
  )
}

const CADENCES = ['once', 'weekly', 'biweekly', 'monthly', 'quarterly', 'yearly'].map((value) => ({
  value,
  label: value === 'biweekly' ? 'Every two weeks' : `${value.charAt(0).toUpperCase()}${value.slice(1)}`,
}))

const packageFields = (own: Offer['package'], name: string): VNode => (
  <>
    <TextField name="packageName" label="Name" value={own?.name ?? name} maxLength={200} />
    <TextField
      name="packagePrice"
      label="Fixed price, US dollars"
      type="number"
      min={0.01}
      step={0.01}
      value={String(own?.price ?? '')}
    />
    <SelectField name="cadence" label="How often" choices={CADENCES} value={own?.cadence ?? 'once'} />
    <TextArea
      name="includes"
      label="What it includes"
      hint="One item per line, up to 20."
      isOptional
      rows={5}
      maxLength={5000}
      value={own?.includes.join('\n') ?? ''}
    />
    <div class="side-by-side">
      <TextField
        name="bedrooms"
        label="Bedrooms"
        type="number"
        min={0}
        max={20}
        isOptional
        value={String(own?.bedrooms ?? '')}
      />
      <TextField
        name="bathrooms"
        label="Bathrooms"
        type="number"
        min={0}
        max={20}
        step={0.5}
        isOptional
        value={String(own?.bathrooms ?? '')}
      />
    </div>
  </>
)

function packagePart(session: Session, { serviceId, package: own, name }: Offer, formState: FormState): VNode {
  const path = `${SERVICES_PATH}/${serviceId}/package`
  const form = (
    <Form action={path} isNarrow session={session} formState={formState}>
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
