/** @jsxImportSource preact */
// The view of services as lines: the text, which of its lines are wrong, and what would change.
import type { VNode } from 'preact'

import type { FieldError } from '../../../errors/kind.ts'
import type { Catalog, CatalogChange } from '../../../features/catalog/entries/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { asSentence, plural } from '../../../platform/text/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/buttons.tsx'
import { Fields } from '../../ui/define-form.tsx'
import { Form, type FormState } from '../../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { EmptyState } from '../../ui/lists.tsx'
import { Table } from '../../ui/table.tsx'
import { LinesForm } from './forms.ts'
import { changeLines } from './history.tsx'
import { CATALOG_PATH, CATEGORIES_PATH, LINES_PATH, STARTER_PATH, categoryChoices } from './view.tsx'

/** What the lines would change, and what tells it apart from other changes. */
export interface LinesPreview {
  changes: readonly CatalogChange[]
  version: string
}

interface Page {
  catalog: Catalog
  /** The category that is chosen already. */
  categoryId: string | undefined
  session: Session
  formState: FormState
  shown: LinesPreview | undefined
  /** Their paths are `lines.3`. */
  faults: readonly FieldError[]
}

export const linesView = (page: Page): VNode => {
  const { catalog, categoryId, session, formState, shown, faults } = page
  const choices = categoryChoices(catalog)
  const heading = (
    <>
      <BackLink href={CATALOG_PATH}>Catalog</BackLink>
      <PageHeading>Paste services</PageHeading>
    </>
  )
  if (choices.length === 0)
    return (
      <>
        {heading}
        <EmptyState title="The catalog has no category yet">
          <a href={`${CATEGORIES_PATH}/new`}>Add one</a> for your services, or{' '}
          <a href={STARTER_PATH}>choose from the starter set</a>.
        </EmptyState>
      </>
    )
  return (
    <>
      {heading}
      <Form of={LinesForm} action={LINES_PATH} session={session} formState={formState}>
        <Fields
          of={LinesForm}
          names={['categoryId', 'lines']}
          values={{ categoryId }}
          choices={{ categoryId: choices }}
        />
        {faults.length > 0 && (
          <ul>
            {faults.map(({ path, message }) => (
              <li>{asSentence(`Line ${path.replace('lines.', '')} ${message}`)}</li>
            ))}
          </ul>
        )}
        {shown ? previewOf(shown, catalog) : <Button>Show what would change</Button>}
      </Form>
    </>
  )
}

const previewOf = ({ changes, version }: LinesPreview, catalog: Catalog): VNode =>
  changes.length === 0 ? (
    <>
      <p>Nothing would change: the category has all of it.</p>
      <Button>Show what would change</Button>
    </>
  ) : (
    <Section title="What would change">
      <Table
        caption={plural(changes.length, 'service')}
        columns={['Service', 'What']}
        rows={changes.map(({ name, isNew, fields }) => [
          name,
          <div>
            {isNew && <Badge tone="good">New</Badge>} {changeLines(isNew ? shownOf(fields) : fields, catalog)}
          </div>,
        ])}
      />
      <input type="hidden" name="seen" value={version} />
      <Button>Add and change these</Button>
    </Section>
  )

/** What tells a new service apart from others. */
const shownOf = ({ priceType, unit, durationMinutes, synonyms }: CatalogChange['fields']): CatalogChange['fields'] =>
  Object.fromEntries(
    Object.entries({ priceType, unit, durationMinutes, synonyms }).flatMap(([name, change]) =>
      change === undefined ? [] : [[name, change]],
    ),
  )
