// The parts of the reference, each a page of its own: few readers run a marketplace, and no page should make others load that.

export interface Part {
  readonly path: string
  readonly title: string
  readonly description: string
  /** Whether it has the operations of a tag. */
  readonly has: (tag: string) => boolean
}

const isOfOperators = (tag: string) => tag.startsWith('Platform ')

export const FOR_ALL: Part = {
  path: '/api-docs',
  title: 'API reference',
  description: 'Every operation of the API, with examples.',
  has: (tag) => !isOfOperators(tag),
}

export const FOR_OPERATORS: Part = {
  path: '/api-docs/platform',
  title: 'Platform API',
  description: 'Every operation with which programs of operators run the marketplace, with examples.',
  has: isOfOperators,
}

export const PARTS: readonly Part[] = [FOR_ALL, FOR_OPERATORS]
