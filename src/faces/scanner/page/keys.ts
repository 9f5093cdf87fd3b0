import type { Door } from './door.ts'
import { Wedge } from './wedge.ts'

/** Listens to keyboard scanners, wherever the focus is. Their input is for no button and no field. */
export function watchKeys(door: Door): void {
  const wedge = new Wedge()
  addEventListener(
    'keydown',
    event => {
      const { key, code, shiftKey: shift, ctrlKey, altKey, metaKey, isComposing } = event
      if (key === 'Escape') door.clearResult()
      if (isComposing || ((ctrlKey || metaKey) && !altKey)) return
      // The event has the time of the key press. A page that was busy learns of it later.
      const texts = wedge.take({ key, code, shift, at: event.timeStamp })
      if (texts === undefined) return
      event.preventDefault()
      event.stopPropagation()
      const field = event.target instanceof HTMLInputElement ? event.target : undefined
      // The field has everything that the scanner typed, even if it stopped for a moment.
      const typed = field === undefined || texts.includes(field.value) ? texts : [...texts, field.value]
      if (field !== undefined) clear(field)
      door.takeTexts(typed, 'wedge', performance.now())
    },
    { capture: true },
  )
}

/** Clears the field and sends the event of typing, because the search field follows it. */
function clear(field: HTMLInputElement): void {
  field.value = ''
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
