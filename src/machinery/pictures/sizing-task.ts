/** The formats that are read. */
export type PictureFormatName = 'image/png' | 'image/jpeg' | 'image/webp'

/** A size to make of a picture: in pixels, as it is shown, so with its orientation applied. */
export interface WantedSize {
  width: number
  height: number
  /** WebP keeps what is transparent. In a JPEG and a PNG it is white. */
  type: 'image/webp' | 'image/jpeg' | 'image/png'
}

/** What the thread is asked for: sizes of one picture. */
export interface SizingTask {
  file: Uint8Array
  type: PictureFormatName
  /** The pixels that the file says it has, before its orientation is applied. The thread decodes no other number. */
  width: number
  height: number
  /** The orientation of EXIF, 1 to 8. */
  orientation: number
  sizes: readonly WantedSize[]
}

/** A size that was made. It has no metadata but the profile of its colours. */
export interface MadeSize extends WantedSize {
  file: Uint8Array
}

/** The answer of the thread: the sizes in the order of the task, or why the picture cannot be decoded. */
export type SizingResult = { made: MadeSize[] } | { unreadable: string }
