export type Weight = 'regular' | 'bold'

/** One weight of one font. */
export interface Face {
  /** The path of its file, if it is of the server's folder. */
  name: string
  isBold: boolean
  /** True if it is of the server's folder, where nobody knows how good it is. */
  isOutside: boolean
  hasPostScriptOutlines: boolean
  /** The name of its outlines. Fonts of a collection may share them. */
  outlines: string
  /** The number by which the shaper knows it. */
  font: number
  /** Returns the file with its outlines, always the same. @throws UnusableFont */
  file: () => Uint8Array
}
