/** @jsxImportSource preact */
// A dead letter before it is discarded: what it was about, what that ends, and the reason.
import type { VNode } from 'preact'

import type { ListedLetter } from '../../../features/upkeep/dead-letters/verbs.ts'
import { errorInWords } from '../../../features/upkeep/dead-letters/rules/in-words.ts'
import type { Session } from '../../../http/session.ts'
import { FreeText } from '../../../platform/schema/types.ts'
import { plural } from '../../../platform/text/format.ts'
import { Button } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { ActionButton, Form, type FormState } from '../../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { DetailList } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { LETTERS_PATH, STUCK_PATH, subjectOf, titleOf } from './view.tsx'

export const DiscardForm = defineForm({
  reason: {
    schema: FreeText({ minLength: 1 }),
    label: 'Why it need not be done',
    hint: 'Operators read it in the log of acts.',
    rows: 3,
  },
})

export const discardView = (session: Session, letter: ListedLetter, formState: FormState): VNode => (
  <>
    <BackLink href={STUCK_PATH}>What is stuck</BackLink>
    <PageHeading>Discard a dead letter</PageHeading>
    <DetailList
      pairs={[
        ['What failed', titleOf(letter)],
        ['About', subjectOf(session, letter)],
        ['Tried', plural(letter.attempts, 'time')],
        ['First', <Time instant={letter.firstFailedAt} />],
        ['Last', <Time instant={letter.failedAt} />],
        ['Last error', errorInWords(letter.error)],
      ]}
    />
    <Section title="Discard it">
      <p>
        It is never tried again, and what it stood for is not done: subscribers miss the event, or the task is not run.
        This cannot be undone. If a worker is busy with it right now, that one attempt ends as it ends.
      </p>
      <ActionButton session={session} action={`${LETTERS_PATH}/${letter.id}`} label="Try it again instead" />
      <Form
        of={DiscardForm}
        action={`${LETTERS_PATH}/${letter.id}/discard`}
        session={session}
        formState={formState}
        isNarrow
      >
        <Fields of={DiscardForm} />
        <Button look="danger">Discard it for good</Button>
      </Form>
    </Section>
  </>
)
