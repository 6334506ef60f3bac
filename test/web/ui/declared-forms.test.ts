// The class of all forms: each that sends what people enter is declared, so that it keeps what was typed and says what is wrong.
import { expect, test } from 'bun:test'

import { parseSync, visitorKeys } from 'oxc-parser'

import { type SourceFile, readSources } from '../../support/imports.ts'

const CONTROLS = new Set([
  'AnyInput',
  'Checkbox',
  'Checkboxes',
  'SelectField',
  'TextArea',
  'TextField',
  'UploadField',
  'input',
  'select',
  'textarea',
])

const SEARCH = 'a search, which changes nothing: its values are in the address'

/** Files with controls that no declaration renders, and why. */
const CONTROLS_BY_HAND: Readonly<Record<string, string>> = {
  'src/web/console/area/view.tsx': 'rows of places of a declared form',
  'src/web/console/brand-pictures.tsx': 'files of a declared form, and boxes',
  'src/web/console/catalog/starter-view.tsx': 'boxes in tables, of a declared form',
  'src/web/console/design.tsx': 'shows the controls themselves',
  'src/web/ui/hours-form.tsx': 'pairs of times, several a day, of a declared form',
  'src/web/console/imports/view.tsx': 'the file of a declared form, which is kept when the form is refused',
  'src/web/console/job-photos.tsx': 'files of a declared form',
  'src/web/console/leads/quote-form.tsx': 'rows of line items of a declared form',
  'src/web/console/pictures.tsx': 'files and rows of pictures of a declared form',
  'src/web/console/profile/view.tsx': 'rows of questions and answers of a declared form',
  'src/web/console/reviews/view.tsx': 'boxes in a list, of a declared form that stands before it',
  'src/web/console/search-form.tsx': SEARCH,
  'src/web/public/my-booking/review.tsx': 'stars, as radio buttons',
  'src/web/public/photos-field.tsx': 'files, whose ids are a declared field',
  'src/web/public/quote-request/request-view.tsx': 'the link to keep, which is not sent',
  'src/web/public/search/form.tsx': SEARCH,
  'src/web/ops/traces.tsx': SEARCH,
  'src/web/ui/define-form.tsx': 'renders what is declared',
  'src/web/ui/fields.tsx': 'the controls themselves',
  'src/web/ui/flash.tsx': 'a secret to copy, in no form',
  'src/web/ui/layout.tsx': 'opens the menu, in no form',
  'src/web/ui/upload-field.tsx': 'the controls themselves',
}

/** Files with forms that are not declared, and why. */
const FORMS_BY_HAND: Readonly<Record<string, string>> = {
  'src/web/console/brand-pictures.tsx': 'files, which are read apart from the declared fields',
  'src/web/console/design.tsx': 'shows the controls themselves',
  'src/web/console/job-photos.tsx': 'files, which are read apart from the declared fields',
  'src/web/console/login-view.tsx': 'a form that was kept: its own page declares it',
  'src/web/console/pictures.tsx': 'files, which are read apart from the declared fields',
}

interface Element {
  name: string
  attributes: ReadonlyMap<string, unknown>
  path: string
  /** The names of the elements within it. A function that is called there may render any. */
  within: readonly string[]
}

interface SyntaxNode {
  type: string
  [key: string]: unknown
}

/** Attributes that are spread have no name. */
const nameOf = (node: unknown): string => (node as { name?: string } | undefined)?.name ?? ''

const childrenOf = (node: SyntaxNode): SyntaxNode[] =>
  (visitorKeys[node.type] ?? []).flatMap((key) =>
    ([node[key]].flat() as (SyntaxNode | null | undefined)[]).filter((child) => child !== null && child !== undefined),
  )

/** A button holds words only, which functions may write. */
const isWhole = (node: SyntaxNode) =>
  node.type === 'JSXElement' && nameOf((node['openingElement'] as SyntaxNode)['name']) === 'Button'

const namesWithin = (node: SyntaxNode): string[] => [
  ...(node.type === 'JSXOpeningElement' ? [nameOf(node['name'])] : []),
  ...(node.type === 'CallExpression' ? ['CallExpression'] : []),
  ...(isWhole(node) ? [] : childrenOf(node).flatMap(namesWithin)),
]

function elementsOf({ path, text }: SourceFile): Element[] {
  const found: Element[] = []
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'JSXElement') {
      const opening = node['openingElement'] as SyntaxNode
      const attributes = (opening['attributes'] as SyntaxNode[]).map(
        ({ name, value }) => [nameOf(name), (value as { value?: unknown } | null)?.value] as const,
      )
      const within = (node['children'] as SyntaxNode[]).flatMap(namesWithin)
      found.push({ name: nameOf(opening['name']), attributes: new Map(attributes), path, within })
    }
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseSync(path, text).program as unknown as SyntaxNode)
  return found
}

const elements = readSources(['src/web']).flatMap(elementsOf)

const filesWith = (isOne: (element: Element) => boolean): string[] =>
  [...new Set(elements.filter(isOne).map(({ path }) => path))].toSorted()

const isForm = ({ name }: Element) => name === 'Form' || name === 'ActionForm'

/** Buttons, links and words beside them, and hidden fields: the first test finds all others. */
const isButton = (name: string) => /^(Button|LinkButton|PhoneLink|button|input|p|h2|span|a|strong)$/.test(name)

test('people enter values in declared fields; only files of this list render a control by itself', () => {
  const byHand = filesWith(({ name, attributes }) => CONTROLS.has(name) && attributes.get('type') !== 'hidden')
  expect(byHand).toEqual(Object.keys(CONTROLS_BY_HAND).toSorted())
})

test('a form without a declaration has buttons only, but in files of this list', () => {
  const byHand = filesWith((it) => isForm(it) && !it.attributes.has('of') && !it.within.every(isButton))
  expect(byHand).toEqual(Object.keys(FORMS_BY_HAND).toSorted())
})

test('one component renders the forms that change something', () => {
  const forms = filesWith(({ name, attributes }) => name === 'form' && attributes.get('method') === 'post')
  expect(forms).toEqual(['src/web/ui/form.tsx'])
})
