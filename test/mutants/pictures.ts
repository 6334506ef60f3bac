// Mutants of the pictures that pages show.
import type { Mutant } from './mutant.ts'

const PAGES = 'test/web/public/pictures.test.ts'

export const PICTURES: readonly Mutant[] = [
  {
    guarantee: 'A picture that is not ready is not shown to everyone.',
    file: 'src/features/files/pictures/queries.sql',
    from: "and f.unused_since is null and f.status = 'ready'\nwhere",
    to: 'and f.unused_since is null\nwhere',
    killedBy: PAGES,
    tests: 'not ready, were refused',
  },
  {
    guarantee: 'A page shows the pictures of its own pro only.',
    file: 'src/features/files/pictures/queries.sql',
    from: "left join files f on f.professional_id = p.id and f.purpose in ('pro_logo'",
    to: "left join files f on f.purpose in ('pro_logo'",
    killedBy: PAGES,
    tests: 'belong to another pro',
  },
  {
    guarantee: 'A logo that was replaced is not shown any more.',
    file: 'src/features/files/pictures/queries.sql',
    from: "f.purpose = 'pro_logo'\n  and f.unused_since is null and",
    to: "f.purpose = 'pro_logo'\n  and",
    killedBy: PAGES,
    tests: 'replaced',
  },
  {
    guarantee: 'A card shows the logo of its own pro.',
    file: 'src/web/public/search/cards.tsx',
    from: 'logo: logos.get(pro.id)',
    to: 'logo: [...logos.values()][0]',
    killedBy: PAGES,
    tests: 'get a monogram',
  },
  {
    guarantee: 'The width and height of a picture keep its place.',
    file: 'src/web/ui/pictures.tsx',
    from: '          width={largest?.width}\n          height={largest?.height}\n',
    to: '',
    killedBy: PAGES,
    tests: 'nothing moves',
  },
  {
    guarantee: 'A cover is as high before it is loaded as afterwards.',
    file: 'src/web/ui/assets/styles/hearth/pictures.css',
    from: '  aspect-ratio: 3 / 1;\n',
    to: '  aspect-ratio: auto;\n',
    killedBy: PAGES,
    tests: 'nothing moves',
  },
  {
    guarantee: 'Pages with pictures load them from the host of files.',
    file: 'src/web/ui/pictures.tsx',
    from: 'new URL(files.baseUrl ?? baseUrl).origin',
    to: 'new URL(baseUrl).origin',
    killedBy: PAGES,
    tests: 'the host of files',
  },
  {
    guarantee: 'A picture in a gallery says what it shows.',
    file: 'src/web/ui/pictures.tsx',
    from: 'alt={`${picture.caption ?? owner}, picture',
    to: 'alt={`${owner}, picture',
    killedBy: PAGES,
    tests: 'passes the page check',
  },
  {
    guarantee: 'A link preview shows the cover.',
    file: 'src/web/public/share-cards.ts',
    from: 'photoUrl: pro.pictures.cover?.url ?? null',
    to: 'photoUrl: null',
    killedBy: PAGES,
    tests: 'link previews',
  },
]
