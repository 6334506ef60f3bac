/** @jsxImportSource preact */
// The reference as plain HTML: every operation with its parameters, bodies, responses and examples.
import type { ComponentChildren, VNode } from 'preact'
import {
  type Described,
  type Entry,
  type Parameter,
  type ReadDocument,
  type Schema,
  entriesOf,
  resolve,
  schemaOf,
} from './document.ts'
import { examplesView } from './examples.tsx'
import { FOR_ALL, FOR_OPERATORS, type Part } from './parts.ts'

/** Deeper members are in the OpenAPI document. */
const MAX_DEPTH = 3

export function referenceView(document: ReadDocument, part: Part): VNode {
  const byTag = Map.groupBy(entriesOf(document), ({ operation }) => operation.tags[0] ?? 'Other')
  const groups = document.tags
    .filter(({ name }) => part.has(name))
    .map(({ name, description }) => [name, description, byTag.get(name) ?? []] as const)
  return (
    <>
      <h1>{part.title}</h1>
      {part === FOR_ALL ? introduction(document) : ofOperators}
      <nav class="contents" aria-label="Contents">
        <ul>
          {groups.map(([tag, , entries]) => (
            <li>
              <a href={`#${idOf(tag)}`}>{tag}</a>
              <ul>
                {entries.map(({ operation: { operationId, summary } }) => (
                  <li>
                    <a href={`#${operationId}`}>{summary ?? operationId}</a>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </nav>
      {groups.map(([tag, about, entries]) => (
        <section aria-labelledby={idOf(tag)}>
          <h2 id={idOf(tag)}>{tag}</h2>
          {formatted(about)}
          {entries.map((entry) => operationView(document, entry))}
        </section>
      ))}
    </>
  )
}

const introduction = (document: ReadDocument): VNode => (
  <>
    <p class="lead">{document.info.summary}</p>
    <p>
      <a href="/openapi.json">OpenAPI {document.openapi}</a> · <a href="/problems">Errors</a> ·{' '}
      <a href="/console">Console</a>, where developers and pros have keys and a quickstart ·{' '}
      <a href={FOR_OPERATORS.path}>{FOR_OPERATORS.title}</a>
    </p>
    {formatted(document.info.description)}
  </>
)

const ofOperators: VNode = (
  <>
    <p class="lead">What operators do in the console, for their programs.</p>
    <p>
      A key of an operator does what the role of its owner allows, and each change is in the audit log under the owner’s
      name. Keys, errors, retries, limits and times are those of the <a href={FOR_ALL.path}>{FOR_ALL.title}</a>.
    </p>
  </>
)

const idOf = (tag: string): string => tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const method = ({ method: name, isSent }: Entry): VNode => (
  <span class={`method ${name.toLowerCase()}`}>{isSent ? 'SENT' : name}</span>
)

/** The id is inside, so that a link to it opens the operation. */
const operationView = (document: ReadDocument, entry: Entry): VNode => (
  <details class="operation">
    <summary>
      {method(entry)} <code>{entry.path}</code> <span class="what">{entry.operation.summary ?? ''}</span>
    </summary>
    <div class="described">
      <h3 id={entry.operation.operationId}>{entry.operation.summary ?? entry.operation.operationId}</h3>
      {formatted(entry.operation.description ?? '')}
      {parametersView(document, entry.operation)}
      {bodyView(document, entry.operation)}
      {!entry.isSent && examplesView(document, entry, parametersOf(document, entry.operation))}
      {responsesView(document, entry.operation)}
    </div>
  </details>
)

const parametersOf = (document: ReadDocument, { parameters = [] }: Described): Parameter[] =>
  parameters.map((one) => resolve<Parameter>(document, one))

function parametersView(document: ReadDocument, operation: Described): VNode | false {
  const parameters = parametersOf(document, operation)
  return (
    parameters.length > 0 && (
      <>
        <h4>Parameters</h4>
        <ul class="fields">
          {parameters.map(({ name, in: place, required = false, description, schema }) => (
            <li>
              {fieldLine(document, name, schema, required)} <span class="quiet">in the {place}</span>
              {formatted(description ?? '')}
            </li>
          ))}
        </ul>
      </>
    )
  )
}

function bodyView(document: ReadDocument, { requestBody }: Described): VNode | false {
  const schema = requestBody && schemaOf(requestBody)
  return (
    schema !== undefined && (
      <>
        <h4>Body</h4>
        {formatted(requestBody?.description ?? '')}
        {fieldsView(document, schema)}
      </>
    )
  )
}

function fieldsView(document: ReadDocument, given: Schema, depth = 0): VNode | false {
  const schema = membersOf(document, given)
  const members = Object.entries(schema.properties ?? {})
  return (
    members.length > 0 && (
      <ul class="fields">
        {members.map(([name, member]) => (
          <li>
            {fieldLine(document, name, member, schema.required?.includes(name) ?? false)}
            {formatted(resolve<Schema>(document, member).description ?? '')}
            {depth < MAX_DEPTH && fieldsView(document, member, depth + 1)}
          </li>
        ))}
      </ul>
    )
  )
}

/** The object of a schema, of the items of a list, or of the first form that is one. */
function membersOf(document: ReadDocument, given: Schema): Schema {
  const schema = resolve<Schema>(document, given)
  if (schema.items) return membersOf(document, schema.items)
  const form = schema.anyOf?.find((one) => membersOf(document, one).properties !== undefined)
  return form ? membersOf(document, form) : schema
}

const fieldLine = (document: ReadDocument, name: string, schema: Schema, isRequired: boolean): VNode => (
  <>
    <code>{name}</code> <span class="quiet">{typeOf(document, schema)}</span>
    {isRequired && (
      <>
        {' '}
        <b>required</b>
      </>
    )}
  </>
)

function typeOf(document: ReadDocument, given: Schema): string {
  const {
    type,
    format,
    items,
    anyOf,
    enum: values,
    const: only,
    minimum,
    maximum,
    maxLength,
    ...rest
  } = resolve<Schema>(document, given)
  if (values) return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`
  if (only !== undefined) return JSON.stringify(only)
  if (anyOf) return [...new Set(anyOf.map((one) => typeOf(document, one)))].join(' or ')
  if (items) return `list of ${typeOf(document, items)}`
  const limits = [
    minimum !== undefined && `from ${minimum}`,
    maximum !== undefined && `to ${maximum}`,
    maxLength !== undefined && `up to ${maxLength} characters`,
    rest.default !== undefined && `default ${JSON.stringify(rest.default)}`,
  ].filter((text) => text !== false)
  return [[type ?? 'object'].flat().join(' or '), format && `(${format})`, limits.join(', ')].filter(Boolean).join(' ')
}

const responsesView = (document: ReadDocument, { responses }: Described): VNode => (
  <>
    <h4>Responses</h4>
    <ul class="fields">{Object.entries(responses).map(([status, one]) => responseView(document, status, one))}</ul>
  </>
)

function responseView(
  document: ReadDocument,
  status: string,
  given: Described['responses'][string],
): ComponentChildren {
  const response = resolve<Exclude<typeof given, { $ref: string }>>(document, given)
  const schema = schemaOf(response)
  const fields = status.startsWith('2') && schema !== undefined && fieldsView(document, schema, 1)
  return (
    <li>
      <code>{status}</code> {response.description}
      {fields && (
        <details class="more">
          <summary>Its fields</summary>
          {fields}
        </details>
      )}
    </li>
  )
}

/** The little Markdown of descriptions: paragraphs, `code` and **strong**. */
const formatted = (text: string): VNode[] =>
  text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => <p>{inline(paragraph)}</p>)

const inline = (text: string): VNode[] =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return <code>{part.slice(1, -1)}</code>
    return part.startsWith('**') ? <strong>{part.slice(2, -2)}</strong> : <>{part}</>
  })
