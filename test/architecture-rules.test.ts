// A rule of the business has one home named after it: `rules/<rule>.ts` of its noun. Its number and its words stand nowhere else.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import {
  MIN_PRICES,
  MAX_PRICES_PER_SOURCE,
  OUTLIER_FACTOR,
  PROS_PER_PRICE,
} from '../src/features/catalog/pricing/rules/price-eligibility.ts'
import { ROOT, filesUnder, readSources } from './support/imports.ts'

const sources = readSources(['src', 'workers'])

/** Each rule's file, and the words and numbers that no other file may contain. A number is listed if only this rule uses it. */
const RULES: Readonly<Record<string, readonly RegExp[]>> = {
  'upkeep/brand-pictures/rules/addresses.ts': [/\/assets\/brand/],
  'upkeep/brand-pictures/rules/refusals.ts': [/stands still/, /is not square/],
  'upkeep/brand-pictures/rules/sizes.ts': [/LOGO_BOX/],
  'auth/users/rules/operator-roles.ts': [/OPERATOR_ROUTES: /],
  'auth/users/rules/pro-roles.ts': [/PRO_ROUTES: /],
  'booking/bookings/rules/worker-actions.ts': [/mayTake = /],
  'auth/users/rules/permissions.ts': [/rolesFor = /],
  'upkeep/audit/rules/acts-in-words.ts': [/'Agent tasks added'/],
  'auth/users/rules/totp.ts': [/otpauth:\/\//],
  'upkeep/marketplace/rules/area.ts': [/3958\.8/, /\(within \$\{/],
  'upkeep/marketplace/rules/defaults.ts': [/instantBookingFeeCents \?\?/, /holdMinutes \* 60/],
  'upkeep/marketplace/rules/saved-acts.ts': [/\? 'marketplace\.opened' :/],
  'agents/proposals/rules/lifetime.ts': [/LIFETIME/],
  'booking/bookings/rules/bookable.ts': [
    /does not take instant bookings/,
    /has set no price for the service\./,
    /\b365 days/,
  ],
  'booking/bookings/rules/cancellation.ts': [
    /\b24 hours before\b/,
    /within 24 hours of the start/,
    /too late for a free cancellation\. Your/,
    /(get|getting) all of the \$\{/,
    /parse\([\w.]*freeCancellationUntil/,
  ],
  'booking/bookings/rules/confirmation-codes.ts': [/replace\(\/\[IL\]/],
  'booking/bookings/rules/deposits.ts': [/depositRequired: true'/, /\$0\.50|less than 50 cents/],
  'booking/bookings/rules/by-hand.ts': [/BY_HAND_PER_DAY = /, /'pro', 'operator'\]/],
  'booking/bookings/rules/guests.ts': [/names \$\{GUESTS_PER_DAY\} guests|guests in 24 hours/],
  'booking/bookings/rules/holds.ts': [/held for 15|15 minutes\. When/, /'pending' && [\w.]*holdExpiresAt/],
  'booking/bookings/rules/rescheduling.ts': [/does not change that: if you cancel later/],
  'booking/bookings/rules/unpaid-limit.ts': [/maxUnpaidBookings\[/, /ofOthers'/],
  'business/closing/rules/consequences.ts': [/that customers paid for these/, /can be opened again/],
  'business/imports/rules/columns.ts': [/'street_address'/, /'import_errors'/],
  'business/imports/rules/hours-cell.ts': [/or 24\/7'/],
  'business/imports/rules/pace.ts': [/INVITES_PER_MINUTE = 6000/],
  'business/imports/rules/services-cell.ts': [/which the catalog has not/],
  'business/imports/rules/values.ts': [/must be yes or no/],
  'business/uploaded-imports/rules/joined-counts.ts': [/again\.unchanged - before/],
  'business/applications/rules/license-form.ts': [/\\d\{6,8\}\$\//],
  'business/applications/rules/lifetime.ts': [/asked: 90,/],
  'business/applications/rules/steps.ts': [/'services', 'prices', 'hours', 'license'/],
  'business/packages/rules/offered.ts': [/server does not offer packages/],
  'catalog/entries/rules/catalog-file.ts': [/FileCategory = /],
  'catalog/entries/rules/changes.ts': [/SERVICE_FIELDS = /],
  'catalog/entries/rules/entry-faults.ts': [/is the address of other pages/, /is the name of another one/],
  'catalog/entries/rules/lines.ts': [/columns instead of/, /is in line \$\{first/],
  'catalog/entries/rules/merging.ts': [
    /is retired or part of another one/,
    /mergedInto !== null && replacedAt === null/,
  ],
  'catalog/entries/rules/normal-fields.ts': [/textOrNull\(unit\)/],
  'catalog/entries/rules/order.ts': [/position \?\? Infinity/],
  'catalog/entries/rules/ordinals.ts': [/FIRST_SERVICE = 10_000/],
  'catalog/entries/rules/questions.ts': [/MAX_QUESTIONS = /, /answers to choose from, or none/],
  'catalog/entries/rules/reserved-slugs.ts': [/^ {2}'healthz',$/m],
  'catalog/entries/rules/starter.ts': [/must be slugs of the starter set/],
  'catalog/entries/rules/units.ts': [/=== 'hourly' \? 'hour'/],
  'catalog/services/rules/districts.ts': [/FIRST_DISTRICT_ID/, /PARENT_MILES/],
  'catalog/pricing/rules/price-eligibility.ts': [
    /n \/ 20\b/,
    /fewer than 3 prices/,
    /five times the service’s typical price/,
  ],
  'customers/operator-customers/rules/blocked.ts': [/CUSTOMER_BLOCKED = /],
  'customers/privacy/rules/pseudonym.ts': [/isPseudonym = /],
  'files/files/rules/addresses.ts': [/\[\\w-\]\{32\}/],
  'files/files/rules/direct-uploads.ts': [/_SECONDS = (600|1200)\b/],
  'files/files/rules/purposes.ts': [/mayBeDocument: (true|false)/],
  'files/files/rules/quota.ts': [/files in 24 hours/],
  'files/files/rules/refusals.ts': [/Most Compatible/, /may have up to 50 megapixels/],
  'search/counts/rules/missed-words.ts': [/SHOWN_FROM_DAYS = /, /MAX_ROWS_PER_DAY = /],
  'quoting/quotes/rules/validity.ts': [/validForDays: 30\b/, /maximum: 365\b/, /validForDays \?\?/],
  'quoting/rfqs/rules/answers.ts': [/is answered twice/, /is not asked: without a service/],
  'upkeep/dead-letters/rules/in-words.ts': [/'pass an event on'/],
  'upkeep/operator-search/rules/search-terms.ts': [/PHONE_DIGITS|MIN_BEGINNING/],
  'reviews/reviews/rules/eligibility.ts': [/'review_too_early'|'no_visit_to_review'/, /cannot review itself: not/],
  'upkeep/marketplace/rules/contact.ts': [/'a name of its own'/],
}

/** Files that may write what a rule owns, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/config.ts': 'reads what the operator sets',
  'src/platform/text/cancelling.ts': 'the sentence that the widget in other people’s pages has, too',
  'src/web/ui/assets/scripts/widget-picker.ts': 'runs in browsers; test/web/public/widget.test.ts compares its hours',
}

/** A rule of a feature is named within the features. */
const fileOf = (home: string) => (home.startsWith('auth/') ? `src/${home}` : `src/features/${home}`)

test('every rule stands in rules/ of its noun, and this test knows all of them', () => {
  const files = sources.map(({ path }) => path).filter((path) => path.includes('/rules/'))
  expect(files.toSorted()).toEqual(Object.keys(RULES).map(fileOf).toSorted())
})

test('what a rule owns stands nowhere else, on no page and in no tool', () => {
  const faults = Object.entries(RULES).flatMap(([home, owned]) =>
    sources
      .filter(({ path }) => path !== fileOf(home) && !path.startsWith('src/errors/') && !(path in EXCEPTIONS))
      .flatMap(({ path, text }) => owned.filter((one) => one.test(text)).map((one) => `${path}: ${one} is of ${home}`)),
  )
  expect(faults).toEqual([])
})

test('every rule writes some of what it owns, so that the list above does not grow old', () => {
  const silent = Object.entries(RULES).filter(([home, owned]) => {
    const text = readFileSync(join(ROOT, fileOf(home)), 'utf8')
    return !owned.some((one) => one.test(text))
  })
  expect(silent.map(([home]) => home)).toEqual([])
})

test('the functions of the database that a rule names exist in the files that it names', () => {
  const functions = new Map(
    filesUnder('sql/functions').map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const),
  )
  for (const home of Object.keys(RULES)) {
    const [head = ''] = readFileSync(join(ROOT, fileOf(home)), 'utf8').split(/^(?!\/\/)/m, 1)
    const files = [...head.matchAll(/sql\/functions\/\w+\.sql/g)].map(([path]) => path)
    expect([home, files.filter((path) => !functions.has(path))]).toEqual([home, []])
    const all = files.map((path) => functions.get(path)).join('\n')
    const names = [...head.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name = '']) => name)
    const missing = names.filter((name) => !new RegExp(`^create or replace (function|view) ${name}\\b`, 'm').test(all))
    expect([home, missing]).toEqual([home, []])
  }
})

test('the numbers of the price statistics are those of the database', () => {
  const points = readFileSync(join(ROOT, 'sql/functions/price_points.sql'), 'utf8')
  const groups = readFileSync(join(ROOT, 'sql/functions/refresh_pricing.sql'), 'utf8')
  expect(points).toContain(`where n.nth <= ${MAX_PRICES_PER_SOURCE};`)
  expect(groups).toContain(`p.cents between t.cents / ${OUTLIER_FACTOR} and t.cents * ${OUTLIER_FACTOR}`)
  expect(groups).toContain(`p.rank <= greatest(1, l.pros / ${PROS_PER_PRICE})`)
  expect(groups).toContain(`l.pros >= ${MIN_PRICES}`)
  expect(groups).toContain(`having count(*) >= ${MIN_PRICES}`)
})
