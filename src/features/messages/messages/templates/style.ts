// The colours and type of HTML messages: those of the pages, by their tokens.
import { darkOf } from '../../../../platform/style/accent.ts'
import { colour, token } from '../../../../platform/style/tokens.ts'

const [ink, quiet, paper, card] = [colour('ink'), colour('quiet'), colour('paper'), colour('card')]
const [ground, line, accent] = [colour('ground'), colour('line'), colour('accent')]
const [good, wait, bad] = [colour('good'), colour('wait'), colour('bad')]

export const FONT = `font-family:${token('font')}`
export const CODE_FONT = `font-family:${token('font-code')}`
export const INK = ink.light
export const QUIET = quiet.light
export const PAPER = paper.light
export const GROUND = ground.light
export const LINE = line.light
export const ACCENT = accent.light
export const PANEL = card.light
/** The message in the colour of the marketplace: that of actions is these two values, in the elements and in the sheet. */
export const withAccent = (html: string, own: string | null): string =>
  own === null ? html : html.replaceAll(accent.light, own).replaceAll(accent.dark, darkOf(own))
/** The line above a message. */
export const TONES = { plain: accent.light, good: good.light, wait: wait.light, bad: bad.light }
/** Words that do not end, such as long addresses, break. */
export const BREAK = 'overflow-wrap:anywhere;word-break:break-word'

/** Narrow screens and dark mode, over the styles in the elements. Mail programs that ignore it show the light form. */
export const STYLE_SHEET = `
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
        padding: 26px 22px 14px !important;
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
        background: ${ground.dark} !important;
      }
      .sheet {
        background: ${paper.dark} !important;
        border-color: ${line.dark} !important;
      }
      .ink,
      h1 {
        color: ${ink.dark} !important;
      }
      .quiet {
        color: ${quiet.dark} !important;
      }
      .panel {
        background: ${card.dark} !important;
      }
      .rule {
        border-color: ${line.dark} !important;
      }
      .brand,
      a {
        color: ${accent.dark} !important;
      }
      .button {
        background: ${accent.dark} !important;
      }
      .button a {
        color: ${paper.dark} !important;
      }
      .good {
        border-top-color: ${good.dark} !important;
      }
      .wait {
        border-top-color: ${wait.dark} !important;
      }
      .bad {
        border-top-color: ${bad.dark} !important;
      }
      .plain {
        border-top-color: ${accent.dark} !important;
      }
    }`
