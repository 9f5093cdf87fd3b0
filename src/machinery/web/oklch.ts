/** A colour by what people see: lightness from 0 to 1, chroma from 0, and hue in radians (CSS Color 4, section 9.2). */
export interface Oklch {
  lightness: number
  chroma: number
  hue: number
}

/** Red, green and blue, each from 0 to 255. */
export type Rgb = readonly [number, number, number]

/** Reads `#rrggbb`. */
export function readHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

export function toHex(rgb: Rgb): string {
  return `#${rgb.map(part => part.toString(16).padStart(2, '0')).join('')}`
}

const toLinear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const fromLinear = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055)

export function toOklch(rgb: Rgb): Oklch {
  const [red, green, blue] = rgb.map(part => toLinear(part / 255)) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) }
}

/** Returns linear red, green and blue, outside of 0 to 1 for a colour that no screen of sRGB shows. */
function toLinearRgb({ lightness, chroma, hue }: Oklch): [number, number, number] {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

/** How often the interval in which the most chroma lies is halved. */
const HALVINGS = 18
/** How far outside of 0 to 1 still rounds to a colour of the screen. */
const SLACK = 1e-4

/** Returns the colour on a screen, with as much of its chroma as the screen shows at this lightness and hue. */
export function toRgb(colour: Oklch): Rgb {
  const isShown = (chroma: number) =>
    toLinearRgb({ ...colour, chroma }).every(part => part >= -SLACK && part <= 1 + SLACK)
  let [least, most] = [0, colour.chroma]
  if (isShown(most)) least = most
  else
    for (let at = 0; at < HALVINGS; at++) {
      const middle = (least + most) / 2
      if (isShown(middle)) least = middle
      else most = middle
    }
  const parts = toLinearRgb({ ...colour, chroma: least })
  return parts.map(part => Math.round(255 * fromLinear(Math.min(1, Math.max(0, part))))) as unknown as Rgb
}

/** Returns the contrast of two colours, from 1 to 21 (WCAG 2.2). */
export function contrastOf(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(rgb: Rgb): number {
  const [red, green, blue] = rgb.map(part => toLinear(part / 255)) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
