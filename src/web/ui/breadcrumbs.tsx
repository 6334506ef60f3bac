/** @jsxImportSource preact */
// The way to a page: links to the pages above it, for people and for search engines.
import type { VNode } from 'preact'

/** The pages from the first to this one, which has no address: it is where the reader is. */
export type Trail = readonly (readonly [label: string, href?: string])[]

export const Breadcrumbs = ({ trail }: { trail: Trail }): VNode => (
  <nav class="crumbs" aria-label="Breadcrumbs">
    <ol>
      {trail.map(([label, href]) => (
        <li>{href === undefined ? <span aria-current="page">{label}</span> : <a href={href}>{label}</a>}</li>
      ))}
    </ol>
  </nav>
)

/** The same as https://schema.org/BreadcrumbList. */
export const breadcrumbList = (trail: Trail, { baseUrl, url }: { baseUrl: string; url: string }) => ({
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(([name, href], index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: href === undefined ? url : `${baseUrl}${href}`,
  })),
})
