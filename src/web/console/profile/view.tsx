/** @jsxImportSource preact */
// The view of a pro's profile: four forms. All that the public page shows of the business is changed here or in the pages that
// it links to.
import { Button, LinkButton } from '../../ui/buttons.tsx'
import type { Profile } from '../../../features/business/profile/schemas.ts'
import type { BusinessEntity, PublicTexts, SiteConfig } from '../../../features/business/storefront/schemas.ts'
import type { FormSchema } from '../../../http/form.ts'
import type { Session } from '../../../http/session.ts'
import { zoneName } from '../../../platform/clock/zones.ts'
import type { VNode } from 'preact'
import { type FormState, EMPTY_FORM, Form } from '../../ui/form.tsx'
import { Fields } from '../../ui/define-form.tsx'
import { TextArea, TextField } from '../../ui/fields.tsx'
import { Badge } from '../../ui/badge.tsx'
import { PageHeading, Section } from '../../ui/headings.tsx'
import { typedDistance } from '../../../platform/text/distance.ts'
import { useRegion } from '../../ui/site.tsx'
import { BusinessForm, ProfileForm, SiteForm, TextsForm, profileFormIn } from './forms.ts'

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
  const form = (of: FormSchema, path: string, formState: FormState, content: VNode) => (
    <Form of={of} action={`${PROFILE_PATH}${path}`} isNarrow session={session} formState={formState}>
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
        You work around {city}, {state}, in {zoneName(profile.timezone)} (<a href={`${PROFILE_PATH}/move`}>move</a>).
        Your page also shows your <a href="/console/pictures">logo and pictures</a>,{' '}
        <a href="/console/services">services and prices</a>, <a href="/console/settings">hours</a>,{' '}
        <a href="/console/my-reviews">reviews</a> and <a href="/console/my-verification">what we have checked</a>.
      </p>
      <Section title="Your business">
        {form(ProfileForm, '', it.profileState, <ProfileFields profile={profile} />)}
      </Section>
      <Section title="Contact and papers">
        {form(BusinessForm, '/business', it.businessState, businessFields(it.business))}
      </Section>
      <Section title="Texts of your page">
        {form(TextsForm, '/texts', it.textsState, textFields(it.texts, it.textsState))}
      </Section>
      <Section title="Look of your page">
        {form(SiteForm, '/site', it.siteState, <Fields of={SiteForm} values={it.site} />)}
      </Section>
    </>
  )
}

const businessFields = (values: BusinessEntity): VNode => (
  <>
    <Fields of={BusinessForm} names={['phone', 'website', 'foundedYear', 'legalName']} values={values} />
    <div class="side-by-side">
      <Fields of={BusinessForm} names={['licenseNumber', 'licenseState']} values={values} />
    </div>
    <Fields of={BusinessForm} names={['insuranceCarrier']} values={values} />
  </>
)

const textFields = (texts: PublicTexts, formState: FormState): VNode => (
  <>
    <Fields of={TextsForm} values={texts} />
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

const ProfileFields = ({ profile }: { profile: Profile }): VNode => {
  const region = useRegion()
  const serviceRadiusMiles = typedDistance.shown(region, profile.serviceRadiusMiles)
  return <Fields of={profileFormIn(region)} values={{ ...profile, serviceRadiusMiles }} />
}
