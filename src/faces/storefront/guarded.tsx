import type { Voice } from '../web/voice.ts'
import { SHOWN, TRAP } from './form-guard.ts'

/** What a form carries for `FormGuard`: when it was shown, and a field that programs fill in. */
export function Guarded({ shown, voice }: { shown: string; voice: Voice }) {
  return (
    <>
      <input type="hidden" name={SHOWN} value={shown} />
      <div class="trap" aria-hidden="true">
        <label for={TRAP}>{voice.texts.checkout.trap}</label>
        <input id={TRAP} name={TRAP} tabindex={-1} autocomplete="off" />
      </div>
    </>
  )
}
