/** @jsxImportSource preact */
// What a person presses: buttons, links that look like them, and panels that open.
import type { ButtonHTMLAttributes, ComponentChildren, VNode } from 'preact'

/** `plain`: the main action of a page. `quiet`: one of several. `danger`: cannot be undone. */
export type Look = 'plain' | 'quiet' | 'danger'

interface Size {
  look?: Look
  isSmall?: boolean
}

const lookOf = ({ look = 'plain', isSmall = false }: Size, more = ''): string | undefined =>
  [more, look === 'plain' ? '' : look, isSmall ? 'small' : ''].filter(Boolean).join(' ') || undefined

/** A button. In a form it sends the form. */
export const Button = ({
  look,
  isSmall,
  children,
  ...attributes
}: Size & Omit<ButtonHTMLAttributes, 'class' | 'role'>): VNode => (
  <button {...attributes} class={lookOf({ look, isSmall })}>
    {children}
  </button>
)

/** A link that looks like a button: it leads somewhere and changes nothing. */
export const LinkButton = ({
  href,
  look,
  isSmall,
  label,
  rel,
  children,
}: Size & {
  href: string
  /** What screen readers say where the text alone does not say what is meant. */
  label?: string
  rel?: string
  children: ComponentChildren
}): VNode => (
  <a class={lookOf({ look, isSmall }, 'button')} href={href} aria-label={label} rel={rel}>
    {children}
  </a>
)

/** Buttons and disclosures in a row. */
export const ButtonRow = ({ children }: { children: ComponentChildren }): VNode => <div class="choices">{children}</div>

/** A panel that opens on demand: for actions that cannot be undone or that need more input. */
export const Disclosure = ({
  label,
  isOpen = false,
  children,
}: {
  label: string
  isOpen?: boolean
  children: ComponentChildren
}): VNode => (
  <details class="disclosure" open={isOpen}>
    <summary>{label}</summary>
    <div class="disclosed">{children}</div>
  </details>
)

/** A block of text, such as a command. `id` is unique on the page. The page loads console.js. */
export const Copyable = ({ id, label, text }: { id: string; label: string; text: string }): VNode => (
  <div class="copyable">
    <p class="hint" id={`${id}-label`}>
      {label}
    </p>
    <pre id={id} tabindex={0} role="region" aria-labelledby={`${id}-label`}>
      {text}
    </pre>
    <button type="button" class="quiet small" data-copy={id} aria-describedby={`${id}-label`} hidden>
      Copy
    </button>
  </div>
)
