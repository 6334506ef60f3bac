/** @jsxImportSource preact */
// Where a person is in a task of several steps.
import type { VNode } from 'preact'

/** The steps in their order. `at` is the index of the current one; those before it are done. */
export const Progress = ({ steps, at }: { steps: readonly string[]; at: number }): VNode => (
  <ol class="progress" aria-label="Steps">
    {steps.map((step, index) => (
      <li class={index < at ? 'done' : undefined} aria-current={index === at ? 'step' : undefined}>
        {step}
        {index < at && <span class="unseen"> (done)</span>}
      </li>
    ))}
  </ol>
)
