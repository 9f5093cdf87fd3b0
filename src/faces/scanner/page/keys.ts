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
      // When the key was pressed: a page that was busy hears of it later.
      const texts = wedge.take({ key, code, shift, at: event.timeStamp })
      if (texts === undefined) return
      event.preventDefault()
      event.stopPropagation()
      const field = event.target instanceof HTMLInputElement ? event.target : undefined
      // All of what a scanner typed that had stopped for a moment.
      const typed = field === undefined || texts.includes(field.value) ? texts : [...texts, field.value]
      if (field !== undefined) clear(field)
      door.takeTexts(typed, 'wedge', performance.now())
    },
    { capture: true },
  )
}

/** With the event that typing would send, as the field of a search follows it. */
function clear(field: HTMLInputElement): void {
  field.value = ''
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
