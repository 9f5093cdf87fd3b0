import type { Voice } from '#machinery/web/voice.ts'
import { SHOWN, TRAP } from './form-guard.ts'

/** Adds the fields that `FormGuard` checks: the time when the form was shown, and a trap that programs fill in. */
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
