/** @jsxImportSource preact */
// /console/marketplace: operators say who the marketplace is, and open it. Every page, message and agent server repeats it.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { FIELDS, type Marketplace } from '../../features/upkeep/marketplace/schemas.ts'
import { listVersions, updateMarketplace } from '../../features/upkeep/marketplace/verbs.ts'
import { countFactors } from '../../auth/users/verbs/second-factors.ts'
import { guard } from '../../http/guard.ts'
import type { AuthenticatedRequest } from '../../http/session.ts'
import { Integer } from '../../platform/schema/numbers.ts'
import { OneOf } from '../../platform/schema/types.ts'
import type { VNode } from 'preact'
import { COUNTRIES, regionOf } from '../../platform/text/region.ts'
import { BRAND_PICTURES_PATH } from './brand-pictures.tsx'
import { DEFAULTS_PATH } from './marketplace-defaults.tsx'
import { TEXTS_PATH } from './legal-texts/view.tsx'
import { plural } from '../../platform/text/format.ts'
import { Button, Disclosure } from '../ui/buttons.tsx'
import { FacePreview } from '../ui/face-preview.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { ActionButton, EMPTY_FORM, Form, formStatus } from '../ui/form.tsx'
import { OPEN_STEP } from '../ui/guide-steps.ts'
import { PageHeading, Section } from '../ui/headings.tsx'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'
import { readSite } from '../ui/site.tsx'
import { runFormAction, submitForm } from '../ui/submit.ts'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'

const PATH = '/console/marketplace'
export const MARKETPLACE_PATH = PATH
export const OPENING_PATH = `${PATH}/opening`
const FACTOR_RULE_PATH = `${PATH}/second-factor`
const session = ['operator'] as const
const ASSETS = { scripts: ['preview.js'], styles: ['operator.css'] } as const

const Version = Integer({ minimum: 0, maximum: 1_000_000_000 })

export const MarketplaceForm = defineForm({
  name: { schema: FIELDS.name, label: 'Name', autocomplete: 'organization' },
  tagline: {
    schema: Type.Optional(FIELDS.tagline),
    label: 'What you do, in one sentence',
    hint: 'Stands on the first page, below its heading.',
  },
  email: {
    schema: Type.Optional(FIELDS.email),
    label: 'E-mail address for questions',
    hint: 'Customers, pros and developers write to it.',
  },
  phone: { schema: Type.Optional(FIELDS.phone), label: 'Phone for questions' },
  address: {
    schema: Type.Optional(FIELDS.address),
    label: 'Postal address',
    hint: 'Stands at the end of each message: many countries ask for it.',
    rows: 3,
  },
  accent: {
    schema: Type.Optional(FIELDS.accent),
    label: 'Colour of links and buttons',
    hint: 'Such as #1b5a9e. In dark it is as much lighter as its text needs.',
  },
  country: {
    schema: FIELDS.country,
    label: 'Country',
    hint: 'Decides currency, distances, postal codes and places. Choose it before the first pro: prices do not convert.',
    choices: COUNTRIES.map((value) => ({ value, label: regionOf({ country: value }).name })),
  },
  version: { schema: Version },
})

const OpeningForm = Type.Object({ state: OneOf(['open', 'closed']), version: Version })
const FactorRuleForm = Type.Object({ state: OneOf(['required', 'optional']), version: Version })

export const marketplacePages = (deps: Deps) =>
  new Elysia({ name: 'marketplace-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getMarketplacePage({ ctx, authenticated }) {
        return await renderMarketplace(ctx, authenticated)
      },
      { session },
    )
    .post(
      PATH,
      async function postMarketplace({ ctx, authenticated: by }) {
        return await submitForm(
          MarketplaceForm,
          by.form,
          (input) => save(ctx, by, input),
          (formState) => renderMarketplace(ctx, by, formState),
        )
      },
      { session, form: MarketplaceForm },
    )
    .post(
      OPENING_PATH,
      async function postOpening({ ctx, authenticated: by }) {
        const next = by.form.get('state') === 'open' ? OPEN_STEP : PATH
        return await runFormAction(ctx, by, next, OpeningForm, async ({ state, version }) => {
          const isOpen = state === 'open'
          await updateMarketplace(ctx, { isOpen, version, by: by.session.userId })
          return isOpen
            ? 'The marketplace is open. Visitors and search engines see it from now on.'
            : 'Closed. Visitors see that you open soon.'
        })
      },
      { session, form: OpeningForm },
    )
    .post(
      FACTOR_RULE_PATH,
      async function postFactorRule({ ctx, authenticated: by }) {
        return await runFormAction(ctx, by, PATH, FactorRuleForm, async ({ state, version }) => {
          const operatorsNeedFactor = state === 'required'
          await updateMarketplace(ctx, { operatorsNeedFactor, version, by: by.session.userId })
          return operatorsNeedFactor
            ? 'Operators need a second factor from now on.'
            : 'Each operator decides about a second factor from now on.'
        })
      },
      { session, form: FactorRuleForm },
    )

async function save(
  ctx: Ctx,
  { session }: AuthenticatedRequest,
  { name, country, version, ...says }: Static<typeof MarketplaceForm>,
): Promise<Response> {
  const { tagline = null, email = null, phone = null, address = null, accent = null } = says
  const changes = { name: name.trim(), tagline, email, phone, address, accent, country }
  await updateMarketplace(ctx, { ...changes, version, by: session.userId })
  const text = 'Saved. Pages, messages and agent servers say so from now on.'
  return redirectWithFlash(ctx, session, PATH, { tone: 'good', text })
}

async function renderMarketplace(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const [site, versions, factors] = await Promise.all([readSite(ctx, by), listVersions(ctx), countFactors(ctx)])
  const { name: sender, address } = ctx.config.mail.from
  const content = (
    <>
      <PageHeading>Marketplace</PageHeading>
      <p class="lead">Who you are, as customers, pros and their assistants read it everywhere.</p>
      <p>
        <a href={BRAND_PICTURES_PATH}>Logo and icon</a>, <a href={TEXTS_PATH}>terms, privacy policy and imprint</a>
      </p>
      <Form action={PATH} of={MarketplaceForm} session={by.session} formState={formState}>
        <Fields of={MarketplaceForm} names={['name', 'tagline', 'accent']} values={{ ...site }} />
        <FacePreview site={site} />
        <Fields of={MarketplaceForm} names={['email', 'phone', 'address', 'country']} values={{ ...site }} />
        <input type="hidden" name="version" value={String(site.version)} />
        <Button>Save</Button>
      </Form>
      {opening(by, site)}
      <Section title="Defaults">
        <p>
          <a href={DEFAULTS_PATH}>Fee, deposits, cancelling and search distance</a>: what holds for new bookings.
        </p>
      </Section>
      {operatorLogins(by, site, factors)}
      <Section title="Messages">
        <p>
          Messages come from {sender ?? site.name} ({address}).{' '}
          {sender === undefined
            ? 'The address is that of MAIL_FROM.'
            : 'MAIL_FROM sets both; without a name in it, messages come from the name above.'}
        </p>
      </Section>
      {versions.length > 0 && (
        <Section title="Changes">
          <Table
            caption="The last changes, the newest first"
            columns={['When', 'By', 'Name', 'Visitors see']}
            rows={versions.map(({ at, by, name, isOpen }) => [
              <Time instant={at} />,
              by ?? 'Command line',
              name,
              isOpen ? 'the marketplace' : 'that it opens soon',
            ])}
          />
        </Section>
      )}
    </>
  )
  return renderConsolePage(ctx, by, { title: 'Marketplace', content, ...ASSETS }, formStatus(formState))
}

const opening = ({ session }: AuthenticatedRequest, { isOpen, version }: Marketplace): VNode => {
  const button = (state: 'open' | 'closed', label: string) => (
    <ActionButton
      session={session}
      action={OPENING_PATH}
      fields={{ state, version: String(version) }}
      label={label}
      look="plain"
    />
  )
  return isOpen ? (
    <Section title="Opening">
      <p>
        The marketplace is open: visitors find pros and book them. Closed, it says that it opens soon; bookings stay.
      </p>
      {button('closed', 'Close')}
    </Section>
  ) : (
    <Section title="Opening" id="opening">
      <p>
        Visitors see that you open soon, and search engines list no page. You see the marketplace as it will be while
        you are logged in.
      </p>
      {button('open', 'Open')}
    </Section>
  )
}

/** Whether operators need a second factor, and what a change of it means for those who have none. */
function operatorLogins(
  { session }: AuthenticatedRequest,
  { operatorsNeedFactor, version }: Marketplace,
  { operators, without }: { operators: number; without: number },
): VNode {
  const button = (state: 'required' | 'optional', label: string) => (
    <ActionButton
      session={session}
      action={FACTOR_RULE_PATH}
      fields={{ state, version: String(version) }}
      label={label}
      look="plain"
    />
  )
  const have = `${operators - without} of ${plural(operators, 'operator')} have a second factor.`
  return (
    <Section title="Log-ins of operators">
      {operatorsNeedFactor ? (
        <>
          <p>Operators need a second factor: they log in with their password and a code from their phone. {have}</p>
          {button('optional', 'Let each operator decide')}
        </>
      ) : (
        <>
          <p>Each operator decides whether to log in with a second factor, a code from their phone. {have}</p>
          <Disclosure label="Require a second factor">
            <p>
              {without === 0
                ? 'All operators have one already. New ones set it up when they log in.'
                : `${plural(without, 'operator has', 'operators have')} no second factor yet, and ${without === 1 ? 'sets' : 'set'} it up on their next page, before they do anything else.`}{' '}
              Their sessions and API keys go on.
            </p>
            {button('required', 'Require it')}
          </Disclosure>
        </>
      )}
    </Section>
  )
}
