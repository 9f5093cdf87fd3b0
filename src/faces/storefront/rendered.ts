import type { VNode } from 'preact'
import { render } from './answer.ts'
import type { Kept } from './page-cache.ts'
import type { Speech } from './voice.ts'

/** Returns the page in one language, which is rendered once for all visitors. */
export function renderedOf(kept: Kept<unknown>, { language, isChosen }: Speech, make: () => VNode) {
  const name = `${language} ${isChosen}`
  let rendered = kept.rendered.get(name)
  if (rendered === undefined) {
    rendered = render(make())
    kept.rendered.set(name, rendered)
  }
  return rendered
}
