/** Shows Turnout's pages in a dialog of the site that has this script, and gives their frames the height of what is in them. */
{
  const own = /** @type {HTMLScriptElement} */ (document.currentScript)
  const base = new URL('..', own.src)

  /** Returns the address of the frame for a link to an organizer, an event or a series, or nothing for any other link. */
  const frameOf = (/** @type {string} */ href) => {
    const url = new URL(href)
    const path = url.href.startsWith(base.href) ? url.pathname.slice(base.pathname.length) : ''
    const [, list, event] = /^([a-z0-9-]+)(\/[a-z0-9-]+)?\/?$/.exec(path) ?? []
    if (!list) return undefined
    url.pathname = base.pathname + list + (event ? `${event}/embed` : '/embed.html')
    url.searchParams.set('back', location.href.split('#')[0] ?? '')
    return url.href
  }

  const open = (/** @type {HTMLAnchorElement} */ link, /** @type {string} */ src) => {
    const dialog = document.createElement('dialog')
    const head = document.createElement('form')
    const frame = document.createElement('iframe')
    const close = document.createElement('button')
    const title = document.createElement('a')
    dialog.style.cssText = 'width:min(48rem,96vw);max-height:92vh;padding:0;border:0;border-radius:10px'
    head.style.cssText =
      'display:flex;gap:1rem;justify-content:space-between;align-items:start;padding:.75rem 1rem'
    frame.style.cssText = 'display:block;width:100%;height:32rem;border:0'
    close.textContent = own.dataset.close ?? 'Close'
    title.href = link.href
    title.textContent = dialog.ariaLabel = frame.title = (link.textContent ?? '').trim() || link.href
    head.method = 'dialog'
    frame.dataset.turnout = ''
    frame.src = src
    head.append(title, close)
    dialog.append(head, frame)
    dialog.addEventListener('close', () => dialog.remove())
    document.body.append(dialog)
    dialog.showModal()
  }

  document.addEventListener('click', event => {
    const link = event.target instanceof Element && event.target.closest('a[data-turnout]')
    const isPlain = !(event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (!(link instanceof HTMLAnchorElement) || !isPlain || event.defaultPrevented) return
    const src = frameOf(link.href)
    if (!src) return
    event.preventDefault()
    open(link, src)
  })

  addEventListener('message', ({ data, origin, source }) => {
    if (origin !== base.origin || !(data?.turnout > 0)) return
    const frames = /** @type {NodeListOf<HTMLIFrameElement>} */ (
      document.querySelectorAll('iframe[data-turnout]')
    )
    for (const frame of frames)
      if (frame.contentWindow === source) frame.style.height = `${Math.min(data.turnout, 20000)}px`
  })
}
