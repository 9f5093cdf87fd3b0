const contents = /** @type {HTMLElement} */ (document.getElementById('contents'))
contents.addEventListener('click', event => {
  const isLink = event.target instanceof Element && event.target.closest('a') !== null
  if (isLink && contents.matches(':popover-open')) contents.hidePopover()
})

// Behind a proxy, the server cannot know its own address. The reader's browser knows it, because it loaded this page from there.
const guess = document.documentElement.dataset.base
const path = location.pathname.replace(/\/reference$/, '')
// The commands have the address in single quotes.
const actual = location.origin + path.replaceAll("'", '%27')
if (guess !== undefined && guess !== actual) {
  for (const code of document.querySelectorAll('pre code')) {
    const text = code.textContent ?? ''
    if (text.includes(guess)) code.textContent = text.replaceAll(guess, () => actual)
  }
}
