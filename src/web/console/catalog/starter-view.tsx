/** @jsxImportSource preact */
// The view of the starter set: every category with its services, each with a box, or with what the catalog has of it.
import type { ComponentChildren, VNode } from 'preact'

import { type StarterCategory, isOpenToStarters } from '../../../features/catalog/entries/rules/starter.ts'
import type { Session } from '../../../http/session.ts'
import { count, plural } from '../../../platform/text/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { Form, type FormState } from '../../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { Table } from '../../ui/table.tsx'
import { StarterForm } from './forms.ts'
import { CATALOG_PATH, CATEGORIES_PATH, SERVICES_PATH, STARTER_PATH, usualPrice } from './view.tsx'

interface Shown {
  session: Session
  formState: FormState
}

export function starterView(categories: readonly StarterCategory[], { session, formState }: Shown): VNode {
  const missing = categories.filter(isOpenToStarters).reduce((sum, row) => sum + missingOf(row), 0)
  const total = categories.reduce((sum, { services }) => sum + services.length, 0)
  return (
    <>
      <BackLink href={CATALOG_PATH}>Catalog</BackLink>
      <PageHeading>Starter set</PageHeading>
      <p class="lead">
        {plural(total, 'service')} to start from. Tick what your pros do: all of a category, or some. What your catalog
        has already stays as it is.
      </p>
      {missing === 0 ? (
        <p>Your catalog has all of them.</p>
      ) : (
        <Form of={StarterForm} action={STARTER_PATH} session={session} formState={formState}>
          <ButtonRow>
            <Button>Add the ticked ones</Button>
            <Button look="quiet" name="all" value="on">{`Add all ${count(missing)}`}</Button>
          </ButtonRow>
          {categories.map((row) => categoryOf(row, formState))}
          <Button>Add the ticked ones</Button>
        </Form>
      )}
    </>
  )
}

const missingOf = ({ services }: StarterCategory) => services.filter(({ present }) => present === undefined).length

function categoryOf(row: StarterCategory, formState: FormState): VNode {
  const { trade, category, services } = row
  const [missing, isOpen] = [missingOf(row), isOpenToStarters(row)]
  const box = (name: 'category' | 'service', value: string, label: ComponentChildren) => (
    <label class="tick">
      <input type="checkbox" name={name} value={value} checked={formState.values.getAll(name).includes(value)} />{' '}
      {label}
    </label>
  )
  return (
    <Section title={category?.name ?? trade.name}>
      {!isOpen && (
        <p class="hint">
          This category is retired. <a href={`${CATEGORIES_PATH}/${category?.id}`}>Offer it again</a> to add services.
        </p>
      )}
      {isOpen && missing > 0 && box('category', trade.slug, <strong>{`All of ${trade.name} (${missing})`}</strong>)}
      <Table
        caption={plural(services.length, 'service')}
        columns={['Service', 'Usual price', 'Minutes', 'Other names']}
        rows={services.map(({ service, present }) => [
          present ? (
            <div>
              <a href={`${SERVICES_PATH}/${present.id}`}>{present.name}</a>{' '}
              {present.active ? <Badge tone="good">In your catalog</Badge> : <Badge tone="wait">Retired</Badge>}
            </div>
          ) : isOpen ? (
            box('service', service.slug, service.name)
          ) : (
            service.name
          ),
          usualPrice(service.unit),
          count(service.durationMinutes),
          service.synonyms.join(', '),
        ])}
        isDense
      />
    </Section>
  )
}
