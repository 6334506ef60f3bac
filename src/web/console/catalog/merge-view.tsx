/** @jsxImportSource preact */
// The view of a merge: what an entry becomes part of, and what follows.
import type { VNode } from 'preact'

import type { CategoryEntry } from '../../../features/catalog/entries/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { Button } from '../../ui/buttons.tsx'
import { Fields } from '../../ui/define-form.tsx'
import { Form, type FormState } from '../../ui/form.tsx'
import { BackLink, PageHeading } from '../../ui/headings.tsx'
import { MergeForm } from './forms.ts'

interface Shown {
  entry: CategoryEntry
  /** All entries of its kind. */
  list: readonly CategoryEntry[]
  backPath: string
  /** What becomes of the services or pros. */
  rule: string
  session: Session
  formState: FormState
}

export const mergeView = ({ entry, list, backPath, rule, session, formState }: Shown): VNode => (
  <>
    <BackLink href={backPath}>{entry.name}</BackLink>
    <PageHeading>Merge {entry.name}</PageHeading>
    <Form of={MergeForm} action={`${backPath}/merge`} session={session} formState={formState} isNarrow>
      <p>{rule}</p>
      <Fields
        of={MergeForm}
        choices={{
          into: list
            .filter(({ id, active, mergedInto }) => id !== entry.id && active && mergedInto === null)
            .map(({ id, name }) => ({ value: id, label: name })),
        }}
      />
      <Button>Merge</Button>
    </Form>
  </>
)
