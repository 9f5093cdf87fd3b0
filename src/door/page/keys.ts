import type { Door } from './door.ts'
import { Wedge } from './wedge.ts'

/** Listens for scanners that type, wherever the focus is: what they type is for no button and no field. */
export function watchKeys(door: Door): void {
  const wedge = new Wedge()
  addEventListener(
    'keydown',
    event => {
      const { key, code, shiftKey: shift, ctrlKey, altKey, metaKey, isComposing } = event
      if (key === 'Escape') door.clearResult()
      if (isComposing || ((ctrlKey || metaKey) && !altKey)) return
      const at = performance.now()
      const texts = wedge.take({ key, code, shift, at })
      if (texts === undefined) return
      event.preventDefault()
      event.stopPropagation()
      if (event.target instanceof HTMLInputElement) clear(event.target)
      door.takeTexts(texts, 'wedge', at)
    },
    { capture: true },
  )
}

/** With the event that typing would send, as the field of a search follows it. */
function clear(field: HTMLInputElement): void {
  field.value = ''
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
