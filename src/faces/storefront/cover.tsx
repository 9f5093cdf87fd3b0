import { FittingPicture } from '#machinery/web/components/fitting-picture.tsx'
import { candidatesOf, type Picture, type SizedPicture } from '#product/catalog/events/picture-sizes.ts'

/** The stylesheet has this many colours for events without a picture. */
const HUES = 8

/** Returns the same colour for an event each time, whatever the event is called later. */
export function hueOf(name: string): string {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) as number)) % 9973
  return `hue-${sum % HUES}`
}

interface CoverProps
  extends Pick<Parameters<typeof FittingPicture<Picture>>[0], 'addressOf' | 'shown' | 'when'> {
  picture: SizedPicture | null
  seed: string
}

/** Shows the picture of an event, or a colour of the event's own if it has none. */
export function Cover({ picture, seed, ...how }: CoverProps) {
  if (picture === null) return <div class={`cover none ${hueOf(seed)}`} />
  return (
    <div class="cover">
      <FittingPicture files={candidatesOf(picture)} {...how} />
    </div>
  )
}
