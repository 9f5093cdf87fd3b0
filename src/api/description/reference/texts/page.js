const contents = document.getElementById('contents')
contents.addEventListener('click', event => {
  if (event.target.closest('a') && contents.matches(':popover-open')) contents.hidePopover()
})

// Behind a proxy the server cannot know its own address, but who reads this page came by it.
const guess = document.documentElement.dataset.base
const path = location.pathname.replace(/\/reference$/, '')
// The commands have it in single quotes.
const actual = location.origin + path.replaceAll("'", '%27')
if (guess !== undefined && guess !== actual) {
  for (const code of document.querySelectorAll('pre code')) {
    if (code.textContent.includes(guess)) code.textContent = code.textContent.replaceAll(guess, () => actual)
  }
}
