import type { Voice } from '#machinery/web/voice.ts'

/** Returns a voice in which the form of an abstract speaks of somebody else. */
export function speakToChairs<Of extends Pick<Voice, 'texts'>>(voice: Of): Of {
  const { texts } = voice
  return { ...voice, texts: { ...texts, calls: { ...texts.calls, ...texts.abstractAdding.form } } }
}
