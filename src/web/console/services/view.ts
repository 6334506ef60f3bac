// The views of a pro's services: the list with a form to add one, and one service with its price and package.
import type { FurtherService, Offer } from '../../../features/business/offers/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { duration, plural, priceOf, shortMoney } from '../../../platform/text/format.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import {
  type FormState,
  EMPTY_FORM,
  actionButton,
  checkbox,
  csrfField,
  disclosure,
  problemBox,
  selectField,
  textArea,
  textField,
} from '../../ui/forms.ts'
import { backLink, badge, buttonRow, emptyState, pageHeading, section } from '../../ui/parts.ts'

export const SERVICES_PATH = '/console/services'

export const servicesView = (
  session: Session,
  offers: readonly Offer[],
  further: readonly FurtherService[],
  formState: FormState,
): Html => html`
  ${pageHeading('Services and prices')}
  <p class="lead">Customers find you for these services and see these prices.</p>
  ${
    offers.length === 0
      ? emptyState('No services yet', 'Add the first one: customers can find and book you then.')
      : html`<ul class="cards-list">
          ${offers.map(offerCard)}
        </ul>`
  }
  ${
    further.length > 0 &&
    disclosure('Add a service', newOfferForm(session, further, formState), {
      isOpen: formState !== EMPTY_FORM || offers.length === 0,
    })
  }
`

const offerPrice = ({ basePrice, minPrice, maxPrice, unit }: Offer) =>
  priceOf({ basePrice, min: minPrice, max: maxPrice, unit, currency: 'USD' })

const offerCard = (offer: Offer): Html =>
  html`<li>
    <h2><a href="${SERVICES_PATH}/${offer.serviceId}">${offer.name}</a></h2>
    <p><strong>${offerPrice(offer)}</strong></p>
    <p class="hint">${duration(offer.durationMinutes)}</p>
    ${offer.instantBookEnabled ? badge('Can be booked', 'good') : badge('Quotes only')}
    ${offer.package && badge(`Package: ${shortMoney(offer.package.price)}`)}
  </li>`

const newOfferForm = (session: Session, further: readonly FurtherService[], formState: FormState): Html =>
  html`<form method="post" action="${SERVICES_PATH}" class="narrow-form">
    ${csrfField(session)} ${problemBox(formState)}
    ${selectField({
      name: 'serviceId',
      label: 'Service',
      choices: further.map(({ id, name, category }) => ({ value: id, label: `${category}: ${name}` })),
      formState,
    })}
    ${priceFields(formState)}
    <button>Add service</button>
  </form>`

interface OfferForms {
  priceState: FormState
  packageState: FormState
  hasPackages: boolean
}

export const offerView = (
  session: Session,
  offer: Offer,
  { priceState, packageState, hasPackages }: OfferForms,
): Html => html`
  ${backLink('Services and prices', SERVICES_PATH)}
  ${pageHeading(offer.name, offer.instantBookEnabled ? badge('Can be booked', 'good') : badge('Quotes only'))}
  <p class="lead">${offerPrice(offer)}, ${duration(offer.durationMinutes)}</p>
  <form method="post" action="${SERVICES_PATH}/${offer.serviceId}" class="narrow-form">
    ${csrfField(session)} ${problemBox(priceState)} ${priceFields(priceState, offer)}
    <button>Save service</button>
  </form>
  ${hasPackages && section('Package', packagePart(session, offer, packageState))}
  ${section(
    'No longer offer it',
    disclosure(
      'End this service',
      html`<p>
          Customers no longer find you for ${offer.name}. Bookings and quotes that you have stay as they are.
          ${offer.package && 'Its package ends, too.'}
        </p>
        ${actionButton(session, { action: `${SERVICES_PATH}/${offer.serviceId}/delete`, label: 'End service', tone: 'danger' })}`,
    ),
  )}
`

const PRICE_TYPES = [
  { value: 'flat', label: 'For the visit' },
  { value: 'hourly', label: 'Per hour' },
  { value: 'per_unit', label: 'Per unit, such as a square foot' },
]

/** Price, length and how it is booked. The deposit is the same for all services and is in the booking settings. */
function priceFields(formState: FormState, offer?: Offer): Html {
  const dollars = (name: 'basePrice' | 'minPrice' | 'maxPrice', label: string) =>
    textField({
      name,
      label,
      type: 'number',
      min: 0,
      step: 0.01,
      isOptional: true,
      value: String(offer?.[name] ?? ''),
      formState,
    })
  return html`
    ${selectField({ name: 'priceType', label: 'You charge', choices: PRICE_TYPES, value: offer?.priceType ?? 'flat', formState })}
    ${textField({
      name: 'unit',
      label: 'Unit',
      isOptional: true,
      hint: 'Only with a price per unit, such as “square foot”.',
      maxLength: 40,
      value: offer?.priceType === 'per_unit' ? (offer.unit ?? '') : '',
      formState,
    })}
    ${dollars('basePrice', 'Price, US dollars')}
    <div class="side-by-side">${dollars('minPrice', 'Lowest price')} ${dollars('maxPrice', 'Highest price')}</div>
    <p class="hint">
      Enter a price or a range. Without either, customers ask you for a quote. A deposit is set in the
      <a href="/console/settings">booking settings</a>.
    </p>
    ${textField({
      name: 'durationMinutes',
      label: 'How long it takes, minutes',
      type: 'number',
      min: 15,
      max: 720,
      step: 5,
      value: String(offer?.durationMinutes ?? 60),
      formState,
    })}
    ${checkbox({ name: 'instantBookEnabled', label: 'Customers can book it online', ...((offer?.instantBookEnabled ?? true) ? { value: 'on' } : {}), formState })}
    ${textArea({ name: 'description', label: 'What customers should know', isOptional: true, maxLength: 5000, value: offer?.description ?? '', formState })}
  `
}

const CADENCES = ['once', 'weekly', 'biweekly', 'monthly', 'quarterly', 'yearly'].map((value) => ({
  value,
  label: value === 'biweekly' ? 'Every two weeks' : `${value.charAt(0).toUpperCase()}${value.slice(1)}`,
}))

function packagePart(session: Session, { serviceId, package: own, name }: Offer, formState: FormState): Html {
  const path = `${SERVICES_PATH}/${serviceId}/package`
  const form = html`<form method="post" action="${path}" class="narrow-form">
    ${csrfField(session)} ${problemBox(formState)}
    ${textField({ name: 'packageName', label: 'Name', value: own?.name ?? name, maxLength: 200, formState })}
    ${textField({ name: 'packagePrice', label: 'Fixed price, US dollars', type: 'number', min: 0.01, step: 0.01, value: String(own?.price ?? ''), formState })}
    ${selectField({ name: 'cadence', label: 'How often', choices: CADENCES, value: own?.cadence ?? 'once', formState })}
    ${textArea({ name: 'includes', label: 'What it includes', hint: 'One item per line, up to 20.', isOptional: true, rows: 5, maxLength: 5000, value: own?.includes.join('\n') ?? '', formState })}
    <div class="side-by-side">
      ${textField({ name: 'bedrooms', label: 'Bedrooms', type: 'number', min: 0, max: 20, isOptional: true, value: String(own?.bedrooms ?? ''), formState })}
      ${textField({ name: 'bathrooms', label: 'Bathrooms', type: 'number', min: 0, max: 20, step: 0.5, isOptional: true, value: String(own?.bathrooms ?? ''), formState })}
    </div>
    <button class="quiet">Save package</button>
  </form>`
  if (!own)
    return html`<p>A package is this service at a fixed price, which customers can compare and book.</p>
      ${disclosure('Create a package', form, { isOpen: formState !== EMPTY_FORM })}`
  return html`
    <p>
      <a href="/packages/${own.sku}">${own.name}</a>: ${shortMoney(own.price)}, ${plural(own.includes.length, 'item')}
      included
    </p>
    ${buttonRow(html`
      ${disclosure('Edit the package', form, { isOpen: formState !== EMPTY_FORM })}
      ${disclosure(
        'End the package',
        html`<p>Customers can no longer book it. Bookings of it stay.</p>
          ${actionButton(session, { action: `${path}/delete`, label: 'End package', tone: 'danger' })}`,
      )}
    `)}
  `
}
