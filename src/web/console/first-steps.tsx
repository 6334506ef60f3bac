/** @jsxImportSource preact */
// The setup of a new pro, up to the first possible booking. It is shown under Today until all steps are done or a visit is
// booked.
import type { Ctx } from '../../ctx.ts'
import { listOffers } from '../../features/business/offers/verbs.ts'
import { getProfile } from '../../features/business/profile/verbs.ts'
import type { ActingPro } from '../../features/quoting/rfqs/verbs/rfqs.ts'
import { getSchedule } from '../../features/calendar/schedule/verbs.ts'
import { getVerification } from '../../features/business/verification/verbs.ts'
import type { VNode } from 'preact'
import { Badge } from '../ui/badge.tsx'
import { Section } from '../ui/headings.tsx'
import { Steps } from '../ui/lists.tsx'

interface Step {
  label: string
  why: string
  href: string
  isDone: boolean
}

/** The steps; false once all are done. */
export async function firstSteps(ctx: Ctx, pro: ActingPro): Promise<VNode | false> {
  const [{ services }, { settings }, profile, { verified, request }] = await Promise.all([
    listOffers(ctx.as(pro)),
    getSchedule(ctx.as(pro)),
    getProfile(ctx.as(pro)),
    getVerification(ctx.as(pro)),
  ])
  const steps: Step[] = [
    {
      label: 'Add your services and prices',
      why: 'Customers find you by service, and book or ask for a quote.',
      href: '/console/services',
      isDone: services.length > 0,
    },
    {
      label: 'Let customers book open times',
      why: 'Until then they can only ask you for a quote.',
      href: '/console/settings#booking',
      isDone: settings.instantBookingEnabled,
    },
    {
      label: 'Set your hours',
      why: 'Customers book within them.',
      href: '/console/settings#hours',
      isDone: Object.values(settings.businessHours).some((spans) => spans.length > 0),
    },
    {
      label: 'Write what you do',
      why: 'It is the first thing that customers read on your page.',
      href: '/console/profile',
      isDone: profile.description !== null,
    },
    {
      label: 'Ask to be verified',
      why: 'Customers filter for verified pros.',
      href: '/console/my-verification',
      isDone: verified || request?.refusal === null,
    },
  ]
  if (steps.every(({ isDone }) => isDone)) return false
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <Section title="Before your first booking">
      <Steps
        steps={steps.map((step) => (
          <>
            <div>
              {step.isDone ? <strong>{step.label}</strong> : <a href={step.href}>{step.label}</a>}
              <p class="hint">{step.why}</p>
            </div>
            {step.isDone ? <Badge tone="good">Done</Badge> : step === next && <Badge tone="wait">Next</Badge>}
          </>
        ))}
      />
    </Section>
  )
}
