/** @jsxImportSource preact */
// A state in one word.
import type { VNode } from 'preact'

/** `good`: in order. `wait`: someone has to act. `bad`: failed. */
export type Tone = 'good' | 'wait' | 'bad' | 'plain'

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: string }): VNode => (
  <span class={`badge ${tone}`}>{children}</span>
)
