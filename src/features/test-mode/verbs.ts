// Test mode: the pros that a developer's test keys see, and the keys that act for them.
import { ensureAccount, ensureTestAccount } from '../../auth/accounts/verbs.ts'
import { type CreatedKey, type NewKey, createKey } from '../../auth/keys/verbs/keys.ts'
import { PUBLIC, type Viewer } from '../../auth/caller.ts'
import { isProScope } from '../../auth/scopes.ts'
import type { Deps } from '../../deps.ts'
import { isEmail } from '../../platform/schema/types.ts'
import { findTestAccount, insertTestOffers, insertTestPro } from './queries.ts'

/** What each test account finds. Their names say what happens to a booking. */
const TEST_PROS = [
  { slug: 'instant', businessName: 'Test pro: books at once', requiresApproval: false, depositPercentage: null },
  { slug: 'deposit', businessName: 'Test pro: takes a deposit', requiresApproval: false, depositPercentage: 20 },
  { slug: 'approval', businessName: 'Test pro: approves bookings', requiresApproval: true, depositPercentage: null },
] as const

const DESCRIPTION = 'Only your test keys see this pro. Bookings are not real, and no e-mail is sent.'
const OFFERS = { services: 50, priceCents: 12_000 }

/**
 * Creates a key as {@link createKey} does. Before the first test key of an account, its test pros are made. A test key with a
 * pro's scopes acts for the test pro who approves bookings.
 */
export async function createKeyInMode(deps: Deps, input: NewKey): Promise<CreatedKey> {
  if (input.mode !== 'test' || !isEmail(input.ownerEmail)) return await createKey(deps, input)
  const approving = await ensureTestPros(deps, input.ownerEmail)
  if (!input.scopes.some(isProScope)) return await createKey(deps, input)
  return { ...(await createKey(deps, { ...input, ownerEmail: approving })), owner: input.ownerEmail }
}

/** Sees what the account's test keys see: real pros before the first one. */
export async function findTestViewer({ write }: Pick<Deps, 'write'>, accountId: string): Promise<Viewer> {
  const testAccountId = await findTestAccount(write, accountId)
  return testAccountId === undefined ? PUBLIC : { accountId: testAccountId, mode: 'test' }
}

/** Makes the test pros of the owner's test account, except those that exist. Returns the account's address of the approving one. */
const ensureTestPros = (deps: Deps, ownerEmail: string): Promise<string> =>
  deps.write.begin('ensureTestPros', async (tx) => {
    const owner = await ensureAccount(deps, tx, ownerEmail)
    const { id: testAccountId } = await ensureTestAccount(deps, tx, owner)
    const emails = { instant: '', deposit: '', approval: '' }
    for (const { slug: name, ...traits } of TEST_PROS) {
      const slug = `test-${name}-${testAccountId}`
      const account = await ensureAccount(deps, tx, `${slug}@hearth.invalid`, 'pro', owner.testOf ?? owner.id)
      emails[name] = account.email
      await insertTestPro(tx, {
        ...traits,
        id: deps.ids.uuid(),
        accountId: account.id,
        testAccountId,
        slug,
        description: DESCRIPTION,
        now: deps.clock.now(),
      })
    }
    await insertTestOffers(tx, testAccountId, OFFERS)
    return emails.approval
  })
