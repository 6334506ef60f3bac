/** @jsxImportSource preact */
// Pictures that people sent: one picture, a pro's logo or monogram, a gallery.
import type { VNode } from 'preact'

import type { Config } from '../../config.ts'
import type { ShownPhoto } from '../../features/files/files/verbs/photos.ts'
import type { PublicPicture } from '../../features/files/pictures/schemas.ts'
import type { PageSources } from '../../http/headers.ts'

/** What a component needs of a file that is ready. */
export type ShownPicture = Pick<PublicPicture, 'url' | 'placeholder' | 'sizes'>

/** The images of a page with pictures: Hearth's own, placeholders within the page, and those of the host of files. */
export const pictureSources = ({ baseUrl, files }: Pick<Config, 'baseUrl' | 'files'>): PageSources => ({
  'img-src': `'self' data: ${new URL(files.baseUrl ?? baseUrl).origin}`,
})

interface PictureProps {
  picture: ShownPicture
  /** What it shows, in words; empty only if the text beside it says the same. */
  alt: string
  /** How wide the page shows it: the `sizes` of HTML. */
  sizes: string
  /** Loaded at once, because it is at the top of the page. */
  isEager?: boolean
}

/** A picture in the smallest size that suffices. Its place is kept, and shows a blurred one until it is loaded. */
export const Picture = ({ picture, alt, sizes, isEager = false }: PictureProps): VNode => {
  const largest = picture.sizes.at(-1)
  const set = (format: 'avif' | 'webp') => sourceSet(picture, format)
  return (
    <span class="picture">
      {picture.placeholder !== null && <img class="placeholder" src={picture.placeholder} alt="" />}
      <picture>
        <source type="image/avif" srcset={set('avif')} sizes={sizes} />
        <img
          src={picture.url}
          srcset={set('webp')}
          sizes={sizes}
          width={largest?.width}
          height={largest?.height}
          alt={alt}
          {...(isEager ? { fetchpriority: 'high' } : { loading: 'lazy' })}
        />
      </picture>
    </span>
  )
}

/** The sizes of a picture that was small already are all the same: each width is listed once. */
const sourceSet = ({ sizes }: ShownPicture, format: 'avif' | 'webp'): string =>
  [...new Map(sizes.map((size) => [size.width, size[format]]))].map(([width, url]) => `${url} ${width}w`).join(', ')

interface AvatarProps {
  /** Of the business or person, which the page shows beside it. */
  name: string
  logo: ShownPicture | null | undefined
  /** For the head of a page. */
  isLarge?: boolean
}

/** The logo of a business; without one, a monogram, which says nothing that the name beside it does not. */
export const Avatar = ({ name, logo, isLarge = false }: AvatarProps): VNode => {
  const [small] = logo?.sizes ?? []
  const look = isLarge ? 'avatar large' : 'avatar'
  if (!small)
    return (
      <span class={`${look} ${TONES[toneOf(name)] ?? ''}`} aria-hidden="true">
        {initialsOf(name)}
      </span>
    )
  return (
    <picture class={look}>
      <source type="image/avif" srcset={small.avif} />
      <img
        src={small.webp}
        width={small.width}
        height={small.height}
        alt={`Logo of ${name}`}
        {...(isLarge ? {} : { loading: 'lazy' })}
      />
    </picture>
  )
}

/** The classes of monograms. */
const TONES = ['clay', 'moss', 'sky', 'amber', 'slate'] as const

/** The same for the same name, on every page. */
const toneOf = (name: string): number =>
  Array.from(name).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 0) % TONES.length

/** Of the first two words that begin with a letter or a digit. */
const initialsOf = (name: string): string =>
  (name.match(/(?<![\p{L}\p{N}'’])[\p{L}\p{N}]/gu) ?? []).slice(0, 2).join('').toUpperCase()

interface PhotosProps {
  photos: readonly (ShownPhoto & { caption?: string | null })[]
  /** Whose photos they are. */
  owner: string
}

/** Photos that customers sent, each leading to its large size. Those on other sites are links: no page of ours loads them. */
export const Photos = ({ photos, owner }: PhotosProps): VNode | null =>
  photos.length === 0 ? null : (
    <ul class="photos">
      {photos.map(({ url, thumbnail, state, caption }, index) => {
        const name = `Photo ${index + 1} of ${photos.length}`
        if (state === 'received') return <li class="hint">{name} is being prepared. Load the page again to see it.</li>
        if (state === 'refused') return <li class="hint">{name} could not be read.</li>
        return (
          <li>
            <a href={url} rel="noreferrer nofollow ugc">
              {thumbnail === null ? (
                (caption ?? `${name}, on another site`)
              ) : (
                <img src={thumbnail} width={112} height={112} alt={caption ?? `${owner}: ${name}`} loading="lazy" />
              )}
            </a>
          </li>
        )
      })}
    </ul>
  )

interface GalleryProps {
  pictures: readonly (ShownPicture & Pick<PublicPicture, 'caption'>)[]
  /** Whose pictures they are. */
  owner: string
}

/** Pictures with their captions; each leads to its large size. */
export const Gallery = ({ pictures, owner }: GalleryProps): VNode => (
  <ul class="gallery">
    {pictures.map((picture, index) => (
      <li>
        <figure>
          <a href={picture.url}>
            <Picture
              picture={picture}
              alt={`${picture.caption ?? owner}, picture ${index + 1} of ${pictures.length}`}
              sizes="(max-width: 40rem) 50vw, 14rem"
            />
          </a>
          {picture.caption !== null && <figcaption>{picture.caption}</figcaption>}
        </figure>
      </li>
    ))}
  </ul>
)
