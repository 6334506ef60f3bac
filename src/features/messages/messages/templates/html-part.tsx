/** @jsxImportSource preact */
// The HTML part. Mail programs know little of HTML: tables for the layout, and styles in the elements.
// Nothing is loaded, but the picture of the marketplace from its own site.
import type { VNode } from 'preact'
import { StyleSheet, renderDocument } from '../../../../platform/text/markup.tsx'
import { lines, oneLine } from '../../../../platform/text/plain.ts'
import { brandPath } from '../../../upkeep/brand-pictures/rules/addresses.ts'
import { shownSize } from '../../../upkeep/brand-pictures/rules/sizes.ts'
import type { Content } from './content.ts'
import type { RenderOptions } from './rendered.ts'
import { legalLinks, senderLines } from './sender.ts'
import { ACCENT, BREAK, CODE_FONT, FONT, GROUND, INK, LINE, PANEL, PAPER, QUIET, STYLE_SHEET, TONES } from './style.ts'

export function htmlPart(content: Content, sender: RenderOptions): string {
  const { subject, tone, reason } = content
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="date=no, address=no" />
        <title>{subject}</title>
        <StyleSheet text={STYLE_SHEET} />
      </head>
      <body
        style={`margin:0;padding:0;background:${GROUND};color-scheme:light dark;-webkit-text-size-adjust:100%;${FONT}`}
      >
        <div style="display:none;max-height:0;overflow:hidden">{preview(content)}</div>
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
          <tr>
            <td class="ground" align="center" style={`padding:28px 12px;background:${GROUND};${FONT}`}>
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"

                style="max-width:560px;table-layout:fixed"
              >
                <tr>
                  <td
                    class={`sheet ${tone}`}
                    style={`background:${PAPER};border:1px solid ${LINE};border-top:5px solid ${TONES[tone]};border-radius:14px;text-align:left`}
                  >
                    <div class="inner" style="padding:28px 36px 14px" role="main">
                      <p class="brand" style={`margin:0 0 20px;font-size:15px;font-weight:700;color:${ACCENT}`}>
                        {brandOf(sender)}
                      </p>
                      {bodyOf(content)}
                    </div>
                  </td>
                </tr>
                <tr>
                  <td class="inner" style="padding:18px 36px;text-align:left">
                    {footer(reason, sender)}
                  </td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>
  )
  return renderDocument(page)
}

/** A transparent picture is drawn for a light ground. */
const PICTURE = `background:${PAPER};border-radius:4px`

/** Where pictures are not loaded, the name stands in place of the logo. */
function brandOf({ site: { name, logo, icon }, baseUrl }: RenderOptions): VNode {
  if (logo) return <img src={baseUrl + brandPath({ id: logo.id })} alt={name} {...shownSize(logo)} style={PICTURE} />
  return (
    <>
      {icon && (
        <>
          <img
            src={baseUrl + brandPath({ id: icon.id, size: 'tab' })}
            alt=""
            width="24"
            height="24"
            style={`${PICTURE};vertical-align:middle`}
          />{' '}
        </>
      )}
      {name}
    </>
  )
}

function bodyOf(content: Content): VNode {
  const { heading, paragraphs, when, facts = [], items = [], quotation, code, button, link, notes = [] } = content
  const shownFacts = facts.filter((fact): fact is readonly [string, string] => Boolean(fact[1]))
  return (
    <>
      <h1
        class="ink"
        style={`margin:0 0 14px;font-size:24px;line-height:1.25;font-weight:700;letter-spacing:-0.02em;color:${INK};${BREAK}`}
      >
        {heading}
      </h1>
      {paragraphs.map((text) => (
        <p class="ink" style={`margin:0 0 14px;font-size:16px;line-height:1.55;color:${INK};${BREAK}`}>
          {text}
        </p>
      ))}
      {code !== undefined && codeBox(code)}
      {(when !== undefined || shownFacts.length > 0) && panel(when, shownFacts)}
      {items.map(itemLine)}
      {quotation && quotationBox(quotation)}
      {button && buttonOf(button)}
      {link && linkOf(link)}
      {notes.map(
        (text) =>
          text && (
            <p class="quiet" style={`margin:0 0 10px;font-size:14px;line-height:1.5;color:${QUIET};${BREAK}`}>
              {text}
            </p>
          ),
      )}
    </>
  )
}

/** The first words in a list of messages, after the subject. */
const preview = ({ paragraphs, heading }: Content): string => oneLine(paragraphs[0] ?? heading)

const panel = (when: Content['when'], facts: readonly (readonly [string, string])[]): VNode => (
  <table
    class="panel"
    role="presentation"
    width="100%"
    cellpadding="0"
    cellspacing="0"

    style={`margin:6px 0 22px;background:${PANEL};border-radius:10px;border-collapse:separate`}
  >
    {when && (
      <tr>
        <td
          colspan={2}
          class="rule"
          style={`padding:16px 18px ${facts.length > 0 ? 14 : 16}px;${facts.length > 0 ? `border-bottom:1px solid ${LINE}` : ''}`}
        >
          <p class="ink" style={`margin:0;font-size:19px;line-height:1.35;font-weight:700;color:${INK}`}>
            {when.day}
          </p>
          <p class="ink" style={`margin:2px 0 0;font-size:16px;line-height:1.4;color:${INK}`}>
            {when.time}
          </p>
        </td>
      </tr>
    )}
    {facts.map(([name, value], index) => (
      <tr>
        <td
          class="quiet"
          valign="top"
          width="88"
          style={`width:88px;padding:${index === 0 ? 14 : 4}px 0 ${index === facts.length - 1 ? 16 : 4}px 18px;font-size:14px;line-height:1.6;color:${QUIET}`}
        >
          {name}
        </td>
        <td
          class="ink"
          valign="top"
          style={`padding:${index === 0 ? 14 : 4}px 18px ${index === facts.length - 1 ? 16 : 4}px 12px;font-size:15px;line-height:1.5;color:${INK};${BREAK}`}
        >
          {withBreaks(value)}
        </td>
      </tr>
    ))}
  </table>
)

const itemLine = ({ text, url }: NonNullable<Content['items']>[number]): VNode => (
  <p class="ink" style={`margin:0 0 12px;font-size:16px;line-height:1.5;color:${INK};${BREAK}`}>
    {url === undefined ? (
      text
    ) : (
      <a href={url} style={`color:${ACCENT}`}>
        {text}
      </a>
    )}
  </p>
)

const quotationBox = ({ by, text }: NonNullable<Content['quotation']>): VNode => (
  <div class="rule" style={`margin:6px 0 22px;padding:2px 0 2px 16px;border-left:3px solid ${LINE}`}>
    <p class="quiet" style={`margin:0 0 4px;font-size:14px;line-height:1.5;color:${QUIET};${BREAK}`}>
      {by}
    </p>
    <p class="ink" style={`margin:0;font-size:16px;line-height:1.55;color:${INK};${BREAK}`}>
      {withBreaks(text)}
    </p>
  </div>
)

const codeBox = (code: string): VNode => (
  <p
    class="panel ink"
    style={`margin:6px 0 22px;padding:18px;background:${PANEL};border-radius:10px;${CODE_FONT};font-size:30px;line-height:1.2;font-weight:700;letter-spacing:0.12em;text-align:center;color:${INK};${BREAK}`}
  >
    {code}
  </p>
)

const buttonOf = ({ label, url }: NonNullable<Content['button']>): VNode => (
  <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px">
    <tr>
      <td align="left">
        <span class="button" style={`display:inline-block;background:${ACCENT};border-radius:9px`}>
          {' '}
          <a
            href={url}
            style={`display:inline-block;padding:13px 24px;font-size:16px;line-height:1.3;font-weight:600;color:${PAPER};text-decoration:none`}
          >
            {label}
          </a>{' '}
        </span>
      </td>
    </tr>
  </table>
)

const linkOf = ({ label, url }: NonNullable<Content['link']>): VNode => (
  <p style="margin:0 0 14px;font-size:15px;line-height:1.5">
    <a href={url} style={`color:${ACCENT}`}>
      {label}
    </a>
  </p>
)

const footer = (reason: string, sender: RenderOptions): VNode => (
  <p class="quiet" style={`margin:0;font-size:13px;line-height:1.5;color:${QUIET};${BREAK}`}>
    {reason}{' '}
    {sender.unsubscribeUrl !== undefined && (
      <a href={sender.unsubscribeUrl} style={`color:${ACCENT}`}>
        Unsubscribe from messages like this
      </a>
    )}
    {senderLines(sender.site).map((line) => (
      <>
        <br />
        {line}
      </>
    ))}
    <br />
    {legalLinks(sender).map(([label, url], index) => [
      index > 0 && ' · ',
      <a href={url} style={`color:${ACCENT}`}>
        {label}
      </a>,
    ])}
  </p>
)

const withBreaks = (text: string) => lines(text).map((line, index) => [index > 0 && <br />, line])
