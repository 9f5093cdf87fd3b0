import { say } from '#base/faults.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import type { Texts } from '#texts/texts.ts'
import type { Fields, FormState } from './form.ts'

/** Shows the faults at the head of the form, with links to the fields. */
export function ErrorSummary({ state, texts }: { state: FormState; texts: Texts }) {
  const { faults, theirs, problem, fields } = state
  const names = Object.keys(fields).filter(name => faults.has(name) || theirs.has(name))
  const count = names.length + (problem === undefined ? 0 : 1)
  if (count === 0) return null
  // The end of a session is no fault of what somebody wrote.
  if (problem?.code === 'signed_out') {
    return (
      <div class="banner warn" role="alert" tabindex={-1}>
        <p>{describeProblem(texts, problem)}</p>
      </div>
    )
  }
  return (
    <div class="banner bad" role="alert" tabindex={-1}>
      <div>
        <h2>{texts.page.errors(count)}</h2>
        <ul>
          {problem !== undefined && <li>{describeProblem(texts, problem)}</li>}
          {names.map(name => (
            <li key={name}>
              <a href={`#${name}`}>
                {nameOf(fields[name], texts)}: {faultOf(state, name, texts) ?? texts.page.changedMeanwhile}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** Returns the name of a field, with its group. */
function nameOf(field: Fields[string] | undefined, texts: Texts): string {
  const { label, of, group } = field ?? {}
  return [label?.(texts), (of ?? group)?.(texts)].filter(Boolean).join(': ')
}

/** Returns what is wrong with a field, in words. */
export function faultOf(
  { faults }: Pick<FormState, 'faults'>,
  name: string,
  texts: Texts,
): string | undefined {
  const found = faults.get(name)
  if (found === undefined) return undefined
  if ('say' in found) return found.say(texts)
  return 'fault' in found ? say(texts.faults, found.fault) : describeProblem(texts, found.problem)
}
