// Test mode: the pros that a developer's test keys see, and the keys that act for them.
import type { Account } from '../../../auth/accounts/schemas.ts'
import { ensureAccount, ensureTestAccount, isAccountOfPro, siteAccountOf } from '../../../auth/accounts/verbs.ts'
import { type CreatedKey, type NewKey, createKey } from '../../../auth/keys/verbs/keys.ts'
import { PUBLIC, type Viewer, testAccountOf } from '../../../auth/caller.ts'
import { isPlatformScope, isProScope } from '../../../auth/scopes.ts'
import { showTestAccount } from '../../../auth/users/verbs/sessions.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { idOrSlug } from '../../../platform/schema/id-or-slug.ts'
import { isEmail } from '../../../platform/schema/types.ts'
import { createOperatorKey } from '../operator-keys/verbs.ts'
import {
  type TestData,
  type TestWork,
  deleteTestRows,
  findTestAccount,
  findTestAccountOfPackage,
  findTestAccountOfPro,
  findTestData,
  saveTestPro,
} from './queries.ts'
import { insertTestOffers } from './queries.sql.ts'

export type { TestData }

/** What each test account finds. Their names say what happens to a booking. */
const TEST_PROS = [
  { slug: 'instant', businessName: 'Test pro: books at once', requiresApproval: false, depositPercentage: null },
  { slug: 'deposit', businessName: 'Test pro: takes a deposit', requiresApproval: false, depositPercentage: 20 },
  { slug: 'approval', businessName: 'Test pro: approves bookings', requiresApproval: true, depositPercentage: null },
] as const

const SLUG_PREFIX = 'test-'
const DESCRIPTION = 'Only your test keys find this pro. Bookings are not real, and no e-mail is sent.'
const OFFERS = { services: 50, priceCents: 12_000 }

/**
 * Creates a key as {@link createKey} does. Before the first test key of an account, its test pros are made. A test key with a
 * pro's scopes acts for the test pro who approves bookings; a live one acts for the pro that owns it, and is refused without one.
 * One with the scopes of operators is made as {@link createOperatorKey} says.
 */
export async function createKeyInMode(ctx: Ctx, input: NewKey): Promise<CreatedKey> {
  if (!isEmail(input.ownerEmail)) return await createKey(ctx, input)
  if (input.scopes.some(isPlatformScope)) return await createOperatorKey(ctx, input)
  const isForPro = input.scopes.some(isProScope)
  if (input.mode !== 'test') {
    if (isForPro && !(await isAccountOfPro(ctx, { email: input.ownerEmail })))
      throw invalidField('owner', 'must be the address of a pro’s account: a key with `pro:` scopes acts for its owner')
    return await createKey(ctx, input)
  }
  const { approving } = await startTestMode(ctx, input.ownerEmail)
  if (!isForPro) return await createKey(ctx, input)
  return { ...(await createKey(ctx, { ...input, ownerEmail: approving })), owner: input.ownerEmail }
}

/** The viewer of the account's test keys: it sees real pros before the first test key. */
export async function findTestViewer(ctx: Ctx, { accountId }: { accountId: string }): Promise<Viewer> {
  return viewerOf(await findTestAccount(ctx, { accountId }))
}

/**
 * The viewer of the pro with this id or slug. Ids and slugs of test pros cannot be guessed: like the link of a booking, they
 * open the page for everyone who has them.
 */
export async function viewerOfProLink(ctx: Ctx, { pro }: { pro: string }): Promise<Viewer> {
  const name = idOrSlug(pro)
  const mayBeTest = name.slug?.startsWith(SLUG_PREFIX) ?? true
  return mayBeTest ? viewerOf(await findTestAccountOfPro(ctx, name)) : PUBLIC
}

/** The viewer of the package with this SKU. */
export const viewerOfPackageLink = async (ctx: Ctx, { sku }: { sku: string }): Promise<Viewer> =>
  viewerOf(await findTestAccountOfPackage(ctx, { sku: sku.toUpperCase() }))

/** The account that owns what is made on a page: that of the site, or the test account. */
export const pageAccountOf = async (ctx: Ctx<Viewer>): Promise<string> =>
  testAccountOf(ctx.actor) ?? (await siteAccountOf(ctx)()).id

const viewerOf = (testAccountId: string | undefined): Viewer =>
  testAccountId === undefined ? PUBLIC : { accountId: testAccountId, mode: 'test' }

/** The account's test pros, and how much was made with them; undefined before its first test key. */
export async function findTestMode(ctx: Ctx, { accountId }: { accountId: string }): Promise<TestData | undefined> {
  const testAccountId = await findTestAccount(ctx, { accountId })
  return testAccountId === undefined ? undefined : await findTestData(ctx, { testAccountId })
}

/** Lets the pages of the session show the owner's test mode, and makes its pros if they do not exist. */
export async function enterTestMode(ctx: Ctx<{ ownerEmail: string; token: string }>): Promise<void> {
  const { testAccountId } = await startTestMode(ctx, ctx.actor.ownerEmail)
  await showTestAccount(ctx, { token: ctx.actor.token, testAccountId })
}

export const leaveTestMode = (ctx: Ctx, session: { token: string }): Promise<void> =>
  showTestAccount(ctx, { token: session.token, testAccountId: null })

/**
 * Deletes what was made in the owner's test mode, and makes the test pros as they were at first; they keep their ids. Keys,
 * their usage and webhook endpoints stay. Returns how much was deleted.
 */
export const deleteTestData = (ctx: Ctx, { ownerEmail }: { ownerEmail: string }): Promise<TestWork> =>
  ctx.transaction('deleteTestData', async (ctx) => {
    const owner = await ensureAccount(ctx, { email: ownerEmail })
    const { id } = await ensureTestAccount(ctx, owner)
    const deleted = await deleteTestRows(ctx, { testAccountId: id })
    await makeTestPros(ctx.as(owner), { reset: true })
    return deleted
  })

/** Deletes what was made in a test account. Its pros stay without work. */
export const deleteTestWork = (ctx: Ctx, { testAccountId }: { testAccountId: string }): Promise<TestWork> =>
  ctx.transaction('deleteTestWork', (ctx) => deleteTestRows(ctx, { testAccountId }))

/** Makes the test pros of the owner's test account, except those that exist. `approving` is the address of the approving one's account. */
const startTestMode = (ctx: Ctx, ownerEmail: string): Promise<{ testAccountId: string; approving: string }> =>
  ctx.transaction('startTestMode', async (ctx) => {
    const owner = await ensureAccount(ctx, { email: ownerEmail })
    return await makeTestPros(ctx.as(owner), { reset: false })
  })

async function makeTestPros(ctx: TxCtx<Account>, { reset }: { reset: boolean }) {
  const { id: testAccountId } = await ensureTestAccount(ctx, ctx.actor)
  const emails = { instant: '', deposit: '', approval: '' }
  for (const { slug: name, ...traits } of TEST_PROS) {
    const slug = `${SLUG_PREFIX}${name}-${testAccountId}`
    const account = await ensureAccount(ctx, {
      email: `${slug}@hearth.invalid`,
      kind: 'pro',
      testOf: ctx.actor.testOf ?? ctx.actor.id,
    })
    emails[name] = account.email
    const pro = { ...traits, id: ctx.ids.uuid(), accountId: account.id, testAccountId, slug, description: DESCRIPTION }
    await saveTestPro(ctx, { reset, pro: { ...pro, now: ctx.clock.now() } })
  }
  await insertTestOffers(ctx, { ...OFFERS, testAccountId })
  return { testAccountId, approving: emails.approval }
}
