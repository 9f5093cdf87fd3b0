import type { PictureType } from './picture-format.ts'

/** The cover of an event's page. Sizes are in pixels, and the hash is the SHA-256 of the file in hex. */
export interface Picture {
  hash: string
  type: PictureType
  width: number
  height: number
}

/** A smaller file of a picture: for pages, or for what shows a preview of a shared address. */
export interface PictureSize extends Picture {
  use: 'page' | 'share'
}

/** A picture with the sizes that were made of it, the smallest of each use first. It has none until they are made. */
export interface SizedPicture extends Picture {
  sizes: readonly PictureSize[]
}

/** In pixels: a phone, a phone with fine pixels or a tablet, and a desktop. */
const PAGE_WIDTHS = [480, 960, 1600]
/** No page shows a picture wider than this. */
const WIDEST = 1600
/** What networks and messengers show beside an address. They know JPEG, but not all of them WebP. */
const SHARE_WIDTH = 1200

/** The most pixels of a size, 1600 by 2500, for which a small computer has memory. Only a picture like a column has more. */
const MOST_PIXELS = 4_000_000

/** A size to make. */
export interface PlannedSize extends Pick<PictureSize, 'use' | 'width' | 'height'> {
  type: 'image/webp' | 'image/jpeg'
}

/** Returns the sizes to make of a picture as it is shown, none of them larger than it. */
export function planSizes({ width, height }: Pick<Picture, 'width' | 'height'>): PlannedSize[] {
  const heightOf = (of: number) => Math.max(1, Math.round((height * of) / width))
  const widths = [...PAGE_WIDTHS.filter(each => each < width), ...(width <= WIDEST ? [width] : [])]
  const pages = widths.map(each => ({ use: 'page', width: each, type: 'image/webp' }) as const)
  const shared = { use: 'share', width: Math.min(width, SHARE_WIDTH), type: 'image/jpeg' } as const
  return [...pages, shared]
    .map(size => ({ ...size, height: heightOf(size.width) }))
    .filter(size => size.width * size.height <= MOST_PIXELS)
}

/**
 * Returns the files of a picture among which a browser chooses, the smallest first. The picture itself is one of them only if no
 * size is as wide as a page needs it.
 */
export function candidatesOf({ sizes, ...picture }: SizedPicture): readonly Picture[] {
  const ofPages = sizes.filter(({ use }) => use === 'page')
  const widest = ofPages.at(-1)
  return widest !== undefined && widest.width >= Math.min(picture.width, WIDEST)
    ? ofPages
    : [...ofPages, picture]
}

/** Returns the file to show beside a shared address. */
export function sharedOf(picture: SizedPicture): Picture {
  return picture.sizes.find(({ use }) => use === 'share') ?? picture
}
