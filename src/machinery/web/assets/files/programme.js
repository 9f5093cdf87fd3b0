/** Lets people drag what stands in the sessions of a programme, and abstracts into them. It sends what the forms send. */
export {}

/** @type {HTMLElement | null} */
let dragged = null
/** @type {HTMLElement | null} */
let marked = null
let isSending = false

/** @type {(node: EventTarget | null, selector: string) => HTMLElement | null} */
const around = (node, selector) => (node instanceof Element ? node.closest(selector) : null)

/** @type {(part: ParentNode, selector: string) => NodeListOf<HTMLElement>} */
const all = (part, selector) => part.querySelectorAll(selector)

const prepare = () => {
  for (const each of all(document, '[data-slot], [data-abstract]')) {
    each.draggable = true
    for (const link of all(each, 'a')) link.draggable = false
  }
  for (const hint of all(document, '[data-scripted]')) hint.hidden = false
}

/**
 * Returns where something that is dropped comes to stand: before which slot, or at the end.
 *
 * @type {(event: DragEvent) => { session: HTMLElement, before: string, at: HTMLElement } | undefined}
 */
const placeOf = ({ target, clientY }) => {
  const session = around(target, '[data-session]')
  if (!session || !dragged || isSending) return undefined
  const over = around(target, '[data-slot]')
  if (!over) return { session, before: '', at: session }
  const { top, height } = over.getBoundingClientRect()
  if (clientY < top + height / 2) return { session, before: over.dataset.slot ?? '', at: over }
  const next = /** @type {HTMLElement | null} */ (over.nextElementSibling)
  return { session, before: next?.dataset.slot ?? '', at: next ?? session }
}

/** @type {(at: HTMLElement | null) => void} */
const mark = at => {
  if (marked === at) return
  marked?.classList.remove('drop')
  at?.classList.add('drop')
  marked = at
}

/**
 * Sends a form. The page is then read again, which keeps where it is scrolled to, and says what has become of it. A form that is
 * refused is shown as it is answered.
 *
 * @type {(address: string, fields: Record<string, string>) => Promise<void>}
 */
const send = async (address, fields) => {
  isSending = true
  const body = new URLSearchParams(fields)
  const answer = await fetch(address, { method: 'POST', body, redirect: 'manual' }).catch(() => undefined)
  const page = new DOMParser().parseFromString((await answer?.text()) ?? '', 'text/html')
  const main = page.querySelector('main')
  if (main) document.querySelector('main')?.replaceWith(main)
  // Without an answer, nobody knows whether it has arrived: the page shows it.
  else location.reload()
}

addEventListener('dragstart', event => {
  dragged = around(event.target, '[data-slot], [data-abstract]')
  if (dragged) event.dataTransfer?.setData('text/plain', dragged.textContent ?? '')
})

addEventListener('dragover', event => {
  const place = placeOf(event)
  if (place) event.preventDefault()
  mark(place?.at ?? null)
})

addEventListener('dragend', () => {
  dragged = null
  mark(null)
})

addEventListener('drop', event => {
  const place = placeOf(event)
  const from = around(dragged, '[data-session]')?.dataset.session ?? ''
  const { slot = '', abstract = '' } = dragged?.dataset ?? {}
  const { move = '', place: into = '' } = document.getElementById('programme')?.dataset ?? {}
  if (!place) return
  event.preventDefault()
  mark(null)
  const fields = { session: place.session.dataset.session ?? '', before: place.before }
  if (abstract) send(into.replace('ID', abstract), fields)
  else if (slot !== place.before) send(move.replace('ID', slot), { ...fields, from })
})

prepare()
