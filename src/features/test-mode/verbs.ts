// Test mode: the pros that a developer's test keys see, and the keys that act for them.
import type { Account } from '../../auth/accounts/schemas.ts'
import { ensureAccount, ensureTestAccount, siteAccountOf } from '../../auth/accounts/verbs.ts'
import { type CreatedKey, type NewKey, createKey } from '../../auth/keys/verbs/keys.ts'
import { PUBLIC, type Viewer, testAccountOf } from '../../auth/caller.ts'
import { isProScope } from '../../auth/scopes.ts'
import { showTestAccount } from '../../auth/users/verbs/sessions.ts'
import type { Deps } from '../../deps.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { idOrSlug } from '../../platform/schema/id-or-slug.ts'
import { isEmail } from '../../platform/schema/types.ts'
import {
  type TestData,
  type TestWork,
  deleteTestRows,
  findTestAccount,
  findTestAccountOfPackage,
  findTestAccountOfPro,
  findTestData,
  insertTestOffers,
  saveTestPro,
} from './queries.ts'

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
 * pro's scopes acts for the test pro who approves bookings.
 */
export async function createKeyInMode(deps: Deps, input: NewKey): Promise<CreatedKey> {
  if (input.mode !== 'test' || !isEmail(input.ownerEmail)) return await createKey(deps, input)
  const { approving } = await startTestMode(deps, input.ownerEmail)
  if (!input.scopes.some(isProScope)) return await createKey(deps, input)
  return { ...(await createKey(deps, { ...input, ownerEmail: approving })), owner: input.ownerEmail }
}

/** Sees what the account's test keys see: real pros before the first one. */
export async function findTestViewer({ write }: Pick<Deps, 'write'>, accountId: string): Promise<Viewer> {
  return viewerOf(await findTestAccount(write, accountId))
}

/**
 * Sees the pro whose page has this id or slug. Those of test pros cannot be guessed: like a booking's link, they open the page
 * for each person who has them.
 */
export async function viewerOfProLink({ write }: Pick<Deps, 'write'>, pro: string): Promise<Viewer> {
  const name = idOrSlug(pro)
  const mayBeTest = name.slug?.startsWith(SLUG_PREFIX) ?? true
  return mayBeTest ? viewerOf(await findTestAccountOfPro(write, name)) : PUBLIC
}

/** Sees the package with the SKU. */
export const viewerOfPackageLink = async ({ write }: Pick<Deps, 'write'>, sku: string): Promise<Viewer> =>
  viewerOf(await findTestAccountOfPackage(write, sku.toUpperCase()))

/** The account that owns what is made on a page: that of the site, or the test account. */
export const pageAccountOf = async (deps: Deps, viewer: Viewer): Promise<string> =>
  testAccountOf(viewer) ?? (await siteAccountOf(deps)()).id

const viewerOf = (testAccountId: string | undefined): Viewer =>
  testAccountId === undefined ? PUBLIC : { accountId: testAccountId, mode: 'test' }

/** The account's test pros, and how much was made with them; undefined before its first test key. */
export async function findTestMode({ write }: Pick<Deps, 'write'>, accountId: string): Promise<TestData | undefined> {
  const testAccountId = await findTestAccount(write, accountId)
  return testAccountId === undefined ? undefined : await findTestData(write, testAccountId)
}

/** Lets the pages of the session show the owner's test mode, and makes its pros if they do not exist. */
export async function enterTestMode(deps: Deps, owner: { ownerEmail: string; token: string }): Promise<void> {
  const { testAccountId } = await startTestMode(deps, owner.ownerEmail)
  await showTestAccount(deps, owner.token, testAccountId)
}

export const leaveTestMode = (deps: Pick<Deps, 'write'>, session: { token: string }): Promise<void> =>
  showTestAccount(deps, session.token, null)

/**
 * Deletes what was made in the owner's test mode, and makes the test pros as they were at first; they keep their ids. Keys,
 * their usage and webhook endpoints stay. Returns how much was deleted.
 */
export const deleteTestData = (deps: Deps, ownerEmail: string): Promise<TestWork> =>
  deps.write.begin('deleteTestData', async (tx) => {
    const owner = await ensureAccount(deps, tx, ownerEmail)
    const { id } = await ensureTestAccount(deps, tx, owner)
    const deleted = await deleteTestRows(tx, id)
    await makeTestPros(deps, tx, owner, { reset: true })
    return deleted
  })

/** Makes the test pros of the owner's test account, except those that exist. `approving` is the address of the approving one's account. */
const startTestMode = (deps: Deps, ownerEmail: string): Promise<{ testAccountId: string; approving: string }> =>
  deps.write.begin('startTestMode', async (tx) => {
    const owner = await ensureAccount(deps, tx, ownerEmail)
    return await makeTestPros(deps, tx, owner, { reset: false })
  })

async function makeTestPros(deps: Deps, tx: Transaction, owner: Account, { reset }: { reset: boolean }) {
  const { id: testAccountId } = await ensureTestAccount(deps, tx, owner)
  const emails = { instant: '', deposit: '', approval: '' }
  for (const { slug: name, ...traits } of TEST_PROS) {
    const slug = `${SLUG_PREFIX}${name}-${testAccountId}`
    const account = await ensureAccount(deps, tx, `${slug}@hearth.invalid`, 'pro', owner.testOf ?? owner.id)
    emails[name] = account.email
    const pro = { ...traits, id: deps.ids.uuid(), accountId: account.id, testAccountId, slug, description: DESCRIPTION }
    await saveTestPro(tx, { ...pro, now: deps.clock.now() }, { reset })
  }
  await insertTestOffers(tx, testAccountId, OFFERS)
  return { testAccountId, approving: emails.approval }
}
