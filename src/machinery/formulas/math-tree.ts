/**
 * A formula as it is kept and shown: the name of an element of MathML, its attributes, and what is in it. Nothing stands in one that
 * the lists below do not name, so nothing else can be shown.
 */
export type MathTree = readonly [
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...content: (MathTree | string)[],
]

/** The deepest formula, in elements. Browsers lay out each level several times. */
const MOST_DEPTH = 60

type Allowed = Readonly<Record<string, (value: string) => boolean>>

const isFlag = (value: string) => value === 'true' || value === 'false'

/** Accepts a length that moves nothing over what stands around the formula. */
const isLength = (value: string) => isWithin(value, -1, 3)
/** Accepts the length of something that stretches with what stands above it. */
const isWide = (value: string) => isWithin(value, 0, 30)

const EM: Readonly<Record<string, number>> = { em: 1, ex: 0.5, px: 1 / 16, pt: 1 / 12 }

function isWithin(value: string, least: number, most: number): boolean {
  const [, number, unit = 'em'] = /^([+-]?\d{0,4}(?:\.\d{1,6})?)(em|ex|px|pt)?$/.exec(value) ?? []
  if (number === undefined || !/\d/.test(number)) return false
  const length = Number(number) * (EM[unit] as number)
  return length >= least && length <= most
}

/** The classes of a cell that `content.css` knows: how it is aligned, where it has no space, and its rules. */
export const CELL_CLASSES = [
  ...['at-left', 'at-right', 'flush-left', 'flush-right'],
  ...['line-top', 'line-bottom', 'line-left', 'line-right'],
] as const

const isCellClass = (value: string) =>
  value.split(' ').every(name => (CELL_CLASSES as readonly string[]).includes(name))

/** Where an element may say how large it is. */
const STYLED: Allowed = { displaystyle: isFlag, scriptlevel: value => /^[+-]?[0-3]$/.test(value) }
const SPACE: Allowed = { width: isWide, height: isLength, depth: isLength }
const SCRIPTS: Allowed = { accent: isFlag, accentunder: isFlag }

/** Elements that have text, with their attributes. */
const texts: Readonly<Record<string, Allowed>> = {
  mi: { mathvariant: value => value === 'normal' },
  mn: {},
  mo: {
    form: value => /^(?:prefix|infix|postfix)$/.test(value),
    ...{ fence: isFlag, separator: isFlag, stretchy: isFlag, symmetric: isFlag },
    ...{ largeop: isFlag, movablelimits: isFlag, accent: isFlag },
    ...{ lspace: isLength, rspace: isLength, minsize: isLength, maxsize: isLength },
  },
  mtext: {},
}

/** Elements that have elements, with their attributes. */
const groups: Readonly<Record<string, Allowed>> = {
  mrow: { class: value => value === 'boxed' },
  mstyle: {},
  mphantom: {},
  mpadded: { ...SPACE, lspace: isLength, voffset: isLength },
  mspace: SPACE,
  mfrac: { linethickness: isLength },
  msqrt: {},
  mroot: {},
  msub: {},
  msup: {},
  msubsup: {},
  munder: SCRIPTS,
  mover: SCRIPTS,
  munderover: SCRIPTS,
  mmultiscripts: {},
  mprescripts: {},
  mtable: {},
  mtr: {},
  mtd: { class: isCellClass },
}

/** How many elements an element has, where it needs a number of its own. Browsers show another number as an error. */
const counts: Readonly<Record<string, number>> = {
  ...{ mspace: 0, mprescripts: 0, mfrac: 2, mroot: 2, msub: 2, msup: 2, munder: 2, mover: 2 },
  ...{ msubsup: 3, munderover: 3 },
}

/** Control characters, and those that turn the direction of what stands beside them. */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u

/** Returns whether an element may have an attribute with a value. */
export function allowsAttribute(element: string, name: string, value: string): boolean {
  const own = find(texts, element) ?? find(groups, element)
  if (own === undefined) return false
  const allows = find(own, name) ?? find(STYLED, name)
  return allows?.(value) ?? false
}

/** Returns whether a value from anywhere is a formula in which all is allowed. */
export function isMathTree(value: unknown, depth = 1): value is MathTree {
  if (!Array.isArray(value) || depth > MOST_DEPTH) return false
  const [name, attributes, ...content] = value as unknown[]
  if (typeof name !== 'string' || typeof attributes !== 'object' || attributes === null) return false
  const areAllowed = Object.entries(attributes).every(
    ([attribute, set]) => typeof set === 'string' && allowsAttribute(name, attribute, set),
  )
  if (!areAllowed || Array.isArray(attributes)) return false
  if (find(texts, name) !== undefined) return content.every(isSafeText)
  if (find(groups, name) === undefined) return false
  const count = find(counts, name)
  if (count !== undefined && content.length !== count) return false
  return content.every(part => isMathTree(part, depth + 1))
}

function isSafeText(part: unknown): boolean {
  return typeof part === 'string' && !UNSAFE.test(part)
}

function find<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
