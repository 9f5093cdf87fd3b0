import temml from 'temml'
import type { Formula } from './formula-task.ts'
import type { MathTree } from './math-tree.ts'
import { rebuild, type TemmlNode } from './rebuild.ts'

/**
 * Commands that are refused, with the whole formula. They define others, so that nobody sees what it does, lead elsewhere, load
 * something, or set what is for the page to set. The lists of `math-tree.ts` would stop what these do; here nothing of it begins.
 */
const REFUSED = new Set([
  ...['def', 'gdef', 'edef', 'xdef', 'let', 'futurelet', 'global', 'long', 'csname', 'expandafter'],
  ...['newcommand', 'renewcommand', 'providecommand', 'DeclareMathOperator'],
  ...['href', 'url', 'includegraphics', 'class', 'id', 'cssId', 'style', 'data'],
  ...['label', 'ref', 'eqref', 'toggle', 'mathtip', 'texttip', 'rule', 'verb'],
  // Temml builds what stands in these several times, so each in another doubles the work.
  ...['llap', 'rlap', 'clap', 'mathllap', 'mathrlap', 'mathclap', 'cancelto', 'mathchoice'],
  ...['equilibriumLeft', 'equilibriumRight', 'cdleftarrow', 'cdrightarrow', 'cdlongequal'],
])

/**
 * The environments that are taken. Those of `alignat` make as many columns as a number says, at once, which no limit of the heap
 * survives: a thread that runs out of memory by one large step ends the program.
 */
const ENVIRONMENT =
  /^\s*\{(?:[pbBvV]?matrix\*?|smallmatrix|array|subarray|[rd]?cases|aligned|split|gathered|(?:align|gather|equation)\*?)\}/

/** Groups are at most so deep in others. */
const MOST_GROUPS = 12
/** Chemistry in chemistry is built several times too. It is taken in so few groups. */
const MOST_GROUPS_OF_CHEMISTRY = 3
/** A formula of 500 characters has no use for more expansions of macros. */
const MOST_EXPANSIONS = 1_000

/** The part of Temml that its types leave out: it gives the tree, and not the text of HTML. */
const { __renderToMathMLTree: toTree } = temml as unknown as {
  __renderToMathMLTree: (tex: string, options: object) => TemmlNode
}

/** Returns a formula that is written in TeX. @returns undefined if it is wrong, or says something that is not allowed */
export function fromTex({ tex, isBlock }: Formula): MathTree | undefined {
  if (!isModest(tex)) return undefined
  const options = { displayMode: isBlock, throwOnError: true, maxExpand: MOST_EXPANSIONS }
  try {
    return rebuild(toTree(tex, options))
  } catch {
    // It is wrong. Its author sees what they have written.
    return undefined
  }
}

/** Returns whether a formula has nothing that is refused, and no group too deep in others. */
function isModest(tex: string): boolean {
  let depth = 0
  for (const { 0: token, index } of tex.matchAll(/\\(?:[A-Za-z@]+|.)|[{}%]/gs)) {
    // A comment, which is mostly a percent sign that was meant to be seen, would hide braces from what is counted here.
    if (token === '%' || REFUSED.has(token.slice(1))) return false
    if (token === '\\begin' && !ENVIRONMENT.test(tex.slice(index + token.length))) return false
    if (OPENS.has(token)) depth++
    if (CLOSES.has(token)) depth--
    if (depth > (CHEMISTRY.has(token) ? MOST_GROUPS_OF_CHEMISTRY : MOST_GROUPS)) return false
  }
  return true
}

const CHEMISTRY = new Set(['\\ce', '\\pu'])
const OPENS = new Set(['{', '\\begin', '\\left'])
const CLOSES = new Set(['}', '\\end', '\\right'])
