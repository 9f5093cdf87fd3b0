import type { Picture } from '../events/pictures.ts'

/** Colours of those that have no picture, in the stylesheet. */
const HUES = 8

/** The same of an event each time, whatever it is called later. */
export function hueOf(name: string): string {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) as number)) % 9973
  return `hue-${sum % HUES}`
}

/** The picture of an event; one that has none gets a colour of its own. It says nothing that the words beside it do not. */
export function Cover({ picture, href, seed }: { picture: Picture | null; href: string; seed: string }) {
  if (picture === null) return <div class={`cover none ${hueOf(seed)}`} />
  const { width, height } = picture
  return (
    <div class="cover">
      <img src={href} width={width} height={height} alt="" />
    </div>
  )
}
