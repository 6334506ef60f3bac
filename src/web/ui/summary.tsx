/** @jsxImportSource preact */
// What a customer is about to agree to, or has agreed to: when, with whom, for how much.
import type { ComponentChildren, VNode } from 'preact'

/** The booking, visit or payment that a page is about. The page loads booking.css. */
export const Summary = ({
  id,
  label,
  when,
  children,
}: {
  /** Of a summary to which links of the page lead. */
  id?: string
  /** What the time is, where the page shows two. */
  label?: string
  when: ComponentChildren
  children?: ComponentChildren
}): VNode => (
  <section class="summary" id={id}>
    {label !== undefined && <p class="quiet">{label}</p>}
    <p class="when">{when}</p>
    {children}
  </section>
)

export interface Sum {
  label: string
  value: ComponentChildren
  isTotal?: boolean
}

/** Amounts under each other, what is paid last. Those that are false are left out. */
export const Sums = ({ sums }: { sums: readonly (Sum | false)[] }): VNode => (
  <dl class="terms">
    {sums.map(
      (sum) =>
        sum && (
          <div class={sum.isTotal ? 'total' : undefined}>
            <dt>{sum.label}</dt>
            <dd>{sum.value}</dd>
          </div>
        ),
    )}
  </dl>
)
