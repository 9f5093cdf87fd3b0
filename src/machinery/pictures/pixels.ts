/** The pixels of a picture, row by row: red, green, blue and alpha, not premultiplied. */
export interface Pixels {
  data: Uint8ClampedArray
  width: number
  height: number
}

/** Returns the pixels on white, none of them transparent. */
export function onWhite({ data, ...size }: Pixels): Pixels {
  const laid = new Uint8ClampedArray(data.length)
  for (let at = 0; at < data.length; at += 4) {
    const alpha = (data[at + 3] as number) / 255
    for (let channel = 0; channel < 3; channel++)
      laid[at + channel] = 255 + alpha * ((data[at + channel] as number) - 255)
    laid[at + 3] = 255
  }
  return { data: laid, ...size }
}
