/** @jsxImportSource preact */
// Every service as a link to its search.
import type { VNode } from 'preact'
import type { Categories } from './form.tsx'

/** Every service by its trade. */
export const catalog = (categories: Categories): VNode => (
  <div class="trades">
    {categories.map(({ name, services }) => (
      <section>
        <h3>{name}</h3>
        <ul>
          {services.map(({ slug, name }) => (
            <li>
              <a href={`/?service=${slug}`}>{name}</a>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </div>
)
