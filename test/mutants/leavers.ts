// Mutants of pros who leave.
import type { Mutant } from './mutant.ts'

const killedBy = 'test/features/business/closing/closing.test.ts'
const comparison = 'test/features/business/closing/leaver.test.ts'

export const LEAVERS: readonly Mutant[] = [
  {
    guarantee: 'What customers paid is refunded when their pro leaves.',
    file: 'src/features/booking/bookings/verbs/holds.ts',
    from: "return await endBooking(ctx, { reason, refund: 'cancelled', by: 'pro', booking, action: 'cancel' })",
    to: "return await endBooking(ctx, { reason, refund: 'cancelled', keep: true, by: 'pro', booking, action: 'cancel' })",
    killedBy,
  },
  {
    guarantee: 'The keys of a pro who leaves end at once.',
    file: 'src/features/business/closing/verbs/close.ts',
    from: 'await revokeKeysOf(ctx, { accounts: [...leaver.accounts]',
    to: 'await revokeKeysOf(ctx, { accounts: []',
    killedBy,
  },
  {
    guarantee: 'The log-ins of a pro who leaves end at once.',
    file: 'src/features/business/closing/verbs/close.ts',
    from: '    await disableLogins(ctx, { accountId: pro.accountId, by })\n',
    to: '',
    killedBy,
    tests: 'is logged out, cannot log in',
  },
  {
    guarantee: 'The data of a pro stays while a refund or dispute needs it.',
    file: 'src/features/business/closing/verbs/end.ts',
    from: '(await hasMoneyToSettle(ctx, leaving))?.has === true',
    to: '(await hasMoneyToSettle(ctx, leaving))?.has === undefined',
    killedBy,
  },
  {
    guarantee: 'A closed account is looked at again for what was made meanwhile.',
    file: 'src/features/business/closing/verbs/end.ts',
    from: 'return lastChange > now.getTime() ? new Date(lastChange) : new Date(eraseAt)',
    to: 'return new Date(eraseAt)',
    killedBy,
  },
  {
    guarantee: 'The erasure of a pro touches no row of others.',
    file: 'src/features/business/closing/tables.ts',
    from: 'const pro: Condition = (sql, { professionalId }) => sql`t.professional_id = ${professionalId}`',
    to: 'const pro: Condition = (sql, { professionalId }) => sql`t.professional_id <> ${professionalId}`',
    killedBy: comparison,
  },
  {
    guarantee: 'Only the owner’s password closes the account.',
    file: 'src/web/console/closing/routes.ts',
    from: 'if (!(await isCorrectPassword(ctx, { email, password })))',
    to: 'if (password === email)',
    killedBy,
  },
  {
    guarantee: 'Guesses at the password in an unlocked browser are limited where the account is closed.',
    file: 'src/web/console/closing/routes.ts',
    from: '            await requestLimitsOf(ctx).admitLogin(request, email, userId)\n',
    to: '',
    killedBy: 'test/auth/unlocked-browser.test.ts',
    tests: 'closing',
  },
]
