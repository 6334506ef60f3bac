// Mutants of applications to join.
import type { Mutant } from './mutant.ts'

const killedBy = 'test/features/business/applications/applications.test.ts'
const folder = 'src/features/business/applications'

export const APPLICATIONS: readonly Mutant[] = [
  {
    guarantee: 'An operator approves only what waits: what was asked must be sent again.',
    file: `${folder}/states.ts`,
    from: "asked: { send: 'sent', refuse: 'refused' }",
    to: "asked: { send: 'sent', refuse: 'refused', approve: 'approved' }",
    killedBy,
    tests: 'only then it can be approved',
  },
  {
    guarantee: 'The application belongs to the address that was proven.',
    file: `${folder}/verbs/apply.ts`,
    from: 'findApplication<StoredAnswers>(ctx, { email: ctx.actor.customerEmail })',
    to: "findApplication<StoredAnswers>(ctx, { email: 'anybody@example.com' })",
    killedBy,
  },
  {
    guarantee: 'What waits for an operator does not change.',
    file: 'src/web/public/join/routes.ts',
    from: "application.status !== 'draft' && application.status !== 'asked'",
    to: "application.status === 'approved'",
    killedBy,
  },
  {
    guarantee: 'A withdrawn application is erased.',
    file: `${folder}/verbs/apply.ts`,
    from: '    await deleteApplication(ctx, { id })\n',
    to: '',
    killedBy,
    tests: 'withdraw',
  },
  {
    guarantee: 'A decided application is not withdrawn.',
    file: `${folder}/verbs/apply.ts`,
    from: 'if (!MAY_BE_WITHDRAWN.has(status))',
    to: "if (email === '')",
    killedBy,
    tests: 'withdraw',
  },
  {
    guarantee: 'An operator reads no draft.',
    file: `${folder}/verbs/decide.ts`,
    from: "!application || application.status === 'draft'",
    to: '!application',
    killedBy,
  },
  {
    guarantee: 'An application is sent only once all steps are done.',
    file: `${folder}/verbs/apply.ts`,
    from: "if (nextStep(application) !== 'preview')",
    to: "if (nextStep(application) === 'business')",
    killedBy,
  },
  {
    guarantee: 'Where pros join by invitation, no application begins.',
    file: `${folder}/verbs/apply.ts`,
    from: 'if (!(await getDefaults(ctx)).prosMayJoin)',
    to: 'if ((await getDefaults(ctx)) === undefined)',
    killedBy,
  },
  {
    guarantee: 'A license is declared by the applicant, and waits to be checked.',
    file: `${folder}/verbs/decide.ts`,
    from: 'await askForVerification(ctx, {',
    to: 'if (note.length > 9) await askForVerification(ctx, {',
    killedBy,
  },
  {
    guarantee: 'A service without a range keeps its price.',
    file: `${folder}/verbs/decide.ts`,
    from: 'basePrice: isRange ? null : price',
    to: 'basePrice: isRange ? price : null',
    killedBy,
  },
]
