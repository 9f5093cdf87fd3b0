import { Problem } from '#base/problem.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { FormScale } from '#machinery/web/forms/field.ts'
import {
  type FieldFault,
  type Fields,
  type FormState,
  newForm,
  parseForm,
  readForm,
  refusedForm,
  type ValuesOf,
} from '#machinery/web/forms/form.ts'
import type { Context } from './context.ts'
import type { Declaration } from './declaration.ts'
import { type Destination, goTo } from './destination.ts'
import { type Shown, viewOf } from './form-parts.tsx'
import type { PageAt } from './page.ts'
import type { Levels, Services } from './page-request.ts'
import { placeProblem, problemOfForm, type Refused } from './refused-form.ts'
import { answerView } from './show.tsx'

/** The levels without an account, and the event level for rules that make their own writes. */
type Unowned = 'public' | 'user' | 'event'

/** The outcome of a form: where it leads, or what is wrong with it. It is undefined if the form has answered by itself. */
type Outcome = { to: Destination } | { faults: Map<string, FieldFault> } | undefined

interface OwnRules<AtLevel extends Unowned, Loaded, Some extends Fields> extends Declaration {
  /** @throws Problem */
  load: (services: Services, request: Levels[AtLevel]) => Promise<Loaded>
  fields: (loaded: Loaded, request: Levels[AtLevel]) => Some
  initial?: (loaded: Loaded, request: Levels[AtLevel]) => Partial<ValuesOf<Some>>
  /**
   * Finds what only several fields together show to be wrong. It gets the values that are right by themselves, so that a refused
   * form tells all of its faults at once.
   */
  faultsOf?: (values: Partial<ValuesOf<Some>>) => ReadonlyMap<string, FieldFault>
  /** Works as in `formPage`. */
  preview?: (loaded: Loaded) => string
  /** @throws Problem, which the form shows */
  submit: (
    services: Services,
    context: Context,
    request: Levels[AtLevel],
    sent: { values: ValuesOf<Some>; loaded: Loaded },
  ) => Promise<Outcome>
  fieldOf?: (param: string) => string
}

type OwnFormDeclaration<AtLevel extends Unowned, Loaded, Some extends Fields> = OwnRules<
  AtLevel,
  Loaded,
  Some
> &
  Shown<AtLevel, Loaded>

/** These forms contain no times and no money. */
export const NO_SCALE: FormScale = { timezone: 'UTC', currency: 'EUR' }

/**
 * Declares a page with a form that records its own work. Forms of users, such as the sign-in, and rules with many short writes
 * use it.
 */
export function ownForm<const AtLevel extends Unowned, Loaded, Some extends Fields>(
  level: AtLevel,
  page: OwnFormDeclaration<AtLevel, Loaded, Some>,
): PageAt<AtLevel> {
  const {
    load,
    fields,
    initial,
    view: _,
    parts: __,
    faultsOf,
    preview,
    submit,
    fieldOf,
    ...declaration
  } = page
  const { path } = page
  const answer = (
    context: Context,
    request: Levels[AtLevel],
    loaded: Loaded,
    state: FormState,
    status = 200,
  ) =>
    answerView(context, { level, path }, request, {
      ...viewOf(
        page,
        loaded,
        request,
        preview === undefined ? state : { ...state, preview: preview(loaded) },
      ),
      status,
    })
  return {
    ...declaration,
    level,
    get: async (services, context, request) => {
      const loaded = await load(services, request)
      await answer(
        context,
        request,
        loaded,
        newForm(fields(loaded, request), NO_SCALE, initial?.(loaded, request)),
      )
    },
    post: async (services, context, request) => {
      const loaded = await load(services, request)
      const declared = fields(loaded, request)
      const sent = readForm(declared, context.state.body)
      const refuse = (refused: Refused, status: number) =>
        answer(context, request, loaded, refusedForm(declared, NO_SCALE, sent, refused), status)
      const parsed = parseForm(declared, NO_SCALE, sent)
      const together = faultsOf?.('faults' in parsed ? parsed.sound : parsed.values) ?? new Map()
      const faults = 'faults' in parsed ? new Map([...together, ...parsed.faults]) : together
      if ('faults' in parsed || faults.size > 0) return refuse({ faults }, 422)
      if (preview !== undefined && preview(loaded) !== sent.preview)
        return refuse({ problem: new Problem('seen_changed') }, 409)
      try {
        const outcome = await submit(services, context, request, { values: parsed.values, loaded })
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
