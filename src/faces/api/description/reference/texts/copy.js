// This script adds a copy button to every command and example.

const SHOWN_FOR = 2_000

const liveRegion = document.createElement('p')
liveRegion.className = 'spoken'
liveRegion.setAttribute('role', 'status')
document.body.append(liveRegion)

for (const pre of document.querySelectorAll('pre')) {
  const block = document.createElement('div')
  block.className = 'code'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  pre.replaceWith(block)
  block.append(button, pre)

  let timer = 0
  button.addEventListener('click', async () => {
    const result = (await copy(pre)) ? 'Copied' : 'Selected'
    button.textContent = result
    liveRegion.textContent = result
    clearTimeout(timer)
    timer = setTimeout(() => {
      button.textContent = 'Copy'
      liveRegion.textContent = ''
    }, SHOWN_FOR)
  })
}

/**
 * Copies the text of a block, or selects it if the browser lets no page copy.
 *
 * @param {HTMLElement} pre
 * @returns {Promise<boolean>} whether it was copied
 */
async function copy(pre) {
  const text = (pre.textContent ?? '').replace(/\n$/, '')
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Over http, `navigator.clipboard` exists only on this machine's own address.
    getSelection()?.selectAllChildren(pre)
    return copySelected(text)
  }
}

/**
 * @param {string} text the exact text to copy in place of the selection
 * @returns {boolean} whether it was copied
 */
function copySelected(text) {
  /** @param {ClipboardEvent} event */
  const put = event => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
  }
  document.addEventListener('copy', put)
  try {
    return document.execCommand('copy')
  } finally {
    document.removeEventListener('copy', put)
  }
}
