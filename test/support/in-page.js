// What tests ask of a page, from inside it.

/** Tries what the policy of the page must refuse. */
globalThis.intrude = address => {
  const script = document.createElement('script')
  script.textContent = 'document.title = "stolen"'
  const image = document.createElement('img')
  image.src = address
  document.body.append(script, image)
}

/** What is wider than the window. */
globalThis.findOverflow = () => {
  const { clientWidth: limit, scrollWidth } = document.documentElement
  const isOut = element => {
    const { left, right, width } = element.getBoundingClientRect()
    return width > 0 && (right > limit + 1 || left < -1)
  }
  const out = [...document.querySelectorAll('main *')].filter(isOut)
  return [`scrolls to ${scrollWidth}`, ...out.map(element => element.outerHTML.slice(0, 120))]
}

/** Every text whose contrast with its ground is below 4.5, the least of WCAG's level AA. */
globalThis.measureContrast = () => {
  const parse = color => (color.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = color => {
    const [red, green, blue] = parse(color)
      .slice(0, 3)
      .map(value => value / 255)
      .map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
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
    const both = [luminance(getComputedStyle(element).color), luminance(groundOf(element))]
    const contrast = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05)
    if (contrast < 4.5) faint.push(`${contrast.toFixed(2)} ${element.outerHTML.slice(0, 100)}`)
  }
  return { faint, count, ground: groundOf(document.body) }
}

/** Every button, field and line of a list to press that is lower than so many pixels; links within a sentence may be. */
globalThis.findSmallTargets = least =>
  [...document.querySelectorAll('button, input, summary, nav a')]
    .filter(element => element.checkVisibility())
    .map(element => ({ element, height: element.getBoundingClientRect().height }))
    .filter(({ height }) => height < least)
    .map(({ element, height }) => `${height} ${element.outerHTML.slice(0, 100)}`)

/** What the clipboard has after each button of a kind was pressed, as soon as its label is another. */
globalThis.copyAll = async selector => {
  const copied = []
  for (const button of document.querySelectorAll(selector)) {
    button.click()
    await new Promise(resolve => new MutationObserver(resolve).observe(button, { childList: true }))
    copied.push(`${button.textContent}: ${await navigator.clipboard.readText()}`)
  }
  return copied
}
