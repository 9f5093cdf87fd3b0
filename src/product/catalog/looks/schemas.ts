import * as v from 'valibot'
import { says } from '#base/faults.ts'

/** A colour as people give it: `#rrggbb`. It is kept in lower case. */
export const colourSchema = v.pipe(
  v.string(says('string')),
  v.trim(),
  v.regex(/^#[0-9a-f]{6}$/i, says('colour', { example: '#2855ad' })),
  v.toLowerCase(),
)

/** The logo, as it was made of the file that somebody has uploaded. */
export interface Logo {
  /** SHA-256 of the file, in hex. */
  hash: string
  /** Pixels. */
  width: number
  height: number
  /** The file that pages show: the logo's own, or a WebP in its place where that is too heavy for them. */
  page: 'png' | 'webp'
}

/** How the pages of an organizer look, or those of an event. Null stands for how they look without anything of their own. */
export interface Look {
  /** `#rrggbb` */
  colour: string | null
  logo: Logo | null
}

export const NO_LOOK: Look = { colour: null, logo: null }

/** The same with the file of the logo, for mails and documents, which carry it with them. */
export interface CarriedLook {
  colour: string | null
  logo: (Logo & { file: Buffer }) | null
}

/** A logo that was made and is ready to be written. */
export interface NewLogo extends Logo {
  /** The file, a PNG in base64. */
  content: string
  /** The WebP for pages, in base64. It is null if they show the file. */
  pageContent: string | null
}
