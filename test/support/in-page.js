// Tests call these functions in a page.

/** Tries what the policy of the page must refuse. */
globalThis.intrude = address => {
  const script = document.createElement('script')
  script.textContent = 'document.title = "stolen"'
  const image = document.createElement('img')
  image.src = address
  document.body.append(script, image)
}

/** Finds what is wider than the window. */
globalThis.findOverflow = () => {
  const { clientWidth: limit, scrollWidth } = document.documentElement
  const isOut = element => {
    const { left, right, width } = element.getBoundingClientRect()
    return width > 0 && (right > limit + 1 || left < -1)
  }
  const out = [...document.querySelectorAll('main *')].filter(isOut)
  return [`scrolls to ${scrollWidth}`, ...out.map(element => element.outerHTML.slice(0, 120))]
}

/** Finds every text whose contrast with its ground is below 4.5, the least of WCAG's level AA. */
globalThis.measureContrast = () => {
  const parse = color => (color.match(/[\d.]+/g) ?? []).map(Number)
  const groundOf = element => {
    if (element === null) return 'rgb(255, 255, 255)'
    const ground = getComputedStyle(element).backgroundColor
    return parse(ground)[3] === 0 ? groundOf(element.parentElement) : ground
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const faint = []
  let count = 0
  while (walker.nextNode()) {
    const { parentElement: element, textContent } = walker.currentNode
    if (element.tagName === 'SCRIPT' || textContent.trim() === '') continue
    count++
    const contrast = contrastOf(getComputedStyle(element).color, groundOf(element))
    if (contrast < 4.5) faint.push(`${contrast.toFixed(2)} ${element.outerHTML.slice(0, 100)}`)
  }
  return { faint, count, ground: groundOf(document.body) }
}

const brush = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })

/** Reads a color however it is written: a brush turns each into red, green and blue. */
const luminanceOf = color => {
  brush.fillStyle = color
  brush.fillRect(0, 0, 1, 1)
  const [red, green, blue] = [...brush.getImageData(0, 0, 1, 1).data]
    .map(value => value / 255)
    .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrastOf = (...colors) => {
  const [dark, light] = colors.map(luminanceOf).sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const isClear = color => /^rgba\(.*, 0\)$|\/ 0\)$/.test(color)

const groundBelow = element => {
  if (element === null) return 'Canvas'
  const { backgroundColor } = getComputedStyle(element)
  return isClear(backgroundColor) ? groundBelow(element.parentElement) : backgroundColor
}

const show = element => element.outerHTML.slice(0, 120)

const spacing = new CSSStyleSheet()
spacing.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-block-end: 2em !important }`)

/** Spaces text as a reader may (WCAG 2.2, 1.4.12), or no longer. */
globalThis.spaceText = isSpaced => {
  document.adoptedStyleSheets = isSpaced ? [spacing] : []
}

/** Finds what has more text than room: cut, or over its edge. One line that ends in an ellipsis stands elsewhere in full. */
globalThis.findCutText = () =>
  [...document.querySelectorAll('body *:not(svg *)')]
    .filter(
      element => element.checkVisibility() && !element.matches('input, select, textarea, option, .hidden'),
    )
    .filter(element => {
      const { display, textOverflow, overflowY } = getComputedStyle(element)
      if (display === 'inline' || textOverflow === 'ellipsis' || overflowY === 'auto') return false
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element
      return clientWidth > 0 && (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 2)
    })
    .map(element => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element
      return `cut ${scrollWidth}x${scrollHeight} in ${clientWidth}x${clientHeight}: ${show(element)}`
    })

/**
 * Returns where a text is seen: its lines, as far as nothing around it cuts them. The letters of a font may be higher than their
 * line.
 */
const linesOf = text => {
  const range = document.createRange()
  range.selectNodeContents(text)
  let { left, top, right, bottom } = { left: -1e9, top: -1e9, right: 1e9, bottom: 1e9 }
  let isFixed = false
  for (let around = text.parentElement; around !== null; around = around.parentElement) {
    const { overflowX, position } = getComputedStyle(around)
    isFixed ||= position === 'fixed' || position === 'sticky'
    if (overflowX === 'visible' || around === document.body) continue
    const box = around.getBoundingClientRect()
    ;[left, top] = [Math.max(left, box.left), Math.max(top, box.top)]
    ;[right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)]
  }
  return [...range.getClientRects()]
    .map(line => ({
      text,
      isFixed,
      left: Math.max(left, line.left),
      right: Math.min(right, line.right),
      top: Math.max(top, line.top + line.height * 0.2),
      bottom: Math.min(bottom, line.bottom - line.height * 0.2),
    }))
    .filter(line => line.right - line.left > 2 && line.bottom - line.top > 2)
}

/**
 * Finds texts that stand over each other. What stays in the window while the page scrolls covers other texts by turns, and does not
 * count.
 */
globalThis.findOverlaps = () => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const lines = []
  while (walker.nextNode()) {
    const { currentNode: text } = walker
    const around = text.parentElement
    if (
      text.textContent.trim() === '' ||
      around.closest('script, style, svg, select, textarea, .hidden') !== null
    )
      continue
    if (around.checkVisibility({ visibilityProperty: true })) lines.push(...linesOf(text))
  }
  lines.sort((one, other) => one.top - other.top)
  const faults = []
  for (const [at, one] of lines.entries()) {
    for (let next = at + 1; next < lines.length && lines[next].top < one.bottom - 1; next++) {
      const other = lines[next]
      if (other.text === one.text || other.isFixed !== one.isFixed) continue
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      if (width > 2)
        faults.push(`over each other: ${show(one.text.parentElement)} and ${show(other.text.parentElement)}`)
    }
  }
  return faults
}

/** Returns the frame of an element together with the ring of its focus, a frame a line. */
const framesOf = element => {
  const { outlineWidth, outlineOffset } = getComputedStyle(element)
  const ring = Math.max(0, Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset))
  return [...element.getClientRects()]
    .filter(({ width, height }) => width > 0 && height > 0)
    .map(rect => ({ rect, ring }))
}

const isWithin = ({ rect, ring }, box) =>
  rect.left - ring >= box.left - 1 &&
  rect.right + ring <= box.right + 1 &&
  rect.top - ring >= box.top - 1 &&
  rect.bottom + ring <= box.bottom + 1

/** Returns what somebody who goes by the Tab key does not see of a stop, or of its ring. */
const findHidden = stop => {
  const { outlineStyle, outlineWidth, outlineOffset, outlineColor } = getComputedStyle(stop)
  const faults = []
  if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) faults.push('no ring')
  const ground = groundBelow(Number.parseFloat(outlineOffset) < 0 ? stop : stop.parentElement)
  if (contrastOf(outlineColor, ground) < 3) faults.push(`faint ring ${outlineColor} on ${ground}`)
  const frames = framesOf(stop)
  if (frames.length === 0) faults.push('nothing to see')
  const { clientWidth: right, clientHeight: bottom } = document.documentElement
  // A text of many lines is scrolled to its first, where the caret stands.
  const isText = stop.matches('textarea')
  const isInline = getComputedStyle(stop).display === 'inline'
  const end = isText ? Number.POSITIVE_INFINITY : bottom
  if (!frames.every(frame => isWithin(frame, { left: 0, top: 0, right, bottom: end })))
    faults.push('out of the window')
  for (let around = stop.parentElement; around !== document.body && around; around = around.parentElement) {
    if (getComputedStyle(around).overflowX === 'visible') continue
    if (!frames.every(frame => isWithin(frame, around.getBoundingClientRect())))
      faults.push(`cut by ${around.className}`)
  }
  for (const { rect } of frames) {
    const [x, y] = [(rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2]
    const top = [x, rect.top + 2]
    const middle = [
      [x, y],
      [rect.left + 2, y],
      [rect.right - 2, y],
    ]
    // The letters of a font may be higher than its line: the frames of two lines of text then overlap, and nothing that is seen.
    const points = isInline ? middle : [top, ...middle, [x, rect.bottom - 2]]
    const over = (isText ? [top] : points)
      .map(point => document.elementFromPoint(...point))
      .find(found => found && !stop.contains(found))
    if (over && !over.contains(stop)) faults.push(`covered by ${show(over)}`)
  }
  return faults.map(fault => `${fault}: ${show(stop)}`)
}

const walk = { stops: new Set(), faults: [], isOver: false }

const stopHere = () => {
  const { activeElement: stop, body } = document
  const [first] = walk.stops
  if (stop === body || stop === first) walk.isOver = true
  // A field of a date has stops of its own.
  if (walk.isOver || walk.stops.has(stop)) return
  walk.stops.add(stop)
  walk.faults.push(...findHidden(stop))
}

/**
 * Begins a walk at an element; each press looks at the stop that it leads to.
 *
 * @returns how many presses lead to the end, about
 */
globalThis.beginWalk = selector => {
  Object.assign(walk, { stops: new Set(), faults: [], isOver: false })
  const first = document.querySelector(selector)
  // An element that has the focus already is not scrolled to.
  document.activeElement.blur()
  first.focus()
  walk.stops.add(first)
  if (first.tabIndex >= 0) walk.faults.push(...findHidden(first))
  document.addEventListener('keyup', stopHere)
  // A ticked row brings the bar of what is done with it.
  const row = document.querySelector('tbody [name="id"]')
  if (row) row.checked = true
  return document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea, summary').length
}

/** Returns what was not seen on the walk. It is undefined while the walk goes on. */
globalThis.endWalk = () => (walk.isOver || document.activeElement === document.body ? walk.faults : undefined)

const hasEdge = element => {
  const style = getComputedStyle(element)
  const sides = ['Top', 'Right', 'Bottom', 'Left'].map(side => ({
    width: Number.parseFloat(style[`border${side}Width`]),
    color: style[`border${side}Color`],
  }))
  const outline = {
    width: style.outlineStyle === 'none' ? 0 : Number.parseFloat(style.outlineWidth),
    color: style.outlineColor,
  }
  return [...sides, outline].some(
    ({ width, color }) =>
      width > 0 && !isClear(color) && contrastOf(color, groundBelow(element.parentElement)) >= 3,
  )
}

/** Finds what cannot be told from its ground once the colours are those of the reader (forced-colors). */
globalThis.findLostShapes = () => {
  const seen = [...document.querySelectorAll('main *, .nav *')].filter(element => element.checkVisibility())
  const edged = `.button, input:not([type=checkbox], [type=radio], [type=hidden]), select, textarea, .pill, .chip, .banner,
    .verdict, .theirs, .card, .box, meter, progress, [aria-current]`
  return [
    ...seen.filter(element => element.matches(edged) && !hasEdge(element)),
    ...seen.filter(
      element =>
        element.matches('.chart .b') &&
        contrastOf(getComputedStyle(element).fill, groundBelow(element.closest('div, section'))) < 3,
    ),
  ].map(element => `lost: ${show(element)}`)
}

/**
 * Finds what does not work on paper: what only a screen can use, text that needs its ground, and a table without its headings on
 * each page.
 */
globalThis.findUnprintable = () => {
  const seen = [...document.querySelectorAll('body *:not(svg *)')].filter(element =>
    element.checkVisibility(),
  )
  const tables = seen.filter(element => element.matches('table'))
  const repeats = table =>
    getComputedStyle(table).display === 'table' &&
    getComputedStyle(table.tHead).display === 'table-header-group' &&
    [...table.tHead.rows[0].cells].every(cell => cell.matches('.pick, .action') !== cell.checkVisibility())
  const isFaint = element =>
    [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '') &&
    contrastOf(getComputedStyle(element).color, 'white') < 4.5
  const ground = groundBelow(document.body)
  return [
    ...(contrastOf(ground, 'white') > 1.01 ? [`on ${ground}`] : []),
    ...seen.filter(element => element.matches('button, .button, nav, .bar, [type=file]')).map(show),
    ...tables
      .filter(table => table.tHead && !repeats(table))
      .map(table => `without headings: ${show(table)}`),
    ...seen.filter(isFaint).map(element => `faint: ${show(element)}`),
  ]
}

/** Finds every button, field and line of a list to press that is lower than so many pixels. Links within a sentence may be. */
globalThis.findSmallTargets = least =>
  [...document.querySelectorAll('button, input, summary, nav a')]
    .filter(element => element.checkVisibility())
    .map(element => ({ element, height: element.getBoundingClientRect().height }))
    .filter(({ height }) => height < least)
    .map(({ element, height }) => `${height} ${element.outerHTML.slice(0, 100)}`)

/** Returns what the clipboard has after each button of a kind was pressed, as soon as its label is another. */
globalThis.copyAll = async selector => {
  const copied = []
  for (const button of document.querySelectorAll(selector)) {
    button.click()
    await new Promise(resolve => new MutationObserver(resolve).observe(button, { childList: true }))
    copied.push(`${button.textContent}: ${await navigator.clipboard.readText()}`)
  }
  return copied
}
