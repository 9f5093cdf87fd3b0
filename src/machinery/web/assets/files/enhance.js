/** Fetches an address of this page, and replaces the element of this id by the fetched one, unless the old one has the focus. */
async function renew(/** @type {string} */ id, address = location.href) {
  const response = await fetch(address, { headers: { 'X-Live': '1' } })
  if (!response.ok || response.redirected) return false
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const [old, fresh] = [document.getElementById(id), page.getElementById(id)]
  if (!old || !fresh || old.contains(document.activeElement)) return true
  // What a person has opened or ticked stays so.
  for (const open of old.querySelectorAll('details[open][id]'))
    fresh.querySelector(`#${open.id}`)?.setAttribute('open', '')
  old.replaceWith(fresh)
  prepare(fresh)
  return true
}

/** Renews the numbers that change by themselves. */
for (const { id, dataset } of /** @type {NodeListOf<HTMLElement>} */ (
  document.querySelectorAll('[data-live]')
)) {
  const wait = Number(dataset.live) * 1000
  const look = async () => {
    const goOn = document.hidden || (await renew(id).catch(() => true))
    if (goOn && document.getElementById(id)?.dataset.live) setTimeout(look, wait)
  }
  setTimeout(look, wait)
}

/** Closes a sheet that the keyboard has left, because it would cover the element that has the focus. */
for (const sheet of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.sheet[popover]'))) {
  sheet.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Element) || sheet.contains(relatedTarget)) return
    // Its own button closes the sheet by itself.
    if (!relatedTarget.closest(`[popovertarget="${sheet.id}"]`)) sheet.hidePopover()
  })
}

/** Searches while a person types. */
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (
  document.querySelectorAll('form[data-search]')
)) {
  let latest = 0
  const look = () => {
    const turn = ++latest
    setTimeout(() => {
      if (turn !== latest) return
      const query = new URLSearchParams(/** @type {any} */ (new FormData(form)))
      const address = `${form.action.split('?')[0]}?${query}`
      history.replaceState(null, '', address)
      renew(form.dataset.search ?? '', address).catch(() => form.requestSubmit())
    }, 250)
  }
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('[type=search]'))
  for (const field of fields) field.addEventListener('input', look)
  // The field has the focus before this script runs. Text that was typed until then counts too.
  if ([...fields].some(({ value, defaultValue }) => value !== defaultValue)) look()
}

/** Fills in the time zone of the browser. */
for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('[data-zone]'))) {
  field.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** A click selects the text of a field with a list, because the list shows only what fits that text. */
for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('input[list]'))) {
  field.addEventListener('click', () => field.select())
}

/** True while there is text that nobody has sent yet. */
let isUnsaved = false
document.addEventListener('input', ({ target }) => {
  if (target instanceof Element && target.closest('form[data-guard]')) isUnsaved = true
})
document.addEventListener('submit', () => {
  isUnsaved = false
})
addEventListener('beforeunload', event => {
  if (isUnsaved) event.preventDefault()
})

/** Copies a text. Over plain http the only clipboard is that of the selection. */
async function copy(/** @type {string} */ text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

/** Shows the buttons that need the script. They are hidden without it. */
function prepare(/** @type {ParentNode} */ part) {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (part.querySelectorAll('[data-copy]'))) {
    button.hidden = false
    button.addEventListener('click', async () => {
      await copy(button.dataset.copy ?? '')
      button.textContent = button.dataset.done ?? ''
    })
  }
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (part.querySelectorAll('[data-print]'))) {
    button.hidden = false
    button.addEventListener('click', () => print())
  }
  for (const all of /** @type {NodeListOf<HTMLInputElement>} */ (part.querySelectorAll('[data-all]'))) {
    all.addEventListener('change', () => {
      for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (
        all.closest('form')?.querySelectorAll(`[name="${all.dataset.all}"]`) ?? []
      )) {
        box.checked = all.checked
      }
    })
  }
}
prepare(document)
