// Mutants of encryption, addresses, reviews and proposals.
import type { Mutant } from './mutant.ts'

export const CONTENT: readonly Mutant[] = [
  {
    guarantee: 'A link of one purpose does not open another.',
    file: 'src/platform/crypto/encryption.ts',
    from: "hkdfSync('sha256', secret, 'hearth', purpose, 32)",
    to: "hkdfSync('sha256', secret, 'hearth', '', 32)",
    killedBy: 'test/platform/crypto/encryption.test.ts',
  },
  {
    guarantee: 'An encrypted text ends at its expiry.',
    file: 'src/platform/crypto/encryption.ts',
    from: 'e !== undefined && e <= now.getTime() ? undefined : v',
    to: 'v',
    killedBy: 'test/platform/crypto/encryption.test.ts',
  },
  {
    guarantee: 'Two equal texts are encrypted differently, unless they are links.',
    file: 'src/platform/crypto/encryption.ts',
    from: 'encryptText(purpose, textOf(value, expiresAt), randomBytes(IV_BYTES))',
    to: 'encryptText(purpose, textOf(value, expiresAt), Buffer.alloc(IV_BYTES))',
    killedBy: 'test/platform/crypto/encryption.test.ts',
  },
  {
    guarantee: 'Two links never share an initialisation vector.',
    file: 'src/platform/crypto/encryption.ts',
    from: '.update(plain)\n        .digest()',
    to: '.update(purpose)\n        .digest()',
    killedBy: 'test/platform/crypto/encryption.test.ts',
  },
  {
    guarantee: 'E-mail addresses are compared in one form.',
    file: 'src/platform/schema/email.ts',
    from: 'text.replaceAll(/[A-Z]+/g,',
    to: 'text.replaceAll(/[A-Y]+/g,',
    killedBy: 'test/platform/schema/email.test.ts',
  },
  {
    guarantee: 'Letters outside ASCII are not folded in addresses.',
    file: 'src/platform/schema/email.ts',
    from: 'text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())',
    to: 'text.toLowerCase()',
    killedBy: 'test/platform/schema/email.test.ts',
  },
  {
    guarantee: 'Addresses in bodies are normalised before a route sees them.',
    file: 'src/http/guard.ts',
    from: 'if (normaliseBody) context.body = normaliseBody(context.body)',
    to: 'if (normaliseBody && rpc) context.body = normaliseBody(context.body)',
    killedBy: 'test/platform/schema/email.test.ts',
  },
  {
    guarantee: 'A visit is reviewed after its end only.',
    file: 'src/features/reviews/verbs.ts',
    from: 'Date.parse(endsAt) <= now.getTime()',
    to: 'Date.parse(endsAt) <= now.getTime() + 1000',
    killedBy: 'test/features/reviews/review-rules.test.ts',
  },
  {
    guarantee: 'A review of completed work is verified, of other work it is not.',
    file: 'src/features/reviews/verbs.ts',
    from: "if (status === 'completed') return true\n  const isOver",
    to: "if (status === 'completed' || status === 'confirmed') return true\n  const isOver",
    killedBy: 'test/features/reviews/review-rules.test.ts',
  },
  {
    guarantee: 'A business cannot review itself.',
    file: 'src/features/reviews/verbs.ts',
    from: '  if (found.isOwn)',
    to: '  if (found.isOwn && accountId === "")',
    killedBy: 'test/features/reviews/review-rules.test.ts',
  },
  {
    guarantee: 'Only published reviews are voted on.',
    file: 'src/features/reviews/queries.ts',
    from: "where id = ${vote.reviewId} and status = 'approved' for no key update`",
    to: 'where id = ${vote.reviewId} for no key update`',
    killedBy: 'test/features/reviews/reviews.test.ts',
    tests: 'unpublished',
  },
]
