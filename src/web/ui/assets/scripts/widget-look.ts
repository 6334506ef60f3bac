// The widget's look: what separates it from the page around it, and the theme that its attributes choose.

export const script = document.currentScript
const PAPER = { light: '#fffdfb', dark: '#1a1715' }

// A shadow root keeps the page's rules out, except those for the host element and what it would inherit: within a shadow root,
// `!important` beats that of the page. Sizes are in em of the initial font size, which is the visitor's own: rem would follow
// the page. Only generic font names, because a page may define the others.
export const styles = new CSSStyleSheet()
styles.replaceSync(`
  :host { all: initial !important; direction: ltr !important; unicode-bidi: isolate !important; display: block !important;
    max-width: 34em !important; color-scheme: ${schemeOf(script.dataset.scheme)} !important; }
  *, *::before, *::after { box-sizing: border-box; font: inherit; color: inherit; }
  section { --hearth-ink: light-dark(#26211d, #ece6e0); --hearth-paper: light-dark(${PAPER.light}, ${PAPER.dark}); --hearth-card: light-dark(#f7f2ed, #24201d);
    --hearth-line: light-dark(#94877b, #7d7268); --hearth-quiet: light-dark(#655c55, #aaa097); --hearth-bad: light-dark(#a3202f, #f28b94);
    --hearth-accent: light-dark(#a83e17, #f0976c); --hearth-on-accent: var(--hearth-paper); --hearth-accent-edge: var(--hearth-accent);
    --hearth-link: var(--hearth-accent); --hearth-round: 8px;
    padding: 1.1em; border: 1px solid var(--hearth-line); border-radius: var(--hearth-round); background: var(--hearth-paper); color: var(--hearth-ink);
    font: 1em/1.5 system-ui, sans-serif; overflow-wrap: break-word; text-align: start; }
  h2 { margin: 0 0 .5em; font-size: 1.2em; font-weight: 650; line-height: 1.3; } p { margin: 0 0 .75em; }
  label { display: block; margin: 0 0 .75em; font-weight: 600; } label span { font-weight: 400; color: var(--hearth-quiet); }
  input, select, textarea, button { width: 100%; min-height: 44px; margin: 0; padding: .5em .65em; border: 1px solid var(--hearth-line);
    border-radius: var(--hearth-round); background: var(--hearth-paper); font-weight: 400; }
  .grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.2em, 1fr)); gap: .4em; margin: 0 0 1em; }
  .pages { display: flex; justify-content: space-between; gap: .5em; margin: 0 0 .5em; } .pages button { width: auto; }
  .terms { padding: .75em .9em; margin: 0 0 1em; border-radius: var(--hearth-round); background: var(--hearth-card); } .terms p { margin: 0; }
  .price { font-size: 1.15em; font-weight: 650; }
  button { cursor: pointer; } button:disabled { cursor: default; opacity: .55; }
  button[aria-pressed=true], button.main { background: var(--hearth-accent); border-color: var(--hearth-accent-edge); color: var(--hearth-on-accent);
    font-weight: 600; }
  a { color: var(--hearth-link); } .quiet { color: var(--hearth-quiet); font-size: .9em; } .bad { color: var(--hearth-bad); }
  :focus-visible { outline: 2px solid var(--hearth-link); outline-offset: 2px; } h2:focus { outline: none; }
  @media (forced-colors: active) { [aria-pressed=true] { outline: 2px solid Highlight; outline-offset: -5px; } }`)

export const theme = new CSSStyleSheet()
theme.replaceSync(`section { ${accentOf(script.dataset.accent)} ${radiusOf(script.dataset.radius)} }`)

/** Attributes are checked, so that none adds rules of its own. */
function schemeOf(scheme) {
  return scheme === 'light' || scheme === 'dark' ? scheme : 'light dark'
}

function radiusOf(radius) {
  return /^\d{1,2}$/.test(radius ?? '') && Number(radius) <= 24 ? `--hearth-round: ${Number(radius)}px;` : ''
}

/**
 * The text on an accent is black or white, whichever has more contrast; links keep the text's colour. An accent that is close to
 * the widget's background gets an outline that is not, in either scheme (WCAG 1.4.11).
 */
function accentOf(accent) {
  if (!/^#[\da-f]{6}$/i.test(accent ?? '')) return ''
  const light = luminanceOf(accent)
  const edgeOn = (paper) => (contrastOf(light, luminanceOf(paper)) < 3 ? 'var(--hearth-ink)' : accent)
  return `--hearth-accent: ${accent}; --hearth-on-accent: ${light > 0.179 ? '#000' : '#fff'}; --hearth-link: var(--hearth-ink);
    --hearth-accent-edge: light-dark(${edgeOn(PAPER.light)}, ${edgeOn(PAPER.dark)});`
}

/** The relative luminance of a colour such as "#a83e17" (WCAG 2.2). */
function luminanceOf(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one, other) {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}
