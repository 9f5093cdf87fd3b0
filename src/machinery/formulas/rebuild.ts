import { allowsAttribute, isMathTree, type MathTree } from './math-tree.ts'

/** A node of the tree that Temml builds, as far as it is looked at. Its classes and inline styles are for a style sheet of its own. */
export interface TemmlNode {
  type?: string
  attributes?: Readonly<Record<string, unknown>>
  children?: readonly TemmlNode[]
  classes?: readonly string[]
  style?: Readonly<Record<string, unknown>>
  text?: string
}

/**
 * Rebuilds the content of a formula of Temml with what is allowed. Attributes that are not are left out, as a formula says the same
 * without a colour. It has no elements that are not: without one it would say something else.
 *
 * @returns undefined for a formula with something that is not allowed
 */
export function rebuild(math: TemmlNode): MathTree | undefined {
  if (math.type !== 'math') return undefined
  const content = rebuildAll(math.children ?? [])
  const tree: MathTree = content.length === 1 ? (content[0] as MathTree) : ['mrow', {}, ...content]
  return isMathTree(tree) ? tree : undefined
}

function rebuildAll(nodes: readonly TemmlNode[]): MathTree[] {
  const rebuilt = nodes.flatMap(node =>
    isFragment(node) ? rebuildAll(node.children ?? []) : [rebuildNode(node)],
  )
  return withPrescripts(rebuilt)
}

/** Temml has nodes that stand for what is in them, and puts an empty one of HTML where its style sheet would count equations. */
function isFragment(node: TemmlNode): boolean {
  if (node.type !== undefined || node.text !== undefined) return false
  const isOfHtml = 'attributes' in node || 'href' in node || 'src' in node
  return isOfHtml ? node.children?.length === 0 : Array.isArray(node.children)
}

function rebuildNode(node: TemmlNode): MathTree {
  const { type = '', children = [], style = {} } = node
  // It would stand on what is beside it, without the style sheet of Temml.
  if (style.position === 'absolute') return NOT_ALLOWED
  if (type === 'menclose') return rebuildEnclosed(node)
  // A name that is not in the lists is refused with the whole formula.
  if (/^m[ion]$|^mtext$/.test(type)) return [type, attributesOf(node), textOf(children)]
  const content = rebuildAll(children)
  return [type, attributesOf(node), ...content]
}

/** It is in no list, so a formula with it is refused. */
const NOT_ALLOWED: MathTree = ['', {}]

/**
 * Puts the mass and number of an isotope before its letters, by the element that MathML has for it. Temml makes two groups of them: an
 * invisible one that takes their room, and one that its style sheet moves there.
 */
function withPrescripts(nodes: MathTree[]): MathTree[] {
  const scripts = nodes.map(node => findInvisible(node))
  const at = scripts.findIndex((each, index) => each !== undefined && nodes[index + 1]?.[0] === 'msubsup')
  if (at < 0) return nodes
  const base: MathTree = nodes[at + 2] ?? ['mrow', {}]
  const isotope: MathTree = ['mmultiscripts', {}, base, ['mprescripts', {}], ...(scripts[at] ?? [])]
  return [...nodes.slice(0, at), isotope, ...withPrescripts(nodes.slice(at + 3))]
}

/** Returns what is below and above an invisible letter, which is invisible too. */
function findInvisible([name, , ...parts]: MathTree): MathTree[] | undefined {
  if (name !== 'msubsup' || parts.length !== 3) return undefined
  const insides = parts.map(part => {
    const [padded, , phantom] = part as MathTree
    if (padded !== 'mpadded' || !Array.isArray(phantom) || phantom[0] !== 'mphantom') return undefined
    const [, , ...inside] = phantom as MathTree
    return ['mrow', {}, ...inside] as MathTree
  })
  const [letter, below, above] = insides
  return letter && below && above && [below, above]
}

function textOf(nodes: readonly TemmlNode[]): string {
  return nodes.map(({ text, children = [] }) => text ?? textOf(children)).join('')
}

/** A line above or below is said by elements that all browsers and readers know. Nothing else that encloses is in MathML Core. */
function rebuildEnclosed({ attributes = {}, children = [] }: TemmlNode): MathTree {
  const content: MathTree = ['mrow', {}, ...rebuildAll(children)]
  const line = (sign: string): MathTree => ['mo', { stretchy: 'true' }, sign]
  if (attributes.notation === 'top') return ['mover', { accent: 'true' }, content, line('\u00af')]
  if (attributes.notation === 'bottom') return ['munder', { accentunder: 'true' }, content, line('_')]
  return NOT_ALLOWED
}

function attributesOf(node: TemmlNode): Record<string, string> {
  const { type = '', attributes = {} } = node
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries({ ...attributes, class: classOf(node) })) {
    const text = String(value)
    if (text !== '' && allowsAttribute(type, name, text)) kept[name] = text
  }
  return kept
}

function classOf({ type, classes = [], style = {} }: TemmlNode): string {
  if (type === 'mrow') return style.border === undefined ? '' : 'boxed'
  if (type !== 'mtd') return ''
  const is = (name: string, value: RegExp) => value.test(String(style[name] ?? ''))
  const names = [
    (classes.includes('tml-left') || is('textAlign', /^left$/)) && 'at-left',
    classes.includes('tml-right') && 'at-right',
    is('paddingLeft', /^0\D/) && 'flush-left',
    is('paddingRight', /^0\D/) && 'flush-right',
    is('borderTop', /\d/) && 'line-top',
    is('borderBottom', /\d/) && 'line-bottom',
    is('borderLeft', /\d/) && 'line-left',
    is('borderRight', /\d/) && 'line-right',
  ]
  return names.filter(name => name !== false).join(' ')
}
