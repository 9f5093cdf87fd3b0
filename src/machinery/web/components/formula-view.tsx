import { h, type VNode } from 'preact'
import type { MathTree } from '#machinery/formulas/math-tree.ts'

/** A formula of more letters and signs than these may be wider than a phone. */
const MOST_NARROW = 18

/**
 * Shows a formula as MathML, which browsers draw and screen readers read by themselves. What was typed for it goes along as an
 * annotation. It has no `alttext`: TeX read aloud says less than what a screen reader makes of the formula. A wide one scrolls in a
 * box of its own, which the keyboard reaches.
 *
 * https://www.w3.org/TR/mathml-core/#semantics-and-presentation
 */
export function FormulaView({ tree, tex, isBlock }: { tree: MathTree; tex: string; isBlock: boolean }) {
  const math = h(
    'math',
    { display: isBlock ? 'block' : 'inline' },
    h('semantics', null, renderTree(tree), h('annotation', { encoding: 'application/x-tex' }, tex)),
  )
  const isWide = countText(tree) > MOST_NARROW
  if (!isBlock && !isWide) return math
  return (
    <span class={isBlock ? 'formula block' : 'formula'} tabindex={isWide ? 0 : undefined}>
      <span>{math}</span>
    </span>
  )
}

function renderTree([name, attributes, ...content]: MathTree): VNode {
  return h(name, attributes, ...content.map(part => (typeof part === 'string' ? part : renderTree(part))))
}

function countText([, , ...content]: MathTree): number {
  return content.reduce<number>(
    (sum, part) => sum + (typeof part === 'string' ? part.length : countText(part)),
    0,
  )
}
