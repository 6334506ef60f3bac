/** @jsxImportSource preact */
// /imprint, and each version of a legal text by itself.
import type { LegalKind, LegalText } from '../../../features/upkeep/legal-texts/schemas.ts'
import { Markdown } from '../../../platform/text/markdown.tsx'
import type { Page } from '../../ui/layout.tsx'
import { FormerVersions, InForce, TextInForce } from '../../ui/legal-texts.tsx'

const NAMES: Readonly<Record<LegalKind, string>> = { terms: 'Terms', privacy: 'Privacy', imprint: 'Imprint' }

export const imprintPage: Page = {
  title: 'Imprint',
  description: 'Who runs this site, and how to reach them.',
  content: (
    <div class="text-page">
      <h1>Imprint</h1>
      <TextInForce kind="imprint" />
      <FormerVersions kind="imprint" />
    </div>
  ),
}

/** One version by itself, which search engines do not list. */
export function versionPage(
  kind: LegalKind,
  text: LegalText,
  { version, content }: { version: number; content: string },
): Page {
  const versions = [text, ...text.former]
  const shown = versions.find((one) => one.version === version)
  return {
    title: `${NAMES[kind]}, version ${version}`,
    head: <meta name="robots" content="noindex" />,
    content: (
      <div class="text-page">
        <h1>
          {NAMES[kind]}, version {version}
        </h1>
        <p class="quiet">
          {shown && <InForce version={shown} versions={versions} />}. <a href={`/${kind}`}>What is in force now</a>
        </p>
        <Markdown text={content} below={2} />
      </div>
    ),
  }
}
