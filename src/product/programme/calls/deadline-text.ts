import { Format } from '#machinery/web/format.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import { ANYWHERE_ON_EARTH, type Call } from './schemas.ts'

/** Returns a deadline as people read it: with its zone, since authors live in many. @param timezone of the event */
export function deadlineText(
  { closes_at, zone }: Pick<Call, 'closes_at' | 'zone'>,
  timezone: string,
  language: Language,
): string {
  const format = new Format(language, zone ?? timezone)
  const { anywhere } = textsIn(language).calls
  const name = zone === ANYWHERE_ON_EARTH ? anywhere : format.zone(closes_at)
  return `${format.dateTime(closes_at)} (${name})`
}
