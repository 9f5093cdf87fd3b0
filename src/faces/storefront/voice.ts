import type { Context } from '#machinery/http/face.ts'
import { Format } from '#machinery/web/format.ts'
import { withQuery } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { readBack } from '#product/administration/accounts/origins.ts'
import { textsIn } from '#texts/catalogue.ts'
import { chooseLanguage, type Language, languages } from '#texts/languages.ts'

/** A page has this language. It comes from the address, or else from the browser's wish. */
export interface Speech {
  language: Language
  /** It is true if the address names the language. The links on the page then name it too. */
  isChosen: boolean
  /** The address of the page of the organizer's own site that leads here. The links on the page carry it on. */
  back?: string | undefined
}

/** The parameter with that address. */
export const BACK = 'back'

export function speechOf(context: Context): Speech {
  const requested = new URLSearchParams(context.querystring).get('lang')
  const chosen = languages.find(language => language === requested)
  if (chosen !== undefined) return { language: chosen, isChosen: true }
  return { language: chooseLanguage(context.acceptsLanguages.bind(context)), isChosen: false }
}

/** Returns the texts of a page, and its format with times in one time zone. */
export function voiceOf({ language }: Speech, timezone: string): Voice {
  return { texts: textsIn(language), format: new Format(language, timezone) }
}

/** Returns the same with the way back to the organizer's own site, if the address has one that they allow. */
export function speechWithBack(context: Context, { origins }: { origins: readonly string[] }): Speech {
  if (origins.length === 0) return speechOf(context)
  return { ...speechOf(context), back: readBack(new URLSearchParams(context.querystring).get(BACK), origins) }
}

/** Returns both for a page of an event. */
export function speakOf(
  context: Context,
  { event, organizer }: { event: { timezone: string }; organizer: { origins: readonly string[] } },
): { speech: Speech; voice: Voice } {
  const speech = speechWithBack(context, organizer)
  return { speech, voice: voiceOf(speech, event.timezone) }
}

/** Returns a link to another page for visitors in the same language. @param code lets them see a private event */
export function inSpeech({ language, isChosen, back }: Speech, path: string, code?: string | null): string {
  return withQuery(path, { code: code ?? undefined, lang: isChosen ? language : undefined, [BACK]: back })
}
