/** @jsxImportSource preact */
// Links to e-mail addresses and phone numbers, which people type in.
import type { VNode } from 'preact'

/** A link that writes to the address. Unescaped, `a?cc=b@example.com` would be a second recipient (RFC 6068 §2). */
export const EmailLink = ({ address }: { address: string }): VNode => (
  <a href={`mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`}>{address}</a>
)

/** A link that calls the number (RFC 3966), or the text alone when it has no digits. */
export function PhoneLink({ phone, look, label = phone }: { phone: string; look?: string; label?: string }): VNode {
  const [number = '', extension] = phone.split(/\s*(?:ext[a-z]*\.?|x|#)\s*(?=\d+\s*$)/i)
  const digits = number.replace(/\D/g, '')
  if (digits === '') return <>{phone}</>
  const url = `tel:${number.trim().startsWith('+') ? '+' : ''}${digits}${extension ? `;ext=${extension.trim()}` : ''}`
  return (
    <a class={look} href={url}>
      {label}
    </a>
  )
}

/** A link that shows an address on a map of another site. The page itself loads nothing from there. */
export const MapLink = ({ address }: { address: string }): VNode => (
  <a href={`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`} rel="noreferrer">
    {address}
  </a>
)
