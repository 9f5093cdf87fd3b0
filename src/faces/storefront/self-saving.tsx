import type { Context } from '#machinery/http/face.ts'
import { answerJson } from '#machinery/http/sending.ts'
import { assetPath } from '#machinery/web/assets/assets.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { BLANK } from '#product/programme/submissions/submission-form.tsx'

// Forms for long texts save themselves where their pages run a script: those of authors and of reviewers.

/** The script of the pages that people write in, which work without it. */
export function WritingScript() {
  return <script type="module" src={assetPath('writing.js')} />
}

/**
 * Says how a form saves itself, and what becomes of that. The script fills it in.
 *
 * @param address that saves
 * @param gone says that nothing can be saved here any more
 */
export function Autosave({
  address,
  gone,
  voice,
}: {
  address: string
  gone: (texts: Voice['texts']) => string
  voice: Voice
}) {
  const { failing, other, asks, theirs, keep, take } = voice.texts.calls.bySelf
  const texts = {
    ...{ 'data-failing': failing, 'data-gone': gone(voice.texts), 'data-other': other, 'data-asks': asks },
    ...{ 'data-theirs': theirs(BLANK), 'data-keep': keep, 'data-take': take },
  }
  return (
    <div hidden data-save={address} {...texts}>
      <p role="status" class="strong" />
      <p class="quiet" />
    </div>
  )
}

/** What the script of a form reads of its answer. `assets/files/writing.js` has the same names. */
interface Saved {
  /** The revision that stands now. */
  revision: number | string
  /** What the page says of it. */
  said: string
}

interface Refused {
  said: string
  /** Whether something else was saved since the form was shown, which the script merges. */
  isElsewhere: boolean
  /** Whether nothing can be saved here any more. */
  isOver: boolean
}

export function answerSaved(context: Context, status: number, what: Saved | Refused): void {
  context.set('Cache-Control', 'no-store')
  // Of an object, Koa asks whether it is an answer of fetch, for which Node loads all of fetch.
  answerJson(context, status, JSON.stringify(what))
}
