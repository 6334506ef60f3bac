// What a message says, apart from its form: templates make it from data, and text and HTML are both rendered from it.

export interface Content {
  readonly subject: string
  readonly heading: string
  /** The colour of the line above the heading. `good`: agreed. `wait`: someone has to act. `bad`: it is off. */
  readonly tone: 'plain' | 'good' | 'wait' | 'bad'
  readonly paragraphs: readonly string[]
  /** The time that the message is about. */
  readonly when?: When | undefined
  /** Facts with their names. Empty ones are left out. */
  readonly facts?: readonly Fact[]
  /** Several messages in one: each with its link. */
  readonly items?: readonly Item[]
  /** Words of a person, as they wrote them. */
  readonly quotation?: Quotation | undefined
  /** A code to type in. */
  readonly code?: string
  readonly button?: Link
  /** Another way to go on, after the button. */
  readonly link?: Link
  /** After the button, smaller. */
  readonly notes?: readonly (string | null | false)[]
  /** Why the reader gets it. */
  readonly reason: string
}

interface Item {
  readonly text: string
  readonly url: string | undefined
}

interface Link {
  readonly label: string
  readonly url: string
}

interface When {
  readonly day: string
  readonly time: string
}

type Fact = readonly [name: string, value: string | null | undefined | false]

interface Quotation {
  readonly by: string
  readonly text: string
}
