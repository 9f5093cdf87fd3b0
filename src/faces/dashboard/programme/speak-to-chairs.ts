import type { Voice } from '#machinery/web/voice.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { withoutDuties } from '#product/programme/submissions/answers.ts'
import type { FormOf } from '#product/programme/submissions/sent-form.ts'
import type { Texts } from '#texts/texts.ts'

/** Returns a voice in which the form of an abstract speaks of somebody else. @param words in place of those for authors */
export function speakToChairs<Of extends Pick<Voice, 'texts'>>(
  voice: Of,
  words: Partial<Texts['calls']>,
): Of {
  const { texts } = voice
  return { ...voice, texts: { ...texts, calls: { ...texts.calls, ...words } } }
}

/** What the form of an abstract is made of for chairs. It asks for no file, which they cannot attach, and for no answer, which they may not know. */
export function formForChairs(call: Call, isNew: boolean, { format }: Pick<Voice, 'format'>): FormOf {
  return { call: withoutDuties(call), isNew, file: {}, language: format.language }
}
