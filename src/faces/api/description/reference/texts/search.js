// This script runs the search above the contents.

/**
 * @typedef {object} Place
 * @property {string} address
 * @property {string} label
 * @property {string} where the text below the label
 * @property {string[]} names the names that the search matches, in lower case
 * @property {string} text the whole description of the place, in lower case
 */

const MOST_SHOWN = 50

const contents = /** @type {HTMLElement} */ (document.getElementById('contents'))
const bar = /** @type {HTMLElement} */ (document.querySelector('search'))
const query = /** @type {HTMLInputElement} */ (document.getElementById('query'))
const found = /** @type {HTMLElement} */ (document.getElementById('found'))
const matches = /** @type {HTMLElement} */ (document.getElementById('matches'))
const sections = /** @type {HTMLElement} */ (matches.nextElementSibling)
const opener = /** @type {HTMLElement} */ (document.querySelector('[popovertarget]'))
const places = listPlaces()

bar.hidden = false
opener.textContent = 'Contents and search'
unfold(location.hash)

query.addEventListener('input', search)
matches.addEventListener('click', event => {
  const link = event.target instanceof Element && event.target.closest('a')
  if (link) unfold(link.hash)
})
document.addEventListener('keydown', event => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing
  if (event.key !== '/' || !isPlain || event.target === query) return
  event.preventDefault()
  if (!contents.checkVisibility()) contents.showPopover()
  query.focus()
  query.select()
})
bar.addEventListener('keydown', press)
matches.addEventListener('keydown', press)

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.isComposing) return
  const links = [...matches.querySelectorAll('a')]
  const at = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement))
  if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
  else if (event.key === 'ArrowUp') (links[at - 1] ?? query).focus()
  else if (event.key === 'Enter' && at < 0) links[0]?.click()
  else if (event.key === 'Escape' && query.value !== '') clear()
  else return
  event.preventDefault()
}

function clear() {
  query.value = ''
  search()
  query.focus()
}

function search() {
  const words = query.value.toLowerCase().split(/\s+/).filter(Boolean)
  const ranked = places
    .map(place => ({ place, rank: rankOf(place, words) }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.rank - other.rank)
    .map(({ place }) => place)
  const isSearching = words.length > 0
  sections.hidden = isSearching
  matches.hidden = !isSearching || ranked.length === 0
  matches.replaceChildren(
    ...(isSearching ? ranked.slice(0, MOST_SHOWN) : []).map(place => toLine(place, words)),
  )
  found.textContent = isSearching ? describeCount(ranked.length) : ''
}

/**
 * Ranks how well a place matches the words: by its whole name, by the beginning of a name, by words in a name, or only by its
 * description.
 *
 * @param {Place} place
 * @param {readonly string[]} words in lower case
 */
function rankOf({ names, text }, words) {
  const phrase = words.join(' ')
  if (names.some(name => name === phrase)) return 0
  if (names.some(name => name.startsWith(phrase))) return 1
  if (names.some(name => words.every(word => name.includes(word)))) return 2
  return words.every(word => text.includes(word) || names.some(name => name.includes(word)))
    ? 3
    : Number.POSITIVE_INFINITY
}

/** @param {number} count */
function describeCount(count) {
  if (count === 0) return 'Nothing found'
  return count > MOST_SHOWN ? `${count} found, the first ${MOST_SHOWN} shown` : `${count} found`
}

/**
 * @param {Place} place
 * @param {readonly string[]} words
 */
function toLine({ address, label, where }, words) {
  const line = document.createElement('li')
  const link = document.createElement('a')
  link.href = `#${address}`
  const name = document.createElement('span')
  name.append(...markWords(label, words))
  const below = document.createElement('small')
  below.textContent = where
  link.append(name, below)
  line.append(link)
  return line
}

/**
 * @param {string} label
 * @param {readonly string[]} words
 * @returns {(string | HTMLElement)[]} the label; the first word that occurs in it is marked
 */
function markWords(label, words) {
  const lower = label.toLowerCase()
  const word = words.find(part => lower.includes(part))
  if (word === undefined) return [label]
  const at = lower.indexOf(word)
  const mark = document.createElement('mark')
  mark.textContent = label.slice(at, at + word.length)
  return [label.slice(0, at), mark, label.slice(at + word.length)]
}

/**
 * Some browsers do not open a folded element to show an address in it.
 *
 * @param {string} hash
 */
function unfold(hash) {
  const details = document.getElementById(hash.slice(1))?.closest('details')
  if (details) details.open = true
}

/**
 * Returns everything on the page that the search can find. A place without an address of its own gets one.
 *
 * @returns {Place[]} chapters first, then operations, webhooks and objects, error codes, and fields
 */
function listPlaces() {
  return [...listChapters(), ...listArticles(), ...listErrors(), ...listFields()]
}

/** @returns {Place[]} */
function listChapters() {
  return [...document.querySelectorAll('section > [id]:is(h2, h3, h4)')].map(heading => {
    let text = ''
    let next = heading.nextElementSibling
    while (next !== null && !next.matches('[id]')) {
      text += ` ${textOf(next)}`
      next = next.nextElementSibling
    }
    return toPlace(heading.id, [textOf(heading)], 'Chapter', text)
  })
}

/** @returns {Place[]} */
function listArticles() {
  // The reference page is in the same folder as the operations: `/v1/`.
  const base = new URL('.', location.href).pathname
  return [...document.querySelectorAll('article')].map(article => {
    const endpoint = textOf(article.querySelector('.endpoint'))
    const text = [...article.querySelectorAll(':scope > p')].map(textOf).join(' ')
    const [method = '', path = ''] = endpoint.split(' /')
    const paths = path === '' ? [] : [path, `/${path}`, `${base}${path}`, `${method} ${base}${path}`]
    return toPlace(
      article.id,
      [titleOf(article), endpoint, article.id, ...paths],
      endpoint || kindOf(article),
      text,
    )
  })
}

/** @returns {Place[]} */
function listErrors() {
  return [...document.querySelectorAll('tbody tr')].flatMap(row => {
    const [status = '', code = '', meaning = ''] = [...row.children].map(textOf)
    if (!/^\d{3}$/.test(status)) return []
    const article = row.closest('article')
    row.id = freeAddress(`${article?.id ?? 'errors'}.${code}`)
    return [toPlace(row.id, [code], `${status}, ${article ? titleOf(article) : 'Errors'}`, meaning)]
  })
}

/** @returns {Place[]} */
function listFields() {
  return [...document.querySelectorAll('.fields li')].flatMap(field => {
    const article = field.closest('article')
    if (article === null) return []
    const path = [textOf(field.querySelector('.name'))]
    let list = field.closest('ul')
    for (let outer = list?.closest('li'); outer; outer = list?.closest('li')) {
      path.unshift(textOf(outer.querySelector('.name')))
      list = outer.closest('ul')
    }
    const label = path.join('.')
    field.id = freeAddress(`${article.id}.${label}`)
    const where = `${headingBefore(list) || kindOf(article)}, ${titleOf(article)}`
    const text = [...field.querySelectorAll(':scope > :not(ul)')].map(textOf).join(' ')
    return [toPlace(field.id, [label, path.at(-1) ?? label], where, text)]
  })
}

/** @param {Element} article one that describes no operation */
function kindOf(article) {
  return article.id.startsWith('object-') ? 'Object' : 'Webhook'
}

/**
 * @param {Element | null} element
 * @returns {string} `Query` or `Body`, if the fields of an operation have such a heading
 */
function headingBefore(element) {
  let before = element?.previousElementSibling
  while (before && !before.matches('h3, h4')) before = before.previousElementSibling
  return before?.matches('h4') ? textOf(before) : ''
}

/**
 * @param {string} address
 * @param {[string, ...string[]]} names the page shows the first of them
 * @param {string} where
 * @param {string} text
 * @returns {Place}
 */
function toPlace(address, names, where, text) {
  const lower = names.map(name => name.toLowerCase())
  return { address, label: names[0], where, names: lower, text: `${where} ${text}`.toLowerCase() }
}

/**
 * @param {string} wanted
 * @returns {string} an id that no element has yet
 */
function freeAddress(wanted) {
  let address = wanted
  for (let at = 2; document.getElementById(address) !== null; at++) address = `${wanted}-${at}`
  return address
}

/** @param {Element} article */
function titleOf(article) {
  return textOf(article.querySelector('h3'))
}

/** @param {Element | null} element */
function textOf(element) {
  return (element?.textContent ?? '').trim()
}
