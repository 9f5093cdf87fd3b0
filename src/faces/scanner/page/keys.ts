import { isComplete } from './codes.ts'
import type { Door } from './door.ts'
import { type Burst, CODE_PAUSE, Wedge } from './wedge.ts'

/** Listens to keyboard scanners, wherever the focus is. Their input is for no button and no field. */
export function watchKeys(door: Door): void {
  const wedge = new Wedge()
  let waiting: ReturnType<typeof setTimeout> | undefined
  const give = ({ texts }: Burst, field: HTMLInputElement | undefined) => {
    // The field has everything that the scanner typed, even if it stopped for a moment.
    const isEnough = field === undefined || texts.some(isComplete) || texts.includes(field.value)
    const typed = isEnough || texts.length === 0 ? texts : [...texts, field.value]
    if (field !== undefined) clear(field)
    if (typed.length > 0) door.takeTexts(typed, 'wedge', performance.now())
  }
  const expire = () => {
    const burst = wedge.expire(performance.now())
    const field = fieldOf(document.activeElement)
    if (burst !== undefined && !(burst.isByHand && field !== undefined)) give(burst, field)
  }
  addEventListener(
    'keydown',
    event => {
      const { key, code, shiftKey: shift, ctrlKey, altKey, metaKey, isComposing } = event
      if (key === 'Escape') door.clearResult()
      if (isComposing || ((ctrlKey || metaKey) && !altKey)) return
      clearTimeout(waiting)
      // The event has the time of the key press. A page that was busy learns of it later.
      const burst = wedge.take({ key, code, shift, at: event.timeStamp })
      if (wedge.isPending) waiting = setTimeout(expire, CODE_PAUSE)
      const field = fieldOf(event.target)
      if (burst === undefined || (burst.isByHand && field !== undefined)) return
      event.preventDefault()
      event.stopPropagation()
      give(burst, field)
    },
    { capture: true },
  )
}

function fieldOf(target: EventTarget | null): HTMLInputElement | undefined {
  return target instanceof HTMLInputElement ? target : undefined
}

/** Clears the field and sends the event of typing, because the search field follows it. */
function clear(field: HTMLInputElement): void {
  field.value = ''
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
