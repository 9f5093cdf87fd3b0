import type { Voice } from '#machinery/web/voice.ts'
import type { Texts } from '#texts/texts.ts'

/** Returns a voice in which the form of an abstract speaks of somebody else. @param words in place of those for authors */
export function speakToChairs<Of extends Pick<Voice, 'texts'>>(
  voice: Of,
  words: Partial<Texts['calls']>,
): Of {
  const { texts } = voice
  return { ...voice, texts: { ...texts, calls: { ...texts.calls, ...words } } }
}
