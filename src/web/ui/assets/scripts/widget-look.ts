// The widget's look: what separates it from the page around it, and the theme that its attributes choose.
import rules from '../styles/widget.css' with { type: 'text' }
import { script } from './widget-script.ts'

const { scheme, accent, radius } = script.dataset

export const styles = new CSSStyleSheet()
styles.replaceSync(rules)

export const theme = new CSSStyleSheet()
theme.replaceSync(`${schemeOf(scheme)} section { ${accentOf(accent)} ${radiusOf(radius)} }`)

/** Attributes are checked, so that none adds rules of its own. */
function schemeOf(scheme: string | undefined): string {
  return scheme === 'light' || scheme === 'dark' ? `:host { color-scheme: ${scheme} !important }` : ''
}

function radiusOf(radius: string | undefined): string {
  return /^\d{1,2}$/.test(radius ?? '') && Number(radius) <= 24 ? `--hearth-round: ${Number(radius)}px;` : ''
}

/**
 * The text on an accent is black or white, whichever has more contrast; links keep the text's colour. An accent that is close to
 * the widget's background gets an outline that is not, in either scheme (WCAG 1.4.11).
 */
function accentOf(accent: string | undefined): string {
  if (!accent || !/^#[\da-f]{6}$/i.test(accent)) return ''
  const light = luminanceOf(accent)
  const edges = papers().map((paper) => (contrastOf(light, luminanceOf(paper)) < 3 ? 'var(--hearth-ink)' : accent))
  return `--hearth-accent: ${accent}; --hearth-on-accent: ${light > 0.179 ? '#000' : '#fff'}; --hearth-link: var(--hearth-ink);
    --hearth-accent-edge: light-dark(${edges.join()});`
}

/** The widget's background in the light and in the dark scheme. */
function papers(): string[] {
  return /-paper:light-dark\((#\w+),(#\w+)\)/.exec(rules)?.slice(1) ?? []
}

/** The relative luminance of a colour such as "#a83e17" (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}
