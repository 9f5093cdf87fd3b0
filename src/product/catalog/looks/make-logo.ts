import { makeFault } from '#base/faults.ts'
import { MINUTE } from '#base/time.ts'
import { makeSizes, SizingStopped, UnreadablePicture } from '#machinery/pictures/make-sizes.ts'
import { type PictureFormat, readPicture, refusal } from '#product/catalog/events/picture-format.ts'
import { UPRIGHT, withoutMetadata } from '#product/catalog/events/picture-metadata.ts'
import { hashOf } from '#product/catalog/events/pictures.ts'
import type { NewLogo } from './schemas.ts'

/** Bytes. */
export const MAX_LOGO_BYTES = 1024 * 1024
/** What is shown is far smaller, and a decoder takes up to eleven bytes for each pixel. */
const LIMITS = { bytes: MAX_LOGO_BYTES, side: 4_096, all: 4_000_000 }
/** The room of a logo, in pixels: twice that of pages, for screens with small pixels, and enough for print. */
const ROOM = { width: 480, height: 144 } as const
/**
 * The most bytes of what a page shows: the page takes twice as many, as the icon in its tab has the logo in itself, and may have
 * 60 KB with all that a browser loads for it. What is drawn is far lighter than this, and a photo as a PNG several times as heavy.
 */
export const MAX_PAGE_BYTES = 18 * 1024
/** The sizes that are tried for pages, as parts of the logo's own: the largest that is light enough is taken. */
const PAGE_SCALES = [1, 0.75, 0.5] as const
/** The milliseconds that a logo may take on a slow computer. */
const MOST_TIME = MINUTE / 2

/** One logo after the other is made, so that many uploads take no more memory than one. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Makes a logo of a file: a PNG without transparency, which pages, mails and documents show, and nothing of the file but what it
 * shows. What is transparent becomes white, so that the logo can be read in the dark too.
 *
 * @throws Problem invalid_parameter for `picture`, with `details.fault`
 */
export async function makeLogo(bytes: Uint8Array): Promise<NewLogo> {
  const format = readPicture(bytes, LIMITS)
  const made = last.then(() => decode(bytes, format))
  last = made.catch(() => undefined)
  return made
}

async function decode(bytes: Uint8Array, { type, width, height }: PictureFormat): Promise<NewLogo> {
  const cleaned = withoutMetadata(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), type)
  if (cleaned === undefined || cleaned.isAnimated) throw refusal(makeFault('noPicture'))
  const { file, isOnItsSide } = cleaned
  // Browsers do not agree which way is up in a WebP, so it is shown as its pixels lie.
  const orientation = type === 'image/webp' ? UPRIGHT : cleaned.orientation
  const shown = isOnItsSide ? { width: height, height: width } : { width, height }
  const size = { ...fit(shown), type: 'image/png' } as const
  try {
    const task = { file, type, width, height, orientation, sizes: [size] }
    const [made] = await makeSizes(task, { mostTime: MOST_TIME })
    const logo = Buffer.from(made?.file as Uint8Array)
    const forPages = logo.length > MAX_PAGE_BYTES ? await makeLighter(logo, size) : null
    return {
      ...{ hash: hashOf(logo), width: size.width, height: size.height, content: logo.toString('base64') },
      ...{ page: forPages === null ? 'png' : 'webp', pageContent: forPages?.toString('base64') ?? null },
    }
  } catch (error) {
    // The file says that it is a picture, and cannot be decoded as one.
    if (error instanceof UnreadablePicture || error instanceof SizingStopped)
      throw refusal(makeFault('noPicture'))
    throw error
  }
}

/** Makes the WebP of a logo that pages show. It is opaque, as the logo is. */
async function makeLighter(
  logo: Buffer,
  { width, height }: { width: number; height: number },
): Promise<Buffer> {
  const sizes = PAGE_SCALES.map(scale => ({
    ...{ width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) },
    type: 'image/webp' as const,
  }))
  const task = { file: logo, type: 'image/png', width, height, orientation: UPRIGHT, sizes } as const
  const made = await makeSizes(task, { mostTime: MOST_TIME })
  const chosen = made.find(({ file }) => file.length <= MAX_PAGE_BYTES) ?? made.at(-1)
  return Buffer.from(chosen?.file as Uint8Array)
}

/** Returns the size in which a picture fits into the room of a logo. It never grows. */
function fit({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(1, ROOM.width / width, ROOM.height / height)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
