import { statusOf } from '../http/errors.ts'
import { Problem } from '../problem.ts'
import type { FormScale } from '../web/forms/field.ts'
import {
  type FieldFault,
  type Fields,
  type FormState,
  newForm,
  parseForm,
  readForm,
  refusedForm,
  type ValuesOf,
} from '../web/forms/form.ts'
import type { Levels, Services } from './asked.ts'
import type { Context } from './context.ts'
import type { Declaration } from './declaration.ts'
import { type Destination, goTo } from './destination.ts'
import type { PageAt, View } from './page.ts'
import { placeProblem, problemOfForm, type Refused } from './refused-form.ts'
import { answerView } from './show.tsx'

/** People themselves, of no account; and an event, for rules that make their own writes. */
type Unowned = 'public' | 'user' | 'event'

/** What came of a form: where it leads, what is wrong with it, or nothing, where it has answered itself. */
type Outcome = { to: Destination } | { faults: Map<string, FieldFault> } | undefined

interface OwnFormDeclaration<AtLevel extends Unowned, Loaded, Some extends Fields> extends Declaration {
  /** @throws Problem */
  load: (services: Services, asked: Levels[AtLevel]) => Promise<Loaded>
  fields: (loaded: Loaded, asked: Levels[AtLevel]) => Some
  initial?: (loaded: Loaded, asked: Levels[AtLevel]) => Partial<ValuesOf<Some>>
  view: (loaded: Loaded, asked: Levels[AtLevel], state: FormState) => View
  /** As of `formPage`. */
  seen?: (loaded: Loaded) => string
  /** @throws Problem, which the form shows */
  submit: (
    services: Services,
    context: Context,
    asked: Levels[AtLevel],
    sent: { values: ValuesOf<Some>; loaded: Loaded },
  ) => Promise<Outcome>
  fieldOf?: (param: string) => string
}

/** No times and no money stand in these forms. */
export const NO_SCALE: FormScale = { timezone: 'UTC', currency: 'EUR' }

/** A page with a form that records what it does itself: of people, such as to sign in, or of a rule with many short writes. */
export function ownForm<const AtLevel extends Unowned, Loaded, Some extends Fields>(
  level: AtLevel,
  page: OwnFormDeclaration<AtLevel, Loaded, Some>,
): PageAt<AtLevel> {
  const { load, fields, initial, view, seen, submit, fieldOf, ...declaration } = page
  const { path } = page
  const answer = (context: Context, asked: Levels[AtLevel], loaded: Loaded, state: FormState, status = 200) =>
    answerView(context, { level, path }, asked, {
      ...view(loaded, asked, seen === undefined ? state : { ...state, seen: seen(loaded) }),
      status,
    })
  return {
    ...declaration,
    level,
    get: async (services, context, asked) => {
      const loaded = await load(services, asked)
      await answer(context, asked, loaded, newForm(fields(loaded, asked), NO_SCALE, initial?.(loaded, asked)))
    },
    post: async (services, context, asked) => {
      const loaded = await load(services, asked)
      const declared = fields(loaded, asked)
      const sent = readForm(declared, context.state.body)
      const refuse = (refused: Refused, status: number) =>
        answer(context, asked, loaded, refusedForm(declared, NO_SCALE, sent, refused), status)
      const parsed = parseForm(declared, NO_SCALE, sent)
      if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
      if (seen !== undefined && seen(loaded) !== sent.seen)
        return refuse({ problem: new Problem('seen_changed') }, 409)
      try {
        const outcome = await submit(services, context, asked, { values: parsed.values, loaded })
        if (outcome === undefined) return
        if ('to' in outcome) goTo(services, context, outcome.to)
        else await refuse({ faults: outcome.faults }, 422)
      } catch (error) {
        const problem = problemOfForm(error)
        context.state.problem = problem
        await refuse(placeProblem(declared, problem, fieldOf), statusOf(problem))
      }
    },
  } as PageAt<AtLevel>
}
