// Reads from a test run whether it killed a mutant.

export interface Verdict {
  readonly kind: 'killed' | 'survived' | 'invalid'
  /** The first failed test, or the reason why no test failed. */
  readonly detail: string
  /** At least one test ran to its end. */
  readonly hasRun: boolean
}

export interface TestRun {
  /** Bun's JUnit report; undefined when no test ran. */
  readonly xml: string | undefined
  readonly output: string
  /** It was ended because it ran too long. */
  readonly isLate: boolean
  /** Running too long counts as killed. */
  readonly hangs: boolean
}

/** Also wrapped by fast-check, and the test support's check of a response against its contract. */
const ASSERTION = /AssertionError|ContractViolation|expect\(|Property failed after/
/** The first frame of an error that a test or its support throws, such as a booking that is refused. */
const OWN_ERROR = /^[^\n]*?\n(?:(?!\s+at )[^\n]*\n)*\s+at (?:[^\n]*\()?(?:\.\/)?test\//

/** Statements that PostgreSQL does not understand, and names that JavaScript does not find: the mutant itself is wrong. */
const MISTAKE = /syntax error at or near|"code":"42(601|703|883|P01)"|ReferenceError: /

/**
 * A mutant is killed if a test failed by an assertion, of its own or of its support. Without a test that ran, with failures of hooks or other errors only,
 * it is invalid: the change prevents the test instead of breaking the guarantee.
 */
export function verdictOf({ xml, output, isLate, hangs }: TestRun): Verdict {
  if (isLate) return { kind: hangs ? 'killed' : 'invalid', detail: 'ran too long', hasRun: false }
  const tests = [...(xml ?? '').matchAll(/<testcase name="([^"]*)"[^>]*?(\/>|>([\s\S]*?)<\/testcase>)/g)].map(
    ([, name = '', , body = '']) => {
      const [, failure, text = ''] = /(<failure[^>]*>)([^<]*)/.exec(body) ?? []
      return { name, isSkipped: body.includes('<skipped'), failure, text: text.replaceAll('&#10;', '\n') }
    },
  )
  const ran = tests.filter(({ isSkipped }) => !isSkipped)
  if (ran.length === 0) return { kind: 'invalid', detail: `no test ran: ${lastLines(output)}`, hasRun: false }
  const failed = tests.filter(({ failure }) => failure !== undefined)
  if (failed.length === 0) return { kind: 'survived', detail: `${ran.length} tests passed`, hasRun: true }
  const mistake = MISTAKE.exec(output)
  if (mistake) return { kind: 'invalid', detail: mistake[0], hasRun: false }
  const byAssertion = failed.find(
    ({ name, failure = '', text }) => name !== '(unnamed)' && (ASSERTION.test(failure) || OWN_ERROR.test(text)),
  )
  if (byAssertion) return { kind: 'killed', detail: byAssertion.name, hasRun: true }
  const byTime = failed.find(({ failure = '' }) => failure.includes('TimeoutError'))
  if (byTime && hangs) return { kind: 'killed', detail: byTime.name, hasRun: true }
  const detail = `failed without an assertion: ${failed[0]?.name} ${failed[0]?.failure ?? ''}`
  return { kind: 'invalid', detail, hasRun: true }
}

const lastLines = (output: string): string => output.trim().split('\n').slice(-5).join(' | ')
