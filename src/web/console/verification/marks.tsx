/** @jsxImportSource preact */
// What operators have checked of a pro: the marks, what each rests on, and until when it holds.
import { type Static, Type } from '@sinclair/typebox'
import type { VNode } from 'preact'

import {
  type CheckedPro,
  type Evidence,
  MARK_NAMES,
  type Mark,
  type Marks,
} from '../../../features/business/verification/schemas.ts'
import { seenText } from '../../../features/business/verification/verbs.ts'
import type { Session } from '../../../http/session.ts'
import { CalendarDate, FreeText, Line, Text } from '../../../platform/schema/types.ts'
import { longDay } from '../../../platform/text/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { Form, type FormState } from '../../ui/form.tsx'
import { Section } from '../../ui/headings.tsx'
import { Table } from '../../ui/table.tsx'

const MARKS = Object.keys(MARK_NAMES) as Mark[]

const mark = (of: Mark, hint: string) => ({ schema: Type.Boolean(), label: MARK_NAMES[of], hint })
const evidenceOf = (of: Mark) => ({
  schema: Type.Optional(Line(1000)),
  label: `${MARK_NAMES[of]}: what was seen`,
  hint: 'Such as the number, and where you looked it up. Only operators read it.',
})
const endOf = (of: Mark) => ({
  schema: Type.Optional(CalendarDate()),
  label: `${MARK_NAMES[of]}: last day`,
  hint: 'The mark goes by itself after it, and the pro is told 30 days before. Empty: it has no end.',
})

export const MarksForm = defineForm({
  verified: mark('verified', 'Search shows the pro as verified.'),
  verifiedEvidence: evidenceOf('verified'),
  verifiedUntil: endOf('verified'),
  backgroundCheck: mark('backgroundCheck', 'A background check was passed.'),
  backgroundCheckEvidence: evidenceOf('backgroundCheck'),
  backgroundCheckUntil: endOf('backgroundCheck'),
  insurance: mark('insurance', 'A valid certificate of liability insurance was seen.'),
  insuranceEvidence: evidenceOf('insurance'),
  insuranceUntil: endOf('insurance'),
  credentials: mark('credentials', 'Licenses and certificates were checked with who issues them.'),
  credentialsEvidence: evidenceOf('credentials'),
  credentialsUntil: endOf('credentials'),
  // What the operator looks at, so that a change by the pro meanwhile is not taken as checked.
  seen: { schema: Type.Optional(Text(2000)) },
  reason: { schema: FreeText({ minLength: 1 }), rows: 3, label: 'Reason', hint: 'The pro can read it.' },
})

/** The marks of the form, and what they rest on. */
export const marksIn = (input: Static<typeof MarksForm>): { marks: Marks; evidence: Evidence[] } => ({
  marks: {
    verified: input.verified,
    backgroundCheck: input.backgroundCheck,
    insurance: input.insurance,
    credentials: input.credentials,
  },
  evidence: MARKS.map((mark) => ({
    mark,
    evidence: input[`${mark}Evidence`] || null,
    validUntil: input[`${mark}Until`] ?? null,
  })),
})

/** Badges of what was checked. */
export const marksOf = (marks: Partial<Record<Mark, unknown>>): VNode[] | string => {
  const set = MARKS.filter((name) => marks[name] === true)
  return set.length === 0
    ? 'Nothing yet'
    : set.map((name) => (
        <>
          <Badge tone="good">{MARK_NAMES[name]}</Badge>{' '}
        </>
      ))
}

/** The last days of marks, as the pro reads them. */
export const endsOf = (evidence: readonly Evidence[]): string[] =>
  evidence.flatMap(({ mark, validUntil }) =>
    validUntil === null ? [] : [`“${MARK_NAMES[mark]}” is shown until ${longDay(validUntil)}.`],
  )

interface Checked {
  /** The page of the pro. */
  path: string
  pro: CheckedPro
  evidence: readonly Evidence[]
  formState: FormState
}

/** What a mark rests on is asked once the mark is given. */
export const marksSection = (session: Session, { path, pro, evidence, formState }: Checked): VNode => {
  const values = { ...pro, ...valuesOf(evidence), seen: seenText(pro) }
  return (
    <Section title="What was checked">
      <p>{marksOf(pro)}</p>
      {evidence.length > 0 && (
        <Table
          caption="What the marks rest on"
          columns={['Mark', 'What was seen', 'Last day']}
          rows={evidence.map(({ mark, evidence: seen, validUntil }) => [
            MARK_NAMES[mark],
            seen ?? '–',
            validUntil === null ? 'No end' : longDay(validUntil),
          ])}
        />
      )}
      <Form of={MarksForm} action={path} session={session} formState={formState}>
        {MARKS.map((mark) => (
          <div class="mark">
            <Fields of={MarksForm} names={[mark]} values={values} />
            <div class="rests-on">
              <Fields of={MarksForm} names={[`${mark}Evidence`, `${mark}Until`]} values={values} />
            </div>
          </div>
        ))}
        <Fields of={MarksForm} names={['seen', 'reason']} values={values} />
        <Button>Save</Button>
      </Form>
    </Section>
  )
}

const valuesOf = (evidence: readonly Evidence[]): Record<string, string> =>
  Object.fromEntries(
    evidence.flatMap(({ mark, evidence: seen, validUntil }) => [
      [`${mark}Evidence`, seen ?? ''],
      [`${mark}Until`, validUntil ?? ''],
    ]),
  )
