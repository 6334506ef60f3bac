/** @jsxImportSource preact */
// /console/marketplace/defaults: operators choose what holds for new bookings, quotes, searches and pros.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { VNode } from 'preact'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { invalidField } from '../../errors/app-error.ts'
import { setByEnvironment } from '../../features/upkeep/marketplace/rules/defaults.ts'
import {
  DEFAULTS,
  type MarketplaceDefaults,
  MAX_FEE_CENTS,
  REVIEW_POLICIES,
  type ReviewPolicy,
} from '../../features/upkeep/marketplace/schemas.ts'
import {
  type DefaultsChange,
  countOutsideLimits,
  getDefaults,
  listDefaultsChanges,
  updateMarketplace,
} from '../../features/upkeep/marketplace/verbs.ts'
import { guard } from '../../http/guard.ts'
import type { AuthenticatedRequest } from '../../http/session.ts'
import { MINIMUM_PAYMENT_CENTS, fromCents, isWholeCents, toCents } from '../../platform/schema/money.ts'
import { Decimal, Integer } from '../../platform/schema/numbers.ts'
import { distanceText, typedDistance } from '../../platform/text/distance.ts'
import { money, plural } from '../../platform/text/format.ts'
import { type Region, regionOf } from '../../platform/text/region.ts'
import { Button } from '../ui/buttons.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { EMPTY_FORM, Form, formStatus } from '../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../ui/headings.tsx'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'
import { readSite } from '../ui/site.tsx'
import { submitForm } from '../ui/submit.ts'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'

const PARENT = '/console/marketplace'
export const DEFAULTS_PATH = `${PARENT}/defaults`
const session = ['operator'] as const

const { minDepositPercentage, maxDepositPercentage, freeCancellationHours, holdMinutes } = DEFAULTS

const POLICY_LABELS = {
  read_first: 'after you have read them',
  verified_at_once: 'at once if they are verified',
} as const satisfies Record<ReviewPolicy, string>
const REVIEW_CHOICES = REVIEW_POLICIES.map((value) => ({ value, label: POLICY_LABELS[value] }))

export const DefaultsForm = defineForm(
  {
    radius: {
      schema: Integer({ minimum: 1, maximum: 1000 }),
      label: 'How far searches reach, miles',
      hint: 'Around a point, a ZIP code or a town, where people and assistants do not say it. Programs that use the API have a fixed one.',
    },
    // What the environment sets is not sent.
    fee: {
      schema: Type.Optional(Decimal({ minimum: 0, maximum: fromCents(MAX_FEE_CENTS) })),
      isOptional: false,
      label: 'Booking fee, US dollars',
      hint: 'Of packages and of what assistants and programs book, besides a deposit. 0 for no fee, otherwise 0.50 or more.',
    },
    minDepositPercentage: { schema: minDepositPercentage, label: 'Smallest deposit, % of the price' },
    maxDepositPercentage: {
      schema: maxDepositPercentage,
      label: 'Largest deposit, % of the price',
      hint: 'That pros may ask for. What they ask for today stays until they change it.',
    },
    freeCancellationHours: {
      schema: freeCancellationHours,
      label: 'Free cancellation until so many hours before the start',
      hint: 'From 0 to 168. After that, what was paid when booking is kept.',
    },
    holdMinutes: {
      schema: Type.Optional(holdMinutes),
      isOptional: false,
      label: 'How long a booking waits for its payment, minutes',
      hint: 'From 5 to 1440. Its time is offered to others again after that.',
    },
    prosMayJoin: {
      schema: DEFAULTS.prosMayJoin,
      label: 'Pros may ask to join',
      hint: '“For pros” then says how to reach you. Otherwise it says that pros are invited.',
    },
    reviewPolicy: {
      schema: DEFAULTS.reviewPolicy,
      label: 'Reviews are published',
      hint: 'What waits, waits on. You can take down a published review.',
      choices: REVIEW_CHOICES,
    },
    version: { schema: Integer({ minimum: 0, maximum: 1_000_000_000 }) },
  },
  ({ fee, minDepositPercentage: min, maxDepositPercentage: max }) => ({
    fee: fee === undefined ? undefined : feeProblem(fee),
    maxDepositPercentage: min !== undefined && max !== undefined && max < min ? `must be ${min} or more` : undefined,
  }),
)

const feeProblem = (fee: number): string | undefined =>
  !isWholeCents(fee)
    ? 'must have at most two decimals'
    : fee > 0 && toCents(fee) < MINIMUM_PAYMENT_CENTS
      ? `must be 0 or at least ${fromCents(MINIMUM_PAYMENT_CENTS).toFixed(2)}, the smallest payment`
      : undefined

export const marketplaceDefaultsPages = (deps: Deps) =>
  new Elysia({ name: 'marketplace-defaults-pages' })
    .use(guard(deps))
    .get(
      DEFAULTS_PATH,
      async function getMarketplaceDefaults({ ctx, authenticated }) {
        return await renderDefaults(ctx, authenticated)
      },
      { session },
    )
    .post(
      DEFAULTS_PATH,
      async function postMarketplaceDefaults({ ctx, authenticated: by }) {
        return await submitForm(
          DefaultsForm,
          by.form,
          (input) => save(ctx, by, input),
          (formState) => renderDefaults(ctx, by, formState),
        )
      },
      { session, form: DefaultsForm },
    )

async function save(ctx: Ctx, by: AuthenticatedRequest, input: Static<typeof DefaultsForm>): Promise<Response> {
  const { radius, fee, holdMinutes, version, ...chosen } = input
  const region = regionOf(await readSite(ctx, by))
  const locked = setByEnvironment(ctx.config)
  await updateMarketplace(ctx, {
    ...chosen,
    radiusMiles: radiusIn(region, radius),
    ...(locked.feeCents === undefined && { feeCents: toCents(required('fee', fee)) }),
    ...(locked.holdMinutes === undefined && { holdMinutes: required('holdMinutes', holdMinutes) }),
    version,
    by: by.session.userId,
  })
  const text = 'Saved. It holds from now on; bookings and quotes keep what they were made with.'
  return redirectWithFlash(ctx, by.session, DEFAULTS_PATH, { tone: 'good', text })
}

function required(name: string, value: number | undefined): number {
  if (value === undefined) throw invalidField(name, 'is required')
  return value
}

/** In miles, not rounded: 30 km stay 30 km. */
function radiusIn(region: Region, typed: number): number {
  const miles = typed / region.distance.perMile
  const { minimum = 1, maximum = miles } = DEFAULTS.radiusMiles
  if (miles > maximum) throw invalidField('radius', `must be at most ${distanceText(region, maximum)}`)
  return Math.max(minimum, miles)
}

async function renderDefaults(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const [site, { feeCents, holdSeconds, radiusMiles, ...chosen }, outside, changes] = await Promise.all([
    readSite(ctx, by),
    getDefaults(ctx),
    countOutsideLimits(ctx),
    listDefaultsChanges(ctx),
  ])
  const region = regionOf(site)
  const locked = setByEnvironment(ctx.config)
  const values = {
    ...chosen,
    radius: typedDistance.shown(region, radiusMiles),
    fee: fromCents(feeCents).toFixed(2),
    holdMinutes: Number((holdSeconds / 60).toFixed(2)),
    version: String(site.version),
  }
  const content = (
    <>
      <BackLink href={PARENT}>Marketplace</BackLink>
      <PageHeading>Defaults</PageHeading>
      <p class="lead">
        What holds for new bookings, quotes and searches. What was agreed before keeps what it was made with.
      </p>
      <Form of={DefaultsForm} action={DEFAULTS_PATH} session={by.session} formState={formState}>
        <Fields
          of={DefaultsForm}
          values={values}
          more={{ fee: lockedBy(locked.feeCents), holdMinutes: lockedBy(locked.holdMinutes) }}
        />
        <input type="hidden" name="version" value={values.version} />
        <Button>Save</Button>
      </Form>
      {outside > 0 && (
        <p>
          {plural(outside, 'pro asks', 'pros ask')} for a deposit outside these limits, and may until they change it.
        </p>
      )}
      {changes.length > 0 && history(region, changes)}
    </>
  )
  return renderConsolePage(ctx, by, { title: 'Defaults of the marketplace', content }, formStatus(formState))
}

/** A field that has no effect while a variable of the environment is set. */
const lockedBy = (variable: string | undefined) =>
  variable === undefined
    ? {}
    : {
        isLocked: true,
        hint: (
          <>
            Set by <code>{variable}</code>; change it there.
          </>
        ),
      }

const history = (region: Region, changes: readonly DefaultsChange[]): VNode => (
  <Section title="Changes">
    <Table
      caption="The last changes, the newest first"
      columns={['When', 'By', 'What']}
      rows={changes.map(({ at, by, before, after }) => [
        <Time instant={at} />,
        by ?? 'Command line',
        changedIn(region, before, after).map((text) => <div>{text}</div>),
      ])}
    />
  </Section>
)

type Shown = { readonly [Name in keyof MarketplaceDefaults]: readonly [label: string, text: string] }

/** "Booking fee: $5.00 → $7.00". */
function changedIn(region: Region, before: MarketplaceDefaults, after: MarketplaceDefaults): string[] {
  const [old, now] = [shownIn(region, before), shownIn(region, after)]
  return (Object.keys(now) as (keyof Shown)[])
    .filter((name) => before[name] !== after[name])
    .map((name) => `${now[name][0]}: ${old[name][1]} → ${now[name][1]}`)
}

const shownIn = (region: Region, defaults: MarketplaceDefaults): Shown => ({
  radiusMiles: ['Search', distanceText(region, Number(defaults.radiusMiles.toFixed(2)))],
  feeCents: ['Booking fee', money(fromCents(defaults.feeCents), region.currency)],
  minDepositPercentage: ['Smallest deposit', `${defaults.minDepositPercentage}%`],
  maxDepositPercentage: ['Largest deposit', `${defaults.maxDepositPercentage}%`],
  freeCancellationHours: ['Free cancellation', plural(defaults.freeCancellationHours, 'hour')],
  holdMinutes: ['Wait for a payment', plural(defaults.holdMinutes, 'minute')],
  prosMayJoin: ['Pros', defaults.prosMayJoin ? 'may ask to join' : 'are invited'],
  reviewPolicy: ['Reviews are published', POLICY_LABELS[defaults.reviewPolicy]],
  operatorsNeedFactor: [
    'Second factor of operators',
    defaults.operatorsNeedFactor ? 'needed' : 'as each of them wants',
  ],
})
