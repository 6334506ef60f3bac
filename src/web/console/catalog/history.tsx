/** @jsxImportSource preact */
// What has changed of an entry of the catalog, for people to read.
import type { VNode } from 'preact'

import { lineOfQuestion } from '../../../features/catalog/entries/rules/questions.ts'
import type { Question } from '../../../features/catalog/services/schemas.ts'
import type { Catalog, CatalogChange } from '../../../features/catalog/entries/schemas.ts'
import type { AuditEntry } from '../../../features/upkeep/audit/verbs.ts'
import { count, plural } from '../../../platform/text/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Section } from '../../ui/headings.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

const LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  slug: 'In addresses',
  synonyms: 'Other names',
  active: 'Offered',
  categoryId: 'Category',
  description: 'Description',
  priceType: 'Usual price',
  unit: 'Unit',
  durationMinutes: 'Usual length, minutes',
  atCustomer: 'Done at the customer’s',
  questions: 'Questions',
  place: 'Place in the list',
  mergedInto: 'Part of',
}

export const history = (actions: readonly AuditEntry[], catalog: Catalog): VNode | null =>
  actions.length === 0 ? null : (
    <Section title="Changes">
      <Table
        caption={`Last ${plural(actions.length, 'change')}`}
        columns={['When', 'What', 'By']}
        rows={actions.map(({ at, action, details, by }) => [
          <Time instant={at} />,
          action.endsWith('.added') ? (
            <Badge>Added</Badge>
          ) : (
            <div>{changeLines((details['fields'] ?? {}) as CatalogChange['fields'], catalog)}</div>
          ),
          by ?? 'Command line',
        ])}
      />
    </Section>
  )

/** Each field with its value before and after. */
export const changeLines = (fields: CatalogChange['fields'], { categories, services }: Catalog): VNode[] => {
  const shown = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return 'none'
    if (typeof value === 'boolean') return value ? 'yes' : 'no'
    if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
    if (typeof value === 'number') return count(value)
    return [...categories, ...services].find(({ id }) => id === value)?.name ?? (typeof value === 'string' ? value : '')
  }
  const shownOf = (name: string, value: unknown): string =>
    shown(name === 'questions' ? ((value ?? []) as Question[]).map(lineOfQuestion) : value)
  return Object.entries(fields).map(([name, [from, to]]) => (
    <>
      {LABELS[name] ?? name}: {shownOf(name, from)} → {shownOf(name, to)}
      <br />
    </>
  ))
}
