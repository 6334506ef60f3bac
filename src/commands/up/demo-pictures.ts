// Logos, covers and galleries of the demo pros that people see first. They are uploaded as pros upload theirs, and decoded by the
// workers while the server runs.
import type { Ctx } from '../../ctx.ts'
import type { Purpose } from '../../features/files/files/rules/purposes.ts'
import { receiveFile } from '../../features/files/files/verbs/files.ts'
import { setPictures } from '../../features/files/pictures/verbs.ts'
import { drawArtwork } from './demo-artwork.ts'
import * as statements from './demo.sql.ts'

const GALLERY = ['Arcs', 'Circles', 'Waves']

/** Gives pictures to the demo pro, and a logo and a cover to the plumbers of the first search in the README. */
export async function createDemoPictures(ctx: Ctx, { id }: { id: string }): Promise<void> {
  // Only the first start draws: later ones do not load the library.
  const { default: sharp } = await import('sharp')
  const pros = await statements.choosePicturedPros(ctx.write, { id })
  for (const [palette, { id: professionalId, accountId }] of pros.entries()) {
    const as = ctx.as({ professionalId, accountId })
    const add = async (purpose: Purpose, kind: 'cover' | 'tiles' | 'logo', number = 0): Promise<string> => {
      const svg = drawArtwork({ kind, palette, number })
      const bytes = await sharp(Buffer.from(svg)).jpeg({ quality: 90 }).toBuffer()
      return (await receiveFile(as, { purpose, content: oneChunk(bytes) })).id
    }
    await setPictures(as, {
      logo: await add('pro_logo', 'logo'),
      cover: await add('pro_cover', 'cover', 1),
      gallery: await Promise.all(
        (professionalId === id ? GALLERY : []).map(async (caption, at) => ({
          fileId: await add('pro_gallery', 'tiles', at + 2),
          caption,
        })),
      ),
    })
  }
}

async function* oneChunk(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(bytes)
}
