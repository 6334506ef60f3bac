/** @jsxImportSource preact */
// /console/area/districts: operators add, rename and remove places of their own.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { VNode } from 'preact'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { MAX_DISTRICT_NAME } from '../../../features/catalog/services/rules/districts.ts'
import {
  type District,
  addDistrict,
  getDistrict,
  listDistricts,
  listStates,
  removeDistrict,
  renameDistrict,
} from '../../../features/catalog/services/verbs/districts.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { Line, Text } from '../../../platform/schema/types.ts'
import { count, plural } from '../../../platform/text/format.ts'
import { Button, Disclosure } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { ActionButton, EMPTY_FORM, Form, formStatus } from '../../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { EmptyState } from '../../ui/lists.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { runAction, submitForm } from '../../ui/submit.ts'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { AREA_PATH, DISTRICTS_PATH as PATH } from './view.tsx'

const session = ['operator'] as const
const params = Type.Object({ id: Text(100) })

const name = {
  schema: Line(MAX_DISTRICT_NAME, { minLength: 1 }),
  label: 'Name',
  hint: 'As people say it: “The Annex”.',
}

export const NewDistrictForm = defineForm({
  name,
  state: { schema: Line(10, { minLength: 1 }), label: 'State' },
  position: {
    schema: Line(200, { minLength: 1 }),
    label: 'Position',
    hint: 'Latitude and longitude, as a map gives them: “43.670, -79.404”. A ZIP code of the place will do.',
  },
})
export const DistrictForm = defineForm({ name })

export const districtPages = (deps: Deps) =>
  new Elysia({ name: 'district-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getDistricts({ ctx, authenticated }) {
        return await renderList(ctx, authenticated)
      },
      { session },
    )
    .post(
      PATH,
      async function postDistrict({ ctx, authenticated: by }) {
        return await submitForm(
          NewDistrictForm,
          by.form,
          async (input) => {
            await addDistrict(ctx, { ...input, by: by.session.userId })
            const text = `${input.name} is added. Searches and forms understand it now.`
            return redirectWithFlash(ctx, by.session, PATH, { tone: 'good', text })
          },
          (formState) => renderList(ctx, by, formState),
        )
      },
      { session, form: NewDistrictForm },
    )
    .get(
      `${PATH}/:id`,
      async function getDistrictPage({ ctx, authenticated, params: { id } }) {
        return await renderDistrict(ctx, authenticated, Number(id))
      },
      { session, params },
    )
    .post(
      `${PATH}/:id`,
      async function postDistrictName({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          DistrictForm,
          by.form,
          async (input) => {
            await renameDistrict(ctx, { id: Number(id), ...input, by: by.session.userId })
            return redirectWithFlash(ctx, by.session, PATH, { tone: 'good', text: `Its name is ${input.name} now.` })
          },
          (formState) => renderDistrict(ctx, by, Number(id), formState),
        )
      },
      { session, params, form: DistrictForm },
    )
    .post(
      `${PATH}/:id/remove`,
      async function postDistrictRemoval({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, PATH, async () => {
          await removeDistrict(ctx, { id: Number(id), by: by.session.userId })
          return 'Removed. Searches do not know the place any more.'
        })
      },
      { session, params },
    )

async function renderList(ctx: Ctx, by: AuthenticatedRequest, formState = EMPTY_FORM): Promise<Response> {
  const [districts, states] = await Promise.all([listDistricts(ctx), listStates(ctx)])
  const content = (
    <>
      <BackLink href={AREA_PATH}>Area</BackLink>
      <PageHeading>Districts of your own</PageHeading>
      <p class="lead">Places that people name and the list of cities lacks: a district, a village, an island.</p>
      {districts.length === 0 ? (
        <EmptyState title="No place added yet">Add the first one below.</EmptyState>
      ) : (
        listOf(districts)
      )}
      <Section title="Add a place">
        <Form of={NewDistrictForm} action={PATH} session={by.session} formState={formState} isNarrow>
          <Fields
            of={NewDistrictForm}
            choices={{ state: states.map(({ code, name }) => ({ value: code, label: name })) }}
          />
          <Button>Add the place</Button>
        </Form>
      </Section>
    </>
  )
  return renderConsolePage(ctx, by, { title: 'Districts of your own', content }, formStatus(formState))
}

const listOf = (districts: readonly District[]): VNode => (
  <Table
    caption={plural(districts.length, 'place')}
    columns={['Place', 'Position', 'Last change', 'By', 'Pros']}
    numbers={4}
    rows={districts.map(({ id, name, state, latitude, longitude, at, by, pros }) => [
      <a href={`${PATH}/${id}`}>{`${name}, ${state}`}</a>,
      `${latitude}, ${longitude}`,
      <Time instant={at} />,
      by ?? 'Command line',
      count(pros),
    ])}
  />
)

async function renderDistrict(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: number,
  formState = EMPTY_FORM,
): Promise<Response> {
  const { name, state, pros } = await getDistrict(ctx, { id })
  const content = (
    <>
      <BackLink href={PATH}>Districts of your own</BackLink>
      <PageHeading>{`${name}, ${state}`}</PageHeading>
      <Form of={DistrictForm} action={`${PATH}/${id}`} session={by.session} formState={formState} isNarrow>
        <Fields of={DistrictForm} values={{ name }} />
        <Button>Save</Button>
      </Form>
      <Section title="Remove">
        {pros > 0 ? (
          <p>{`It stays while ${plural(pros, 'pro')} ${pros === 1 ? 'is' : 'are'} there.`}</p>
        ) : (
          <Disclosure label="Remove this place">
            <p>Searches and forms no longer understand its name.</p>
            <ActionButton session={by.session} action={`${PATH}/${id}/remove`} label="Remove the place" look="danger" />
          </Disclosure>
        )}
      </Section>
    </>
  )
  return renderConsolePage(ctx, by, { title: `Place ${name}, ${state}`, content }, formStatus(formState))
}
