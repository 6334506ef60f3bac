// The view of a pro's profile: four forms. All that the public page shows of the business is changed here or in the pages that
// it links to.
import type { Profile } from '../../../features/business/profile/schemas.ts'
import {
  type BusinessEntity,
  CALLS_TO_ACTION,
  type PublicTexts,
  SECTIONS,
  type SiteConfig,
} from '../../../features/business/storefront/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { zoneName } from '../../../platform/clock/zones.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import {
  type FormState,
  EMPTY_FORM,
  checkbox,
  checkboxes,
  csrfField,
  problemBox,
  selectField,
  textArea,
  textField,
} from '../../ui/forms.ts'
import { badge, pageHeading, section } from '../../ui/parts.ts'

export const PROFILE_PATH = '/console/profile'

/** The states of the forms, of which at most one was sent. */
export interface ProfileStates {
  profileState: FormState
  businessState: FormState
  textsState: FormState
  siteState: FormState
}

export const NO_STATES: ProfileStates = {
  profileState: EMPTY_FORM,
  businessState: EMPTY_FORM,
  textsState: EMPTY_FORM,
  siteState: EMPTY_FORM,
}

interface ProfilePage extends ProfileStates {
  profile: Profile
  business: BusinessEntity
  texts: PublicTexts
  site: SiteConfig
}

export function profileView(session: Session, it: ProfilePage): Html {
  const form = (path: string, formState: FormState, content: Html) =>
    html`<form method="post" action="${PROFILE_PATH}${path}" class="narrow-form">
      ${csrfField(session)} ${problemBox(formState)} ${content}
      <button>Save</button>
    </form>`
  const { profile } = it
  const { city, state } = profile.location
  return html`
    ${pageHeading('Profile', html`${profile.verified && badge('Verified', 'good')} <a class="button quiet" href="/pros/${profile.slug}">See your page</a>`)}
    <p class="lead">
      You work around ${city}, ${state}, in ${zoneName(profile.timezone)}. Your page also shows your
      <a href="/console/services">services and prices</a>, <a href="/console/settings">hours</a>,
      <a href="/console/my-reviews">reviews</a> and <a href="/console/my-verification">what Hearth has checked</a>.
    </p>
    ${section('Your business', form('', it.profileState, profileFields(profile, it.profileState)))}
    ${section('Contact and papers', form('/business', it.businessState, businessFields(it.business, it.businessState)))}
    ${section('Texts of your page', form('/texts', it.textsState, textFields(it.texts, it.textsState)))}
    ${section('Look of your page', form('/site', it.siteState, siteFields(it.site, it.siteState)))}
  `
}

const profileFields = (profile: Profile, formState: FormState): Html => html`
  ${textField({ name: 'businessName', label: 'Business name', value: profile.businessName, maxLength: 200, formState })}
  ${textArea({ name: 'description', label: 'What you do', isOptional: true, rows: 4, maxLength: 5000, value: profile.description ?? '', formState })}
  ${textField({ name: 'serviceRadiusMiles', label: 'How far you drive, miles', type: 'number', min: 1, max: 500, value: String(profile.serviceRadiusMiles), formState })}
  ${textField({ name: 'yearsOfExperience', label: 'Years of experience', type: 'number', min: 0, max: 120, isOptional: true, value: String(profile.yearsOfExperience ?? ''), formState })}
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
  ${faqFields(texts, formState)}
`

const MAX_FAQ = 20

/** The questions there are, and two empty rows. */
function faqFields({ faq }: PublicTexts, { values, errors }: FormState): Html {
  const isSent = values.size > 0
  const [questions, answers] = isSent
    ? [values.getAll('question'), values.getAll('answer')]
    : [faq.map(({ question }) => question), faq.map(({ answer }) => answer)]
  const rows = isSent ? questions.length : Math.min(faq.length + 2, MAX_FAQ)
  return html`<fieldset class="field">
    <legend>Questions and answers <span class="quiet">optional</span></legend>
    ${errors['question'] && html`<p class="fault">Enter each question with its answer.</p>`}
    ${Array.from(
      { length: rows },
      (_, row) => html`
        ${textField({ id: `question-${row}`, name: 'question', label: `Question ${row + 1}`, isOptional: true, saysOptional: false, maxLength: 200, value: questions[row] ?? '' })}
        ${textArea({ id: `answer-${row}`, name: 'answer', label: `Answer ${row + 1}`, isOptional: true, saysOptional: false, rows: 2, maxLength: 5000, value: answers[row] ?? '' })}
      `,
    )}
  </fieldset>`
}

const ACTIONS: Record<(typeof CALLS_TO_ACTION)[number], string> = {
  book: 'Book a time',
  quote: 'Ask for a quote',
  call: 'Call',
}

const SECTION_NAMES: Record<(typeof SECTIONS)[number], string> = {
  about: 'About',
  highlights: 'Your strengths',
  services: 'Services and prices',
  packages: 'Packages',
  service_areas: 'Service area',
  reviews: 'Reviews',
  faq: 'Questions and answers',
  contact: 'Business details',
}

const siteFields = (site: SiteConfig, formState: FormState): Html => html`
  ${textField({ name: 'heroTitle', label: 'Title', isOptional: true, hint: 'Instead of your business name.', maxLength: 200, value: site.heroTitle ?? '', formState })}
  ${textField({ name: 'heroText', label: 'Text under the title', isOptional: true, hint: 'Instead of your headline.', maxLength: 500, value: site.heroText ?? '', formState })}
  ${selectField({
    name: 'callToAction',
    label: 'Main button',
    isOptional: true,
    saysOptional: false,
    value: site.callToAction ?? '',
    choices: [
      { value: '', label: 'As it suits' },
      ...CALLS_TO_ACTION.map((value) => ({ value, label: ACTIONS[value] })),
    ],
    formState,
  })}
  ${textField({ name: 'callToActionLabel', label: 'Words on the main button', isOptional: true, maxLength: 60, value: site.callToActionLabel ?? '', formState })}
  ${textField({ name: 'themeColor', label: 'Color of the browser bar', isOptional: true, hint: 'Such as #0b6e4f.', maxLength: 7, value: site.themeColor ?? '', formState })}
  ${checkboxes({ name: 'sections', label: 'Sections', choices: SECTIONS.map((value) => ({ value, label: SECTION_NAMES[value] })), checked: site.sections, formState })}
`
