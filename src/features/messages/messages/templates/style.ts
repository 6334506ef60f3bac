// The colours and type of HTML messages: those of the pages.

export const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
export const INK = '#26211d'
export const QUIET = '#655c55'
export const PAPER = '#fffdfb'
export const GROUND = '#f3ece5'
export const LINE = '#e4dad1'
export const ACCENT = '#a83e17'
export const PANEL = '#f7f2ed'
/** The line above a message. */
export const TONES = { plain: ACCENT, good: '#226b38', wait: '#b57700', bad: '#a3202f' }
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
    }`
