/** @jsxImportSource preact */
// On each page of operators until the marketplace opens: where they are in the guide, or the way to it.
import type { VNode } from 'preact'

import { LinkButton } from './buttons.tsx'
import { GUIDE, GUIDE_PATH, stepAt } from './guide-steps.ts'

export function GuideBar({ path }: { path: string }): VNode {
  const index = stepAt(path)
  const step = index === undefined ? undefined : GUIDE[index]
  if (index === undefined || !step)
    return (
      <p class="notice wait" role="status">
        <strong>Not open yet.</strong> Visitors see that you open soon.{' '}
        {path !== GUIDE_PATH && <a href={GUIDE_PATH}>Go on with the guide</a>}
      </p>
    )
  const [back, next] = [GUIDE[index - 1], GUIDE[index + 1]]
  return (
    <nav class="guide-bar" aria-label="Guide">
      <p>
        <strong>
          Step {index + 1} of {GUIDE.length}: {step.label}
        </strong>{' '}
        <a href={GUIDE_PATH}>All steps</a>
      </p>
      <progress value={index + 1} max={GUIDE.length} aria-hidden="true"></progress>
      <p class="hint">{step.task}</p>
      <div class="choices">
        {back && (
          <LinkButton href={back.path} look="quiet" label={`Back: ${back.label}`}>
            Back
          </LinkButton>
        )}
        {next && (
          <LinkButton href={next.path} label={`Next: ${next.label}`}>
            Next: {next.label}
          </LinkButton>
        )}
      </div>
    </nav>
  )
}
