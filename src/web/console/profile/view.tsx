/** @jsxImportSource preact */
// The view of a pro's profile: four forms. All that the public page shows of the business is changed here or in the pages that
// it links to.
import { Button, LinkButton } from '../../ui/buttons.tsx'
import type { Profile } from '../../../features/business/profile/schemas.ts'
import type { BusinessEntity, PublicTexts, SiteConfig } from '../../../features/business/storefront/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { zoneName } from '../../../platform/clock/zones.ts'
import type { VNode } from 'preact'
import { type FormState, EMPTY_FORM, Form } from '../../ui/form.tsx'
import { Checkbox, TextArea, TextField } from '../../ui/fields.tsx'
import { Badge } from '../../ui/badge.tsx'
import { PageHeading, Section } from '../../ui/headings.tsx'
import { siteFields } from './site-fields.tsx'

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

export function profileView(session: Session, it: ProfilePage): VNode {
  const form = (path: string, formState: FormState, content: VNode) => (
    <Form action={`${PROFILE_PATH}${path}`} isNarrow session={session} formState={formState}>
      {content} <Button>Save</Button>
    </Form>
  )
  const { profile } = it
  const { city, state } = profile.location
  return (
    <>
      <PageHeading
        beside={
          <>
            {profile.verified && <Badge tone="good">Verified</Badge>}{' '}
            <LinkButton href={`/pros/${profile.slug}`} look="quiet">
              See your page
            </LinkButton>
          </>
        }
      >
        Profile
      </PageHeading>
      <p class="lead">
        You work around {city}, {state}, in {zoneName(profile.timezone)}. Your page also shows your{' '}
        <a href="/console/services">services and prices</a>, <a href="/console/settings">hours</a>,{' '}
        <a href="/console/my-reviews">reviews</a> and <a href="/console/my-verification">what Hearth has checked</a>.
      </p>
      <Section title="Your business">{form('', it.profileState, profileFields(profile))}</Section>
      <Section title="Contact and papers">{form('/business', it.businessState, businessFields(it.business))}</Section>
      <Section title="Texts of your page">{form('/texts', it.textsState, textFields(it.texts, it.textsState))}</Section>
      <Section title="Look of your page">{form('/site', it.siteState, siteFields(it.site))}</Section>
    </>
  )
}

const profileFields = (profile: Profile): VNode => (
  <>
    <TextField name="businessName" label="Business name" value={profile.businessName} maxLength={200} />
    <TextArea
      name="description"
      label="What you do"
      isOptional
      rows={4}
      maxLength={5000}
      value={profile.description ?? ''}
    />
    <TextField
      name="serviceRadiusMiles"
      label="How far you drive, miles"
      type="number"
      min={1}
      max={500}
      value={String(profile.serviceRadiusMiles)}
    />
    <TextField
      name="yearsOfExperience"
      label="Years of experience"
      type="number"
      min={0}
      max={120}
      isOptional
      value={String(profile.yearsOfExperience ?? '')}
    />
    <Checkbox
      name="acceptsEmergency"
      label="I take emergencies"
      {...(profile.acceptsEmergency ? { value: 'on' } : {})}
    />
  </>
)

const businessFields = (business: BusinessEntity): VNode => (
  <>
    <TextField name="phone" label="Phone" isOptional maxLength={50} autocomplete="tel" value={business.phone ?? ''} />
    <TextField
      name="website"
      label="Website"
      type="url"
      isOptional
      hint="With https:// in front."
      maxLength={2048}
      value={business.website ?? ''}
    />
    <TextField
      name="foundedYear"
      label="In business since"
      type="number"
      min={1800}
      max={2100}
      isOptional
      value={String(business.foundedYear ?? '')}
    />
    <TextField name="legalName" label="Legal name" isOptional maxLength={200} value={business.legalName ?? ''} />
    <div class="side-by-side">
      <TextField
        name="licenseNumber"
        label="License number"
        isOptional
        maxLength={100}
        value={business.licenseNumber ?? ''}
      />
      <TextField
        name="licenseState"
        label="License state"
        isOptional
        hint="Two letters, such as TX."
        maxLength={2}
        value={business.licenseState ?? ''}
      />
    </div>
    <TextField
      name="insuranceCarrier"
      label="Insurance"
      isOptional
      maxLength={200}
      value={business.insuranceCarrier ?? ''}
    />
  </>
)

const textFields = (texts: PublicTexts, formState: FormState): VNode => (
  <>
    <TextField
      name="headline"
      label="Headline"
      isOptional
      hint="One line under your name."
      maxLength={200}
      value={texts.headline ?? ''}
    />
    <TextArea name="about" label="About you" isOptional rows={5} maxLength={5000} value={texts.about ?? ''} />
    <TextArea
      name="serviceAreas"
      label="Where you work"
      isOptional
      rows={2}
      maxLength={1000}
      value={texts.serviceAreas ?? ''}
    />
    <TextArea
      name="highlights"
      label="Your strengths"
      isOptional
      hint="One per line, up to ten."
      rows={4}
      maxLength={2000}
      value={texts.highlights.join('\n')}
    />
    {faqFields(texts, formState)}
  </>
)

const MAX_FAQ = 20

/** The questions there are, and two empty rows. */
function faqFields({ faq }: PublicTexts, { values, errors }: FormState): VNode {
  const isSent = values.size > 0
  const [questions, answers] = isSent
    ? [values.getAll('question'), values.getAll('answer')]
    : [faq.map(({ question }) => question), faq.map(({ answer }) => answer)]
  const rows = isSent ? questions.length : Math.min(faq.length + 2, MAX_FAQ)
  return (
    <fieldset class="field">
      <legend>
        Questions and answers <span class="quiet">optional</span>
      </legend>
      {errors['question'] && <p class="fault">Enter each question with its answer.</p>}
      {Array.from({ length: rows }, (_, row) => (
        <>
          <TextField
            id={`question-${row}`}
            name="question"
            label={`Question ${row + 1}`}
            isOptional
            saysOptional={false}
            maxLength={200}
            value={questions[row] ?? ''}
          />
          <TextArea
            id={`answer-${row}`}
            name="answer"
            label={`Answer ${row + 1}`}
            isOptional
            saysOptional={false}
            rows={2}
            maxLength={5000}
            value={answers[row] ?? ''}
          />
        </>
      ))}
    </fieldset>
  )
}
