import type { Context } from '../http/face.ts'
import { Format } from '../web/format.ts'
import { withQuery } from '../web/link.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import { chooseLanguage, type Language, languages } from '../web/texts/languages.ts'
import type { Voice } from '../web/voice.ts'

/** The language of a page: what its address says, else what the browser asks for. */
export interface Speech {
  language: Language
  /** The address says it: links on the page say it too. */
  isChosen: boolean
}

export function speechOf(context: Context): Speech {
  const asked = new URLSearchParams(context.querystring).get('lang')
  const chosen = languages.find(language => language === asked)
  if (chosen !== undefined) return { language: chosen, isChosen: true }
  return { language: chooseLanguage(context.acceptsLanguages.bind(context)), isChosen: false }
}

/** How a page speaks, with times in one time zone. */
export function voiceOf({ language }: Speech, timezone: string): Voice {
  return { texts: textsIn(language), format: new Format(language, timezone) }
}

/** A link to another page for visitors, in the same language. @param code by which they see a private event */
export function inSpeech({ language, isChosen }: Speech, path: string, code?: string | null): string {
  return withQuery(path, { code: code ?? undefined, lang: isChosen ? language : undefined })
}
