import { Problem, type ProblemCode } from '#base/problem.ts'
import { textsIn } from '#texts/catalogue.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import { languages } from '#texts/languages.ts'

/** Returns whether an error is a Problem of a code for which each language has a sentence of its own. */
export const isSaid = (code: ProblemCode) => (error: unknown) => {
  if (!(error instanceof Problem) || error.code !== code) return false
  const said = languages.map(language => describeProblem(textsIn(language), error))
  return new Set([...said, error.message]).size === said.length + 1
}
