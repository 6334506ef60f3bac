// An event on its way out.

export interface OutboxEvent {
  /** The order of writing; of one aggregate's events it is their order. */
  readonly position: number
  readonly id: string
  readonly type: string
  readonly professionalId: string
  readonly aggregateType: string
  readonly aggregateId: string
  readonly sequence: number
  /** `{ object }`: what changed, as the API shows it. */
  readonly data: { readonly object: unknown }
  readonly traceparent: string | null
  readonly createdAt: string
}
