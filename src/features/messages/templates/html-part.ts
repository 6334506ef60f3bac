// The HTML part. Mail programs know little of HTML: tables for the layout, styles in the elements, and a style sheet only for
// dark mode. Nothing is loaded from elsewhere.
import { type Html, html } from '../../../platform/text/html.ts'
import { lines, oneLine } from '../../../platform/text/plain.ts'
import type { Content } from './content.ts'

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
const INK = '#26211d'
const QUIET = '#655c55'
const PAPER = '#fffdfb'
const GROUND = '#f3ece5'
const LINE = '#e4dad1'
const ACCENT = '#a83e17'
const TONES = { plain: ACCENT, good: '#226b38', wait: '#b57700', bad: '#a3202f' }
const BREAK = 'overflow-wrap:anywhere;word-break:break-word'

/** The colours of the pages in dark mode, over the styles in the elements. */
const DARK = html`
  <style>
    a {
      color: ${ACCENT};
    }
    @media (max-width: 480px) {
      .ground {
        padding: 0 !important;
      }
      .sheet {
        border-radius: 0 !important;
        border-left: 0 !important;
        border-right: 0 !important;
      }
      .inner {
        padding: 28px 22px !important;
      }
      .button,
      .button a {
        display: block !important;
        width: auto !important;
        text-align: center !important;
      }
    }
    @media (prefers-color-scheme: dark) {
      body,
      .ground {
        background: #141210 !important;
      }
      .sheet {
        background: #1f1b18 !important;
        border-color: #3a342f !important;
      }
      .ink,
      h1 {
        color: #ece6e0 !important;
      }
      .quiet {
        color: #b3a99f !important;
      }
      .panel {
        background: #2a2521 !important;
      }
      .rule {
        border-color: #3a342f !important;
      }
      .brand,
      a {
        color: #f0976c !important;
      }
      .button {
        background: #f0976c !important;
      }
      .button a {
        color: #1a1715 !important;
      }
      .good {
        border-top-color: #7fcf95 !important;
      }
      .wait {
        border-top-color: #e6b450 !important;
      }
      .bad {
        border-top-color: #f28b94 !important;
      }
      .plain {
        border-top-color: #f0976c !important;
      }
    }
  </style>
`

export function htmlPart(content: Content, unsubscribeUrl: string | undefined): string {
  const { subject, heading, tone, paragraphs, when, facts = [], quotation, code, button, notes = [], reason } = content
  const shownFacts = facts.filter((fact): fact is readonly [string, string] => Boolean(fact[1]))
  const body = html`
    <h1
      class="ink"
      style="margin:0 0 14px;font-size:24px;line-height:1.25;font-weight:700;letter-spacing:-0.02em;color:${INK};${BREAK}"
    >
      ${heading}
    </h1>
    ${paragraphs.map(
      (text) =>
        html`<p class="ink" style="margin:0 0 14px;font-size:16px;line-height:1.55;color:${INK};${BREAK}">${text}</p>`,
    )}
    ${code !== undefined && codeBox(code)} ${(when !== undefined || shownFacts.length > 0) && panel(when, shownFacts)}
    ${quotation && quotationBox(quotation)} ${button && buttonOf(button)}
    ${notes.map(
      (text) =>
        text &&
        html`<p class="quiet" style="margin:0 0 10px;font-size:14px;line-height:1.5;color:${QUIET};${BREAK}">
          ${text}
        </p>`,
    )}
  `
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="date=no, address=no" />
        <title>${subject}</title>
        ${DARK}
      </head>
      <body
        style="margin:0;padding:0;background:${GROUND};color-scheme:light dark;-webkit-text-size-adjust:100%;${FONT}"
      >
        <div style="display:none;max-height:0;overflow:hidden">${preview(content)}</div>
        <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
          <tr>
            <td class="ground" align="center" style="padding:28px 12px;background:${GROUND};${FONT}">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                border="0"
                style="max-width:560px;table-layout:fixed"
              >
                <tr>
                  <td
                    class="sheet ${tone}"
                    style="background:${PAPER};border:1px solid ${LINE};border-top:5px solid ${TONES[tone]};border-radius:14px;text-align:left"
                  >
                    <div class="inner" style="padding:28px 36px 32px" role="main">
                      <p class="brand" style="margin:0 0 20px;font-size:15px;font-weight:700;color:${ACCENT}">Hearth</p>
                      ${body}
                    </div>
                  </td>
                </tr>
                <tr>
                  <td class="inner" style="padding:18px 36px;text-align:left">${footer(reason, unsubscribeUrl)}</td>
                </tr>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html> `
  return page.toString()
}

/** The first words in a list of messages, after the subject. */
const preview = ({ paragraphs, heading }: Content): string => oneLine(paragraphs[0] ?? heading)

const panel = (when: Content['when'], facts: readonly (readonly [string, string])[]): Html => html`
  <table
    class="panel"
    role="presentation"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    border="0"
    style="margin:6px 0 22px;background:#f7f2ed;border-radius:10px;border-collapse:separate"
  >
    ${
      when &&
      html`<tr>
        <td
          colspan="2"
          class="rule"
          style="padding:16px 18px ${facts.length > 0 ? 14 : 16}px;${facts.length > 0 ? `border-bottom:1px solid ${LINE}` : ''}"
        >
          <p class="ink" style="margin:0;font-size:19px;line-height:1.35;font-weight:700;color:${INK}">${when.day}</p>
          <p class="ink" style="margin:2px 0 0;font-size:16px;line-height:1.4;color:${INK}">${when.time}</p>
        </td>
      </tr>`
    }
    ${facts.map(
      ([name, value], index) =>
        html`<tr>
          <td
            class="quiet"
            valign="top"
            width="88"
            style="width:88px;padding:${index === 0 ? 14 : 4}px 0 ${index === facts.length - 1 ? 16 : 4}px 18px;font-size:14px;line-height:1.6;color:${QUIET}"
          >
            ${name}
          </td>
          <td
            class="ink"
            valign="top"
            style="padding:${index === 0 ? 14 : 4}px 18px ${index === facts.length - 1 ? 16 : 4}px 12px;font-size:15px;line-height:1.5;color:${INK};${BREAK}"
          >
            ${withBreaks(value)}
          </td>
        </tr>`,
    )}
  </table>
`

const quotationBox = ({ by, text }: NonNullable<Content['quotation']>): Html => html`
  <div class="rule" style="margin:6px 0 22px;padding:2px 0 2px 16px;border-left:3px solid ${LINE}">
    <p class="quiet" style="margin:0 0 4px;font-size:14px;line-height:1.5;color:${QUIET};${BREAK}">${by}</p>
    <p class="ink" style="margin:0;font-size:16px;line-height:1.55;color:${INK};${BREAK}">${withBreaks(text)}</p>
  </div>
`

const codeBox = (code: string): Html => html`
  <p
    class="panel ink"
    style="margin:6px 0 22px;padding:18px;background:#f7f2ed;border-radius:10px;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:30px;line-height:1.2;font-weight:700;letter-spacing:0.12em;text-align:center;color:${INK};${BREAK}"
  >
    ${code}
  </p>
`

const buttonOf = ({ label, url }: NonNullable<Content['button']>): Html => html`
  <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px">
    <tr>
      <td align="left">
        <span class="button" style="display:inline-block;background:${ACCENT};border-radius:9px">
          <a
            href="${url}"
            style="display:inline-block;padding:13px 24px;font-size:16px;line-height:1.3;font-weight:600;color:#ffffff;text-decoration:none"
            >${label}</a
          >
        </span>
      </td>
    </tr>
  </table>
`

const footer = (reason: string, unsubscribeUrl: string | undefined): Html => html`
  <p class="quiet" style="margin:0;font-size:13px;line-height:1.5;color:${QUIET};${BREAK}">
    ${reason}
    ${unsubscribeUrl !== undefined && html`<a href="${unsubscribeUrl}" style="color:${ACCENT}">Unsubscribe from messages like this</a>`}
  </p>
`

const withBreaks = (text: string) => lines(text).map((line, index) => [index > 0 && html`<br />`, line])
