/** @jsxImportSource preact */
// What a page is about, and where it belongs.
import type { ComponentChildren, VNode } from 'preact'

/** The page's heading, with buttons or a badge beside it. */
export const PageHeading = ({
  beside,
  children,
}: {
  beside?: ComponentChildren
  children: ComponentChildren
}): VNode => (
  <div class="heading">
    <h1>{children}</h1>
    {beside && <div class="beside">{beside}</div>}
  </div>
)

/** A part of a page with its own heading. */
export const Section = ({
  title,
  id,
  children,
}: {
  title: string
  /** What links within the page lead to. */
  id?: string
  children?: ComponentChildren
}): VNode => (
  <section id={id}>
    <h2>{title}</h2>
    {children}
  </section>
)

/** A link to the list that the page belongs to. */
export const BackLink = ({ href, children }: { href: string; children: string }): VNode => (
  <p class="up">
    <a href={href}>← {children}</a>
  </p>
)
