/** @jsxImportSource preact */
// The views of the catalog: all categories with their services, and one of them with a form and its history.
import type { ComponentChildren, VNode } from 'preact'

import { entryVersion } from '../../../features/catalog/entries/rules/changes.ts'
import { lineOfQuestion } from '../../../features/catalog/entries/rules/questions.ts'
import { isBeingMerged, isMerged } from '../../../features/catalog/entries/rules/merging.ts'
import type { Catalog, CategoryEntry, ServiceEntry } from '../../../features/catalog/entries/schemas.ts'
import type { AuditEntry } from '../../../features/upkeep/audit/verbs.ts'
import type { Session } from '../../../http/session.ts'
import { count, plural } from '../../../platform/text/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonRow, LinkButton } from '../../ui/buttons.tsx'
import { Fields } from '../../ui/define-form.tsx'
import type { Choice } from '../../ui/fields.tsx'
import { Form, type FormState } from '../../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { EmptyState } from '../../ui/lists.tsx'
import { Table } from '../../ui/table.tsx'
import { history } from './history.tsx'
import { CategoryForm, NewCategoryForm, NewServiceForm, ServiceForm } from './forms.ts'

export const CATALOG_PATH = '/console/catalog'
export const CATEGORIES_PATH = `${CATALOG_PATH}/categories`
export const SERVICES_PATH = `${CATALOG_PATH}/services`
export const STARTER_PATH = `${CATALOG_PATH}/starter`
export const LINES_PATH = `${CATALOG_PATH}/lines`

const retired = <Badge tone="wait">Retired</Badge>

/** What an entry is, where it is not simply offered. */
const statusOf = (entry: CategoryEntry): VNode | null => {
  if (isBeingMerged(entry)) return <Badge tone="wait">Being merged</Badge>
  return entry.active && !isMerged(entry) ? null : retired
}

/** `pros` has the number of pros by service. */
export const catalogView = ({ categories, services }: Catalog, pros: ReadonlyMap<string, number>): VNode => (
  <>
    <PageHeading beside={<LinkButton href={`${SERVICES_PATH}/new`}>New service</LinkButton>}>Catalog</PageHeading>
    <ButtonRow>
      <LinkButton href={`${CATEGORIES_PATH}/new`} look="quiet" isSmall>
        New category
      </LinkButton>
      <LinkButton href={STARTER_PATH} look="quiet" isSmall>
        Starter set
      </LinkButton>
      <LinkButton href={LINES_PATH} look="quiet" isSmall>
        Paste services
      </LinkButton>
    </ButtonRow>
    {categories.length === 0 && (
      <EmptyState title="The catalog is empty">
        <a href={STARTER_PATH}>Choose from the starter set</a>, or add a category of your own.
      </EmptyState>
    )}
    {categories
      .filter((category) => category.active || !isMerged(category))
      .map((category) => {
        const own = services.filter((it) => it.categoryId === category.id && !isMerged(it))
        return (
          <Section title={category.name}>
            <p>
              <a href={`${CATEGORIES_PATH}/${category.id}`} aria-label={`Edit the category ${category.name}`}>
                Edit the category
              </a>{' '}
              {statusOf(category)}
            </p>
            {own.length === 0 ? (
              <p class="hint">No services yet. People see the category once it has one.</p>
            ) : (
              <Table
                caption={plural(own.length, 'service')}
                columns={['Service', 'Usual price', 'Minutes', 'Pros']}
                rows={own.map((service) => rowOf(service, statusOf(service), pros.get(service.id) ?? 0))}
                numbers={2}
                isDense
              />
            )}
          </Section>
        )
      })}
  </>
)

const rowOf = (
  { id, name, active, unit, durationMinutes }: ServiceEntry,
  status: VNode | null,
  pros: number,
): ComponentChildren[] => [
  <div>
    <a href={`${SERVICES_PATH}/${id}`}>{name}</a> {status}
  </div>,
  usualPrice(unit),
  count(durationMinutes),
  active ? count(pros) : '–',
]

export const usualPrice = (unit: string | null): string => (unit === null ? 'For the visit' : `Per ${unit}`)

interface Shown {
  catalog: Catalog
  session: Session
  formState: FormState
}

/** `categoryId`: the category that is chosen already. */
export const newServiceView = ({ catalog, session, formState }: Shown, categoryId: string | undefined): VNode => (
  <>
    <BackLink href={CATALOG_PATH}>Catalog</BackLink>
    <PageHeading>New service</PageHeading>
    <Form of={NewServiceForm} action={`${SERVICES_PATH}/new`} session={session} formState={formState}>
      <Fields
        of={NewServiceForm}
        values={{ categoryId, priceType: 'flat', durationMinutes: 60, atCustomer: true }}
        choices={{ categoryId: categoryChoices(catalog) }}
      />
      <Button>Add the service</Button>
    </Form>
  </>
)

export const newCategoryView = ({ session, formState }: Omit<Shown, 'catalog'>): VNode => (
  <>
    <BackLink href={CATALOG_PATH}>Catalog</BackLink>
    <PageHeading>New category</PageHeading>
    <Form of={NewCategoryForm} action={`${CATEGORIES_PATH}/new`} session={session} formState={formState}>
      <Fields of={NewCategoryForm} />
      <Button>Add the category</Button>
    </Form>
  </>
)

export const serviceView = (
  { catalog, session, formState }: Shown,
  service: ServiceEntry,
  actions: readonly AuditEntry[],
): VNode => (
  <>
    <BackLink href={CATALOG_PATH}>Catalog</BackLink>
    <PageHeading beside={statusOf(service)}>{service.name}</PageHeading>
    {formerNote(service)}
    {mergeNote(service, catalog.services, SERVICES_PATH)}
    <Form of={ServiceForm} action={`${SERVICES_PATH}/${service.id}`} session={session} formState={formState}>
      <Fields
        of={ServiceForm}
        values={valuesOf(
          service,
          catalog.services.filter(({ categoryId }) => categoryId === service.categoryId),
        )}
        choices={{
          categoryId: categoryChoices(catalog, service.categoryId),
          place: placeChoices(
            catalog.services.filter(({ categoryId }) => categoryId === service.categoryId),
            service,
          ),
        }}
      />
      <Button>Save</Button>
    </Form>
    {history(actions, catalog)}
  </>
)

export const categoryView = (
  { catalog, session, formState }: Shown,
  category: CategoryEntry,
  actions: readonly AuditEntry[],
): VNode => (
  <>
    <BackLink href={CATALOG_PATH}>Catalog</BackLink>
    <PageHeading
      beside={
        statusOf(category) ?? (
          <>
            <LinkButton href={`${LINES_PATH}?categoryId=${category.id}`} look="quiet">
              Paste services
            </LinkButton>{' '}
            <LinkButton href={`${SERVICES_PATH}/new?categoryId=${category.id}`}>New service</LinkButton>
          </>
        )
      }
    >
      {category.name}
    </PageHeading>
    {formerNote(category)}
    {mergeNote(category, catalog.categories, CATEGORIES_PATH)}
    <Form of={CategoryForm} action={`${CATEGORIES_PATH}/${category.id}`} session={session} formState={formState}>
      <Fields
        of={CategoryForm}
        values={valuesOf(category, catalog.categories)}
        choices={{ place: placeChoices(catalog.categories, category) }}
      />
      <Button>Save</Button>
    </Form>
    {history(actions, catalog)}
  </>
)

const formerNote = ({ formerSlugs }: CategoryEntry): VNode | null =>
  formerSlugs.length === 0 ? null : <p class="hint">Also found by its former addresses: {formerSlugs.join(', ')}.</p>

/** Leads to the merge of an entry, or to what it is part of. */
const mergeNote = (entry: CategoryEntry, list: readonly CategoryEntry[], path: string): VNode | null =>
  entry.mergedInto !== null ? (
    <p class="hint">
      Part of <a href={`${path}/${entry.mergedInto}`}>{list.find(({ id }) => id === entry.mergedInto)?.name}</a>
      {isBeingMerged(entry) ? ', once all pros are copied' : ''}. It cannot be changed.
    </p>
  ) : entry.active ? (
    <p>
      <a href={`${path}/${entry.id}/merge`}>Merge into another one</a>
    </p>
  ) : null

/** What the fields of a form show of an entry. */
const valuesOf = (entry: CategoryEntry | ServiceEntry, list: readonly CategoryEntry[]) => ({
  ...entry,
  status: entry.active ? 'offered' : 'retired',
  place: list[list.findIndex(({ id }) => id === entry.id) - 1]?.id ?? 'first',
  seen: entryVersion(entry),
  ...('questions' in entry && { questions: entry.questions.map(lineOfQuestion) }),
})

export const categoryChoices = ({ categories }: Catalog, own?: string): Choice[] =>
  categories
    .filter(({ id, active, mergedInto }) => (active && mergedInto === null) || id === own)
    .map(({ id, name }) => ({ value: id, label: name }))

const placeChoices = (list: readonly CategoryEntry[], entry: CategoryEntry): Choice[] => [
  { value: 'first', label: 'First' },
  ...list.filter(({ id }) => id !== entry.id).map(({ id, name }) => ({ value: id, label: `After ${name}` })),
]
