// Mutants of the audit log: an act without its row.
import type { Mutant } from './mutant.ts'

const ACTS_TEST = 'test/auth/operator-acts.test.ts'

export const ACTS: readonly Mutant[] = [
  {
    guarantee: 'A message that an operator sends again is in the audit log.',
    file: 'src/features/messages/messages/verbs/message-log.ts',
    from: "    await recordAction(ctx, { action: 'message.resent', subjectId: bookingId, professionalId: null, by, details })\n",
    to: '',
    killedBy: ACTS_TEST,
    tests: 'POST /console/mail/:id/send',
  },
  {
    guarantee: 'The audit log says which operator added agent tasks.',
    file: 'src/web/console/credits.tsx',
    from: 'by: by.session.userId',
    to: 'by: null',
    killedBy: ACTS_TEST,
    tests: 'POST /console/credits',
  },
  {
    guarantee: 'A change of the marketplace is in the audit log.',
    file: 'src/features/upkeep/marketplace/verbs.ts',
    from: '      await recordMarketplaceAction(ctx, { ...act, by })',
    to: '      void act',
    killedBy: ACTS_TEST,
    tests: 'POST /console/marketplace is',
  },
]
