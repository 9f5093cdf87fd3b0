import type { Picture } from '#product/catalog/events/pictures.ts'

/** The stylesheet has this many colours for events without a picture. */
const HUES = 8

/** Returns the same colour for an event each time, whatever the event is called later. */
export function hueOf(name: string): string {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) as number)) % 9973
  return `hue-${sum % HUES}`
}

/**
 * Shows the picture of an event, or a colour of its own if it has none. The picture says nothing that the words beside it do not.
 */
export function Cover({ picture, href, seed }: { picture: Picture | null; href: string; seed: string }) {
  if (picture === null) return <div class={`cover none ${hueOf(seed)}`} />
  const { width, height } = picture
  return (
    <div class="cover">
      <img src={href} width={width} height={height} alt="" />
    </div>
  )
}
