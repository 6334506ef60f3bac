// Mutants of style sheets, tokens and the scripts of pages.
import type { Mutant } from './mutant.ts'

export const ASSETS: readonly Mutant[] = [
  {
    guarantee: 'A script of a page that reads what an answer does not have is found.',
    file: 'src/web/ui/assets/scripts/widget-api.ts',
    from: '  durationMinutes: number',
    to: '  durationHours: number',
    killedBy: 'test/web/ui/client-scripts.test.ts',
    tests: 'have no type error',
  },
  {
    guarantee: 'A rule for a class that no template writes is found.',
    file: 'src/web/ui/assets/styles/hearth/notice.css',
    from: '.notice.wait {',
    to: '.notice.warned {',
    killedBy: 'test/web/ui/style-sheets.test.ts',
    tests: 'every rule is for elements',
  },
  {
    guarantee: 'A token that sheets use and the tokens file does not have is found.',
    file: 'src/platform/style/tokens.css',
    from: '--shadow-raised:',
    to: '--shadow-high:',
    killedBy: 'test/web/ui/tokens.test.ts',
    tests: 'every token',
  },
  {
    guarantee: 'A colour of an e-mail that is not a token is found.',
    file: 'src/features/messages/messages/templates/style.ts',
    from: 'export const INK = ink.light',
    to: "export const INK = ink.light && '#26211d'",
    killedBy: 'test/web/ui/tokens.test.ts',
    tests: 'a colour of its own',
  },
  {
    guarantee: 'The widget has the values of the tokens, which the pages around it lack.',
    file: 'src/web/ui/bundles.ts',
    from: 'contents: withTokens(sheetOf(path))',
    to: 'contents: sheetOf(path)',
    killedBy: 'test/web/ui/tokens.test.ts',
    tests: 'values of the tokens',
  },
  {
    guarantee: 'A script of a page adds no names to the page.',
    file: 'src/web/ui/bundles.ts',
    from: "format: 'iife'",
    to: "format: 'esm'",
    killedBy: 'test/web/ui/client-scripts.test.ts',
    tests: 'adds names to the page',
  },
]
