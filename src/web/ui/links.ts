// Links to e-mail addresses and phone numbers, which people type in.
import { type Html, html } from '../../platform/text/html.ts'

/** A link that writes to the address. Unescaped, `a?cc=b@example.com` would be a second recipient (RFC 6068 §2). */
export const emailLink = (address: string): Html =>
  html`<a href="mailto:${encodeURIComponent(address).replaceAll('%40', '@')}">${address}</a>`

/** A link that calls the number (RFC 3966), or the text alone when it has no digits. */
export function phoneLink(phone: string, { look, label = phone }: { look?: string; label?: string } = {}): Html {
  const [number = '', extension] = phone.split(/\s*(?:ext[a-z]*\.?|x|#)\s*(?=\d+\s*$)/i)
  const digits = number.replace(/\D/g, '')
  if (digits === '') return html`${phone}`
  const url = `tel:${number.trim().startsWith('+') ? '+' : ''}${digits}${extension ? `;ext=${extension.trim()}` : ''}`
  return html`<a ${look !== undefined && html`class="${look}"`} href="${url}">${label}</a>`
}

/** A link that shows an address on a map of another site. The page itself loads nothing from there. */
export const mapLink = (address: string): Html =>
  html`<a href="https://www.google.com/maps/search/?api=1&amp;query=${encodeURIComponent(address)}" rel="noreferrer"
    >${address}</a
  >`
